# SPDX-License-Identifier: Apache-2.0
"""A k-d tree over encoded records whose nodes know the bounding box of their live records.

Equal records are one *point* with a count. Hull losses only grow with the hull, so a node's box bounds what
any record below it can cost, and most of the tree is never looked at. Bounds are exact in the only sense that
matters: a node is skipped only if it cannot hold a better record *or an equally good one with a lower row
number*, so every query answers what a scan over all rows would answer.

Deleting a row is exact too: a point whose last row is gone is swapped out of its leaf, and boxes, counts and
lowest row numbers are mended on the way up to the root. Points are stored in tree order, leaves of about 16.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import FLAT, term

LEAF = 16
"""Points per leaf; 8 to 32 make little difference."""
DEEPEST = 200
"""Most levels: numbers that double from record to record, or hundreds of sparse columns, are cut off one by one, and
the walks keep one place per level on a stack of fixed size. What is left at that depth is one large leaf."""
NO_ROW = 2**62

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class BoxTree(NamedTuple):
    """Flat arrays; ``slot`` is a position in tree order, ``point`` a stable number of a distinct record."""

    at: Floats
    """[slot, attribute] coordinates in tree order."""
    copies: Ints
    """[slot] live rows of the point."""
    first: Ints
    """[slot] lowest live row of the point."""
    point: Ints
    """[slot] the point that stands there."""
    slot: Ints
    """[point] where it stands."""
    leaf: Ints
    """[point] its leaf node."""
    point_of: Ints
    """[row] its point."""
    row_start: Ints
    """[point] where its rows begin in ``rows`` (one more at the end)."""
    row_next: Ints
    """[point] first position in ``rows`` not yet passed."""
    rows: Ints
    """Rows grouped by point, ascending."""
    taken: NDArray[np.bool_]
    """[row] deleted."""
    left: Ints
    """[node] left child, the right one follows it; -1 for a leaf."""
    parent: Ints
    begin: Ints
    """[leaf] first slot."""
    end: Ints
    """[leaf] one past its last live slot."""
    lo: Floats
    """[node, attribute] box of the live points."""
    hi: Floats
    live: Ints
    """[node] live rows."""
    low_row: Ints
    """[node] lowest live row."""
    work: Ints
    """Counters: queries, nodes visited, points compared."""


# -- building ------------------------------------------------------------------------------------------------


@kernel
def distinct(records: Floats) -> tuple[Ints, Ints, int]:
    """Point of each row, numbered by first appearance; a representative row of each point; their number."""
    n, d = records.shape
    bits = 1
    while bits < 2 * n + 2:
        bits *= 2
    table = np.full(bits, -1, np.int64)
    point_of = np.empty(n, np.int64)
    representative = np.empty(n, np.int64)
    found = 0
    raw = records.view(np.uint64)
    for row in range(n):
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for j in range(d):
            mixed = (mixed ^ raw[row, j]) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
        place = np.int64(mixed & np.uint64(bits - 1))
        while True:
            other = table[place]
            if other < 0:
                table[place] = found
                representative[found] = row
                point_of[row] = found
                found += 1
                break
            same = True
            for j in range(d):
                if records[representative[other], j] != records[row, j]:
                    same = False
                    break
            if same:
                point_of[row] = other
                break
            place = (place + 1) & (bits - 1)
    return point_of, representative[:found].copy(), found


@kernel
def _rows_by_point(point_of: Ints, n_points: int) -> tuple[Ints, Ints]:
    """Rows grouped by point, ascending (counting sort)."""
    start = np.zeros(n_points + 1, np.int64)
    for row in range(len(point_of)):
        start[point_of[row] + 1] += 1
    for point in range(n_points):
        start[point + 1] += start[point]
    fill = start[:-1].copy()
    rows = np.empty(len(point_of), np.int64)
    for row in range(len(point_of)):
        rows[fill[point_of[row]]] = row
        fill[point_of[row]] += 1
    return start, rows


@kernel
def _cut(values: Floats) -> float:
    """The value ``v`` for which ``<= v`` comes closest to half of the points, both sides non-empty."""
    half = len(values) // 2
    median = np.partition(values, half)[half]
    below, largest_below, up_to = 0, -np.inf, 0
    for value in values:
        if value < median:
            below += 1
            largest_below = max(largest_below, value)
        if value <= median:
            up_to += 1
    if below == 0 or (up_to < len(values) and up_to - half < half - below):
        return median
    return largest_below


@kernel
def _widest(hulls: Any, lo: Floats, hi: Floats, outward: bool) -> int:
    """The attribute on which the box costs most; the lowest of equals; outward, flat names come last."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    best, widest = -1, 0.0
    for j in range(len(lo)):
        cost = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[j], hi[j])
        if outward and kind[j] == FLAT:
            cost *= 1e-3
        if hi[j] > lo[j] and (best < 0 or cost > widest):
            best, widest = j, cost
    return best


@kernel
def _boxes(points: Floats, order: Ints, begin: int, end: int, lo: Floats, hi: Floats) -> None:
    for j in range(points.shape[1]):
        lo[j], hi[j] = np.inf, -np.inf
    for slot in range(begin, end):
        for j in range(points.shape[1]):
            lo[j] = min(lo[j], points[order[slot], j])
            hi[j] = max(hi[j], points[order[slot], j])


@kernel
def _middle(lo: float, hi: float) -> float:
    """A value from ``lo`` up to but not including ``hi``; the mean of neighbouring floats may round to ``hi``."""
    middle = lo / 2 + hi / 2
    return middle if lo <= middle < hi else lo


@kernel
def _split(points: Floats, order: Ints, begin: int, end: int, attribute: int, outward: bool) -> int:
    """Reorder ``order[begin:end]`` around the attribute's cut; returns where the right part begins."""
    values = np.empty(end - begin)
    for slot in range(begin, end):
        values[slot - begin] = points[order[slot], attribute]
    cut = _middle(values.min(), values.max()) if outward else _cut(values)
    part = order[begin:end].copy()
    left = begin
    for i in range(len(part)):
        if values[i] <= cut:
            order[left] = part[i]
            left += 1
    right = left
    for i in range(len(part)):
        if values[i] > cut:
            order[right] = part[i]
            right += 1
    return left


@kernel
def grow_nodes(hulls: Any, points: Floats, order: Ints, outward: bool) -> Any:
    """Split until leaves hold at most LEAF points (or lie DEEPEST), equal ones by halves; returns the node arrays."""
    n_points, d = points.shape
    most = max(1, 2 * n_points)
    left = np.full(most, -1, np.int64)
    parent = np.full(most, -1, np.int64)
    begin = np.zeros(most, np.int64)
    end = np.zeros(most, np.int64)
    lo = np.empty((most, d))
    hi = np.empty((most, d))
    depth = np.zeros(most, np.int64)
    end[0] = n_points
    nodes = 1
    node = 0
    while node < nodes:  # children are appended, so this walks breadth-first
        _boxes(points, order, begin[node], end[node], lo[node], hi[node])
        if end[node] - begin[node] > LEAF and depth[node] < DEEPEST:
            attribute = _widest(hulls, lo[node], hi[node], outward)
            middle = (begin[node] + end[node]) // 2
            if attribute >= 0:
                middle = _split(points, order, begin[node], end[node], attribute, outward)
            left[node] = nodes
            for side in range(2):
                parent[nodes + side] = node
                depth[nodes + side] = depth[node] + 1
                begin[nodes + side] = begin[node] if side == 0 else middle
                end[nodes + side] = middle if side == 0 else end[node]
            nodes += 2
        node += 1
    return (
        left[:nodes].copy(), parent[:nodes].copy(), begin[:nodes].copy(), end[:nodes].copy(),
        lo[:nodes].copy(), hi[:nodes].copy(),
    )  # fmt: skip


@kernel
def build(hulls: Any, records: Floats, outward: bool) -> BoxTree:
    """A tree over all rows of ``records`` (C order, float64, no NaN, no negative zero).

    ``outward`` shapes it for furthest-record queries: cuts halve the range instead of the count, so that
    outliers soon sit in small boxes, and names under a flat root come last, since they differ almost anyway.
    Answers never depend on the shape, only the work does.
    """
    point_of, representative, n_points = distinct(records)
    row_start, rows = _rows_by_point(point_of, n_points)
    points = records[representative]
    order = np.arange(n_points)
    left, parent, begin, end, lo, hi = grow_nodes(hulls, points, order, outward)
    at = points[order]
    copies = np.empty(n_points, np.int64)
    first = np.empty(n_points, np.int64)
    slot_of = np.empty(n_points, np.int64)
    for slot in range(n_points):
        point = order[slot]
        slot_of[point] = slot
        copies[slot] = row_start[point + 1] - row_start[point]
        first[slot] = rows[row_start[point]]
    leaf = np.empty(n_points, np.int64)
    live = np.zeros(len(left), np.int64)
    low_row = np.full(len(left), NO_ROW, np.int64)
    for node in range(len(left) - 1, -1, -1):
        if left[node] >= 0:
            live[node] = live[left[node]] + live[left[node] + 1]
            low_row[node] = min(low_row[left[node]], low_row[left[node] + 1])
        else:
            for slot in range(begin[node], end[node]):
                leaf[order[slot]] = node
                live[node] += copies[slot]
                low_row[node] = min(low_row[node], first[slot])
    taken = np.zeros(len(records), np.bool_)
    work = np.zeros(3, np.int64)
    return BoxTree(
        at, copies, first, order, slot_of, leaf, point_of, row_start, row_start[:-1].copy(), rows, taken,
        left, parent, begin, end, lo, hi, live, low_row, work,
    )  # fmt: skip


# -- deleting ------------------------------------------------------------------------------------------------


@kernel
def delete(tree: BoxTree, row: int) -> None:
    """Take one row out of the tree."""
    point = tree.point_of[row]
    slot = tree.slot[point]
    node = tree.leaf[point]
    tree.taken[row] = True
    tree.copies[slot] -= 1
    if tree.first[slot] == row:
        _advance(tree, point, slot)
    gone = tree.copies[slot] == 0
    if gone:
        _swap_out(tree, node, slot)
        _refit_leaf(tree, node)
    tree.live[node] -= 1
    if tree.low_row[node] == row:
        tree.low_row[node] = _lowest_of_leaf(tree, node)
    up = tree.parent[node]
    while up >= 0:
        tree.live[up] -= 1
        a, b = tree.left[up], tree.left[up] + 1
        if tree.low_row[up] == row:
            tree.low_row[up] = min(tree.low_row[a], tree.low_row[b])
        if gone:
            gone = _refit_inner(tree, up, a, b)
        up = tree.parent[up]


@kernel
def _advance(tree: BoxTree, point: int, slot: int) -> None:
    """Find the next live row of a point whose lowest one was taken."""
    at = tree.row_next[point]
    stop = tree.row_start[point + 1]
    while at < stop and tree.taken[tree.rows[at]]:
        at += 1
    tree.row_next[point] = at
    tree.first[slot] = tree.rows[at] if at < stop else NO_ROW


@kernel
def _swap_out(tree: BoxTree, node: int, slot: int) -> None:
    """Exchange a dead point with the last live one of its leaf."""
    last = tree.end[node] - 1
    tree.end[node] = last
    if slot != last:
        _swap(tree, slot, last)


@kernel
def _swap(tree: BoxTree, slot: int, other: int) -> None:
    """Exchange two points of a leaf."""
    here, there = tree.point[slot], tree.point[other]
    for j in range(tree.at.shape[1]):
        tree.at[slot, j], tree.at[other, j] = tree.at[other, j], tree.at[slot, j]
    tree.copies[slot], tree.copies[other] = tree.copies[other], tree.copies[slot]
    tree.first[slot], tree.first[other] = tree.first[other], tree.first[slot]
    tree.point[slot], tree.point[other] = there, here
    tree.slot[there], tree.slot[here] = slot, other


@kernel
def _refit_leaf(tree: BoxTree, node: int) -> None:
    for j in range(tree.at.shape[1]):
        lo, hi = np.inf, -np.inf
        for slot in range(tree.begin[node], tree.end[node]):
            lo = min(lo, tree.at[slot, j])
            hi = max(hi, tree.at[slot, j])
        tree.lo[node, j], tree.hi[node, j] = lo, hi


@kernel
def _refit_inner(tree: BoxTree, node: int, a: int, b: int) -> bool:
    """Mend a box from its children; False if nothing changed, so that the way up can stop early."""
    changed = False
    for j in range(tree.at.shape[1]):
        lo = min(tree.lo[a, j], tree.lo[b, j])
        hi = max(tree.hi[a, j], tree.hi[b, j])
        if lo != tree.lo[node, j] or hi != tree.hi[node, j]:
            tree.lo[node, j], tree.hi[node, j] = lo, hi
            changed = True
    return changed


@kernel
def _lowest_of_leaf(tree: BoxTree, node: int) -> int:
    lowest = NO_ROW
    for slot in range(tree.begin[node], tree.end[node]):
        lowest = min(lowest, tree.first[slot])
    return lowest


@kernel
def restore(tree: BoxTree, row: int) -> None:
    """Put a deleted row back."""
    point = tree.point_of[row]
    node = tree.leaf[point]
    tree.taken[row] = False
    if tree.copies[tree.slot[point]] == 0:
        if tree.slot[point] != tree.end[node]:
            _swap(tree, tree.slot[point], tree.end[node])
        tree.end[node] += 1
    slot = tree.slot[point]
    tree.copies[slot] += 1
    if row < tree.first[slot]:
        begin, end = tree.row_start[point], tree.row_start[point + 1]
        tree.first[slot] = row
        tree.row_next[point] = begin + np.searchsorted(tree.rows[begin:end], row)
    while node >= 0:
        tree.live[node] += 1
        tree.low_row[node] = min(tree.low_row[node], row)
        for j in range(tree.at.shape[1]):
            tree.lo[node, j] = min(tree.lo[node, j], tree.at[slot, j])
            tree.hi[node, j] = max(tree.hi[node, j], tree.at[slot, j])
        node = tree.parent[node]
