# SPDX-License-Identifier: Apache-2.0
"""Groups that are too small borrow from another group or join one, whichever raises the total loss less.

``points`` holds the coordinates of the records in any order that keeps groups together, ``rows`` their row numbers, by
which ties are decided.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import TICKS, loss, stretch, stretched_loss, ticks
from shoal.engine.kernels.trees.group_tree import (
    GroupTree,
    LinkedGroups,
    build_tree,
    fill,
    joined_at_least,
    members_of,
    reaching,
    refit_up,
    relief_of,
)
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Floats, Ints

BORROW, JOIN = 0, 1


class Mending(NamedTuple):
    """Where the work stands, so that it can be done in slices; and scratch."""

    size: Ints
    next: Ints
    """[0] the size whose groups are being mended, and the next group to look at."""
    near: Ints
    """Records that a group would borrow, in the offer under consideration."""
    taken: Ints
    """Records that it would borrow in the best offer."""
    way: Ints
    other: Ints
    """[0] the best offer, BORROW or JOIN, and whose it is."""
    slack: Floats
    """[0] by how much bounds are lowered, against rounding."""
    nodes: Ints
    asked: Ints
    """[0] how many nodes of the tree were looked at, and how many groups were asked for their price."""


@kernel
def new_mending(hulls: Any, points: Floats, least: int) -> Mending:
    """Nothing mended yet."""
    lo, hi = points[0].copy(), points[0].copy()
    for row in range(1, len(points)):
        stretch(lo, hi, points, row)
    slack = 1e-10 * (1 + 4 * least * loss(hulls, lo, hi))
    zero, scratch = np.zeros(1, np.int64), np.empty(least, np.int64)
    return Mending(
        zero, zero.copy(), scratch, scratch.copy(), zero.copy(), zero.copy(), np.array([slack]), zero.copy(),
        zero.copy(),
    )  # fmt: skip


@kernel
def _nearest(hulls: Any, points: Floats, rows: Ints, groups: LinkedGroups, group: int, other: int, near: Ints) -> None:
    """The records of another group that are nearest to the hull of a group, into ``near``; ties to the lowest row."""
    hulls, points, groups = lent(hulls), lent(points), lent(groups)
    values = np.full(len(near), np.inf)
    found = 0
    record = groups.head[other]
    while record >= 0:
        value = ticks(stretched_loss(hulls, groups.lo[group], groups.hi[group], points, record))
        at = found
        while at > 0 and (value < values[at - 1] or (value == values[at - 1] and rows[record] < rows[near[at - 1]])):
            at -= 1
        if at < len(near):
            found = min(found + 1, len(near))
            for later in range(found - 1, at, -1):
                values[later], near[later] = values[later - 1], near[later - 1]
            values[at], near[at] = value, record
        record = groups.next[record]


@kernel
def _price_of_borrowing(
    hulls: Any, points: Floats, rows: Ints, groups: LinkedGroups, group: int, other: int, near: Ints
) -> float:
    """Change of the total loss, in ticks, if a group borrows its nearest records of another; they go to ``near``."""
    _nearest(hulls, points, rows, groups, group, other, near)
    d, lacking = points.shape[1], len(near)
    lo, hi = groups.lo[group].copy(), groups.hi[group].copy()
    rest_lo, rest_hi = np.full(d, np.inf), np.full(d, -np.inf)
    for i in range(lacking):
        stretch(lo, hi, points, near[i])
    record = groups.head[other]
    while record >= 0:
        if record not in near:
            stretch(rest_lo, rest_hi, points, record)
        record = groups.next[record]
    few, many = groups.size[group], groups.size[other]
    after = (few + lacking) * loss(hulls, lo, hi) + (many - lacking) * loss(hulls, rest_lo, rest_hi)
    return ticks(after - (few * groups.loss[group] + many * groups.loss[other]))


@kernel
def _price_of_joining(hulls: Any, groups: LinkedGroups, group: int, other: int) -> float:
    """Change of the total loss, in ticks, if a group joins another."""
    lo = np.minimum(groups.lo[group], groups.lo[other])
    hi = np.maximum(groups.hi[group], groups.hi[other])
    few, many = groups.size[group], groups.size[other]
    return ticks((few + many) * loss(hulls, lo, hi) - (few * groups.loss[group] + many * groups.loss[other]))


@kernel
def _consider(
    hulls: Any, points: Floats, rows: Ints, groups: LinkedGroups, work: Mending, group: int, other: int, least: int,
    best: float, reached: float, joined: float,
) -> float:  # fmt: skip
    """Look at what one other group has to offer; returns the best price so far. Ties: borrow, then the lowest group.

    ``reached`` and ``joined`` bound the prices of borrowing and of joining; infinite where that is not possible.
    """
    work.asked[0] += 1
    lacking = least - groups.size[group]
    for way in (BORROW, JOIN):
        bound = reached if way == BORROW else joined
        if bound * TICKS > best + 1.0 or bound == np.inf:
            continue
        if way == BORROW:
            price = _price_of_borrowing(hulls, points, rows, groups, group, other, work.near[:lacking])
        else:
            price = _price_of_joining(hulls, groups, group, other)
        if price < best or (price == best and (way, other) < (work.way[0], work.other[0])):
            best, work.way[0], work.other[0] = price, way, other
            if way == BORROW:
                work.taken[:lacking] = work.near[:lacking]
    return best


@kernel
def _find_offer(
    hulls: Any, points: Floats, rows: Ints, groups: LinkedGroups, tree: GroupTree, work: Mending, group: int, least: int
) -> None:
    """The cheapest way to mend a group, into ``work.way``, ``work.other`` and ``work.taken``."""
    hulls = lent(hulls)
    sizes, lo, hi, relief = groups.size, groups.lo, groups.hi, groups.relief
    node_lo, node_hi, last_lo, first_hi = tree.lo, tree.hi, tree.last_lo, tree.first_hi
    mine_lo, mine_hi, few = lo[group].copy(), hi[group].copy(), sizes[group]
    now = few * groups.loss[group] + work.slack[0]
    stack, waiting, pair = np.empty(STACK, np.int64), np.empty(STACK), np.empty(2)
    stack[0], waiting[0], depth = 0, -np.inf, 1
    best, limit = np.inf, np.inf
    work.way[0] = JOIN + 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if waiting[depth] > limit:  # strictly worse; bounds are lowered by the slack, so no offer is lost
            continue
        work.nodes[0] += 1
        a = tree.shape.left[node]
        is_leaf = a < 0
        for i in range(tree.shape.begin[node] if is_leaf else a, tree.shape.end[node] if is_leaf else a + 2):
            at = tree.group[i] if is_leaf else i
            many = sizes[at] if is_leaf else tree.size[at]
            if not is_leaf:
                pair[i - a] = np.inf
            if many == 0 or (is_leaf and at == group) or (not is_leaf and node_lo[at, 0] == np.inf):
                continue  # an empty node has no corners to look up
            joined, reached = -now, (relief[at] if is_leaf else tree.relief[at]) - now
            for j in range(len(mine_lo)):
                low, high = (lo[at, j], hi[at, j]) if is_leaf else (node_lo[at, j], node_hi[at, j])
                joined += joined_at_least(
                    hulls, j, mine_lo[j], mine_hi[j], low,
                    high, low if is_leaf else last_lo[at, j], high if is_leaf else first_hi[at, j], few, many,
                )  # fmt: skip
                reached += least * reaching(hulls, j, mine_lo[j], mine_hi[j], low, high)
                if joined > limit and reached > limit:
                    break
            joined = joined if many < 2 * least else np.inf  # who could stand as two classes is not joined
            if not is_leaf:
                pair[i - a] = min(joined, reached)
            elif min(joined, reached) <= limit:
                best = _consider(hulls, points, rows, groups, work, group, at, least, best, reached, joined)
                limit = (best + 1.0) / TICKS
        if is_leaf:
            continue
        near = 0 if pair[0] <= pair[1] else 1
        for side in (1 - near, near):
            if pair[side] <= limit and pair[side] < np.inf:
                stack[depth], waiting[depth] = a + side, pair[side]
                depth += 1


# -- carrying it out ---------------------------------------------------------------------------------------------


@kernel
def _recount(hulls: Any, points: Floats, groups: LinkedGroups, group: int, rows: Ints, given: int, least: int) -> None:
    """Make these records a group's members."""
    fill(hulls, points, groups, group, rows)
    groups.relief[group] = np.inf
    if len(rows) >= least + given:
        groups.relief[group] = relief_of(hulls, points, groups, group, given)


@kernel
def _carry_out(
    hulls: Any, points: Floats, groups: LinkedGroups, tree: GroupTree, work: Mending, group: int, least: int
) -> None:
    """Do what the best offer says."""
    other, lacking = work.other[0], least - groups.size[group]
    mine, theirs = members_of(groups, group), members_of(groups, other)
    if work.way[0] == BORROW:
        gone = work.taken[:lacking].copy()
        kept = np.empty(len(theirs) - lacking, np.int64)
        at = 0
        for record in theirs:
            if record not in gone:
                kept[at] = record
                at += 1
        mine, theirs = np.concatenate((mine, gone)), kept
    else:
        mine, theirs = mine[:0], np.concatenate((theirs, mine))
    _recount(hulls, points, groups, group, mine, lacking, least)
    _recount(hulls, points, groups, other, theirs, lacking, least)
    refit_up(tree, groups, group, least)
    refit_up(tree, groups, other, least)


@kernel
def find_smallest(groups: LinkedGroups, work: Mending, least: int) -> bool:
    """Turn to the smallest size that groups have; whether it is too small. Mending only makes larger groups."""
    work.size[0], work.next[0] = least, 0
    for group in range(len(groups.size)):
        if groups.size[group] > 0:
            work.size[0] = min(work.size[0], groups.size[group])
    return work.size[0] < least


@kernel
def lenders_and_partners(hulls: Any, points: Floats, groups: LinkedGroups, work: Mending, least: int) -> GroupTree:
    """A tree for groups of the size under way: who can lend, and what lending relieves, depends on it."""
    given = least - work.size[0]
    for group in range(len(groups.size)):
        groups.relief[group] = np.inf
        if groups.size[group] >= least + given:
            groups.relief[group] = relief_of(hulls, points, groups, group, given)
    return build_tree(hulls, groups, least)


@kernel
def mend_groups(
    hulls: Any, points: Floats, rows: Ints, groups: LinkedGroups, tree: GroupTree, work: Mending, least: int, most: int
) -> bool:
    """Mend up to ``most`` groups of the size under way, lowest number first; whether more may be left."""
    mended = 0
    while work.next[0] < len(groups.size) and mended < most:
        group = work.next[0]
        work.next[0] += 1
        if groups.size[group] == work.size[0]:  # a group only ever leaves this size: it grows, or joins another
            _find_offer(hulls, points, rows, groups, tree, work, group, least)
            _carry_out(hulls, points, groups, tree, work, group, least)
            mended += 1
    return work.next[0] < len(groups.size)
