# SPDX-License-Identifier: Apache-2.0
"""Names for the arrays that every room hands on, and orders of numbers that need no slow sort."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int32]
Words = NDArray[np.uint64]
ShortWords = NDArray[np.uint32]
SmallCodes = NDArray[np.unsignedinteger]
"""Numbers of cells in the smallest type that holds them."""


def first_places(numbers: Ints) -> Ints:
    """[number] where it stands first, for numbers from 0 on without gaps.

    >>> first_places(np.array([1, 0, 0, 2, 1])).tolist()
    [1, 0, 3]
    """
    first: Ints = np.empty(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)  # the last one that is put down stays
    return first


def order_of(numbers: Ints) -> Ints:
    """Their stable order, for numbers from 0 on; sorted by unlike keys, which is many times as fast.

    >>> order_of(np.array([2, 0, 2, 1, 0])).tolist()
    [1, 4, 3, 0, 2]
    """
    rows = len(numbers)
    if int(numbers.max(initial=0)) >= 2**62 // max(rows, 1):
        return np.argsort(numbers, kind="stable")
    keys = numbers * rows + np.arange(rows)
    keys.sort()
    keys %= max(rows, 1)
    return keys
