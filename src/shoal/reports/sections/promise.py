# SPDX-License-Identifier: Apache-2.0
"""The guarantee in plain words, and what each column is."""

from __future__ import annotations

from html import escape

from shoal.reports.findings import MARKS, Reported, in_words, promise_of
from shoal.reports.pieces import paragraphs, text_table
from shoal.roles.roles import INSENSITIVE, ROLES

HEADING = "What is promised"

CHECKED = "“Holds” was measured on the table itself by a checker that shares no code with the engine that made it."


def section(release: Reported) -> str:
    """Verdict, promise, roles."""
    style, word = MARKS[release.verdict.holds]
    plan = release.plan
    declared = {*plan.columns, *plan.published_quasi_identifiers}
    undeclared = [name for name in release.released.names if name not in declared]
    columns = {role: plan.having(role) + undeclared * (role == INSENSITIVE) for role in ROLES}
    roles = [(role, in_words(columns[role]), meaning) for role, meaning in ROLES.items()]
    return (
        f'<div class="verdict {style}"><strong>{word}</strong><p>{escape(promise_of(release))}</p></div>'
        + paragraphs(CHECKED)
        + text_table("What each column is", ("Role", "Columns", "Meaning"), roles)
    )
