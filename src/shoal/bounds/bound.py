# SPDX-License-Identifier: Apache-2.0
"""How little any k-anonymous partition of a table could lose.

Three bounds, each at least as good as the one before: the nearest records (any table), the cheapest box around each
record, and prices. The last needs all boxes listed, which is possible with at most one column of numbers and not
too many levels of trees. All of them are sums over records of terms that are never negative, so what is stopped early
is still a bound. The proof is in docs/certificate.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.bounds.boxes import listed_boxes, searched_boxes
from shoal.bounds.budget import Budget
from shoal.bounds.certificate import Certificate
from shoal.bounds.lattice import LARGEST, Points, build_lattice, counted, lattice_size
from shoal.bounds.nearest import nearest_bound
from shoal.bounds.prices import best_prices
from shoal.encoding.encoded import Encoded
from shoal.kernels.hull import class_hulls, total_loss
from shoal.kernels.pricing import NOTHING
from shoal.progress import Progress

STEPS_PER_RECORD = 8_000
MOST_STEPS = 4_000_000_000
"""Work allowed with effort 1: about 80 microseconds per record, and less than a minute in all."""

HULL_LOSSES = ("height", "ncp", "eloss", "lm")
"""Losses that only grow with the hull; for any other the bound is 0."""

ROUNDING = 1e-9
"""Share of the sum that is given away, so that no rounding lifts it above the truth."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Bound:
    """No k-anonymous partition of the table loses less than ``total``."""

    total: float
    per_cell: float
    """The total over the loss if nothing were left; 0 if no cell has weight."""
    records: int
    records_covered: int
    """Records that the bound was worked out for; the others count as if they lost nothing."""
    method: str
    """``nearest``, ``boxes`` or ``prices``."""


def lower_bound(
    encoded: Encoded, size: int, progress: Progress | None = None, *, effort: float = 1.0, method: str | None = None
) -> Bound:
    """A proven lower bound on the hull loss of every partition into classes of at least ``size`` records.

    ``effort`` scales the work; the bound never falls with it. ``method`` asks for one of the three bounds; by
    default it is the best that the table allows.
    """
    useful = counted(encoded) if encoded.loss in HULL_LOSSES else Encoded(())
    if not useful.columns or size <= 1 or size > len(encoded):
        return _bound(encoded, np.zeros(0), np.zeros(0, dtype=np.int64), len(encoded), "boxes")
    steps = min(STEPS_PER_RECORD * len(encoded), MOST_STEPS)
    budget = Budget(int(effort * steps), progress or Progress())
    points = Points.of(useful)
    places = lattice_size(useful, points)
    if method == "nearest" or places is None or places > LARGEST:
        return _without_list(encoded, useful, size, budget, method)
    lattice = build_lattice(useful, points, size, budget.progress)
    loss = listed_boxes(lattice, size)
    prices = loss if method == "boxes" else best_prices(lattice, loss, size, budget)
    return _bound(encoded, prices, points.copies, len(encoded), "boxes" if prices is loss else "prices")


def _without_list(encoded: Encoded, useful: Encoded, size: int, budget: Budget, method: str | None) -> Bound:
    """Bound 1, and bound 2 for as many records as there is time for."""
    tree, loss, slots = nearest_bound(useful, size, budget)
    covered = int(tree.copies[:slots].sum())
    if method == "nearest":
        return _bound(encoded, loss, tree.copies, covered, "nearest")
    return _bound(encoded, searched_boxes(useful, tree, size, loss, budget), tree.copies, covered, "boxes")


def _bound(encoded: Encoded, loss: Floats, copies: Ints, covered: int, method: str) -> Bound:
    """The sum over all records, less what rounding and broken boxes too small to matter could add up to."""
    total = max(0.0, math.fsum(loss * copies) * (1 - ROUNDING) - NOTHING * len(encoded))
    largest = len(encoded) * math.fsum(column.weight for column in encoded.columns)
    return Bound(total, total / largest if largest else 0.0, len(encoded), covered, method)


def certify(
    encoded: Encoded, labels: Ints, size: int, progress: Progress | None = None, *, effort: float = 1.0
) -> Certificate | None:
    """The loss of a partition beside the bound; None where the bound does not hold.

    That is, where the loss is not one of hulls, or records were left out of all classes.
    """
    largest = len(encoded) * math.fsum(column.weight for column in encoded.columns)
    if encoded.loss not in HULL_LOSSES or not largest or (labels < 0).any():
        return None
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    loss = total_loss(encoded.hulls, lo, hi, sizes) / largest
    bound = lower_bound(encoded, size, progress, effort=effort)
    return Certificate(loss, bound.per_cell, size, bound.records, bound.records_covered, bound.method)
