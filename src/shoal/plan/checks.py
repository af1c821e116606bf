# SPDX-License-Identifier: Apache-2.0
"""What a plan may say: its settings as they are declared, and the few rules that are about two of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from shoal.ground import catalog
from shoal.ground.errors import PlanError, listed, short
from shoal.ground.settings import check_settings
from shoal.ground.sizes import bytes_of
from shoal.plan.gates import gates_of
from shoal.plan.roles import CATEGORICAL, DATE, NUMERIC, ORDERED, QUASI_IDENTIFIER, RANGE, RANGE_KINDS, SCALES_OF
from shoal.tables.date_formats import date_format
from shoal.tables.notation import check_marks

if TYPE_CHECKING:
    from shoal.plan.columns import ColumnPlan
    from shoal.plan.plan import Plan

LOSSES = ("ncp", "height", "eloss", "lm", "sse")
REFUSE = "refuse"
MISSING = ("own", REFUSE, "wildcard")
FORMULAS = ("keep", "prefix")
DEFAULT_METHOD = "shoal"
DEFAULT_RENDER = "generalise"
LARGEST_WEIGHT = 1_000_000
"""Losses are compared to some 13 digits; beside larger weights, columns of weight 1 would hardly count."""

LONGEST_LINE, LONGEST_TEXT = 120, 300
"""Letters of what stands on the first page of the report, so that it stays one page."""


def check_plan(plan: Plan) -> None:
    """Refuse a plan with a setting that is not allowed."""
    check_settings(plan)
    _check_date(plan)
    if plan.memory is not None:
        bytes_of(plan.memory, "--memory / [method] memory")
    others = [name for name in ("steps", "stop_after", "stop_bound_after") if getattr(plan, name) is not None]
    if plan.time_budget is not None and others:
        raise PlanError(
            "Search and bound have one budget: seconds or steps.",
            where="--time-budget / [method] time_budget",
            allowed="time_budget without steps, stop_after and stop_bound_after",
            received=f"{plan.time_budget!r} and {listed(others)}",
            todo="give seconds or steps, not both",
        )
    for name in plan.models:
        catalog.find("privacy_models", name)
    gates_of(plan.require)
    _check_workload(plan)
    _check_weights(plan)
    for name, column in plan.columns.items():
        check_settings(column, of=f"column {name!r}")
        if column.hierarchy is not None and column.kind in RANGE_KINDS:
            raise PlanError(
                "A column that is published as a range cannot have a hierarchy.",
                where=f"column {name!r}",
                allowed="kind 'categorical' or 'text-prefix' with a hierarchy, or another without",
                received=f"kind {column.kind!r} and a hierarchy",
                todo="leave out the kind or the hierarchy",
            )
        if column.order is not None:
            _check_order(name, column)
        _check_notation(name, column)
        if column.hierarchy is not None or column.kind is not None:
            check_scale(name, column.kind or CATEGORICAL, column.scale)


def _check_workload(plan: Plan) -> None:
    """A pair is of two columns, and a list of columns has each once."""
    wrong = [one for one in plan.pairs if len(one) != 2 or one[0] == one[1]]
    wrong += [one for one in plan.group_by if not one or len(set(one)) != len(one)]
    if wrong:
        raise PlanError(
            "A workload names columns that make no pair, or no group.",
            where="--pairs, --group-by / [workload] pairs, group_by",
            allowed="two different columns in a pair, one or more different ones in a group",
            received=short(", ".join(wrong[0])),
            todo="write pairs like --pairs age,cost and groups like --group-by sex,region",
        )


def _check_weights(plan: Plan) -> None:
    """Survey weights that are blurred weigh nothing."""
    column = None if plan.sample_weight is None else plan.columns.get(plan.sample_weight)
    if column is not None and column.role == QUASI_IDENTIFIER:
        raise PlanError(
            "A column of survey weights cannot be a quasi-identifier: it would be published in ranges.",
            where="--sample-weight / [privacy] sample_weight",
            allowed="a column that is published as it is, or not at all",
            received=f"column {plan.sample_weight!r} of role {column.role!r}",
            todo="give it another role, or round the weights first and name no column of weights",
        )


def _check_order(name: str, column: ColumnPlan) -> None:
    """An order is that of an ordered column, and has each value once."""
    order = column.order or ()
    other = column.hierarchy is not None or column.kind not in (None, ORDERED)
    repeated = len(order) - len(set(order))
    if not other and not repeated and len(order) > 1:
        return
    received = f"{repeated} values that repeat" if repeated else f"{len(order)} values"
    if other:
        received = "a hierarchy" if column.hierarchy is not None else f"kind {column.kind!r}"
    raise PlanError(
        "An order was given that a column cannot have.",
        where=f"--order / order of column {name!r}",
        allowed="two or more different values, for a column of kind 'ordered' without a hierarchy",
        received=received,
        todo="leave out the order, or what stands against it",
    )


def _check_notation(name: str, column: ColumnPlan) -> None:
    """How numbers and dates are written is said of columns that are read as such."""
    where = f"of column {name!r}"
    check_marks(column.decimal, column.thousands, where)
    if column.date_format is not None:
        date_format(column.date_format)
    given = [key for key in ("date_format", "decimal", "thousands") if getattr(column, key) is not None]
    other = column.hierarchy is not None or column.kind not in (None, NUMERIC, DATE)
    both = column.date_format is not None and len(given) > 1
    if (given and other) or both:
        received = "a hierarchy" if column.hierarchy is not None else f"kind {column.kind!r}"
        raise PlanError(
            "A column was said to be written in a way that it is not read in.",
            where=f"{listed(given)} {where}",
            allowed="a date format or marks of numbers, for a column of kind 'numeric' or 'date' without a hierarchy",
            received=listed(given) if both else received,
            todo="leave out one of the two",
        )


def check_scale(name: str, kind: str, scale: str) -> None:
    """Refuse a scale that a column of this kind does not have."""
    known = SCALES_OF.get(kind, (RANGE,))
    if scale not in known:
        raise PlanError(
            "The loss of a column cannot be counted on that scale.",
            where=f"--scale / scale of column {name!r}",
            allowed=f"{listed(known)} for a column of kind {kind!r}",
            received=repr(scale),
            todo="choose another scale, or another kind for the column",
        )


def _check_date(plan: Plan) -> None:
    try:
        day = None if plan.date is None else date.fromisoformat(plan.date)
    except ValueError:
        day = None
    if plan.date is not None and (day is None or day.isoformat() != plan.date):
        raise PlanError(
            "The day of the release cannot be read.",
            where="--date / [release] date",
            allowed="a day of the calendar as year-month-day",
            received=repr(plan.date[:40]),
            todo="write it like 2026-05-01",
        )


def table_in(given: Mapping[str, Any], name: str, where: str, inside: str = "") -> Mapping[str, Any]:
    """A part of a plan that has to be a table, empty where it is not there."""
    found = given.get(name, {})
    if not isinstance(found, Mapping):
        head = f"[{inside}.{name}]" if inside else f"[{name}]"
        raise PlanError(
            "A part of the plan must be a table.",
            where=f"{head} of {where}",
            allowed=f"{head} followed by keys",
            received=type(found).__name__,
            todo=f"write {head} on a line of its own, and its keys below",
        )
    return found
