# SPDX-License-Identifier: Apache-2.0
"""The best of all partitions of a handful of records, by dynamic programming over their sets.

A set of records is a whole number, bit i for record i. The best partition of a set holds a class with the first record
of the set, and beside it the best partition of the others. Three to the power of n classes are looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import loss
from shoal.ground.arrays import Floats, Ints


@kernel
def best_classes(cost: Floats) -> Ints:
    """[set] the class with its first record in its best partition; ``cost[set]`` is infinite for what is no class."""
    best, taken = np.full(len(cost), np.inf), np.zeros(len(cost), np.int64)
    best[0] = 0.0
    for whole in range(1, len(cost)):
        first = whole & -whole
        others = whole ^ first
        some = others
        while True:
            value = cost[first | some] + best[others ^ some]
            if value < best[whole]:
                best[whole], taken[whole] = value, first | some
            if some == 0:
                break
            some = (some - 1) & others
    return taken


@kernel
def losses_of(hulls: Any, lo: Floats, hi: Floats) -> Floats:
    """[hull] its loss per record."""
    found = np.empty(len(lo))
    for one in range(len(lo)):
        found[one] = loss(hulls, lo[one], hi[one])
    return found
