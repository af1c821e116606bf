# SPDX-License-Identifier: Apache-2.0
"""Growing classes by whole groups of equal records, the one that costs least per record it brings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import NO_ROW, BoxTree, delete
from shoal.kernels.compile import kernel
from shoal.kernels.hull import TICKS, term, ticks
from shoal.kernels.hull_queries import DEPTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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


@kernel
def _cheapest_group(hulls: Any, tree: BoxTree, most: Ints, lo: Floats, hi: Floats, members: int) -> int:
    """Lowest row of the group that raises the class's total loss least per record added; ties to the lowest row.

    Adding m records to a class of ``members`` costs, per record, the new loss and what the others pay more, shared
    by m. A box is bounded by its nearest side, shared by as many as its largest group has.
    """
    kind, scale, cap, start, size, tables, ancestors = hulls
    at, first, copies, left, begin, end = tree.at, tree.first, tree.copies, tree.left, tree.begin, tree.end
    box_lo, box_hi, low_row = tree.lo, tree.hi, tree.low_row
    d = len(lo)
    base = np.empty(d)
    for j in range(d):
        base[j] = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[j], hi[j])
    best, best_row, limit = np.inf, NO_ROW, np.inf
    stack, bounds, pair = np.empty(DEPTH, np.int64), np.empty(DEPTH), np.empty(2)
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > best or (bounds[depth] == best and low_row[node] > best_row):
            continue
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_row[i] == NO_ROW:  # an empty box has no corners to look up
                pair[i - a] = np.inf
                continue
            total, growth, shared_by = 0.0, 0.0, copies[i] if is_leaf else most[i]
            for j in range(d):
                low = min(lo[j], at[i, j] if is_leaf else box_hi[i, j])
                high = max(hi[j], at[i, j] if is_leaf else box_lo[i, j])
                after = base[j]
                if low < lo[j] or high > hi[j]:
                    after = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
                total += after
                growth += after - base[j]
                if total > limit:
                    break
            value = ticks(total + members * growth / shared_by)
            if not is_leaf:
                pair[i - a] = value
            elif value < best or (value == best and first[i] < best_row):
                best, best_row = value, first[i]
                limit = (best + 1.0) / TICKS
        if is_leaf:
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_row[a] <= low_row[a + 1]) else a + 1
        far = 2 * a + 1 - near
        for child in (far, near):
            if pair[child - a] <= best and pair[child - a] < np.inf:
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    return best_row


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
            for j in range(len(lo)):
                lo[j] = min(lo[j], records[row, j])
                hi[j] = max(hi[j], records[row, j])
        label += 1
    return label, at


@kernel
def place_groups(
    hulls: Any, records: Floats, groups: Ints, n_groups: int, lo: Floats, hi: Floats, sizes: Ints, labels: Ints
) -> None:
    """Give each group of unlabelled rows, whole and in row order, to the class whose total loss grows least."""
    kind, scale, cap, start, size, tables, ancestors = hulls
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
                total, growth = 0.0, 0.0
                for j in range(records.shape[1]):
                    low, high = min(lo[label, j], records[row, j]), max(hi[label, j], records[row, j])
                    after = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
                    total += after
                    growth += after - term(
                        kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[label, j], hi[label, j]
                    )
                increase = ticks(counts[group] * total + sizes[label] * growth)
                if increase < best:
                    best, home[group] = increase, label
            for j in range(records.shape[1]):
                lo[home[group], j] = min(lo[home[group], j], records[row, j])
                hi[home[group], j] = max(hi[home[group], j], records[row, j])
            sizes[home[group]] += counts[group]
        labels[row] = home[group]
