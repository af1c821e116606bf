# SPDX-License-Identifier: Apache-2.0
"""Bound 3: prices of records, by linear programming duality.

Give every record a price of at least 0 such that any k records cost together at most k times the loss of their hull.
Then the records of any class cost at most what the class loses, and all prices together at most what any
partition loses. (Why k records suffice, and why this is close to the best there is: docs/certificate.md.)

Prices are found in rounds: list the boxes that they break, fit them to all boxes listed so far, and go on. After each
round a copy of them is *cut*: box after box, the prices in a broken one are lowered until it is whole. Falling prices
break nothing that was whole, so after one walk over all boxes they are valid, whatever they were before. Prices that
are valid break nothing, so most of the best ones so far is a floor that a cut can spare.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import coarser
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.bounds.pricing import broken_boxes, cut_prices, fit_prices, places
from shoal.ground.arrays import Floats, Ints

GUESS = 2.0
"""The first prices, as multiples of the loss of the cheapest box around each record."""
FIT_ROUNDS, FITTED_IN_A_STEP = 40, 10
"""Rounds of fitting between two walks over all boxes, and records of boxes fitted in the time of one step of a walk."""
FITS, FITS_UNDER_SHARES = 2, 1
"""Times that boxes are listed and prices fitted before a copy of them is cut."""
KEPT, KEPT_UNDER_SHARES = 0.9, 0.6
"""Of the best valid prices, what a cut does not go below: what is above it gives way first."""
PACE = 0.3
"""How fast prices move against the use of boxes, in units of their natural ratio."""
RISE = 1.3
"""Most by which a price is multiplied between two walks: boxes not listed yet would not hold it back."""
SLIGHT = 1e-4
PATIENCE = 8
"""So many rounds without more than a slight gain end the search."""
LEAST = 1e-7
"""Boxes broken by less of what their records lose on average are not worth listing."""
FIRST_SHARE = 4
"""If the first walk takes more than this part of the budget, there is no time for prices."""
FAR = 3
"""If by its pace it will take so many times that part, it is given up once it has used an eighth of it."""
MOST_BINS = 2048
"""Numbers of a column that are told apart: all pairs of them may be looked at."""
ROOM = 8_000_000
"""Records in one batch of listed boxes."""


def best_prices(lattice: Lattice, cheapest: Floats, size: int, budget: StepBudget) -> Floats:
    """Valid prices of all points, as high as the budget allows; they start from ``cheapest``, which is bound 2.

    ``size`` counts as the copies of the lattice do.
    """
    open_ = cheapest > 0
    if not open_.any():
        return cheapest
    lattice = coarser(lattice, MOST_BINS)
    pace = PACE * size * float(cheapest[open_].mean() / lattice.copies[open_].mean())
    boxes = ListedBoxes(size, LEAST * size * float(cheapest[open_].mean()))
    best, price, idle = cheapest, GUESS * cheapest, 0
    kept, fits = (KEPT, FITS) if lattice.unit == 1 else (KEPT_UNDER_SHARES, FITS_UNDER_SHARES)
    while idle < PATIENCE:
        fresh = len(boxes.points) == 0
        valid = _cut(lattice, price, kept * best, size, budget, budget.left // FIRST_SHARE if fresh else budget.left)
        if valid is None:
            break
        gain = np.dot(valid, lattice.copies) / np.dot(best, lattice.copies) - 1
        best = valid if gain > 0 else best
        idle = 0 if gain > SLIGHT else idle + 1
        price = valid if fresh else price
        for _ in range(1 if fresh else fits):
            boxes.extend(lattice, GUESS * cheapest if fresh else price, budget)
            work = FIT_ROUNDS * len(boxes.points) // FITTED_IN_A_STEP
            if budget.left < work:
                return best
            price = fitted(lattice.copies, price, cheapest, pace, boxes)
            budget.spend(work)
    return best


def fitted(
    copies: Ints, price: Floats, cheapest: Floats, pace: float, boxes: ListedBoxes, rounds: int = FIT_ROUNDS
) -> Floats:
    """New prices for the boxes listed so far."""
    price = price.copy()
    ceiling = np.minimum(boxes.size * cheapest, RISE * np.maximum(price, cheapest))
    fit_prices(
        boxes.begin, boxes.points, boxes.counts, boxes.allowed, copies, boxes.size, ceiling, pace, rounds,
        price, boxes.use,
    )  # fmt: skip
    return price


def _cut(lattice: Lattice, price: Floats, floor: Floats, size: int, budget: StepBudget, most: int) -> Floats | None:
    """The prices lowered until they are valid, not below a valid floor; None if that takes more than ``most`` steps."""
    price, floor, reached, begun = np.maximum(price, floor), floor.copy(), np.zeros(2, np.int64), budget.left
    while reached[0] < len(lattice.base) and budget.left > begun - most:
        budget.spend(cut_prices(lattice, size, price, floor, reached, budget.slice))
        taken, walked = begun - budget.left, (lattice.start[reached[0]] + reached[1]) / len(lattice.members)
        if most < begun and taken > max(most / 8, FAR * most * walked):
            budget.spend(most - taken)  # all the same: what follows does not depend on when it was given up
    return price if reached[0] == len(lattice.base) else None


class ListedBoxes:
    """Boxes listed so far: the records that broke them, what they allow, and how often each is used as a class."""

    def __init__(self, size: int, least: float = 0.0) -> None:
        self.size, self.least = size, least
        self.begin: Ints = np.zeros(1, dtype=np.int64)
        self.points: Ints = np.zeros(0, dtype=np.int64)
        self.counts: Ints = np.zeros(0, dtype=np.int64)
        self.allowed: Floats = np.zeros(0)
        self.use: Floats = np.zeros(0)

    def extend(self, lattice: Lattice, price: Floats, budget: StepBudget) -> None:
        """List the worst boxes of each point that these prices break."""
        room = 1 + min(ROOM // places(lattice, self.size), len(lattice.members))
        points = np.zeros((room, places(lattice, self.size)), dtype=np.int64)
        counts, allowed = np.zeros_like(points), np.zeros(room)
        most, reached = np.full(len(price), self.least), np.zeros(2, dtype=np.int64)
        while reached[0] < len(lattice.base) and budget.left > 0:
            found, steps = broken_boxes(lattice, self.size, price, reached, budget.slice, most, points, counts, allowed)
            budget.spend(steps)
            self.append(points[:found], counts[:found], allowed[:found])

    def append(self, points: Ints, counts: Ints, allowed: Floats) -> None:
        """List boxes by their points; where a count is 0 the box ends."""
        taken = np.cumsum(counts == 0, axis=1) == 0  # what follows the first 0 belongs to other boxes
        self.begin = np.concatenate([self.begin, self.begin[-1] + np.cumsum(taken.sum(axis=1))])
        self.points = np.concatenate([self.points, points[taken]])
        self.counts = np.concatenate([self.counts, counts[taken]])
        self.allowed = np.concatenate([self.allowed, allowed])
        self.use = np.concatenate([self.use, np.zeros(len(allowed))])
