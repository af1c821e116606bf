# SPDX-License-Identifier: Apache-2.0
"""What each record must lose anyway, roughly: prices that take a moment, so that a search knows where to look.

Prices (without tolls) of the records of a class add up to no more than the class loses. What it loses beyond them
could perhaps be saved; where it loses nothing beyond them, nothing can, as far as these prices tell.
"""

from __future__ import annotations

from shoal.engine.bounds.boxes import listed_boxes
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import LineAndBins, Points, build_lattice, counted
from shoal.engine.bounds.prices import best_prices
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.arrays import Floats

STEPS_PER_RECORD = 1_200
"""A small part of what a certificate takes: half a second for 30,000 records. Better prices make no better search."""


def worth(encoded: Encoded, size: int) -> Floats | None:
    """[record] its price, as losses are told; None where boxes are not listed, or are too many for the moment."""
    useful = counted(encoded)
    if not useful.columns or not 1 < size <= len(encoded):
        return None
    points = Points.of(useful)
    plotted = LineAndBins.of(useful, points)
    if plotted.bins or not plotted.is_worth_it:
        return None
    budget = StepBudget(STEPS_PER_RECORD * len(encoded))
    lattice = build_lattice(useful, points, plotted, size, budget.all_or_nothing)
    cheapest = listed_boxes(lattice, size)
    prices = best_prices(lattice, cheapest, size, budget, tolled=False).price
    return None if prices is cheapest else encoded.full * prices[points.point_of]
