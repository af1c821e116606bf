# SPDX-License-Identifier: Apache-2.0
"""Short lists of the best so far, the value of a rank, and numbers in order.

By hand, for what libraries have for it takes seconds to compile.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.ground.arrays import Floats, Ints

LARGEST_INTEGER = np.int64(2**63 - 1)


@inlined
def insert(values: Floats, items: Ints, last: int, value: float, item: int) -> None:
    """Put an item behind those of at most its value, the others one further; what stood at ``last`` is gone."""
    at = last
    while at > 0 and values[at - 1] > value:
        values[at], items[at] = values[at - 1], items[at - 1]
        at -= 1
    values[at], items[at] = value, item


@inlined
def first_least(bits: Ints, many: int) -> int:
    """The first place of the least of so many floats, seen as whole numbers.

    Whole numbers in a row are compared many at a time, floats one by one: their order hangs on what is no number.
    """
    least = LARGEST_INTEGER
    for i in range(many):
        least = min(least, bits[i] ^ ((bits[i] >> 63) & LARGEST_INTEGER))  # ordered as the floats are, below 0, too
    at = 0
    while at < many and bits[at] ^ ((bits[at] >> 63) & LARGEST_INTEGER) != least:
        at += 1
    return at


@kernel
def ranked(values: Floats, rank: int) -> float:
    """The value of a rank, 0 for the smallest; the values change places on the way."""
    first, last = 0, len(values) - 1
    while first < last:
        one, two, three = values[first], values[(first + last) // 2], values[last]
        pivot = max(min(one, two), min(max(one, two), three))
        low, high = first, last
        while low <= high:
            while values[low] < pivot:
                low += 1
            while values[high] > pivot:
                high -= 1
            if low <= high:
                values[low], values[high] = values[high], values[low]
                low += 1
                high -= 1
        if high < rank < low:
            break
        if rank <= high:
            last = high
        else:
            first = low
    return values[rank]


@kernel
def sort(numbers: Ints, many: int) -> None:
    """Put the first numbers in ascending order (Shell's way)."""
    gap = 1
    while 9 * gap < 4 * many:
        gap = (9 * gap) // 4 + 1
    while gap > 0:
        for i in range(gap, many):
            number, at = numbers[i], i
            while at >= gap and numbers[at - gap] > number:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = number
        gap = (4 * gap) // 9
