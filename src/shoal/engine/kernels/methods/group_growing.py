# SPDX-License-Identifier: Apache-2.0
"""Growing classes by whole groups of equal records, the one that costs least per record it brings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import increase, stretch, term, ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree, delete
from shoal.engine.kernels.trees.hull_queries import HullQuestion, about_hull
from shoal.engine.kernels.trees.walks import ends, least, records_of
from shoal.ground.arrays import Floats, Ints


@kernel
def largest_groups(tree: BoxTree) -> Ints:
    """[node] records of the largest group below."""
    most = np.zeros(len(tree.left), np.int64)
    for node in range(len(most) - 1, -1, -1):
        _mend(tree, most, node)
    return most


@kernel
def _mend(tree: BoxTree, most: Ints, node: int) -> None:
    most[node] = 0
    if tree.left[node] >= 0:
        most[node] = max(most[tree.left[node]], most[tree.left[node] + 1])
    else:
        for slot in range(tree.begin[node], tree.end[node]):
            most[node] = max(most[node], tree.copies[slot])


class GroupQuestion(NamedTuple):
    """A class on the look-out for a group."""

    hull: HullQuestion
    copies: Ints
    most: Ints
    members: int


@inlined
def _cheap(question: GroupQuestion, i: int, is_leaf: bool, limit: float) -> float:
    """What a group adds to the loss, per record that it brings.

    Adding m records to a class of ``members`` costs, per record, the new loss and what the others pay more, shared
    by m. A box is bounded by its nearest side, shared by as many as its largest group has.
    """
    hulls, boxes, lo, hi, base = question.hull
    total, growth, shared_by = 0.0, 0.0, question.copies[i] if is_leaf else question.most[i]
    for j in range(len(lo)):
        near, far = ends(boxes, i, j, is_leaf)
        low, high = min(lo[j], far), max(hi[j], near)  # just to the near side of a box
        after = base[j]
        if low < lo[j] or high > hi[j]:
            after = term(hulls, j, low, high)
        total += after
        growth += after - base[j]
        if total > limit:
            break
    return ticks(total + question.members * growth / shared_by)


@kernel
def _cheapest_group(hulls: Any, tree: BoxTree, most: Ints, lo: Floats, hi: Floats, members: int) -> int:
    """Lowest row of the group that raises the class's total loss least per record added; ties to the lowest row."""
    question = GroupQuestion(about_hull(hulls, tree, lo, hi), tree.copies, most, members)
    return least(_cheap, question, records_of(tree), np.inf, NO_ROW)[0]


@kernel
def _take_group(tree: BoxTree, most: Ints, row: int, label: int, labels: Ints) -> int:
    """Give all live records of a row's group to a class; returns how many they are."""
    point = tree.point_of[row]
    taken = 0
    for place in range(tree.row_start[point], tree.row_start[point + 1]):
        delete(tree, tree.rows[place])
        labels[tree.rows[place]] = label
        taken += 1
    node = tree.leaf[point]
    while node >= 0:
        _mend(tree, most, node)
        node = tree.parent[node]
    return taken


@kernel
def grow_by_groups(
    hulls: Any, tree: BoxTree, most: Ints, records: Floats, size: int, label: int, until: int, order: Ints, at: int,
    labels: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes of whole groups, each seeded with the next live row of ``order``, until so many rows are taken."""
    while len(labels) - tree.live[0] < until and tree.live[0] >= size:
        while tree.taken[order[at]]:
            at += 1
        row = order[at]
        lo, hi = records[row].copy(), records[row].copy()
        members = _take_group(tree, most, row, label, labels)
        while members < size:
            row = _cheapest_group(hulls, tree, most, lo, hi, members)
            members += _take_group(tree, most, row, label, labels)
            stretch(lo, hi, records, row)
        label += 1
    return label, at


@kernel
def place_groups(
    hulls: Any, records: Floats, groups: Ints, n_groups: int, lo: Floats, hi: Floats, sizes: Ints, labels: Ints
) -> None:
    """Give each group of unlabelled rows, whole and in row order, to the class whose total loss grows least."""
    hulls = lent(hulls)
    counts = np.zeros(n_groups, np.int64)
    home = np.full(n_groups, -1, np.int64)
    for row in range(len(labels)):
        counts[groups[row]] += 1
    for row in range(len(labels)):
        if labels[row] >= 0:
            continue
        group, best = groups[row], np.inf
        if home[group] < 0:
            for label in range(len(sizes)):
                price = ticks(increase(hulls, lo[label], hi[label], sizes[label], records, row, counts[group]))
                if price < best:
                    best, home[group] = price, label
            stretch(lo[home[group]], hi[home[group]], records, row)
            sizes[home[group]] += counts[group]
        labels[row] = home[group]
