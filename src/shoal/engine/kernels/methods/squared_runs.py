# SPDX-License-Identifier: Apache-2.0
"""The cut of an order of records into runs of k to 2k - 1 that has the least squared error: a dynamic program.

The best cut of the first i records ends with some run; before it stands the best cut of the records before (S. L.
Hansen, S. Mukherjee, IEEE TKDE 15(4), 2003). Sums over prefixes price a run at once, whatever its length.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.ground.arrays import Floats, Ints

ROUNDED_SHARE = 1e-12
"""As a share of all squares, costs that differ by less are equal: then the last run is the shortest."""


@kernel
def prefix_sums(points: Floats) -> tuple[Floats, Floats]:
    """[i] sum of the first i points, and of their squares."""
    n, d = points.shape
    sums, squares = np.zeros((n + 1, d)), np.zeros(n + 1)
    for i in range(n):
        squares[i + 1] = squares[i]
        for j in range(d):
            sums[i + 1, j] = sums[i, j] + points[i, j]
            squares[i + 1] += points[i, j] ** 2
    return sums, squares


@kernel
def extend_cuts(sums: Floats, squares: Floats, size: int, best: Floats, back: Ints, begin: int, until: int) -> None:
    """Settle the first ``begin .. until`` records: ``best`` squared error, and ``back``, where the last run begins."""
    sums, squares, best = lent(sums), lent(squares), lent(best)
    slack = ROUNDED_SHARE * squares[-1]
    cost = np.empty(size)
    for end in range(max(begin, size), until + 1):
        least, last = np.inf, max(end - 2 * size + 1, 0)
        for first in range(end - size, last - 1, -1):
            spread = 0.0
            for j in range(sums.shape[1]):
                spread += (sums[end, j] - sums[first, j]) ** 2
            value = best[first] + (squares[end] - squares[first] - spread / (end - first))
            cost[end - size - first] = value
            least = min(least, value)
        first = end - size
        while first > last and cost[end - size - first] > least + slack:
            first -= 1
        best[end], back[end] = cost[end - size - first], first
