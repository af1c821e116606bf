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

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE, Hulls, class_hulls, loss, stretch, term
from shoal.engine.kernels.trees.box_tree import TreeShape, leaves, split_nodes
from shoal.ground.arrays import Floats, Ints

GROUPS_PER_LEAF = 4
"""Groups per leaf."""
NOBODY = 2**40
"""Size of the smallest group that can be joined if there is none."""


class LinkedGroups(NamedTuple):
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
    shape: TreeShape
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
def new_groups(hulls: Any, points: Floats, labels: Ints, n_groups: int) -> LinkedGroups:
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
    return LinkedGroups(size, lo, hi, losses, head, following, np.full(n_groups, np.inf))


@kernel
def members_of(groups: LinkedGroups, group: int) -> Ints:
    """The records of a group."""
    rows = np.empty(groups.size[group], np.int64)
    row = groups.head[group]
    for i in range(len(rows)):
        rows[i] = row
        row = groups.next[row]
    return rows


@kernel
def fill(hulls: Any, points: Floats, groups: LinkedGroups, group: int, rows: Ints) -> None:
    """Make these records a group's members."""
    groups.head[group], groups.size[group], groups.loss[group] = -1, len(rows), 0.0
    groups.lo[group], groups.hi[group] = np.inf, -np.inf
    for i in range(len(rows) - 1, -1, -1):
        groups.next[rows[i]] = groups.head[group]
        groups.head[group] = rows[i]
        stretch(groups.lo[group], groups.hi[group], points, rows[i])
    if len(rows) > 0:
        groups.loss[group] = loss(hulls, groups.lo[group], groups.hi[group])


@kernel
def labels_of_groups(groups: LinkedGroups) -> Ints:
    """Group of each record, -1 if it is in none."""
    labels = np.full(len(groups.next), -1, np.int64)
    for group in range(len(groups.size)):
        row = groups.head[group]
        while row >= 0:
            labels[row] = group
            row = groups.next[row]
    return labels


# -- building and mending ----------------------------------------------------------------------------------------


@kernel
def _refit(tree: GroupTree, groups: LinkedGroups, node: int, least: int) -> None:
    """Mend what a node knows, from its groups or from its children."""
    is_leaf = tree.shape.left[node] < 0
    tree.lo[node], tree.last_lo[node] = np.inf, -np.inf
    tree.hi[node], tree.first_hi[node] = -np.inf, np.inf
    tree.size[node], tree.relief[node] = NOBODY, np.inf
    first = tree.shape.begin[node] if is_leaf else tree.shape.left[node]
    last = tree.shape.end[node] if is_leaf else tree.shape.left[node] + 2
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


class GroupCut(NamedTuple):
    """Groups on their way into a tree."""

    hulls: Hulls
    groups: LinkedGroups
    order: Ints
    least: int


@inlined
def _cut_groups(question: GroupCut, _node: int, begin: int, end: int, large: bool) -> int:
    """Order some groups by what sets their offers apart most, place on an attribute or relief; they are halved."""
    hulls, groups, order, least = question
    d, widest = groups.lo.shape[1], -1.0
    keys, best_keys = np.empty(end - begin), np.empty(end - begin)
    for j in range(d + 1 if large else 0):
        low, high = np.inf, -np.inf
        for i in range(begin, end):
            keys[i - begin] = key = min(groups.relief[order[i]], 0.0) if j == d else groups.lo[order[i], j]
            if key < np.inf:  # a group that has joined another is nowhere
                low, high = min(low, key), max(high, key)
        cost = 0.0
        if low <= high:
            cost = high - low if j == d else least * term(hulls, j, low, high)
        if cost > widest:
            widest = cost
            best_keys[:] = keys
    if large:
        order[begin:end] = order[begin:end][np.argsort(best_keys, kind="mergesort")]
    return (begin + end) // 2


@kernel
def build_tree(hulls: Any, groups: LinkedGroups, least: int) -> GroupTree:
    """A tree over all groups as they are."""
    n_groups, d = groups.lo.shape
    order = np.arange(n_groups)
    shape = split_nodes(_cut_groups, GroupCut(hulls, groups, order, least), n_groups, GROUPS_PER_LEAF)
    nodes = len(shape.left)
    tree = GroupTree(
        order, leaves(order, shape), shape, np.empty((nodes, d)), np.empty((nodes, d)), np.empty((nodes, d)),
        np.empty((nodes, d)), np.empty(nodes, np.int64), np.empty(nodes),
    )  # fmt: skip
    for node in range(nodes - 1, -1, -1):
        _refit(tree, groups, node, least)
    return tree


@kernel
def refit_up(tree: GroupTree, groups: LinkedGroups, group: int, least: int) -> None:
    """Mend the nodes above one group."""
    node = tree.leaf[group]
    while node >= 0:
        _refit(tree, groups, node, least)
        node = tree.shape.parent[node]


# -- bounds ------------------------------------------------------------------------------------------------------


@inlined
def joined_at_least(
    hulls: Hulls, j: int, lo: float, hi: float, box_lo: float, box_hi: float, last_lo: float, first_hi: float,
    many: int, others: int,
) -> float:  # fmt: skip
    """Least that one attribute of a union costs, less what it costs the other group now.

    The union spans at least ``lo .. hi`` and one of the hulls; the other group spans no more than the box, nor more
    than the union. Numbers that lie outside the box widen every hull below it by as much.
    """
    union = term(hulls, j, min(lo, last_lo), max(hi, first_hi))
    if hulls.kind[j] == RANGE and (max(hi, box_hi) - min(lo, box_lo)) * hulls.scale[j] <= hulls.cap[j]:
        wider = (max(box_lo - lo, 0.0) + max(hi - box_hi, 0.0)) * hulls.scale[j]
    else:
        wider = max(0.0, union - term(hulls, j, box_lo, box_hi))
    return many * union + others * wider


@inlined
def reaching(hulls: Hulls, j: int, lo: float, hi: float, box_lo: float, box_hi: float) -> float:
    """Least that one attribute of a hull costs once it takes in something of a box."""
    if box_lo > hi:
        hi = box_lo
    elif box_hi < lo:
        lo = box_hi
    return term(hulls, j, lo, hi)


@kernel
def relief_of(hulls: Any, points: Floats, groups: LinkedGroups, group: int, given: int) -> float:
    """Least that the loss of a group can change by when it lends so many records, whichever they are.

    What is kept spans, on every attribute, at least as much as the cheapest run of as many sorted values.
    """
    hulls = lent(hulls)
    many = groups.size[group]
    kept = many - given
    values = np.empty(many)
    least = 0.0
    for j in range(points.shape[1]):
        row = groups.head[group]
        for i in range(many):
            values[i] = points[row, j]
            row = groups.next[row]
        values.sort()
        cheapest = np.inf
        for i in range(given + 1):
            low, high = values[i], values[i + kept - 1]
            cost = term(hulls, j, low, high)
            cheapest = min(cheapest, cost)
        least += cheapest
    return kept * least - many * groups.loss[group]
