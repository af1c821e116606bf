# SPDX-License-Identifier: Apache-2.0
"""The furthest record from a record, with node bounds that are exact on numbers.

A box says how far its corners are, but no record may stand in the corner: when the far side of the table has been
eaten away evenly, thousands of boxes look better than their records are. On numbers the true maximum is cheap:
the sum of distances ``|x - p|`` is the largest of ``s · (x - p)`` over all patterns of signs ``s``, so a node that
keeps the largest ``s · x`` of its live points for each pattern knows its furthest point exactly. Names still go by
the box. Both bounds hold, the smaller one counts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import NO_ROW, BoxTree
from shoal.kernels.compile import kernel
from shoal.kernels.hull import RANGE, term, ticks
from shoal.kernels.hull_queries import DEPTH

MOST_AXES = 4
"""Numeric attributes with sign patterns; 16 of them. Further ones go by the box."""
SLACK = 1e-14
"""Relative and absolute room for float noise, so that a bound is never below a value it covers."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Reach(NamedTuple):
    """What a box tree needs beside its boxes."""

    axes: Ints
    """The numeric attributes that have patterns."""
    base: Floats
    """[axis] smallest coordinate; distances are counted from there to keep numbers small."""
    scale: Floats
    """[axis] cost of one unit."""
    signs: Floats
    """[pattern, axis] +1 or -1."""
    far: Floats
    """[node, pattern] largest ``s · x`` of the live points."""


@kernel
def _project(reach: Reach, at: Floats, i: int, pattern: int) -> float:
    total = 0.0
    for a in range(len(reach.axes)):
        total += reach.signs[pattern, a] * (at[i, reach.axes[a]] - reach.base[a]) * reach.scale[a]
    return total


@kernel
def _mend_leaf(tree: BoxTree, reach: Reach, node: int) -> None:
    for pattern in range(len(reach.signs)):
        largest = -np.inf
        for slot in range(tree.begin[node], tree.end[node]):
            largest = max(largest, _project(reach, tree.at, slot, pattern))
        reach.far[node, pattern] = largest


@kernel
def _mend_inner(tree: BoxTree, reach: Reach, node: int) -> bool:
    """Mend a node from its children; False if nothing changed."""
    a, changed = tree.left[node], False
    for pattern in range(len(reach.signs)):
        largest = max(reach.far[a, pattern], reach.far[a + 1, pattern])
        if largest != reach.far[node, pattern]:
            reach.far[node, pattern] = largest
            changed = True
    return changed


@kernel
def reach_of(hulls: Any, tree: BoxTree) -> Reach:
    """The patterns of a tree whose records are all alive."""
    numeric = np.flatnonzero((hulls.kind == RANGE) & (hulls.scale > 0))
    axes = numeric[: min(len(numeric), MOST_AXES)].astype(np.int64)
    patterns = 1 << len(axes)
    signs = np.ones((patterns, len(axes)))
    for pattern in range(patterns):
        for a in range(len(axes)):
            if pattern >> a & 1:
                signs[pattern, a] = -1.0
    base, scale = np.empty(len(axes)), np.empty(len(axes))
    for a in range(len(axes)):
        base[a], scale[a] = tree.lo[0, axes[a]], hulls.scale[axes[a]]
    reach = Reach(axes, base, scale, signs, np.empty((len(tree.left), patterns)))
    for node in range(len(tree.left) - 1, -1, -1):  # children come after their parents
        if tree.left[node] < 0:
            _mend_leaf(tree, reach, node)
        else:
            _mend_inner(tree, reach, node)
    return reach


@kernel
def mend_reach(tree: BoxTree, reach: Reach, row: int) -> None:
    """Mend the patterns after a row was deleted from the tree; must be called before the next question."""
    point = tree.point_of[row]
    if tree.copies[tree.slot[point]] > 0:
        return
    node = tree.leaf[point]
    _mend_leaf(tree, reach, node)
    node = tree.parent[node]
    while node >= 0 and _mend_inner(tree, reach, node):
        node = tree.parent[node]


@kernel
def furthest_from(hulls: Any, tree: BoxTree, reach: Reach, records: Floats, row: int) -> int:
    """The live row furthest from a row (hull distance); ties to the lowest row; -1 if none is alive."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    at, first, left, begin, end = tree.at, tree.first, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row, far = tree.lo, tree.hi, tree.low_row, reach.far
    origin = records[row].copy()
    patterned = np.zeros(len(origin), np.bool_)
    patterned[reach.axes] = True
    patterns = len(reach.signs)
    here = np.empty(patterns)
    for pattern in range(patterns):
        here[pattern] = _project(reach, records, row, pattern)
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
            total, lined = 0.0, 0.0
            for j in range(len(origin)):
                low = min(origin[j], at[i, j] if is_leaf else box_lo[i, j])
                high = max(origin[j], at[i, j] if is_leaf else box_hi[i, j])
                cost = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
                total += cost
                if patterned[j]:
                    lined += cost
            if is_leaf:
                value = ticks(total)
                if value > best or (value == best and first[i] < best_row):
                    best, best_row = value, first[i]
                continue
            exact = -np.inf
            for pattern in range(patterns):
                exact = max(exact, far[i, pattern] - here[pattern])
            if exact < lined:
                total = (total - lined + exact) * (1.0 + SLACK) + SLACK
            pair[i - a] = ticks(total)
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] > pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] >= max(best, 0.0):
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    tree.work[0] += 1
    tree.work[1] += visited
    tree.work[2] += compared
    return best_row if best_row < NO_ROW else -1
