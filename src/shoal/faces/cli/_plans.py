# SPDX-License-Identifier: Apache-2.0
"""A plan from the command line: the plan file, if any, changed by the flags that were given.

A flag about a column changes that column alone: ``--qi age`` beside a plan makes age a quasi-identifier and
leaves the others as the plan has them, so that no column loses its protection because of a flag that names
another one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.faces.cli._flags import EVERY
from shoal.faces.cli._models import models_of
from shoal.faces.cli._settings import details_by, given_by, reading_of
from shoal.ground.errors import PlanError, listed
from shoal.ground.settings import settings_of
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER, SENSITIVE
from shoal.releases.inspection import PLAN
from shoal.releases.manifest import MANIFEST

ROLE_FLAGS = {
    "quasi_identifiers": "qi",
    "sensitive": "sensitive",
    "identifiers": "identifier",
    "insensitive": "insensitive",
    "drop": "drop",
}
"""The flag of each keyword that names columns of a role."""


def plan_of(flags: Mapping[str, Any], *, base: Plan | None = None, k: int | None = None) -> Plan:
    """The plan that file and flags describe; ``base`` and ``k`` stand in where no file, no flag says more."""
    if flags["plan"] is not None:
        base = Plan.read(flags["plan"])
    given = given_by(flags, Plan)
    if given.keys() & {"steps", "time_budget", "effort"}:  # it takes the place of whatever budget the plan has
        given = {"steps": None, "time_budget": None, "stop_after": None, "stop_bound_after": None, **given}
    if models := models_of(flags):
        given["models"] = {**(base.models if base else {}), **models}
    if "parameters" in given and base is not None and given.get("method", base.method) == base.method:
        given["parameters"] = {**base.parameters, **given["parameters"]}
    if base is not None and base.require:  # a flag may ask for more, and takes nothing back
        given["require"] = tuple(dict.fromkeys([*base.require, *given.get("require", ())]))
    details = details_by(flags)
    for_all = {name: values.pop(EVERY) for name, values in details.items() if EVERY in values}
    given |= {name: value for name, value in for_all.items() if name in {one.name for one in settings_of(Plan)}}
    given["columns"] = _columns(flags, base.columns if base else {}, details)
    given["reading"] = reading_of(flags, base.reading if base else None)
    return Plan(**{"k": k, **given}) if base is None else replace(base, **given)


def roles_of(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The roles that flags give to columns, as keywords of a plan; a command need not have all of them."""
    return {keyword: flags.get(flag, ()) for keyword, flag in ROLE_FLAGS.items()}


def is_release_folder(path: Path | str) -> bool:
    """Whether a path is a folder that says what it promises, even if its manifest, or its plan, was lost."""
    return isinstance(path, Path) and any(os.path.lexists(path / name) for name in (PLAN, MANIFEST))


def _columns(
    flags: Mapping[str, Any], base: Mapping[str, ColumnPlan], details: Mapping[str, Mapping[str, Any]]
) -> dict[str, ColumnPlan]:
    columns = dict(base)
    roles = Plan.of(1, **roles_of(flags)).columns
    for name, given in roles.items():
        columns[name] = replace(columns.get(name, ColumnPlan()), role=given.role)
    for detail, values in details.items():
        for name, value in values.items():
            _refuse_useless(detail, name, columns)
            columns[name] = replace(columns[name], **{detail: value})
    return columns


def _refuse_useless(detail: str, name: str, columns: Mapping[str, ColumnPlan]) -> None:
    """A setting for a column that is not generalised would be silently ignored: refuse it."""
    role = columns[name].role if name in columns else None
    if role not in (QUASI_IDENTIFIER, SENSITIVE):
        able = [one for one, column in columns.items() if column.role in (QUASI_IDENTIFIER, SENSITIVE)]
        raise PlanError(
            "A setting was given for a column that is published as it is or not at all.",
            where=f"flag --{detail}, column {name!r}",
            allowed=f"quasi-identifiers and sensitive columns: {listed(able)}",
            received=f"a column of role {role!r}" if role else "a column without a role",
            todo=f"name the column in --qi too, or leave out its --{detail}",
        )
