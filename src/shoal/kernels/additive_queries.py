# SPDX-License-Identifier: Apache-2.0
"""Which m records are nearest to a centre, and which is furthest, under costs that add up over the attributes.

Any cost of the form ``sum over attributes of c_j(x_j)`` can be pruned exactly with boxes, metric or not: a box
is bounded by the least (or greatest) of each ``c_j`` over its interval. Three shapes of ``c_j``:

* ``LINE``: distance of a number from a centre, plain or squared, never more than ``cap``;
* ``STEP``: 0 at the centre, ``cap`` elsewhere;
* ``VECTOR``: any vector over integer codes, with a table of range minima (see :func:`fill_minima`); nearest only.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import NO_ROW, BoxTree
from shoal.kernels.compile import kernel
from shoal.kernels.hull import TICKS
from shoal.kernels.hull_queries import DEPTH

LINE, STEP, VECTOR = 0, 1, 2

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Additive(NamedTuple):
    """One cost function per attribute, as flat arrays."""

    shape: Ints
    centre: Floats
    """LINE, STEP: where the cost is 0."""
    scale: Floats
    """LINE: cost of one unit."""
    cap: Floats
    """LINE, STEP: largest cost."""
    squared: NDArray[np.bool_]
    """LINE: square the scaled distance."""
    start: Ints
    """VECTOR: where the attribute's block begins."""
    size: Ints
    """VECTOR: number of codes."""
    low: Floats
    """VECTOR: [power, code] least cost of the 2^power codes from there; power 0 is the vector itself."""


@kernel
def fill_minima(low: Floats, start: int, size: int) -> None:
    """Make the table of range minima from the vector that stands in its first row."""
    reach = 1
    while 2 * reach <= size:
        for code in range(size - 2 * reach + 1):
            low[start + size + code] = min(low[start + code], low[start + code + reach])
        start += size
        reach *= 2


@kernel
def _bound(
    shape: int, centre: float, scale: float, cap: float, squared: bool, start: int, size: int, low: Floats,
    lo: float, hi: float, sign: float,
) -> float:  # fmt: skip
    """Least (``sign`` 1) or greatest cost of one attribute over the interval ``lo .. hi``."""
    if shape == LINE:
        gap = max(lo - centre, centre - hi, 0.0) if sign > 0 else max(abs(lo - centre), abs(hi - centre))
        scaled = gap * scale
        return min(scaled * scaled if squared else scaled, cap)
    if shape == STEP:
        free = lo <= centre <= hi if sign > 0 else lo == centre and hi == centre
        return 0.0 if free else cap
    a, b = int(lo), int(hi)
    power = int(math.log2(b - a + 1))
    row = start + power * size
    return min(low[row + a], low[row + b - (1 << power) + 1])


@kernel
def _insert(values: Floats, rows: Ints, found: int, value: float, row: int) -> int:
    """Put a record into the list of the best so far, kept in order of (value, row)."""
    last = len(values) - 1
    at = found if found <= last else last
    if found > last and (value > values[last] or (value == values[last] and row > rows[last])):
        return found
    while at > 0 and (values[at - 1] > value or (values[at - 1] == value and rows[at - 1] > row)):
        values[at], rows[at] = values[at - 1], rows[at - 1]
        at -= 1
    values[at], rows[at] = value, row
    return min(found + 1, last + 1)


@kernel
def best(costs: Additive, tree: BoxTree, many: int, sign: float) -> Ints:
    """Rows of the ``many`` live records of least cost (``sign`` 1) or greatest (``-1``), best first.

    Costs are compared in ticks (see :mod:`shoal.kernels.hull`), equal ones by row number.
    """
    shape, centre, scale, cap, squared, start, size, low = costs
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    point, row_next, row_start, all_rows, taken = tree.point, tree.row_next, tree.row_start, tree.rows, tree.taken
    values, rows = np.empty(many), np.empty(many, np.int64)
    found, worst, worst_row = 0, np.inf, NO_ROW
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, -np.inf
    depth, visited, compared = 1 if low_row[0] < NO_ROW and many > 0 else 0, 0, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > worst or (bounds[depth] == worst and low_row[node] > worst_row):
            continue
        visited += 1
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:
                pair[i - a] = np.inf
                continue
            total = 0.0
            for j in range(at.shape[1]):
                lo = at[i, j] if is_leaf else box_lo[i, j]
                hi = lo if is_leaf else box_hi[i, j]
                total += _bound(
                    shape[j], centre[j], scale[j], cap[j], squared[j], start[j], size[j], low, lo, hi, sign
                )  # fmt: skip
            value = sign * math.floor(total * TICKS + 0.5)
            if not is_leaf:
                pair[i - a] = value
                continue
            if value > worst or (value == worst and first[i] > worst_row):
                continue
            for copy in range(row_next[point[i]], row_start[point[i] + 1]):  # its live rows, until one is refused
                row = all_rows[copy]
                if taken[row]:
                    continue
                if value == worst and row > worst_row:
                    break
                found = _insert(values, rows, found, value, row)
                if found == many:
                    worst, worst_row = values[many - 1], rows[many - 1]
                    if value > worst:
                        break
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] <= worst and pair[child - a] < np.inf:
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    tree.work[0] += 1
    tree.work[1] += visited
    tree.work[2] += compared
    return rows[:found].copy()
