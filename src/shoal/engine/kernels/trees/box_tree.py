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

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import FLAT, Hulls, stretch, term
from shoal.engine.kernels.ranking import ranked
from shoal.ground.arrays import Flags, Floats, Ints

LEAF = 16
"""Points per leaf; 8 to 32 make little difference."""
DEEPEST = 200
"""Most levels: numbers that double from record to record, or hundreds of sparse columns, are cut off one by one, and
the walks keep one place per level on a stack of fixed size. What is left at that depth is one large leaf."""
NO_ROW = 2**62


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
    taken: Flags
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
    places = 1
    while places < 2 * n + 2:
        places *= 2
    table = np.full(places, -1, np.int64)
    point_of = np.empty(n, np.int64)
    representative = np.empty(n, np.int64)
    points = 0
    raw = records.view(np.uint64)
    for row in range(n):
        mixed = np.uint64(0x9E3779B97F4A7C15)
        for j in range(d):
            mixed = (mixed ^ raw[row, j]) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
        place = np.int64(mixed & np.uint64(places - 1))
        while True:
            other = table[place]
            if other < 0:
                table[place] = points
                representative[points] = row
                point_of[row] = points
                points += 1
                break
            same = True
            for j in range(d):
                if records[representative[other], j] != records[row, j]:
                    same = False
                    break
            if same:
                point_of[row] = other
                break
            place = (place + 1) & (places - 1)
    return point_of, representative[:points].copy(), points


@kernel
def rows_by_point(point_of: Ints, n_points: int) -> tuple[Ints, Ints]:
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
    median = ranked(values.copy(), half)
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
    hulls = lent(hulls)
    best, widest = -1, 0.0
    for j in range(len(lo)):
        cost = term(hulls, j, lo[j], hi[j])
        if outward and hulls.kind[j] == FLAT:
            cost *= 1e-3
        if hi[j] > lo[j] and (best < 0 or cost > widest):
            best, widest = j, cost
    return best


@kernel
def _middle(lo: float, hi: float) -> float:
    """A value from ``lo`` up to but not including ``hi``; the mean of neighbouring floats may round to ``hi``."""
    middle = lo / 2 + hi / 2
    return middle if lo <= middle < hi else lo


@kernel
def _split(points: Floats, order: Ints, begin: int, end: int, attribute: int, outward: bool) -> int:
    """Reorder ``order[begin:end]`` around the attribute's cut; returns where the right part begins."""
    values, part = np.empty(end - begin), order[begin:end].copy()
    low, high = np.inf, -np.inf
    for i in range(len(part)):
        values[i] = points[part[i], attribute]
        low, high = min(low, values[i]), max(high, values[i])
    cut = _middle(low, high) if outward else _cut(values)
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


class PointCut(NamedTuple):
    """Points on their way into a tree."""

    hulls: Hulls
    at: Floats
    order: Ints
    outward: bool
    lo: Floats
    hi: Floats
    """[node, attribute] the boxes so far."""


@inlined
def _cut_points(points: PointCut, node: int, begin: int, end: int, large: bool) -> int:
    """Fit the box of a node, and order its points around the cut of its widest attribute; equal ones are halved."""
    lo, hi = points.lo[node], points.hi[node]
    for j in range(len(lo)):
        lo[j], hi[j] = np.inf, -np.inf
    for slot in range(begin, end):
        stretch(lo, hi, points.at, points.order[slot])
    attribute = _widest(points.hulls, lo, hi, points.outward) if large else -1
    if attribute < 0:
        return (begin + end) // 2
    return _split(points.at, points.order, begin, end, attribute, points.outward)


class TreeShape(NamedTuple):
    """Nodes over places in an order."""

    left: Ints
    """[node] left child, the right one follows it; -1 for a leaf."""
    parent: Ints
    begin: Ints
    end: Ints
    """[node] its places."""


@inlined
def split_nodes(cut: Any, question: Any, n: int, most: int) -> TreeShape:
    """Cut runs of ``n`` places in two until they hold at most ``most`` (or lie DEEPEST).

    ``cut`` orders a run that is too large and answers where its second part begins.
    """
    question = lent(question)
    left, parent = np.full(2 * n + 1, -1, np.int64), np.full(2 * n + 1, -1, np.int64)
    begin, end, depth = np.zeros(2 * n + 1, np.int64), np.zeros(2 * n + 1, np.int64), np.zeros(2 * n + 1, np.int64)
    end[0], nodes, node = n, 1, 0
    while node < nodes:  # children are appended, so this walks breadth-first
        large = end[node] - begin[node] > most and depth[node] < DEEPEST
        middle = cut(question, node, begin[node], end[node], large)
        if large:
            left[node] = nodes
            for side in range(2):
                parent[nodes + side], depth[nodes + side] = node, depth[node] + 1
                begin[nodes + side] = begin[node] if side == 0 else middle
                end[nodes + side] = middle if side == 0 else end[node]
            nodes += 2
        node += 1
    return TreeShape(left[:nodes].copy(), parent[:nodes].copy(), begin[:nodes].copy(), end[:nodes].copy())


@kernel
def grow_nodes(hulls: Any, points: Floats, order: Ints, outward: bool) -> Any:
    """Split until leaves hold at most LEAF points, equal ones by halves; returns shape and boxes."""
    n, d = points.shape
    boxes = PointCut(hulls, points, order, outward, np.empty((2 * n + 1, d)), np.empty((2 * n + 1, d)))
    shape = split_nodes(_cut_points, boxes, n, LEAF)
    return shape, boxes.lo[: len(shape.left)].copy(), boxes.hi[: len(shape.left)].copy()


@inlined
def leaves(order: Ints, shape: TreeShape) -> Ints:
    """The leaf of each item of a tree."""
    leaf = np.empty(len(order), np.int64)
    for node in range(len(shape.left)):
        if shape.left[node] < 0:
            for place in range(shape.begin[node], shape.end[node]):
                leaf[order[place]] = node
    return leaf


def build(hulls: Any, records: Floats, outward: bool) -> BoxTree:
    """A tree over all rows of ``records`` (C order, float64, no NaN, no negative zero).

    ``outward`` shapes it for furthest-record queries: cuts halve the range instead of the count, so that
    outliers soon sit in small boxes, and names under a flat root come last, since they differ almost anyway.
    Answers never depend on the shape, only the work does.
    """
    point_of, representative, n_points = distinct(records)
    row_start, rows = rows_by_point(point_of, n_points)
    points = records[representative]
    order = np.arange(n_points)
    shape, lo, hi = grow_nodes(hulls, points, order, outward)
    slot_of, leaf = np.empty(n_points, np.int64), np.empty(n_points, np.int64)
    slot_of[order] = np.arange(n_points)
    live, low_row = np.zeros(len(lo), np.int64), np.full(len(lo), NO_ROW, np.int64)
    taken, work = np.zeros(len(records), np.bool_), np.zeros(3, np.int64)
    tree = BoxTree(
        points[order], np.diff(row_start)[order], rows[row_start[:-1]][order], order, slot_of, leaf, point_of,
        row_start, row_start[:-1].copy(), rows, taken, shape.left, shape.parent, shape.begin, shape.end, lo, hi, live,
        low_row, work,
    )  # fmt: skip
    _count_up(tree)
    return tree


@kernel
def _count_up(tree: BoxTree) -> None:
    """The leaf of each point, and the rows and lowest row of each node, in a new tree."""
    left, live, low_row = tree.left, tree.live, tree.low_row
    for node in range(len(left) - 1, -1, -1):
        if left[node] >= 0:
            live[node] = live[left[node]] + live[left[node] + 1]
            low_row[node] = min(low_row[left[node]], low_row[left[node] + 1])
            continue
        for slot in range(tree.begin[node], tree.end[node]):
            tree.leaf[tree.point[slot]] = node
            live[node] += tree.copies[slot]
            low_row[node] = min(low_row[node], tree.first[slot])


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
        stretch(tree.lo[node], tree.hi[node], tree.at, slot)
        node = tree.parent[node]
