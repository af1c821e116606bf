# SPDX-License-Identifier: Apache-2.0
"""A plan from the command line: the plan file, if any, changed by the flags that were given.

A flag about a column changes that column alone: ``--qi age`` beside a plan makes age a quasi-identifier and
leaves the others as the plan has them, so that no column loses its protection because of a flag that names
another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.cli._flags import EVERY, reading_of
from shoal.cli._models import MODELS
from shoal.errors import PlanError, listed
from shoal.plan import ColumnPlan, Plan
from shoal.releases.folder import PLAN
from shoal.roles.roles import IDENTIFIER, INSENSITIVE

#: Flags whose name is the name of the plan's field.
SAME_NAME = ("k", "method", "seed", "loss", "missing", "population", "person", "suppression", "formulas", "format")
DETAILS = ("hierarchy", "kind", "weight", "render")


def plan_of(flags: Mapping[str, Any], *, base: Plan | None = None, k: int | None = None) -> Plan:
    """The plan that file and flags describe; ``base`` and ``k`` stand in where no file, no flag says more."""
    if flags["plan"] is not None:
        base = Plan.read(flags["plan"])
    given = {name: flags[name] for name in SAME_NAME if flags.get(name) is not None}
    given |= {name: True for name in ("keep_order", "accept_weaker", "refine") if flags.get(name)}
    given |= _budget(flags)
    if models := models_of(flags):
        given["models"] = {**(base.models if base else {}), **models}
    if flags.get("set"):
        given["parameters"] = _parameters(flags, base)
    details: dict[str, dict[str, Any]] = {name: dict(flags.get(name, {})) for name in DETAILS}
    if EVERY in details["render"]:
        given["render"] = details["render"].pop(EVERY)
    given["columns"] = _columns(flags, base.columns if base else {}, details)
    given["reading"] = reading_of(flags, base.reading if base else None)
    if base is not None:
        return replace(base, **given)
    if "k" not in given and k is None:
        raise PlanError(
            "Nothing says how many look-alikes each record needs.",
            where="flag -k",
            allowed="-k with a whole number of at least 1, or --plan with k in [privacy]",
            received="neither -k nor --plan",
            todo="add -k, e.g. -k 10",
        )
    return Plan(**{"k": k, **given})


def _budget(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The budget of the search; one that a flag gives takes the place of whatever budget the plan has."""
    asked = {name: flags.get(name) for name in ("steps", "time_budget")}
    return {} if set(asked.values()) == {None} else {**asked, "stop_after": None}


def models_of(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The privacy models that flags ask for, with their parameters."""
    return {name: flags[name] for name in MODELS if flags.get(name) is not None}


def is_release_folder(path: Path | str) -> bool:
    """Whether a path is a folder that says what it promises, even if its manifest was lost."""
    return isinstance(path, Path) and (path / PLAN).is_file()


def _parameters(flags: Mapping[str, Any], base: Plan | None) -> dict[str, Any]:
    """Parameters of the method; those of the plan are kept unless the flag chooses another method."""
    another = base is None or (flags.get("method") or base.method) != base.method
    kept = {} if base is None or another else base.parameters
    return {**kept, **flags["set"]}


def _columns(
    flags: Mapping[str, Any], base: Mapping[str, ColumnPlan], details: Mapping[str, Mapping[str, Any]]
) -> dict[str, ColumnPlan]:
    columns = dict(base)
    roles = Plan.of(
        1,
        quasi_identifiers=flags["qi"],
        sensitive=flags["sensitive"],
        identifiers=flags.get("identifier", ()),
    ).columns
    for name, given in roles.items():
        columns[name] = replace(columns.get(name, ColumnPlan()), role=given.role)
    for detail, values in details.items():
        for name, value in values.items():
            _refuse_useless(detail, name, columns)
            columns[name] = replace(columns[name], **{detail: value})
    return columns


def _refuse_useless(detail: str, name: str, columns: Mapping[str, ColumnPlan]) -> None:
    """A setting for a column that is not generalised would be silently ignored: refuse it."""
    role = columns[name].role if name in columns else INSENSITIVE
    if role in (IDENTIFIER, INSENSITIVE):
        able = [one for one, column in columns.items() if column.role not in (IDENTIFIER, INSENSITIVE)]
        raise PlanError(
            "A setting was given for a column that is published as it is or not at all.",
            where=f"flag --{detail}, column {name!r}",
            allowed=f"quasi-identifiers and sensitive columns: {listed(able)}",
            received=f"a column of role {role!r}",
            todo=f"name the column in --qi too, or leave out its --{detail}",
        )
