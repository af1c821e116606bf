# SPDX-License-Identifier: Apache-2.0
"""Mending classes that break rules: each exchanges records with a neighbour or joins one, whatever costs least.

Neighbours are found with the tree over hulls of ``group_tree``. A walk visits the nearest groups first
and ends after a number of groups that does not depend on the table, so the work is in proportion to the classes that
are broken. Each mending leaves fewer classes, or fewer that break a rule; and since a union of classes that obey does
so, too, all are mended at the end if all records together obey.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.enforcing.exchanging import EPSILON, exchange
from shoal.engine.kernels.enforcing.lacking import lack, lack_of
from shoal.engine.kernels.hull import loss
from shoal.engine.kernels.rules import Rules, count_in
from shoal.engine.kernels.trees.group_tree import GroupTree, LinkedGroups, fill, joined_at_least, members_of, refit_up
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Flags, Floats, Ints

ANY_SIZE = 2**38
"""To the tree of groups: whatever its size, a group can be joined."""
NEAREST = 16
"""Neighbours with which a class tries to exchange records."""
PRICED = 512
"""Groups that a walk looks at, at most."""
GIANT = 5_000
"""Records of a class that ends the mending: rules so strict are better met from the top down."""
POOL = 240
"""Records in two classes that may exchange: the work grows with the product of their sizes."""
TABLED = 400_000
"""Most numbers that are worked out to prepare one exchange."""


class MendingWork(NamedTuple):
    """Where the mending stands, so that it can be done in slices."""

    next: Ints
    walked: Ints
    given_up: Flags
    """[0] the next class, groups looked at, and whether a class became a giant in vain."""
    joined: Flags
    """[class] whether it took another in."""


def new_work(n_classes: int) -> MendingWork:
    """Nothing mended yet."""
    once = np.zeros(1, dtype=np.int64)
    return MendingWork(once, once.copy(), np.zeros(1, dtype=np.bool_), np.zeros(n_classes, dtype=np.bool_))


class Offers(NamedTuple):
    """What a walk found."""

    near: Ints
    """The groups with which a union costs least, cheapest first; -1 where there are no more."""
    prices: Floats
    """What each union adds to the loss."""
    mending: Ints
    """[0] the group with which the cheapest union obeys all rules, -1 if there is none."""
    mending_price: Floats


class Tally(NamedTuple):
    """Private values of the class in question."""

    counts: Ints
    """[rule, value]"""
    met: Ints
    """[rule, place] the different values."""
    values: Ints
    """[rule] how many there are."""


@kernel
def new_tally(rules: Rules) -> Tally:
    """Nobody counted yet."""
    many, most = len(rules.kind), len(rules.counts)
    return Tally(np.zeros((many, most), np.int64), np.empty((many, most), np.int64), np.zeros(many, np.int64))


@kernel
def _count(rules: Rules, tally: Tally, groups: LinkedGroups, group: int) -> None:
    """Count the values of one more class."""
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], tally.counts[rule], tally.met[rule]
        row = groups.head[group]
        while row >= 0:
            tally.values[rule] = count_in(counts, met, tally.values[rule], codes[row], 1)
            row = groups.next[row]


@kernel
def _forget(tally: Tally) -> None:
    for rule in range(len(tally.values)):
        for i in range(tally.values[rule]):
            tally.counts[rule, tally.met[rule, i]] = 0
        tally.values[rule] = 0


@kernel
def _lack_of_union(rules: Rules, tally: Tally, groups: LinkedGroups, group: int, other: int, least: int) -> float:
    """What the class that was counted would lack together with another."""
    size = groups.size[group] + groups.size[other]
    total = float(max(least - size, 0))
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], tally.counts[rule], tally.met[rule]
        values = tally.values[rule]
        row = groups.head[other]
        while row >= 0:
            values = count_in(counts, met, values, codes[row], 1)
            row = groups.next[row]
        total += lack(rules, rule, counts, met, values, size)
        row = groups.head[other]
        while row >= 0:
            counts[codes[row]] -= 1
            row = groups.next[row]
    return total


@kernel
def _lack_of_tally(rules: Rules, tally: Tally, size: int, least: int) -> float:
    total = float(max(least - size, 0))
    for rule in range(len(rules.kind)):
        total += lack(rules, rule, tally.counts[rule], tally.met[rule], tally.values[rule], size)
    return total


@kernel
def price_of_union(hulls: Any, groups: LinkedGroups, group: int, other: int) -> float:
    """What it adds to the loss if two groups become one."""
    lo = np.minimum(groups.lo[group], groups.lo[other])
    hi = np.maximum(groups.hi[group], groups.hi[other])
    few, many = groups.size[group], groups.size[other]
    return (few + many) * loss(hulls, lo, hi) - few * groups.loss[group] - many * groups.loss[other]


@kernel
def _note(offers: Offers, other: int, price: float) -> None:
    """Keep a group among the nearest; ties to the lower number."""
    near, prices = offers.near, offers.prices
    at = len(near)
    while at > 0 and (near[at - 1] < 0 or (price, other) < (prices[at - 1], near[at - 1])):
        at -= 1
    for later in range(len(near) - 1, at, -1):
        near[later], prices[later] = near[later - 1], prices[later - 1]
    if at < len(near):
        near[at], prices[at] = other, price


@kernel
def _look_around(
    hulls: Any,
    rules: Rules,
    groups: LinkedGroups,
    tree: GroupTree,
    tally: Tally,
    group: int,
    least: int,
    offers: Offers,
) -> int:
    """Find the nearest groups, and the nearest whose union with this one obeys; returns how many were looked at."""
    hulls = lent(hulls)
    lo, hi = groups.lo[group].copy(), groups.hi[group].copy()
    few = groups.size[group]
    now = few * groups.loss[group] + EPSILON
    offers.near[:], offers.prices[:], offers.mending[0], offers.mending_price[0] = -1, np.inf, -1, np.inf
    stack, waiting, pair = np.empty(STACK, np.int64), np.empty(STACK), np.empty(2)
    stack[0], waiting[0], depth, looked = 0, -np.inf, 1, 0
    while depth > 0 and looked < PRICED:
        depth -= 1
        node = stack[depth]
        limit = max(offers.prices[len(offers.near) - 1], offers.mending_price[0])
        if waiting[depth] > limit:  # no group below is among the nearest, nor mends the class for less
            continue
        a = tree.shape.left[node]
        if a < 0:
            for slot in range(tree.shape.begin[node], tree.shape.end[node]):
                other = tree.group[slot]
                if other == group or groups.size[other] == 0:
                    continue
                looked += 1
                price = price_of_union(hulls, groups, group, other)
                _note(offers, other, price)
                better = (price, other) < (offers.mending_price[0], offers.mending[0])
                if better and _lack_of_union(rules, tally, groups, group, other, least) <= 0:
                    offers.mending[0], offers.mending_price[0] = other, price
            continue
        for i in range(a, a + 2):
            pair[i - a] = np.inf
            if tree.lo[i, 0] == np.inf:  # an empty node has no corners to look up
                continue
            bound = -now
            for j in range(len(lo)):
                bound += joined_at_least(
                    hulls, j, lo[j], hi[j], tree.lo[i, j],
                    tree.hi[i, j], tree.last_lo[i, j], tree.first_hi[i, j], few, tree.size[i],
                )  # fmt: skip
                if bound > limit:
                    break
            pair[i - a] = bound
        near = 0 if pair[0] <= pair[1] else 1
        for side in (1 - near, near):
            if pair[side] <= limit and pair[side] < np.inf:
                stack[depth], waiting[depth] = a + side, pair[side]
                depth += 1
    return looked


# -- exchanging or joining ---------------------------------------------------------------------------------------


@kernel
def join(hulls: Any, groups: LinkedGroups, group: int, other: int) -> None:
    """Let a group take in all records of another, which is empty then."""
    short, long = (group, other) if groups.size[group] < groups.size[other] else (other, group)
    last = groups.head[short]
    while groups.next[last] >= 0:
        last = groups.next[last]
    groups.next[last] = groups.head[long]
    groups.head[group] = groups.head[short]
    groups.size[group] += groups.size[other]
    for j in range(groups.lo.shape[1]):
        groups.lo[group, j] = min(groups.lo[group, j], groups.lo[other, j])
        groups.hi[group, j] = max(groups.hi[group, j], groups.hi[other, j])
    groups.loss[group] = loss(hulls, groups.lo[group], groups.hi[group])
    groups.head[other], groups.size[other], groups.loss[other] = -1, 0, 0.0
    groups.lo[other], groups.hi[other] = np.inf, -np.inf


@kernel
def work_of_exchange(rules: Rules, pool: int) -> int:
    """How many numbers have to be worked out to prepare an exchange."""
    work = 0
    for rule in range(len(rules.kind)):
        values = min(pool, rules.start[rule + 1] - rules.start[rule])
        one = values + (rules.first_span[rule + 1] - rules.first_span[rule])
        if rules.first_span[rule + 1] > rules.first_span[rule] or rules.needed[rule] > 0:
            one += rules.start[rule + 1] - rules.start[rule]
        work += values * values * one
    return work


@kernel
def _best_exchange(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, group: int, least: int, offers: Offers, limit: float
) -> tuple[int, Ints, Flags]:  # fmt: skip
    """The neighbour with whom exchanging mends a class for less than ``limit``, -1 if none; the pool, its sides."""
    best, price = -1, limit
    best_rows, best_side = np.empty(0, np.int64), np.empty(0, np.bool_)
    mine = members_of(groups, group) if groups.size[group] < POOL else best_rows
    for i in range(len(offers.near)):
        other = offers.near[i]
        pool = groups.size[group] + groups.size[other] if other >= 0 else ANY_SIZE
        if pool > POOL or pool < 2 * least or work_of_exchange(rules, pool) > TABLED:
            continue
        theirs = members_of(groups, other)
        rows = np.concatenate((mine, theirs))
        side = np.arange(len(rows)) >= len(mine)
        change = exchange(hulls, points, rules, rows, side, least, lack_of(rules, theirs, least))
        if change < price - EPSILON:
            best, price, best_rows, best_side = other, change, rows, side
    return best, best_rows, best_side


@kernel
def _partner(rules: Rules, groups: LinkedGroups, tally: Tally, group: int, least: int, offers: Offers) -> int:
    """With whom to join: who mends the class, else who brings it closer to obeying at the least price for that."""
    if offers.mending[0] >= 0:
        return offers.mending[0]
    mine = _lack_of_tally(rules, tally, groups.size[group], least)
    best, score = offers.near[0], np.inf
    for i in range(len(offers.near)):
        other = offers.near[i]
        if other < 0:
            break
        less = mine - _lack_of_union(rules, tally, groups, group, other, least)
        less += lack_of(rules, members_of(groups, other), least)
        if less > EPSILON and offers.prices[i] / less < score:
            best, score = other, offers.prices[i] / less
    return best


@kernel
def _mend_one(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, tree: GroupTree, tally: Tally, offers: Offers,
    group: int, least: int, work: MendingWork,
) -> bool:  # fmt: skip
    """Let one class exchange or join; False if there is nobody left."""
    work.walked[0] += _look_around(hulls, rules, groups, tree, tally, group, least, offers)
    if offers.near[0] < 0:
        return False
    other, rows, side = _best_exchange(hulls, points, rules, groups, group, least, offers, offers.mending_price[0])
    if other >= 0:
        fill(hulls, points, groups, group, rows[~side])
        fill(hulls, points, groups, other, rows[side])
        _forget(tally)
        _count(rules, tally, groups, group)
    else:
        other = _partner(rules, groups, tally, group, least, offers)
        _count(rules, tally, groups, other)
        join(hulls, groups, group, other)
        work.joined[group] = True
    refit_up(tree, groups, group, ANY_SIZE)
    refit_up(tree, groups, other, ANY_SIZE)
    return True


@kernel
def mend_classes(
    hulls: Any, points: Floats, rules: Rules, groups: LinkedGroups, tree: GroupTree, least: int, most: int,
    work: MendingWork,
) -> bool:  # fmt: skip
    """Mend up to ``most`` classes, lowest number first; whether more may be left.

    Gives up where a class becomes a giant and still breaks a rule.
    """
    tally = new_tally(rules)
    offers = Offers(np.empty(NEAREST, np.int64), np.empty(NEAREST), np.empty(1, np.int64), np.empty(1))
    mended = 0
    while work.next[0] < len(groups.size) and mended < most:
        group = work.next[0]
        work.next[0] += 1
        if groups.size[group] == 0:
            continue
        _count(rules, tally, groups, group)
        while groups.size[group] < GIANT and _lack_of_tally(rules, tally, groups.size[group], least) > 0:
            mended += 1
            if not _mend_one(hulls, points, rules, groups, tree, tally, offers, group, least, work):
                break
        if groups.size[group] >= GIANT and _lack_of_tally(rules, tally, groups.size[group], least) > 0:
            work.given_up[0] = True
            return False
        _forget(tally)
    return work.next[0] < len(groups.size)
