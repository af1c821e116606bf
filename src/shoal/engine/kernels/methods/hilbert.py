# SPDX-License-Identifier: Apache-2.0
"""Records in one line: along a Hilbert curve, attribute by attribute, or around reference points.

A Hilbert curve visits every cell of a grid and always steps to a neighbour, so records close on the curve are close
in space. Keys follow J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004): the coordinates of a
cell are turned, in place, into the bits of its place on the curve. A key of d attributes with b bits each has d * b
bits; where they do not fit into one 64-bit word they fill several, so keys are exact for any number of attributes.

All orders go by (key, row number).

>>> import numpy as np
>>> square = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])
>>> hilbert_order(square, bits=1).tolist()
[3, 2, 1, 0]
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import ticks
from shoal.ground.arrays import Floats, Ints, Words


def hilbert_order(points: Floats, bits: int = 8) -> Ints:
    """Rows along the Hilbert curve through a grid of ``2 ** bits`` cells per attribute."""
    keys = hilbert_keys(cells(points, bits), bits)
    order: Ints = np.lexsort(keys.T[::-1])  # the last key of lexsort counts most
    return order


def lexicographic_order(points: Floats) -> Ints:
    """Rows sorted by the first attribute, then the second, ..."""
    order: Ints = np.lexsort(points.T[::-1])
    return order


def reference_order(points: Floats, references: int) -> Ints:
    """Rows sorted by their nearest reference point, then by the distance from it (iDistance).

    References are records: the first is furthest from the lower corner of the table, each next one is
    furthest from those before it. Distances are Euclidean, every attribute scaled to 0 .. 1.
    """
    nearest, distance = _around_references(_unit(points), references)
    order: Ints = np.lexsort((distance, nearest))
    return order


def _unit(points: Floats) -> Floats:
    """Every attribute shifted and scaled to 0 .. 1; a constant one is 0."""
    low, high = points.min(axis=0), points.max(axis=0)
    span = high / 2 - low / 2  # halves, since the whole span of huge numbers overflows
    return (points / 2 - low / 2) / np.where(span > 0, span, 1.0)


def cells(points: Floats, bits: int) -> Words:
    """[record, attribute] number of the grid cell, from 0 to ``2 ** bits - 1``."""
    return np.floor(_unit(points) * (2.0**bits - 1) + 0.5).astype(np.uint64)


@kernel
def hilbert_keys(grid: Words, bits: int) -> Words:
    """[record, word] place on the curve, the most significant word first."""
    n, d = grid.shape
    n_words = (d * bits + 63) // 64
    keys = np.zeros((n, n_words), np.uint64)
    at = np.empty(d, np.uint64)
    one = np.uint64(1)
    for row in range(n):
        for j in range(d):
            at[j] = grid[row, j]
        _to_curve(at, bits)
        place = n_words * 64 - d * bits
        for bit in range(bits - 1, -1, -1):
            for j in range(d):
                if (at[j] >> np.uint64(bit)) & one:
                    keys[row, place // 64] |= one << np.uint64(63 - place % 64)
                place += 1
    return keys


@kernel
def _to_curve(at: Words, bits: int) -> None:
    """Skilling's transform from the coordinates of a cell to its place, bits interleaved over the attributes."""
    d = len(at)
    one = np.uint64(1)
    for bit in range(bits - 1, 0, -1):  # undo the turns of the sub-cubes
        flag = one << np.uint64(bit)
        below = flag - one
        for j in range(d):
            if at[j] & flag:
                at[0] ^= below
            else:
                swap = (at[0] ^ at[j]) & below
                at[0] ^= swap
                at[j] ^= swap
    for j in range(1, d):  # Gray code
        at[j] ^= at[j - 1]
    turn = np.uint64(0)
    for bit in range(bits - 1, 0, -1):
        flag = one << np.uint64(bit)
        if at[d - 1] & flag:
            turn ^= flag - one
    for j in range(d):
        at[j] ^= turn


@kernel
def _around_references(points: Floats, references: int) -> tuple[Ints, Floats]:
    """Nearest reference of each record, and the squared distance from it in ticks; ties to the earlier one."""
    n, d = points.shape
    nearest = np.zeros(n, np.int64)
    distance = np.empty(n)
    for row in range(n):
        total = 0.0
        for j in range(d):
            total += points[row, j] * points[row, j]
        distance[row] = ticks(total)
    for reference in range(references):
        centre = np.argmax(distance)
        if reference > 0 and distance[centre] == 0.0:
            break
        for row in range(n):
            total = 0.0
            for j in range(d):
                step = points[row, j] - points[centre, j]
                total += step * step
            total = ticks(total)
            if reference == 0 or total < distance[row]:
                nearest[row], distance[row] = reference, total
    return nearest, distance
