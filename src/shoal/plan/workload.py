# SPDX-License-Identifier: Apache-2.0
"""What a release is for, as weights of its columns.

The plan may name a column that analyses predict (``target``), quasi-identifiers that they use most (``matters``),
groups of columns by which they count (``group_by``) and pairs whose correlation matters (``pairs``). The weight of a
quasi-identifier is then

    1 + (MOST - 1) · I_j / max I        I_j = what it tells about the target: their mutual information less chance
    times NAMED for the columns that matter, in whichever way they are named

Mutual information is that of bins and commonest values; what two columns without any bond would seem to tell, (r - 1)
(c - 1) / 2n for r and c values and n rows, is taken off (Miller 1955). Weights are rounded to two digits. They stand
in the plan that a release tells, so that it replays; weights that somebody gave stay as they are, all of them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError, listed
from shoal.ground.information import mutual_information
from shoal.hierarchies.building import few_codes
from shoal.plan.plan import Plan
from shoal.plan.roles import INSENSITIVE, REMOVED, SENSITIVE
from shoal.tables.table import Table

MOST = 5.0
"""Weight of the quasi-identifier that tells most about the target."""
NAMED = 3.0
"""How many times as much a column weighs that matters."""


def weighed(plan: Plan, table: Table) -> Plan:
    """The plan with the weights that follow from what the release is for; the same plan where nothing is said."""
    target = [] if plan.target is None else [plan.target]
    grouped = [name for one in (*plan.group_by, *plan.pairs) for name in one]
    table.require([*plan.matters, *target, *grouped], where="--target, --matters, --group-by, --pairs / [workload]")
    _check(plan, grouped)
    given = any(plan.columns[name].weight != 1 for name in plan.quasi_identifiers)
    if given or (plan.target is None and not _named(plan)):
        return plan
    weights = workload_weights(plan, table)
    return plan.with_columns({name: replace(plan.columns[name], weight=one) for name, one in weights.items()})


def workload_weights(plan: Plan, table: Table) -> dict[str, float]:
    """The weight of every quasi-identifier."""
    told = dict.fromkeys(plan.quasi_identifiers, 0.0)
    if plan.target is not None:
        target = few_codes(table, plan.target)
        told = {name: information(few_codes(table, name), target) for name in told}
    most, named = max(told.values(), default=0.0), _named(plan)
    return {
        name: round((1 + (MOST - 1) * (one / most if most > 0 else 0.0)) * (NAMED if name in named else 1), 2)
        for name, one in told.items()
    }


def _named(plan: Plan) -> set[str]:
    """Quasi-identifiers that matter, by themselves, in a group or in a pair."""
    return {*plan.matters, *(name for one in (*plan.group_by, *plan.pairs) for name in one)} & {*plan.quasi_identifiers}


def weights_told(asked: Plan, plan: Plan) -> list[str]:
    """What the weights came to, in words, where they follow from what the release is for."""
    weights = {name: plan.columns[name].weight for name in plan.quasi_identifiers}
    if all(plan.columns[name].weight == asked.columns[name].weight for name in weights):
        return []
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    return ["columns weigh as the workload says: " + ", ".join(f"{name} {weight:g}" for name, weight in ordered)]


def information(one: Ints, other: Ints) -> float:
    """Mutual information of two columns of codes, in nats, less what chance brings; never below 0.

    >>> round(information(np.array([0, 1] * 50), np.array([0, 1] * 50)), 3)
    0.688
    """
    left, right = (np.unique(codes, return_inverse=True)[1].ravel() for codes in (one, other))
    r, c = (int(codes.max(initial=0)) + 1 for codes in (left, right))
    table = np.bincount(left * c + right, minlength=r * c).astype(np.float64).reshape(r, c)
    return max(mutual_information(table) - (r - 1) * (c - 1) / (2 * max(len(one), 1)), 0.0)


def _check(plan: Plan, grouped: list[str]) -> None:
    """Refuse a workload about columns that are not published, or that are blurred themselves."""
    if plan.target is not None and plan.role_of(plan.target) not in (SENSITIVE, INSENSITIVE):
        raise PlanError(
            "The column to be predicted is not published as it is.",
            where=f"--target / [workload] target, column {plan.target!r}",
            allowed="a sensitive or an insensitive column",
            received=f"a column of role {plan.role_of(plan.target)!r}",
            todo="name another column, or give it the role sensitive",
        )
    hidden = [name for name in grouped if plan.role_of(name) in REMOVED]
    if hidden:
        raise PlanError(
            "A workload is about columns that are not published.",
            where="--group-by, --pairs / [workload] group_by, pairs",
            allowed="columns that are in the release",
            received=listed(hidden),
            todo="name others, or give them another role",
        )
    strange = [name for name in plan.matters if name not in plan.quasi_identifiers]
    if strange:
        raise PlanError(
            "A column that is published as it is, or not at all, cannot matter more.",
            where="--matters / [workload] columns",
            allowed=f"quasi-identifiers: {listed(plan.quasi_identifiers)}",
            received=listed(strange),
            todo="name quasi-identifiers alone",
        )
