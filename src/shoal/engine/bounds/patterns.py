# SPDX-License-Identifier: Apache-2.0
"""Bound 3 where all columns are names without levels, as under suppression: a walk looks at all patterns.

A class shows a value of each column, or nothing: its *pattern*. There are too many to list (1.5 million fit ten or more
of the records of Adult), but hardly any is priced too high by prices that are nearly valid, and the walk
(:mod:`shoal.engine.kernels.bounds.pattern_walk`) passes by the others. So, in rounds: walk, list the sets of k
records that are priced too high, fit prices to all sets listed so far. Each walk also tells how far prices have to be
lowered to be valid as they are.

The linear programme behind it says how often each set of k records would be a class, if classes could be used in part;
:mod:`shoal.engine.refining.rounding` makes classes of that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.listed import FITTED_IN_A_STEP
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.bounds.pattern_walk import RARE, DearSets, Names, begin, new_branch, walk
from shoal.engine.kernels.bounds.pricing import NOTHING, fit_prices
from shoal.engine.kernels.hull import Hulls
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Flags, Floats, Ints

FIRST = 0.1
"""The first price of all records, as a share of what one can lose: low, for walks take longer the higher
prices are."""
RISE, LOWEST = 1.2, 0.07
"""Most by which a price is multiplied between two walks, and what it may rise to anyway, as a share of the most."""
ROUNDS = 40
"""Rounds of fitting between two walks."""
PACE = 0.09
"""How fast prices move against the use of sets, in units of what a record loses at least."""
TRIFLE = 1e-4
"""Sets priced too high by less of what a record can lose are not worth listing."""
SLIGHT, PATIENCE = 2e-4, 6
"""So many rounds without more than a slight gain end the search."""
FIRST_SHARE = 16
"""If the first walk takes more than this part of the budget, patterns are too many."""
FORGET = 3
"""Rounds after which sets that are used for nothing are taken off the list."""
WALKERS = 2
"""A walk is shared by so many on any machine: which sets they list depends on how many there are."""
LOOKS = 2
"""Records looked at in the time of one step of the other bounds."""
ROOM = 10_000_000
"""Most records of all sets that one walker lists."""


class PatternProgramme:
    """The linear programme: prices, the sets of k records listed so far, and how often each is used as a class."""

    def __init__(self, points: Floats, hulls: Hulls, size: int, budget: StepBudget) -> None:
        self.names = names_of(points, hulls.cap, size)
        self.size, self.budget = size, budget
        n, most = len(points), float(hulls.cap.sum())
        self.most = most
        self.price: Floats = np.full(n, FIRST * most)
        self.ceiling: Floats = np.full(n, most)
        """What a record loses where it can always go."""
        self.is_free: Flags = np.ones(n, dtype=np.bool_)
        """The records that no class was decided on for."""
        self.sets: Ints = np.zeros((0, size), dtype=np.int64)
        self.allowed: Floats = np.zeros(0)
        self.use: Floats = np.zeros(0)
        self.fits = 0
        self.walked = 0
        """Steps of the last walk."""
        self._branches = [new_branch(self.names, own, WALKERS) for own in range(WALKERS)]

    def walk(self, most: int) -> DearSets | None:
        """The sets that are priced too high now; None if that takes more than so many steps."""
        free = np.flatnonzero(self.is_free)
        order = free[np.argsort(-self.price[free], kind="stable")]
        pairs = [(branch, _nothing(len(self.price), self.size)) for branch in self._branches]
        if len(order) >= self.size:
            for branch in self._branches:
                begin(branch, order)
        least, before, trifle = max(self.budget.left - most, 0), 0, TRIFLE * self.most
        while (under_way := [pair for pair in pairs if pair[0].at[0] >= 0]) and self.budget.left > least:
            looks = LOOKS * self.budget.slice
            jobs = [partial(walk, self.names, *pair, self.price, self.size, trifle, looks) for pair in under_way]
            deque(in_threads(jobs), maxlen=0)
            self.walked = sum(int(sets.many[1]) for _, sets in pairs) // LOOKS
            self.budget.spend(self.walked - before)
            before = self.walked
        if under_way:
            self.budget.watch.is_short = True
            return None
        return _worst([sets for _, sets in pairs], self.price)

    def fit(self, found: DearSets) -> None:
        """Fit prices to these sets and those listed before."""
        self.sets = np.concatenate([self.sets, found.records])
        self.allowed = np.concatenate([self.allowed, found.allowed])
        self.use = np.concatenate([self.use, np.zeros(len(found.allowed))])
        ceiling = np.minimum(self.ceiling, RISE * np.maximum(self.price, LOWEST * self.most)) * self.is_free
        price, ones = self.price.copy(), np.ones(self.sets.size, dtype=np.int64)
        pace = PACE * max(float(price.sum()) / max(int(self.is_free.sum()), 1), LOWEST * self.most)
        ends = np.arange(len(self.sets) + 1) * self.size
        fit_prices(
            ends, self.sets.ravel(), ones, self.allowed, self.is_free.astype(np.int64), ceiling, pace, ROUNDS, price,
            self.use,
        )  # fmt: skip
        self.price = price
        self.budget.spend(ROUNDS * self.sets.size // FITTED_IN_A_STEP)
        self.fits += 1
        if self.fits % FORGET == 0:
            self.keep(self.use > 0)

    def leave_out(self, records: Ints) -> None:
        """Go on without these records, for which a class was decided on."""
        self.is_free[records] = False
        self.price[records] = 0.0
        self.keep(np.logical_and.reduce(self.is_free[self.sets], axis=1))

    def keep(self, kept: Flags) -> None:
        """Take the other sets off the list."""
        self.sets, self.allowed, self.use = self.sets[kept], self.allowed[kept], self.use[kept]


def _nothing(n: int, size: int) -> DearSets:
    """What a walk has found at its beginning."""
    room = min(ROOM // size, n)
    return DearSets(
        np.empty((room, size), dtype=np.int64), np.empty(room), np.zeros(n), np.full(n, np.inf), np.zeros(2, np.int64)
    )


def _worst(each: Sequence[DearSets], price: Floats) -> DearSets:
    """What all walkers found; of the sets those that are the worst one for some record."""
    above = np.maximum.reduce([sets.above for sets in each])
    cap = np.minimum.reduce([sets.cap for sets in each])
    records = np.concatenate([sets.records[: sets.many[0]] for sets in each])
    allowed = np.concatenate([sets.allowed[: sets.many[0]] for sets in each])
    over = price[records].sum(axis=1) - allowed
    is_worst = (over[:, None] >= above[records] - NOTHING).any(axis=1)
    many = np.array([is_worst.sum(), sum(int(sets.many[1]) for sets in each)])
    return DearSets(records[is_worst], allowed[is_worst], above, cap, many)


def pattern_prices(useful: Encoded, size: int, budget: StepBudget) -> tuple[Floats | None, bool]:
    """Valid prices of all records, None if patterns are too many for the budget; and whether it sufficed to the end."""
    programme = PatternProgramme(useful.points, useful.hulls, size, budget)
    best, idle = None, 0
    while idle < PATIENCE:
        found = programme.walk(budget.left if best is not None else budget.left // FIRST_SHARE)
        if found is None:
            return best, False
        valid = np.minimum(programme.price, found.cap)
        gain = np.inf if best is None else float(valid.sum()) / max(float(best.sum()), NOTHING) - 1
        best, idle = (valid if gain > 0 else best), (0 if gain > SLIGHT else idle + 1)
        programme.fit(found)
    return best, True


def names_of(points: Floats, weight: Floats, size: int) -> Names:
    """The values that a class may keep; attributes of rare values come first, for there walks end soonest."""
    values, commonest = [], []
    for column in points.T.astype(np.int64):
        many = np.bincount(column)
        values.append(np.where(many >= size, np.cumsum(many >= size) - 1, RARE)[column])
        commonest.append(int(many.max()))
    order = np.argsort(commonest, kind="stable")
    return Names(np.array(values, dtype=np.int32)[order], weight[order].astype(np.float64))
