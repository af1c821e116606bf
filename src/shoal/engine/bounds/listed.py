# SPDX-License-Identifier: Apache-2.0
"""Boxes that prices broke, listed; and prices that fit the list."""

from __future__ import annotations

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.regions import Regions
from shoal.engine.kernels.bounds.crowding import paid_by
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.bounds.pricing import Known, broken_boxes, fit_prices, places
from shoal.ground.arrays import Floats, Ints

GUESS = 2.0
"""The first prices, as multiples of the loss of the cheapest box around each record."""
FIT_ROUNDS, FITTED_IN_A_STEP = 40, 10
"""Rounds of fitting between two walks over all boxes, and records of boxes fitted in the time of one step of a walk."""
RISE = 1.3
"""Most by which a price is multiplied between two walks: boxes not listed yet would not hold it back."""
SELDOM = 1e-3
"""Boxes used less often do not crowd a window."""
HEAVY = 4
"""A toll is as large as k prices; it moves as fast as k over so many of them."""
ROOM = 8_000_000
"""Records in one batch of listed boxes."""


class Past:
    """What the last list found out: how broken windows were, and at which prices."""

    def __init__(self, lattice: Lattice) -> None:
        self.most: Floats = np.full(len(lattice.members), np.inf)
        self.price: Floats = np.full(len(lattice.copies), np.inf)

    def known(self, price: Floats, *, is_kept: bool) -> Known:
        """What is known at new prices."""
        return Known(self.most, np.maximum(price - self.price, 0.0), is_kept)


class ListedBoxes:
    """Boxes listed so far: the records that broke them, what they allow, and how often each is used as a class.

    If there may be tolls, the last place of each box is not a record of it, but the region that it pays.
    """

    def __init__(self, size: int, least: float = 0.0, *, is_tolled: bool = False) -> None:
        self.size, self.least, self.is_tolled = size, least, is_tolled
        self.begin: Ints = np.zeros(1, dtype=np.int64)
        self.points: Ints = np.zeros(0, dtype=np.int64)
        self.counts: Ints = np.zeros(0, dtype=np.int64)
        self.allowed: Floats = np.zeros(0)
        self.use: Floats = np.zeros(0)

    def extend(self, lattice: Lattice, price: Floats, regions: Regions, past: Past, budget: StepBudget) -> None:
        """List the worst boxes of each point that these prices break."""
        width = places(lattice, self.size) + (self.size if len(regions.toll) else 0)
        room = 1 + min(ROOM // width, len(lattice.members))
        points = np.zeros((room, width), dtype=np.int64)
        counts, allowed, begun = np.zeros_like(points), np.zeros(room), len(self.allowed)
        most, reached = np.full(len(price), self.least), np.zeros(2, dtype=np.int64)
        known = past.known(price, is_kept=True)
        while reached[0] < len(lattice.base) and budget.left > 0:
            found, steps = broken_boxes(
                lattice, self.size, price, known, regions.tolls, reached, budget.slice, most, points, counts, allowed
            )
            budget.spend(steps)
            self.append(points[:found], counts[:found], allowed[:found])
        past.price = price.copy()
        paid = self.pay(regions, begun)
        self.allowed[begun:] -= np.append(regions.toll, 0.0)[paid]

    @property
    def any(self) -> bool:
        """Whether any box is listed."""
        return len(self.allowed) > 0

    def in_use(self) -> tuple[Ints, Ints, Floats]:
        """Boxes that are used more than seldom: where each begins, the points of all, and how often each is used."""
        often, lengths = self.use > SELDOM, np.diff(self.begin) - 1
        is_record = np.repeat(often, lengths + 1)
        is_record[self.begin[1:] - 1] = False
        return np.concatenate([[0], np.cumsum(lengths[often])]), self.points[is_record], self.use[often]

    def pay(self, regions: Regions, begun: int = 0) -> Ints:
        """Note which region each of the last boxes pays, -1 if none."""
        begin = self.begin[begun:]
        paid = paid_by(begin, self.points, self.counts, regions.region, self.size)
        self.points[begin[1:] - 1] = np.where(paid >= 0, len(regions.region) + paid, 0)
        self.counts[begin[1:] - 1] = np.where(paid >= 0, -self._heavy, 0)
        return paid

    @property
    def _heavy(self) -> int:
        """A toll is counted in so many parts, for it is larger than prices are."""
        return max(1, self.size // HEAVY)

    def fitted_with_tolls(
        self, copies: Ints, price: Floats, regions: Regions, cheapest: Floats, pace: float
    ) -> tuple[Floats, Regions]:
        """New prices and tolls for the boxes listed so far."""
        n = len(price)
        wanted = np.concatenate([copies, -self._heavy * regions.limit])
        least = np.concatenate([cheapest, np.full(len(regions.toll), np.inf)])
        found = fitted(wanted, np.concatenate([price, regions.toll / self._heavy]), least, pace, self)
        return found[:n], regions.charging(found[n:] * self._heavy)

    def forget(self) -> None:
        """Take boxes off the list that are used for nothing; if prices break them again, they are listed again."""
        used = self.use > 0
        lengths = np.diff(self.begin)
        kept = np.repeat(used, lengths)
        self.begin = np.concatenate([[0], np.cumsum(lengths[used])])
        self.points, self.counts = self.points[kept], self.counts[kept]
        self.allowed, self.use = self.allowed[used], self.use[used]

    def append(self, points: Ints, counts: Ints, allowed: Floats) -> None:
        """List boxes by their points; where a count is 0 the box ends."""
        lengths = (np.cumsum(counts == 0, axis=1) == 0).sum(axis=1)  # what follows the first 0 belongs to other boxes
        if self.is_tolled:
            points, counts = (np.column_stack([one, np.zeros(len(one), dtype=np.int64)]) for one in (points, counts))
            rows = np.arange(len(lengths))
            points[rows, lengths] = counts[rows, lengths] = 0
            lengths = lengths + 1
        taken = np.arange(points.shape[1]) < lengths[:, None]
        self.begin = np.concatenate([self.begin, self.begin[-1] + np.cumsum(lengths)])
        self.points = np.concatenate([self.points, points[taken]])
        self.counts = np.concatenate([self.counts, counts[taken]])
        self.allowed = np.concatenate([self.allowed, allowed])
        self.use = np.concatenate([self.use, np.zeros(len(allowed))])


def fitted(
    copies: Ints, price: Floats, cheapest: Floats, pace: float, boxes: ListedBoxes, rounds: int = FIT_ROUNDS
) -> Floats:
    """New prices for the boxes listed so far."""
    price = price.copy()
    ceiling = np.minimum(boxes.size * cheapest, RISE * np.maximum(price, cheapest))
    fit_prices(boxes.begin, boxes.points, boxes.counts, boxes.allowed, copies, ceiling, pace, rounds, price, boxes.use)
    return price
