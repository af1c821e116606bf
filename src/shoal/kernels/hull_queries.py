# SPDX-License-Identifier: Apache-2.0
"""The two questions about hulls: which live record is cheapest to take in, which is furthest away.

Both are best-first walks of the box tree with an explicit stack, the better child first. A value is compared
in ticks (see :mod:`shoal.kernels.hull`), equal values by row number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import NO_ROW, BoxTree
from shoal.kernels.compile import kernel
from shoal.kernels.hull import TICKS, term, ticks

Floats = NDArray[np.float64]
DEPTH = 256
"""Stack size; the walk pushes at most one sibling per level."""


@kernel
def cheapest(hulls: Any, tree: BoxTree, lo: Floats, hi: Floats) -> int:
    """Row of the live record with the smallest loss of the grown hull; ties to the lowest row; -1 if none."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    base = np.empty(len(lo))
    for j in range(len(lo)):
        base[j] = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[j], hi[j])
    best, best_row, limit = np.inf, NO_ROW, np.inf
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, 0.0
    depth, visited, compared = 1, 0, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > best or (bounds[depth] == best and low_row[node] > best_row):
            continue
        visited += 1
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:  # an empty box has no corners to look up
                pair[i - a] = np.inf
                continue
            total = 0.0
            for j in range(len(lo)):
                low = at[i, j] if is_leaf else box_lo[i, j]
                high = low if is_leaf else box_hi[i, j]
                if low > hi[j]:
                    total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[j], low)
                elif high < lo[j]:
                    total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, high, hi[j])
                else:
                    total += base[j]
                if total > limit:
                    break
            value = ticks(total)
            if not is_leaf:
                pair[i - a] = value
            elif value < best or (value == best and first[i] < best_row):
                best, best_row = value, first[i]
                limit = (best + 1.0) / TICKS
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        far = 2 * a + 1 - near
        for child in (far, near):
            if pair[child - a] <= best and pair[child - a] < np.inf:
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    tree.work[0] += 1
    tree.work[1] += visited
    tree.work[2] += compared
    return best_row if best_row < NO_ROW else -1


@kernel
def furthest(hulls: Any, tree: BoxTree, lo: Floats, hi: Floats) -> int:
    """Row of the live record with the largest loss of the grown hull; ties to the lowest row; -1 if none."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    best, best_row = -1.0, NO_ROW
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0] = 0, np.inf
    depth, visited, compared = 1, 0, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] < best or (bounds[depth] == best and low_row[node] > best_row):
            continue
        visited += 1
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:
                pair[i - a] = -1.0
                continue
            total = 0.0
            for j in range(len(lo)):
                low = min(lo[j], at[i, j] if is_leaf else box_lo[i, j])
                high = max(hi[j], at[i, j] if is_leaf else box_hi[i, j])
                total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
            value = ticks(total)
            if not is_leaf:
                pair[i - a] = value
            elif value > best or (value == best and first[i] < best_row):
                best, best_row = value, first[i]
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] > pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        far = 2 * a + 1 - near
        for child in (far, near):
            if pair[child - a] >= max(best, 0.0):
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    tree.work[0] += 1
    tree.work[1] += visited
    tree.work[2] += compared
    return best_row if best_row < NO_ROW else -1
