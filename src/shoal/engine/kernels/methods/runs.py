# SPDX-License-Identifier: Apache-2.0
"""The best way to cut an order of records into runs of k to 2k - 1: a dynamic program over its prefixes.

The cheapest partition of the first i records ends with some run ``t .. i - 1``; before it stands the cheapest
partition of the first t. The hull of the last run grows leftwards as t falls, and an attribute's term is looked up
again only when the hull really widens on it. Costs are added as whole numbers (see :func:`whole_unit`), so that the
sum over a million records still decides ties by rule and not by rounding. The result is optimal among partitions
into contiguous runs of this order, and only among those.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import TICKS, loss, term
from shoal.ground.arrays import Floats, Ints

LARGEST = 2.0**62


class Runs(NamedTuple):
    """What the program knows about each prefix of the order."""

    best: Ints
    """[i] cost of the cheapest partition of the first i records."""
    back: Ints
    """[i] where its last run begins; -1: no such partition."""


def whole_unit(records: int, largest: float) -> float:
    """Whole numbers per unit of loss: 10^12, or fewer if the sum over all records would overflow.

    >>> whole_unit(1_000_000, 4.0), whole_unit(10_000_000, 4.0)
    (1000000000000.0, 100000000000.0)
    """
    unit = TICKS
    while records * largest * unit > LARGEST:
        unit /= 10
    return unit


def best_runs(hulls: Any, points: Floats, order: Ints, size: int) -> Ints:
    """[place in the order] number of its run, runs numbered from the front."""
    runs = new_runs(len(order))
    extend(hulls, points, order, size, unit_of(hulls, points), runs, 1, len(order))
    return runs_of(runs.back)


def unit_of(hulls: Any, points: Floats) -> float:
    """The unit in which the losses of all hulls over these points can be added up."""
    return whole_unit(len(points), loss(hulls, points.min(axis=0), points.max(axis=0)))


def new_runs(n: int) -> Runs:
    """Only the empty prefix is partitioned."""
    back = np.full(n + 1, -1, dtype=np.int64)
    back[0] = 0
    return Runs(np.zeros(n + 1, dtype=np.int64), back)


@kernel
def extend(
    hulls: Any, points: Floats, order: Ints, size: int, unit: float, runs: Runs, begin: int, until: int
) -> int:  # fmt: skip
    """Settle the prefixes of ``begin .. until`` records; equally good last runs: the longest."""
    hulls = lent(hulls)
    best, back = runs
    d = points.shape[1]
    lo, hi, terms = np.empty(d), np.empty(d), np.empty(d)
    for i in range(max(begin, size), until + 1):
        for j in range(d):
            lo[j], hi[j], terms[j] = points[order[i - 1], j], points[order[i - 1], j], 0.0
        cost, stop = 0, max(0, i - 2 * size + 1)
        for t in range(i - 1, stop - 1, -1):
            widened = False
            for j in range(d):
                at = points[order[t], j]
                if at < lo[j]:
                    lo[j] = at
                elif at > hi[j]:
                    hi[j] = at
                else:
                    continue
                widened = True
                terms[j] = term(hulls, j, lo[j], hi[j])
            if widened:
                total = 0.0
                for j in range(d):
                    total += terms[j]
                cost = int(total * unit + 0.5)
            if i - t >= size and back[t] >= 0:
                value = best[t] + (i - t) * cost
                if back[i] < 0 or value <= best[i]:
                    best[i], back[i] = value, t
    return until


@kernel
def runs_of(back: Ints) -> Ints:
    """Number of the run of each place, followed back from the end."""
    n = len(back) - 1
    labels = np.empty(n, np.int64)
    end, label = n, 0
    while end > 0:
        for place in range(back[end], end):
            labels[place] = label
        end = back[end]
        label += 1
    for place in range(n):
        labels[place] = label - 1 - labels[place]
    return labels
