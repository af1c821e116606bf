# SPDX-License-Identifier: Apache-2.0
"""What a release is for, as weights of its columns.

The plan may name a column that analyses predict (``target``), quasi-identifiers that they use most (``matters``),
groups of columns by which they count (``group_by``) and pairs whose correlation matters (``pairs``). The weight of a
quasi-identifier is then

    1 + (MOST - 1) · A_j / max A        A_j = what it adds to what other columns tell about the target
    times NAMED for the columns that matter, in whichever way they are named; MOST is BESIDE where there are any

What is added is found by forward selection (M. Efroymson, Multiple regression analysis, 1960): columns are taken one
after another, each time the one that adds most to the adjusted R² of a regression of the target on those taken so far;
what it adds then is A_j. Columns and target are bins and commonest values, one indicator each; of a target of several
values the variances of its indicators are added up. So of two columns that tell the same only one weighs more, and one
that seems to tell much (age) because it goes with another that does (being married) weighs little.

Weights are rounded to two digits. They stand in the plan that a release tells, so that it replays; weights that
somebody gave stay as they are, all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError, listed
from shoal.ground.information import mutual_information
from shoal.hierarchies.building import few_codes, spread_rows
from shoal.plan.plan import Plan
from shoal.plan.roles import INSENSITIVE, REMOVED, SENSITIVE
from shoal.tables.table import Table

MOST, BESIDE = 20.0, 5.0
"""Weight of the quasi-identifier that tells most about the target, alone and where other columns matter, too."""
NAMED = 3.0
"""How many times as much a column weighs that matters."""
MOST_ROWS, MOST_CODES, MOST_TAKEN = 20_000, 30, 20
"""Rows that are looked at; values of a column that are told apart; columns that are taken, at most."""
NOTHING = 1e-9
"""Per row: a sum of squares up to which nothing is left of an indicator."""


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
        some = table.take(spread_rows(len(table), MOST_ROWS))
        columns = [few_codes(some, name) for name in told]
        told = dict(zip(told, added(columns, few_codes(some, plan.target)), strict=True))
    named = _named(plan)
    most, heaviest = max(told.values(), default=0.0), BESIDE if named else MOST
    return {
        name: round((1 + (heaviest - 1) * (one / most if most > 0 else 0.0)) * (NAMED if name in named else 1), 2)
        for name, one in told.items()
    }


def _named(plan: Plan) -> set[str]:
    """Quasi-identifiers that matter, by themselves, in a group or in a pair."""
    return {*plan.matters, *(name for one in (*plan.group_by, *plan.pairs) for name in one)} & {*plan.quasi_identifiers}


def weights_told(plan: Plan) -> list[str]:
    """What columns weigh, in words, where it is said what the release is for; the same when a plan is replayed."""
    weights = {name: plan.columns[name].weight for name in plan.quasi_identifiers}
    if (plan.target is None and not _named(plan)) or all(weight == 1 for weight in weights.values()):
        return []
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    return ["columns weigh in this workload: " + ", ".join(f"{name} {weight:g}" for name, weight in ordered)]


def added(columns: Sequence[Ints], target: Ints) -> list[float]:
    """[column] what it adds to those that were taken before it, of the variance of the target, 0 to 1.

    Of very many columns those are taken that tell most by themselves.

    >>> same = np.array([0, 1] * 50)
    >>> [round(one, 6) for one in added([np.repeat([0, 1], 50), same, same], same)]
    [0.0, 1.0, 0.0]
    """
    alone = [-information(codes, target) for codes in columns]
    left = sorted(np.argsort(alone, kind="stable")[:MOST_TAKEN].tolist())
    found, fit = [0.0] * len(columns), _Fit.of({one: columns[one] for one in left}, target)
    while left and fit.total > NOTHING * fit.rows:
        tried = {one: fit.beside(one) for one in left}
        best = max(left, key=lambda one: (round(tried[one].adjusted, 12), -one))
        if tried[best].adjusted <= fit.adjusted:
            break
        found[best] = tried[best].adjusted - fit.adjusted
        fit = tried[best].freed_of(best)
        left.remove(best)
    return found


@dataclass(frozen=True, eq=False)
class _Fit:
    """A regression of the target on the columns taken so far, by sums of products of indicators."""

    left: Floats
    """What the columns taken leave of these sums, around the means."""
    places: Mapping[int, slice]
    """Where the indicators of each column stand; those of the target under -1."""
    rows: int
    total: float
    told: float = 0.0
    """R²."""
    slopes: int = 0

    @classmethod
    def of(cls, columns: Mapping[int, Ints], target: Ints) -> _Fit:
        """Before any is taken."""
        parts = {one: _indicators(codes) for one, codes in {**columns, -1: target}.items()}
        ends = np.cumsum([0, *(part.shape[1] for part in parts.values())]).tolist()
        places = {one: slice(*ends[place : place + 2]) for place, one in enumerate(parts)}
        whole, rows = np.hstack(list(parts.values())), len(target)
        shared = whole.T @ whole - np.outer(whole.sum(axis=0), whole.sum(axis=0)) / max(rows, 1)
        return cls(shared, places, rows, float(np.trace(shared[places[-1], places[-1]])))

    @property
    def adjusted(self) -> float:
        """R² less what as many slopes would bring by chance."""
        spare = self.rows - 1 - self.slopes
        return 1 - (1 - self.told) * (self.rows - 1) / spare if spare > 0 else 0.0

    def beside(self, column: int) -> _Fit:
        """The same with one column more."""
        inverse, rank = self._inverse(column)
        crossed = self.left[self.places[column], self.places[-1]]
        more = float((crossed * (inverse @ crossed)).sum()) / self.total
        return replace(self, told=self.told + more, slopes=self.slopes + rank)

    def freed_of(self, column: int) -> _Fit:
        """What a column tells is taken out of all others."""
        across = self.left[:, self.places[column]]
        return replace(self, left=self.left - across @ self._inverse(column)[0] @ across.T)

    def _inverse(self, column: int) -> tuple[Floats, int]:
        """Of the column's own sums, as far as anything is left of them; and its rank."""
        sizes, ways = np.linalg.eigh(self.left[self.places[column], self.places[column]])
        there = sizes > NOTHING * self.rows
        return (ways[:, there] / sizes[there]) @ ways[:, there].T, int(there.sum())


def _indicators(codes: Ints) -> Floats:
    """[row, value] 1 where a row has the value; codes are in the order of how common they are."""
    _, which = np.unique(np.minimum(codes, MOST_CODES), return_inverse=True)
    return np.eye(int(which.max(initial=0)) + 1)[which.ravel()]


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
    if plan.target is not None and plan.target == plan.sample_weight:
        raise PlanError(
            "The column to be predicted tells how many people a row stands for.",
            where="--target / [workload] target",
            allowed="another column than the survey weights",
            received=f"{plan.target!r}, the sample weight",
            todo="name another column",
        )
    hidden = [name for name in grouped if plan.role_of(name) in REMOVED]
    if hidden:
        what, todo = "A workload is about columns that are not published.", "name others, or give them another role"
        where = "--group-by, --pairs / [workload] group_by, pairs"
        raise PlanError(what, where, "columns that are in the release", listed(hidden), todo)
    strange = [name for name in plan.matters if name not in plan.quasi_identifiers]
    if strange:
        what = "A column that is published as it is, or not at all, cannot matter more."
        where, allowed = "--matters / [workload] columns", f"quasi-identifiers: {listed(plan.quasi_identifiers)}"
        raise PlanError(what, where, allowed, listed(strange), "name quasi-identifiers alone")
