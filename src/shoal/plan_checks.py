# SPDX-License-Identifier: Apache-2.0
"""What a plan may say: every setting is checked before anything is read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal import catalog
from shoal.errors import PlanError, listed, nearest
from shoal.roles.roles import CATEGORICAL, KINDS, RANGE_KINDS, ROLES, TEXT_PREFIX

if TYPE_CHECKING:
    from shoal.plan import ColumnPlan, Plan

LOSSES = ("ncp", "height", "eloss", "lm", "sse")
MISSING = ("own", "refuse", "wildcard")
FORMULAS = ("keep", "prefix")
OPTIONAL_PRIVACY_KEYS = ("missing", "accept_weaker", "population", "suppression", "person")
PRIVACY_KEYS = ("k", *OPTIONAL_PRIVACY_KEYS)
"""Keys of [privacy] that are not the name of a model."""
BUDGET = ("steps", "stop_after", "time_budget")
"""Keys of [method] that say how long the search may take."""
DEFAULT_METHOD = "shoal"
DEFAULT_RENDER = "generalise"
LARGEST_WEIGHT = 1_000_000
"""Losses are compared after 12 decimals; sums with larger weights would lose them."""


def check_plan(plan: Plan) -> None:
    """Refuse a plan with a setting that is not allowed."""
    _check_whole("k", plan.k, 1, "-k / k", "choose how many look-alikes each record needs, e.g. 10")
    if plan.seed is not None:
        _check_whole("seed", plan.seed, 0, "--seed / seed", "give any whole number from 0 up")
    if isinstance(plan.population, int):
        _check_whole(
            "population", plan.population, 1, "--population / [privacy] population", "give a table or a number"
        )
    _check_budget(plan)
    _check_suppression(plan)
    _check_choice(plan.loss, LOSSES, "loss", "--loss / [method] loss")
    _check_choice(plan.missing, MISSING, "reading of missing values", "--missing / [privacy] missing")
    _check_choice(plan.formulas, FORMULAS, "treatment of formulas", "--formulas / [release] formulas")
    _check_switch("keep_order", plan.keep_order, "--keep-order / [release] keep_order", "to have the rows shuffled")
    _check_switch(
        "accept_weaker", plan.accept_weaker, "--accept-weaker / [privacy] accept_weaker", "to have k-anonymous tables"
    )
    if plan.render is not None:
        _check_render(plan.render, "--render / [release] render")
    catalog.find("algorithms", plan.method)
    for name in plan.models:
        catalog.find("privacy_models", name)
    if plan.format is not None:
        catalog.find("tables.formats", plan.format)
    for name, column in plan.columns.items():
        _check_column(name, column)


def _check_budget(plan: Plan) -> None:
    _check_switch("refine", plan.refine, "--refine / [method] refine", "to publish the method's own classes")
    if plan.steps is not None:
        _check_whole("steps", plan.steps, 1, "--steps / [method] steps", "leave it out for the usual budget")
    if plan.stop_after is not None:
        _check_whole("stop_after", plan.stop_after, 0, "[method] stop_after", "leave it out to use the whole budget")
    seconds = plan.time_budget
    if seconds is None:
        return
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 < seconds < math.inf or plan.steps is not None or plan.stop_after is not None:
        raise PlanError(
            "The time for the search must be a number of seconds above 0, and no other budget beside it.",
            where="--time-budget / [method] time_budget",
            allowed="e.g. 30; without steps and stop_after",
            received=repr(seconds) + ("" if plan.steps is None and plan.stop_after is None else " and steps"),
            todo="give seconds or steps, not both",
        )


def _check_suppression(plan: Plan) -> None:
    share = plan.suppression
    number = isinstance(share, int | float) and not isinstance(share, bool)
    if not number or not 0 <= share < 1:
        raise PlanError(
            "The share of rows that may be left out must be a number from 0 to less than 1.",
            where="--suppression / [privacy] suppression",
            allowed="0 (none), 0.02 (2 of 100 rows), ...",
            received=repr(share),
            todo="give a share, e.g. 0.02",
        )
    if plan.person is not None and (not isinstance(plan.person, str) or not plan.person):
        raise PlanError(
            "The column that tells persons apart must be named.",
            where="--person / [privacy] person",
            allowed="the name of a column",
            received=repr(plan.person),
            todo='name it, e.g. person = "patient"',
        )


def _check_column(name: str, column: ColumnPlan) -> None:
    where = f"column {name!r}"
    _check_choice(column.role, tuple(ROLES), "role", where)
    if column.kind is not None:
        _check_choice(column.kind, tuple(KINDS), "kind", where)
    if column.render is not None:
        _check_render(column.render, where)
    if column.hierarchy is not None and column.kind not in (None, CATEGORICAL, TEXT_PREFIX):
        raise PlanError(
            "A column that is published as a range cannot have a hierarchy.",
            where=where,
            allowed=f"kind {CATEGORICAL!r} with a hierarchy, or one of {listed(RANGE_KINDS)} without",
            received=f"kind {column.kind!r} and a hierarchy",
            todo="leave out the kind or the hierarchy",
        )
    weight = column.weight
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 <= weight <= LARGEST_WEIGHT:
        raise PlanError(
            f"A column weight must be a number from 0 to {LARGEST_WEIGHT:,}.",
            where=where,
            allowed=f"a number from 0 to {LARGEST_WEIGHT:,}; 1 is usual",
            received=repr(weight),
            todo="change the weight",
        )


def _check_render(how: Any, where: str) -> None:
    if how != DEFAULT_RENDER:
        _check_choice(how, (DEFAULT_RENDER, *catalog.names("generalizing.renderings")), "rendering", where)


def _check_choice(value: Any, allowed: Sequence[str], what: str, where: str) -> None:
    if value not in allowed:
        raise PlanError(
            f"There is no such {what}.",
            where=where,
            allowed=listed(allowed),
            received=repr(value),
            todo=nearest(str(value), allowed) or "choose one of those allowed",
        )


def _check_whole(what: str, value: Any, least: int, where: str, todo: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise PlanError(
            f"{what} must be a whole number of at least {least}.",
            where=where,
            allowed=f"{least}, {least + 1}, {least + 2}, ...",
            received=repr(value),
            todo=todo,
        )


def _check_switch(what: str, value: Any, where: str, purpose: str) -> None:
    if not isinstance(value, bool):
        raise PlanError(
            f"{what} must be true or false.",
            where=where,
            allowed="true, false",
            received=repr(value),
            todo=f"leave it out {purpose}",
        )


def refuse_unknown(given: Mapping[str, Any], known: Sequence[str], what: str, where: str) -> None:
    """Refuse a name that nobody reads, with the nearest one that somebody does."""
    for name in given:
        if name not in known:
            raise PlanError(
                f"There is no such {what}.",
                where=where,
                allowed=listed(known, limit=20),
                received=repr(name),
                todo=nearest(name, known) or f"leave out the {what}",
            )
