# SPDX-License-Identifier: Apache-2.0
"""What the models ask of every class before it is made, and why a release that breaks one of them is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Flags, Ints
from shoal.ground.errors import CannotHoldError, RefusedReleaseError, ShoalError, listed
from shoal.ground.parameters import build
from shoal.ground.requirements import Requirement
from shoal.judging.persons import MODEL as PERSON_MODEL
from shoal.judging.persons import requirement as persons_requirement
from shoal.judging.privacy_models import own_k
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import OWN_K, Plan
from shoal.tables.table import Table


def requirement_of(plan: Plan, table: Table, *, one_level: bool = False) -> Requirement:
    """What every class must satisfy, asked of each model that can say so in numbers.

    ``one_level``: the method shows each column at one level, of which a model may ask for something else.
    """
    asked = [("k_anonymity", {"k": plan.k}), *plan.models.items()]
    wanted = [_asked(name, given, table, plan, one_level) for name, given in asked]
    if plan.person is not None:
        wanted.append(persons_requirement(table, plan))
    return Requirement.strictest(wanted)


def own_k_of(table: Table, plan: Plan) -> Ints | None:
    """[row] the look-alikes that its person asks for; None if the plan has no such model."""
    given = plan.models.get(OWN_K)
    if given is None:
        return None
    parameters = build(own_k.Parameters, given, where=f"model {OWN_K!r}")
    return None if parameters.column is None else own_k.own_sizes(table, plan, parameters)


def may_be_mended(verdict: Verdict, plan: Plan, table: Table) -> bool:
    """Whether all that is broken may break although every class obeys, so that coarser classes are worth a try."""
    broken = [finding for finding in verdict.findings if finding.holds is False]
    return all(_may_break(finding.model, plan, table) for finding in broken)


def rows_at_fault(verdict: Verdict, released: Table, plan: Plan) -> Flags:
    """Which rows of a released table break a model; all of them, where a model cannot say."""
    faulty = np.zeros(len(released), dtype=np.bool_)
    for finding in verdict.findings:
        if finding.holds is False:
            faulty |= _said_to_be_at_fault(finding.model, released, plan)
    return faulty if faulty.any() else faulty | (not verdict.holds)


def _said_to_be_at_fault(name: str, released: Table, plan: Plan) -> Flags:
    model = catalog.load("privacy_models", name) if name in plan.models else None
    if model is None or not hasattr(model, "rows_at_fault"):
        return np.ones(len(released), dtype=np.bool_)
    parameters = build(model.Parameters, plan.models[name], where=f"model {name!r}")
    faulty: Flags = model.rows_at_fault(released, plan, parameters)
    return faulty


def refusal(verdict: Verdict, plan: Plan, table: Table, promise: str) -> ShoalError:
    """Why a result that breaks a promise is not released: what was asked for cannot be kept, or something is wrong."""
    broken = [finding for finding in verdict.findings if finding.holds is False]
    said = listed(finding.statement for finding in broken)
    if may_be_mended(verdict, plan, table):
        return CannotHoldError(
            "Not even one class of all rows keeps what was asked for, so nothing is released.",
            where=f"model {listed(finding.model for finding in broken)}",
            allowed=promise,
            received=said,
            todo=("use --missing own; or " if plan.missing == "wildcard" else "") + "ask for less; no method can do it",
        )
    return RefusedReleaseError(
        "The result did not pass the independent check, so nothing is released. This is a bug in shoal.",
        where=f"method {plan.method!r}",
        allowed=promise,
        received=said,
        todo="please report it with the plan (not the table), and use another method meanwhile",
    )


def _may_break(name: str, plan: Plan, table: Table) -> bool:
    """Whether a model may break although all classes obey: cells that match anything, or no rule that says it all."""
    if name == PERSON_MODEL or name not in plan.models:
        return name == PERSON_MODEL and plan.missing == "wildcard"
    return plan.missing == "wildcard" or not _asked(name, plan.models[name], table, plan).rules


def _asked(name: str, given: Mapping[str, Any], table: Table, plan: Plan, one_level: bool = False) -> Requirement:
    model = catalog.load("privacy_models", name)
    ask = getattr(model, "at_one_level", model.requirement) if one_level else model.requirement
    asked: Requirement = ask(build(model.Parameters, given, where=f"model {name!r}"), table, plan)
    return asked
