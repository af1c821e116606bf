# SPDX-License-Identifier: Apache-2.0
"""Bound 3 where boxes are too many to be listed: sets that are priced too high are searched for, record by record.

Prices are found as in :mod:`shoal.engine.bounds.prices`, in rounds: list sets that are priced too high, fit prices to
all of them. Then a copy is made valid by settling record after record (:mod:`shoal.engine.kernels.bounds.settling`).
Each stage looks further into the boxes around a record than the one before; the best valid prices are kept.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.prices import FIT_ROUNDS, FITTED_IN_A_STEP, GUESS, PACE, ListedBoxes, fitted
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.bounds.company import Market, highest_below
from shoal.engine.kernels.bounds.dear_sets import SETS, SetDesk, desk
from shoal.engine.kernels.bounds.settling import list_dear_sets, settle
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.ground.arrays import Floats

STAGES = ((64, 1, 512, 0.93), (256, 2, 2048, 0.96))
"""Of each stage: branches of the search around a record, how often sets are listed, branches where prices are settled,
and how much of the prices fitted is settled: sets that are priced too high by a trifle are the hardest to rule out."""
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
ROOM = 4_000_000
"""Records in one batch of listed sets."""


def searched_prices(encoded: Encoded, tree: BoxTree, cheapest: Floats, size: int, budget: StepBudget) -> Floats:
    """Valid prices of all slots of the tree, as high as the budget allows; ``cheapest`` is bound 2, or below it."""
    if not (cheapest > 0).any():
        return cheapest
    search = _PriceSearch(encoded, tree, cheapest, size, budget)
    best, price = cheapest, GUESS * cheapest
    for branches, lists, most_branches, safe in STAGES:
        search.calm[:] = 0.0
        for _ in range(lists):
            price = search.fitted(price, branches)
        if budget.left <= 0:
            return best
        valid = search.settled(np.maximum(safe * price, cheapest), most_branches)
        best = max(best, valid, key=lambda one: float(np.dot(one, tree.copies)))
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
        self.calm = np.zeros(len(cheapest))

    def fitted(self, price: Floats, branches: int) -> Floats:
        """List sets that these prices are too high for, and fit them to all that were listed."""
        market, room = self._market(price), self._desk(branches)
        slots = np.flatnonzero(self.cheapest > 0)
        batch = min(len(slots), ROOM // self.size) + SETS
        points = np.zeros((batch, self.size), dtype=np.int64)
        counts, allowed, position = np.zeros_like(points), np.zeros(batch), 0
        while position < len(slots) and self.budget.left > 0:
            found, position = list_dear_sets(
                market, room, self.size, branches, self.least, slots, position, self.budget.slice // A_CALL,
                self.calm, points, counts, allowed,
            )  # fmt: skip
            self._spend(room)
            self.boxes.append(points[:found], counts[:found], allowed[:found])
        work = FIT_ROUNDS * len(self.boxes.points) // FITTED_IN_A_STEP
        if self.budget.left < work:
            self.budget.spend(self.budget.left)
            return price
        self.budget.spend(work)
        return fitted(self.tree.copies, price, self.cheapest, self.pace, self.boxes)

    def settled(self, price: Floats, branches: int) -> Floats:
        """These prices made valid; those that the budget does not suffice for are those of bound 2."""
        market, room = self._market(price), self._desk(branches)
        heap, tries = np.argsort(-price, kind="stable"), np.zeros(len(price), dtype=np.int64)
        many = len(heap)
        while many > 0 and self.budget.left > 0:
            many = settle(market, room, self.size, branches, heap, many, tries, self.budget.slice // A_CALL)
            self._spend(room)
        return np.where(market.settled, price, np.minimum(price, self.cheapest))

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
