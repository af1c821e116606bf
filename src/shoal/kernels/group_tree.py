# SPDX-License-Identifier: Apache-2.0
"""A tree over the hulls of groups, so that a small group finds its cheapest partner without asking every other.

A group of fewer than ``least`` records either *borrows* what it lacks from one other group, or *joins* one. Both change
the total loss. A node of the tree knows the extremes of the hulls of the groups below it, the smallest size of those
that can be joined, and the most that a lender could save by lending. From these it bounds from below what any of them
could offer, and is skipped only if that is strictly worse than the best offer so far. Bounds are lowered by more than
rounding can amount to, so the answer is the one of a scan over all groups.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import RANGE, class_hulls, loss, term

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAF = 4
"""Groups per leaf."""
NOBODY = 2**40
"""Size of the smallest group that can be joined if there is none."""


class Groups(NamedTuple):
    """All groups; one that has joined another has size 0."""

    size: Ints
    lo: Floats
    """[group, attribute] hull."""
    hi: Floats
    loss: Floats
    """Loss per record."""
    head: Ints
    """[group] its first record, -1 if it has none."""
    next: Ints
    """[record] the next one of its group, -1 after the last."""
    relief: Floats
    """[group] lower bound of what lending changes its loss by; infinite for groups too small to lend."""


class GroupTree(NamedTuple):
    """Nodes over the groups; the shape is fixed, what nodes know is kept up to date."""

    group: Ints
    """[slot] groups in tree order."""
    leaf: Ints
    """[group] its leaf."""
    left: Ints
    """[node] left child, the right one follows it; -1 for a leaf."""
    parent: Ints
    begin: Ints
    """[node] first slot."""
    end: Ints
    lo: Floats
    """[node, attribute] least lower end of the hulls below; infinite if there are none."""
    hi: Floats
    """[node, attribute] greatest upper end."""
    last_lo: Floats
    """[node, attribute] greatest lower end."""
    first_hi: Floats
    """[node, attribute] least upper end."""
    size: Ints
    """[node] size of the smallest group that can be joined."""
    relief: Floats
    """[node] least relief."""


@kernel
def new_groups(hulls: Any, points: Floats, labels: Ints, n_groups: int) -> Groups:
    """Groups from the label of each record."""
    lo, hi, size = class_hulls(points, labels, n_groups)
    losses = np.empty(n_groups)
    for group in range(n_groups):
        losses[group] = loss(hulls, lo[group], hi[group])
    head = np.full(n_groups, -1, np.int64)
    following = np.empty(len(labels), np.int64)
    for row in range(len(labels) - 1, -1, -1):
        following[row] = head[labels[row]]
        head[labels[row]] = row
    return Groups(size, lo, hi, losses, head, following, np.full(n_groups, np.inf))


@kernel
def members_of(groups: Groups, group: int) -> Ints:
    """The records of a group."""
    rows = np.empty(groups.size[group], np.int64)
    row = groups.head[group]
    for i in range(len(rows)):
        rows[i] = row
        row = groups.next[row]
    return rows


@kernel
def fill(hulls: Any, points: Floats, groups: Groups, group: int, rows: Ints) -> None:
    """Make these records a group's members."""
    groups.head[group], groups.size[group], groups.loss[group] = -1, len(rows), 0.0
    groups.lo[group], groups.hi[group] = np.inf, -np.inf
    for i in range(len(rows) - 1, -1, -1):
        groups.next[rows[i]] = groups.head[group]
        groups.head[group] = rows[i]
        for j in range(points.shape[1]):
            groups.lo[group, j] = min(groups.lo[group, j], points[rows[i], j])
            groups.hi[group, j] = max(groups.hi[group, j], points[rows[i], j])
    if len(rows) > 0:
        groups.loss[group] = loss(hulls, groups.lo[group], groups.hi[group])


# -- building and mending ----------------------------------------------------------------------------------------


@kernel
def _refit(tree: GroupTree, groups: Groups, node: int, least: int) -> None:
    """Mend what a node knows, from its groups or from its children."""
    is_leaf = tree.left[node] < 0
    tree.lo[node], tree.last_lo[node] = np.inf, -np.inf
    tree.hi[node], tree.first_hi[node] = -np.inf, np.inf
    tree.size[node], tree.relief[node] = NOBODY, np.inf
    first = tree.begin[node] if is_leaf else tree.left[node]
    last = tree.end[node] if is_leaf else tree.left[node] + 2
    for i in range(first, last):
        group = tree.group[i] if is_leaf else 0
        if is_leaf and groups.size[group] == 0:
            continue
        for j in range(tree.lo.shape[1]):
            lo = groups.lo[group, j] if is_leaf else tree.lo[i, j]
            hi = groups.hi[group, j] if is_leaf else tree.hi[i, j]
            tree.lo[node, j] = min(tree.lo[node, j], lo)
            tree.hi[node, j] = max(tree.hi[node, j], hi)
            tree.last_lo[node, j] = max(tree.last_lo[node, j], lo if is_leaf else tree.last_lo[i, j])
            tree.first_hi[node, j] = min(tree.first_hi[node, j], hi if is_leaf else tree.first_hi[i, j])
        size = groups.size[group] if is_leaf else tree.size[i]
        if size < 2 * least:
            tree.size[node] = min(tree.size[node], size)
        tree.relief[node] = min(tree.relief[node], groups.relief[group] if is_leaf else tree.relief[i])


@kernel
def _cut_in_two(hulls: Any, groups: Groups, part: Ints, least: int) -> int:
    """Order some groups by what sets their offers apart most: place on an attribute, or relief; returns the half."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    d = groups.lo.shape[1]
    keys, best_keys = np.empty(len(part)), np.empty(len(part))
    widest = -1.0
    for j in range(d + 1):
        for i in range(len(part)):
            if j == d:
                keys[i] = min(groups.relief[part[i]], 0.0)
            else:
                keys[i] = groups.lo[part[i], j]
        low, high = keys.min(), keys.max()
        if j == d:
            cost = high - low
        else:
            cost = least * term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
        if cost > widest:
            widest = cost
            best_keys[:] = keys
    part[:] = part[np.argsort(best_keys, kind="mergesort")]
    return len(part) // 2


@kernel
def build_tree(hulls: Any, groups: Groups, least: int) -> GroupTree:
    """A tree over all groups as they are."""
    n_groups, d = groups.lo.shape
    order = np.arange(n_groups)
    most = max(1, 2 * n_groups)
    left, parent = np.full(most, -1, np.int64), np.full(most, -1, np.int64)
    begin, end = np.zeros(most, np.int64), np.zeros(most, np.int64)
    leaf = np.zeros(n_groups, np.int64)
    end[0], nodes, node = n_groups, 1, 0
    while node < nodes:  # children are appended, so this walks breadth-first
        if end[node] - begin[node] > LEAF:
            middle = begin[node] + _cut_in_two(hulls, groups, order[begin[node] : end[node]], least)
            left[node] = nodes
            for side in range(2):
                parent[nodes + side] = node
                begin[nodes + side] = begin[node] if side == 0 else middle
                end[nodes + side] = middle if side == 0 else end[node]
            nodes += 2
        else:
            for slot in range(begin[node], end[node]):
                leaf[order[slot]] = node
        node += 1
    tree = GroupTree(
        order, leaf, left[:nodes].copy(), parent[:nodes].copy(), begin[:nodes].copy(), end[:nodes].copy(),
        np.empty((nodes, d)), np.empty((nodes, d)), np.empty((nodes, d)), np.empty((nodes, d)),
        np.empty(nodes, np.int64), np.empty(nodes),
    )  # fmt: skip
    for node in range(nodes - 1, -1, -1):
        _refit(tree, groups, node, least)
    return tree


@kernel
def refit_up(tree: GroupTree, groups: Groups, group: int, least: int) -> None:
    """Mend the nodes above one group."""
    node = tree.leaf[group]
    while node >= 0:
        _refit(tree, groups, node, least)
        node = tree.parent[node]


# -- bounds ------------------------------------------------------------------------------------------------------


@kernel
def joined_at_least(
    kind: int, scale: float, cap: float, start: int, size: int, tables: Floats, ancestors: NDArray[np.int32],
    lo: float, hi: float, box_lo: float, box_hi: float, last_lo: float, first_hi: float, many: int, others: int,
) -> float:  # fmt: skip
    """Least that one attribute of a union costs, less what it costs the other group now.

    The union spans at least ``lo .. hi`` and one of the hulls; the other group spans no more than the box, nor more
    than the union. Numbers that lie outside the box widen every hull below it by as much.
    """
    union = term(
        kind, scale, cap, start, size, tables, ancestors, min(lo, last_lo), max(hi, first_hi)
    )  # fmt: skip
    if kind == RANGE and (max(hi, box_hi) - min(lo, box_lo)) * scale <= cap:
        wider = (max(box_lo - lo, 0.0) + max(hi - box_hi, 0.0)) * scale
    else:
        wider = max(0.0, union - term(kind, scale, cap, start, size, tables, ancestors, box_lo, box_hi))
    return many * union + others * wider


@kernel
def reaching(
    kind: int, scale: float, cap: float, start: int, size: int, tables: Floats, ancestors: NDArray[np.int32],
    lo: float, hi: float, box_lo: float, box_hi: float,
) -> float:  # fmt: skip
    """Least that one attribute of a hull costs once it takes in something of a box."""
    if box_lo > hi:
        hi = box_lo
    elif box_hi < lo:
        lo = box_hi
    return term(kind, scale, cap, start, size, tables, ancestors, lo, hi)


@kernel
def relief_of(hulls: Any, points: Floats, groups: Groups, group: int, lent: int) -> float:
    """Least that the loss of a group can change by when it lends so many records, whichever they are.

    What is kept spans, on every attribute, at least as much as the cheapest run of as many sorted values.
    """
    kind, scale, cap, start, size, tables, ancestors = hulls
    many = groups.size[group]
    kept = many - lent
    values = np.empty(many)
    least = 0.0
    for j in range(points.shape[1]):
        row = groups.head[group]
        for i in range(many):
            values[i] = points[row, j]
            row = groups.next[row]
        values.sort()
        cheapest = np.inf
        for i in range(lent + 1):
            low, high = values[i], values[i + kept - 1]
            cost = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
            cheapest = min(cheapest, cost)
        least += cheapest
    return kept * least - many * groups.loss[group]
