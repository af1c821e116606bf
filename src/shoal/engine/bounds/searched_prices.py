# SPDX-License-Identifier: Apache-2.0
"""Bound 3 where boxes are too many to be listed: sets that are priced too high are searched for, record by record.

The first prices are bound 2 times a number, made valid by settling record after record
(:mod:`shoal.engine.kernels.bounds.settling`). Better ones are found as in :mod:`shoal.engine.bounds.prices`, in rounds:
list sets that are priced too high, fit prices to all of them, settle a copy. Each stage looks further into the boxes
around a record than the one before; the best valid prices are kept. Sets are listed on all cores, some records at a
time; what is listed does not depend on how many cores there are.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.listed import FITTED_IN_A_STEP, GUESS, ListedBoxes, fitted
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.bounds.company import Market, highest_below
from shoal.engine.kernels.bounds.dear_sets import SETS, SetDesk, desk
from shoal.engine.kernels.bounds.settling import SetList, list_dear_sets, settle
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Floats, Ints

FIRST_GUESS, FIRST_BRANCHES = 1.6, 64
"""What is settled before any set is listed, as a multiple of bound 2; and branches of the search around a record."""
ENOUGH = 1_800
"""Looks per record with which the first stage can be ended; else the first prices are settled before it."""
STAGES = (((16,), 128, 0.97, 3), ((256,), 512, 0.96, 8), ((256, 256), 1024, 0.97, math.inf))
"""Of each stage: branches where sets are listed, one time after the other; branches where prices are settled; how much
of the prices fitted is settled: sets that are priced too high by a trifle are the hardest to rule out; and how many
times the work of its lists must be left for the next stage to be ended, so that prices are settled there instead."""
ROUNDS, PACE = 10, 0.15
"""Rounds of fitting, and how fast prices move: with more, they rise where sets are still missing."""
AT_ONCE = 128
"""Records whose sets are listed in one go."""
PER_LOOK = 2
"""A look at one who may join takes as long as so many steps of the other bounds."""
A_CALL = 8 * PER_LOOK
"""Part of the steps between two looks at the clock, so that it is met about every 50 ms here, too."""
COMPANY, COMPANY_PER_SIZE = 128, 12
"""Records looked at one by one around a record: so many, and so many for each that a class needs."""
TRIFLE = 1e-3
"""Sets that are priced too high by less of what their records lose on average are not worth listing."""
PLACES = 1_000_000
"""Places of those who may join in all branches together: 16 MB."""
ROOM = 4_096
"""Sets listed while prices are settled, before they are taken away."""
Sets = tuple[Ints, Ints, Floats]
"""For each set its records, how many of each, and what they may cost."""


def searched_prices(encoded: Encoded, tree: BoxTree, cheapest: Floats, size: int, budget: StepBudget) -> Floats:
    """Valid prices of all slots of the tree, as high as the budget allows; ``cheapest`` is bound 2, or below it."""
    if not (cheapest > 0).any():
        return cheapest
    search = _PriceSearch(encoded, tree, cheapest, size, budget)
    best, price, spent = cheapest, GUESS * cheapest, 0
    if budget.left < ENOUGH * PER_LOOK * len(cheapest):
        best = search.settled(FIRST_GUESS * cheapest, FIRST_BRANCHES)
    for lists, branches, safe, surely in STAGES:
        begun = budget.left
        if not budget.affords(spent + 1):  # it takes more than the one before
            break
        for looked in lists:
            price = search.fitted(price, looked)
        if budget.left <= 0:
            break
        if budget.left < surely * (begun - budget.left):
            valid = search.settled(np.maximum(safe * price, cheapest), branches)
            best = max(best, valid, key=lambda one: float(np.dot(one, tree.copies)))
        spent = begun - budget.left
    return best


class _PriceSearch:
    """What stays the same in all rounds, and the sets listed so far."""

    def __init__(self, encoded: Encoded, tree: BoxTree, cheapest: Floats, size: int, budget: StepBudget) -> None:
        self.hulls, self.tree, self.cheapest, self.size, self.budget = encoded.hulls, tree, cheapest, size, budget
        some = cheapest > 0
        mean = float(cheapest[some].mean())
        self.pace = PACE * size * mean / float(tree.copies[some].mean())
        self.least = TRIFLE * size * mean
        self.boxes = ListedBoxes(size)
        self.found: list[Sets] = []
        """Sets that prices were not fitted to yet."""

    def fitted(self, price: Floats, branches: int) -> Floats:
        """List sets that these prices are too high for, and fit them to all that were listed."""
        market, slots, found = self._market(price), np.flatnonzero(self.cheapest > 0), []
        parts = [slots[first : first + AT_ONCE] for first in range(0, len(slots), AT_ONCE)]
        for steps, sets in in_threads([partial(self._listed, market, branches, part) for part in parts]):
            found.append(sets)
            self.budget.spend(PER_LOOK * steps)
            if self.budget.left <= 0:
                return price
        self.found += found
        return self._refitted(price)

    def _listed(self, market: Market, branches: int, slots: Ints) -> tuple[int, Sets]:
        room, sets = self._desk(branches), self._list(SETS * len(slots))
        list_dear_sets(market, room, self.size, branches, self.least, slots, sets)
        return int(room.walk.steps[0]), _taken(sets)

    def _refitted(self, price: Floats) -> Floats:
        points, counts, allowed = (np.concatenate(each) for each in zip(*self.found))
        self.boxes.append(points, counts, allowed)
        self.found = []
        self.budget.spend(ROUNDS * len(self.boxes.points) // FITTED_IN_A_STEP)
        return fitted(self.tree.copies, price, self.cheapest, self.pace, self.boxes, ROUNDS)

    def settled(self, price: Floats, branches: int) -> Floats:
        """These prices made valid; those that the budget does not suffice for are those of bound 2."""
        market, room, sets = self._market(price), self._desk(branches), self._list(ROOM)
        heap, tries = np.argsort(-price, kind="stable"), np.zeros(len(price), dtype=np.int64)
        many = len(heap)
        while many > 0 and self.budget.left > 0:
            many = settle(market, room, self.size, branches, heap, many, tries, sets, self.budget.slice // A_CALL)
            self.found.append(_taken(sets))
            self._spend(room)
        return np.where(market.settled, price, np.minimum(price, self.cheapest))

    def _list(self, most: int) -> SetList:
        shape = most, self.size
        points, counts = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        return SetList(points, counts, np.zeros(most), np.zeros(1, dtype=np.int64))

    def _market(self, price: Floats) -> Market:
        dearest = np.zeros(len(self.tree.left))
        highest_below(self.tree, price, dearest)
        settled = np.zeros(len(price), dtype=np.bool_)
        return Market(self.hulls, self.tree, price, self.cheapest, settled, dearest)

    def _desk(self, branches: int) -> SetDesk:
        most = min(COMPANY + COMPANY_PER_SIZE * self.size, max(len(self.cheapest), 2))
        return desk(self.tree.at.shape[1], self.size, most, max(1, min(branches, PLACES // most)))

    def _spend(self, room: SetDesk) -> None:
        self.budget.spend(PER_LOOK * int(room.walk.steps[0]))
        room.walk.steps[0] = 0


def _taken(sets: SetList) -> Sets:
    """What is listed; the list is empty then."""
    many, sets.many[0] = sets.many[0], 0
    return sets.points[:many].copy(), sets.counts[:many].copy(), sets.allowed[:many].copy()
