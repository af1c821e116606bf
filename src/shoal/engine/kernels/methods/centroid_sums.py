# SPDX-License-Identifier: Apache-2.0
"""Sums of the distances to all centroids so far, and the live record with the least or the greatest.

A record's sum adds up over the attributes, so one running vector per attribute over its codes is enough (codes
are ranks: the distinct values of a column, numbered upwards), and a box of codes is bounded by the least of each
vector over its interval. The vectors are kept so that a new centroid costs far less than their length:

* ``NUMBER``: sums of distances on a line follow from how many centroids lie to the left and where. Both
  counts are kept in blocks, so a centroid touches one block and the totals of the blocks to its right. Such a
  sum has a single valley, at the median of the centroids. The code ``present`` stands for missing.
* ``NAMES``: every centroid of another name costs ``cap``; kept are the counts, as a segment tree.
* ``TREE``: any vector of distances is added, and the segment tree rebuilt.

All are kept with a sign, so that the question is always for the least. Sums are compared as means rounded to 9
decimals. Bounds of boxes are lowered by more than rounding can raise them, so no record is ever passed over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.engine.kernels.hull import whole
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.engine.kernels.trees.walks import TreeBoxes, boxes_of, ends, least, records_of
from shoal.ground.arrays import Floats, Ints

NUMBER, NAMES, TREE = 0, 1, 2
BLOCK_BITS = 9
DECIMALS = 1e9
LOWERED = 0.01
"""How far below its value a bound is put, in units of the last decimal of a mean; rounding is a thousandth of it."""


class CentroidSums(NamedTuple):
    """The running vectors of all attributes, end to end in ``cells``."""

    kind: Ints
    cap: Floats
    """NUMBER: distance of missing from any number. NAMES: distance of two names."""
    size: Ints
    """Number of codes."""
    present: Ints
    """NUMBER: number of codes that are numbers; at most one more stands for missing."""
    start: Ints
    """NUMBER: where (place, centroids, sum of places) per code begin. NAMES, TREE: a segment tree of 2 * size."""
    block: Ints
    """NUMBER: where (centroids, sum of places) in all earlier blocks begin."""
    cells: Floats
    seen: Floats
    """NUMBER: centroids that are numbers. NAMES: all centroids."""
    total: Floats
    """NUMBER: sum of the places of all centroids."""
    missing: Floats
    """NUMBER: centroids that are missing."""
    valley: Ints
    """NUMBER: the code where the sum is least."""


# -- adding a centroid -----------------------------------------------------------------------------------------


@kernel
def _add_number(cells: Floats, start: int, block: int, present: int, code: int) -> None:
    """Count a centroid at every code from its own on: one by one in its block, by blocks beyond."""
    place, mine = cells[start + 3 * code], code >> BLOCK_BITS
    for other in range(code, min((mine + 1) << BLOCK_BITS, present)):
        cells[start + 3 * other + 1] += 1.0
        cells[start + 3 * other + 2] += place
    for other in range(mine + 1, ((present - 1) >> BLOCK_BITS) + 1):
        cells[block + 2 * other] += 1.0
        cells[block + 2 * other + 1] += place


@kernel
def _median(cells: Floats, start: int, block: int, count: float, valley: int) -> int:
    """The lowest code with half of the centroids at or below it, found from the last one."""
    while 2.0 * (cells[start + 3 * valley + 1] + cells[block + 2 * (valley >> BLOCK_BITS)]) < count:
        valley += 1
    while valley > 0:
        below = valley - 1
        if 2.0 * (cells[start + 3 * below + 1] + cells[block + 2 * (below >> BLOCK_BITS)]) < count:
            break
        valley = below
    return valley


@kernel
def _add_name(cells: Floats, start: int, size: int, code: int, sign: float) -> None:
    node = size + code
    cells[start + node] -= sign
    node >>= 1
    while node > 0:
        cells[start + node] = min(cells[start + 2 * node], cells[start + 2 * node + 1])
        node >>= 1


@kernel
def _add_vector(cells: Floats, start: int, size: int, vector: Floats, first: int, sign: float) -> None:
    for code in range(size):
        cells[start + size + code] += sign * vector[first + code]
    for node in range(size - 1, 0, -1):
        cells[start + node] = min(cells[start + 2 * node], cells[start + 2 * node + 1])


@kernel
def add_centroid(sums: CentroidSums, codes: Floats, row: int, vectors: Floats, first: Ints, sign: float) -> None:
    """Add the distances from one more centroid; those of TREE attributes stand in ``vectors`` from ``first[j]`` on."""
    cells, start, block, seen, total = sums.cells, sums.start, sums.block, sums.seen, sums.total
    for j in range(codes.shape[1]):
        code = int(codes[row, j])
        if sums.kind[j] == TREE:
            _add_vector(cells, start[j], sums.size[j], vectors, first[j], sign)
        elif sums.kind[j] == NAMES:
            _add_name(cells, start[j], sums.size[j], code, sign)
            seen[j] += 1.0
        elif code >= sums.present[j]:
            sums.missing[j] += 1.0
        else:
            _add_number(cells, start[j], block[j], sums.present[j], code)
            seen[j] += 1.0
            total[j] += cells[start[j] + 3 * code]
            sums.valley[j] = _median(cells, start[j], block[j], seen[j], sums.valley[j])


# -- asking ----------------------------------------------------------------------------------------------------


@kernel
def _number(cells: Floats, start: int, block: int, code: int, count: float, total: float) -> float:
    """Sum of the distances from one number to all centroids that are numbers."""
    at, before = start + 3 * code, block + 2 * (code >> BLOCK_BITS)
    left = cells[at + 1] + cells[before]
    return cells[at] * (2.0 * left - count) + total - 2.0 * (cells[at + 2] + cells[before + 1])


@inlined
def _least_number(sums: CentroidSums, j: int, sign: float, a: int, b: int) -> float:
    """Least signed sum over the codes ``a .. b``: in the valley, or at an end."""
    cells, start, block, present = sums.cells, sums.start[j], sums.block[j], sums.present[j]
    count, total, beyond = sums.seen[j], sums.total[j], np.inf
    if b >= present:
        beyond = sign * sums.cap[j] * count
        if a >= present:
            return beyond
        b = present - 1
    if sign > 0:
        value = _number(cells, start, block, min(max(sums.valley[j], a), b), count, total)
    else:
        value = -_number(cells, start, block, a, count, total)
        if a < b:
            value = min(value, -_number(cells, start, block, b, count, total))
    return min(beyond, value + sign * sums.cap[j] * sums.missing[j])


@kernel
def _least_segment(cells: Floats, start: int, size: int, a: int, b: int) -> float:
    """Least entry of a segment tree over the codes ``a .. b``."""
    value, left, right = np.inf, size + a, size + b + 1
    while left < right:
        if left & 1:
            value = min(value, cells[start + left])
            left += 1
        if right & 1:
            right -= 1
            value = min(value, cells[start + right])
        left >>= 1
        right >>= 1
    return value


class SumQuestion(NamedTuple):
    """Sums, and the records and boxes they are looked up for."""

    sums: CentroidSums
    boxes: TreeBoxes
    sign: float
    unit: float
    """Turns a sum into a mean in units of the last decimal."""


@inlined
def _price(question: SumQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """The signed mean of a record; of a box the least that any of its codes allow, put lower than rounding reaches."""
    sums, boxes, sign, unit = question
    value = 0.0
    for j in range(len(sums.kind)):
        low, high = ends(boxes, i, j, is_leaf)
        a, b = int(low), int(high)
        if sums.kind[j] == NUMBER:
            value += _least_number(sums, j, sign, a, b)
            continue
        start, size = sums.start[j], sums.size[j]
        lowest = sums.cells[start + size + a] if a == b else _least_segment(sums.cells, start, size, a, b)
        value += lowest if sums.kind[j] == TREE else sums.cap[j] * (sign * sums.seen[j] + lowest)
    mean = sign * value * unit
    if is_leaf:
        return sign * whole(mean)
    return sign * whole(mean - sign * (LOWERED + 1e-12 * abs(mean)))


@kernel
def least_sum(sums: CentroidSums, tree: BoxTree, sign: float, centroids: int) -> int:
    """Row of the live record with the least (``sign`` 1) or greatest (-1) sum; ties to the lowest row; -1 if none."""
    question = SumQuestion(sums, boxes_of(tree), sign, DECIMALS / centroids)
    row, _ = least(_price, question, records_of(tree), np.inf, NO_ROW)
    return row if row < NO_ROW else -1
