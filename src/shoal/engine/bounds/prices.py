# SPDX-License-Identifier: Apache-2.0
"""Bound 3: prices of records, by linear programming duality.

Give every record a price of at least 0 such that any k records cost together at most k times the loss of their hull.
Then the records of any class cost at most what the class loses, and all prices together at most what any
partition loses. (Why k records suffice, and why this is close to the best there is: docs/certificate.md.)

Prices are found in rounds: list the boxes that they break, fit them to all boxes listed so far, and go on. After each
round a copy of them is *cut*: box after box, the prices in a broken one are lowered until it is whole. Falling prices
break nothing that was whole, so after one walk over all boxes they are valid, whatever they were before. Prices that
are valid break nothing, so most of the best ones so far is a floor that a cut can spare. Once cuts gain little, regions
are chosen in which classes pay a toll (see :mod:`shoal.engine.bounds.regions`), and prices rise further.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import coarser
from shoal.engine.bounds.listed import FIT_ROUNDS, FITTED_IN_A_STEP, GUESS, ListedBoxes, Past
from shoal.engine.bounds.regions import Regions
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.bounds.pricing import cut_prices
from shoal.ground.arrays import Floats, Ints

FITS, FITS_UNDER_SHARES = 2, 1
"""Times that boxes are listed and prices fitted before a copy of them is cut."""
KEPT, KEPT_UNDER_SHARES = 0.85, 0.6
"""Of the best valid prices, what a cut does not go below: what is above it gives way first."""
PACE = 2.5
"""How fast prices move against the use of boxes, in units of what a record loses at least."""
SETTLED, CHOICES = 3e-3, 3
"""Once a cut gains no more than this, regions are chosen; so many times at most."""
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


@dataclass(frozen=True, eq=False)
class Prices:
    """Prices of all points, valid with the tolls of regions; what those are owed is to be taken off their sum."""

    price: Floats
    regions: Regions

    def total(self, copies: Ints) -> float:
        """What no partition loses less than."""
        return float(self.price @ copies) - self.regions.owed


def best_prices(lattice: Lattice, cheapest: Floats, size: int, budget: StepBudget, *, tolled: bool = True) -> Prices:
    """Valid prices of all points, as high as the budget allows; they start from ``cheapest``, which is bound 2.

    ``size`` counts as the copies of the lattice do. Unless ``tolled``, no regions are chosen.
    """
    best = Prices(cheapest, Regions.none(len(cheapest)))
    if not cheapest.any():
        return best
    search = _PriceRounds(coarser(lattice, MOST_BINS), cheapest, size, budget)
    idle, choices = 0, CHOICES if tolled and lattice.unit == 1 else 0
    while idle < PATIENCE:
        valid = search.cut(best)
        if valid is None:
            break
        gain = valid.total(lattice.copies) / best.total(lattice.copies) - 1
        best, idle = (valid if gain > 0 else best), (0 if gain > SLIGHT else idle + 1)
        if choices and search.boxes.any and gain < SETTLED:
            search.choose_regions()
            idle, choices = 0, choices - 1
        if not (search.fit() if search.boxes.any else search.begin(valid.price)):
            break
    return best


class _PriceRounds:
    """Prices that need not be valid, the regions, and the boxes listed so far."""

    def __init__(self, lattice: Lattice, cheapest: Floats, size: int, budget: StepBudget) -> None:
        self.lattice, self.cheapest, self.size, self.budget = lattice, cheapest, size, budget
        some = cheapest > 0
        mean = float(cheapest[some].mean())
        self.pace = PACE * mean / float(lattice.copies[some].mean()) * lattice.unit
        self.boxes = ListedBoxes(size, LEAST * size * mean, is_tolled=True)
        self.past, self.price, self.regions = Past(lattice), GUESS * cheapest, Regions.none(len(cheapest))
        self.kept, self.fits = (KEPT, FITS) if lattice.unit == 1 else (KEPT_UNDER_SHARES, FITS_UNDER_SHARES)

    def begin(self, valid: Floats) -> bool:
        """List what the first guess breaks, and fit the first valid prices to it; answers whether there was time."""
        self.boxes.extend(self.lattice, self.price, self.regions, self.past, self.budget)
        self.price = valid
        return self._refit()

    def fit(self) -> bool:
        """List and fit some times; answers whether there was time for it."""
        for _ in range(self.fits):
            self.boxes.extend(self.lattice, self.price, self.regions, self.past, self.budget)
            if not self._refit():
                return False
        return True

    def _refit(self) -> bool:
        work = FIT_ROUNDS * len(self.boxes.points) // FITTED_IN_A_STEP
        if not self.budget.affords(work):
            return False
        self.price, self.regions = self.boxes.fitted_with_tolls(
            self.lattice.copies, self.price, self.regions, self.cheapest, self.pace
        )
        self.budget.spend(work)
        self.boxes.forget()
        return True

    def choose_regions(self) -> None:
        """Keep the regions that charge something, and add windows in which boxes are used too often."""
        begin, points, use = self.boxes.in_use()
        self.regions, steps = self.regions.without_idle().joined_by_crowded(self.lattice, self.size, begin, points, use)
        self.budget.spend(steps)
        self.boxes.pay(self.regions)

    def cut(self, best: Prices) -> Prices | None:
        """The prices lowered until they are valid, but not below most of the best ones; None if there is no time.

        The first cut has only a part of the budget.
        """
        floor, budget, begun = self.kept * best.price, self.budget, self.budget.left
        most = begun if self.boxes.any else begun // FIRST_SHARE
        price, reached, lattice = np.maximum(self.price, floor), np.zeros(2, np.int64), self.lattice
        known, tolls = self.past.known(price, is_kept=False), self.regions.tolls
        while reached[0] < len(lattice.base) and budget.left > begun - most:
            budget.spend(cut_prices(lattice, self.size, price, floor, known, tolls, reached, budget.slice))
            taken, walked = begun - budget.left, (lattice.start[reached[0]] + reached[1]) / len(lattice.members)
            if most < begun and taken > max(most / 8, FAR * most * walked):
                budget.spend(most - taken)  # all the same: what follows does not depend on when it was given up
        if reached[0] < len(lattice.base):
            budget.watch.is_short = True
            return None
        return Prices(price, self.regions)
