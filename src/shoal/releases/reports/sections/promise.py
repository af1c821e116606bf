# SPDX-License-Identifier: Apache-2.0
"""The guarantee in plain words, and what each column is."""

from __future__ import annotations

from shoal.ground.pages import render
from shoal.ground.pieces import TextTable
from shoal.ground.wording import some
from shoal.plan.roles import INSENSITIVE, ROLES
from shoal.releases.reports.findings import Reported


def section(release: Reported) -> str:
    """Promise and roles; of many columns the first, for plan.toml has all. Roles that no column has are left out."""
    plan = release.plan
    declared = {*plan.columns, *plan.published_quasi_identifiers}
    undeclared = [name for name in release.released.names if name not in declared]
    columns = {role: plan.having(role) + undeclared * (role == INSENSITIVE) for role in ROLES}
    roles = [(role, some(columns[role]), meaning) for role, meaning in ROLES.items() if columns[role]]
    return render(
        "releases/reports/templates/promise.html",
        promise=release.kind.statement(plan),
        roles=TextTable("What each column is", ("Role", "Columns", "Meaning"), roles),
    )
