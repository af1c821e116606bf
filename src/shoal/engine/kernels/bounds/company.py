# SPDX-License-Identifier: Apache-2.0
"""Who may join a record in a set of k records that is priced too high, and how far the box of the set then reaches.

The box of a set has *sides*, seen from one of its records: how far it reaches to the left and to the right of it on a
line, how high above it in a tree. Whoever joins the record reaches so far on each side, a box as far as any of its
records, and the loss of the box is the sum of its sides. See :mod:`shoal.engine.kernels.bounds.dear_sets`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE, Hulls, term
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Flags, Floats, Ints


class Market(NamedTuple):
    """Records and their prices; [slot] unless it says otherwise."""

    hulls: Hulls
    tree: BoxTree
    price: Floats
    cheapest: Floats
    """No box around a record that holds k records loses less than this."""
    settled: Flags
    """Whether no set with this record is to be looked at any more."""
    dearest: Floats
    """[node] no price below it is higher."""


class Company(NamedTuple):
    """Who may join a record; [place] unless it says otherwise."""

    slot: Ints
    price: Floats
    copies: Ints
    least: Floats
    """What any box around it loses."""
    alone: Floats
    """Loss of its hull with the record."""
    lack: Floats
    """What its price is below its loss; while they are gathered the largest comes first (a heap)."""
    side: Floats
    """[side, place] how far it reaches from the record: left and right of each attribute; a tree has only the first."""
    cap: Floats
    """[attribute] most that both of its sides cost."""


class TreeWalk(NamedTuple):
    """Room for a walk down the tree."""

    stack: Ints
    far: Floats
    """Loss of the hull of the record and the nearest corner of each node on the stack."""
    steps: Ints
    """[0] the work in all."""


@kernel
def room_for(attributes: int, most: int) -> tuple[Company, TreeWalk]:
    """Room for ``most`` who may join."""
    place, spot = np.zeros(most, np.int64), np.zeros(most)
    company = Company(
        place, spot, place.copy(), spot.copy(), spot.copy(), spot.copy(), np.zeros((2 * attributes, most)),
        np.zeros(attributes),
    )  # fmt: skip
    return company, TreeWalk(np.zeros(STACK, np.int64), np.zeros(STACK), np.zeros(1, np.int64))


@kernel
def highest_below(tree: BoxTree, price: Floats, dearest: Floats) -> None:
    """Fill ``dearest`` for each node of the tree."""
    for node in range(len(tree.left) - 1, -1, -1):
        below = tree.left[node]
        dearest[node] = 0.0
        if below >= 0:
            dearest[node] = max(dearest[below], dearest[below + 1])
        else:
            for slot in range(tree.begin[node], tree.end[node]):
                dearest[node] = max(dearest[node], price[slot])


@inlined
def _apart(hulls: Hulls, here: Floats, lo: Floats, hi: Floats, limit: float) -> float:
    """Loss of the hull of a record and the nearest corner of a box; adding up ends at the limit."""
    total = 0.0
    for j in range(len(here)):
        if lo[j] > here[j]:
            total += term(hulls, j, here[j], lo[j])
        elif hi[j] < here[j]:
            total += term(hulls, j, hi[j], here[j])
        if total >= limit:
            break
    return total


@inlined
def _put(company: Company, many: int, lack: float, slot: int, alone: float) -> int:
    """Take in one more, or if there is no room instead of the one that lacks most; returns how many there are."""
    at, room = 0, len(company.slot)
    if many < room:
        at = many
        many += 1
        while at > 0 and company.lack[(at - 1) // 2] < lack:
            up = (at - 1) // 2
            _move(company, up, at)
            at = up
    else:
        while 2 * at + 1 < room:
            down = 2 * at + 1
            if down + 1 < room and company.lack[down + 1] > company.lack[down]:
                down += 1
            if company.lack[down] <= lack:
                break
            _move(company, down, at)
            at = down
    company.lack[at], company.slot[at], company.alone[at] = lack, slot, alone
    return many


@inlined
def _move(company: Company, source: int, to: int) -> None:
    company.lack[to], company.slot[to] = company.lack[source], company.slot[source]
    company.alone[to] = company.alone[source]


@kernel
def gather(market: Market, company: Company, walk: TreeWalk, slot: int) -> tuple[int, float]:
    """Those who may join a record, or the most promising of them; and what all others lack at least, if there are any.

    No set in which the record is dearest is priced too high if it loses as much as the record is priced. Sets with a
    dearer one are looked at from there.
    """
    hulls, tree, company = lent(market.hulls), lent(market.tree), lent(company)
    price, cheapest, stack, far = lent(market.price), lent(market.cheapest), lent(walk.stack), lent(walk.far)
    here, limit, own = tree.at[slot], price[slot], cheapest[slot]
    many, lacking, room = 0, np.inf, len(company.slot)
    stack[0], far[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if max(far[depth], own) - market.dearest[node] >= lacking:
            continue
        a = tree.left[node]
        if a >= 0:
            walk.steps[0] += 2
            near, other = a, a + 1
            x = _apart(hulls, here, tree.lo[a], tree.hi[a], limit)
            y = _apart(hulls, here, tree.lo[a + 1], tree.hi[a + 1], limit)
            if x > y:
                near, other, x, y = a + 1, a, y, x
            if y < limit:
                stack[depth], far[depth] = other, y
                depth += 1
            if x < limit:
                stack[depth], far[depth] = near, x
                depth += 1
            continue
        for one in range(tree.begin[node], tree.end[node]):
            least = max(own, cheapest[one])
            if one == slot or market.settled[one] or price[one] > limit:
                continue
            if least >= limit or least - price[one] >= lacking:
                continue
            walk.steps[0] += 1
            alone = _apart(hulls, here, tree.at[one], tree.at[one], limit)
            lack = max(alone, least) - price[one]
            if alone < limit and lack < lacking:
                many = _put(company, many, lack, one, alone)
                lacking = company.lack[0] if many == room else np.inf
    return many, lacking


@kernel
def look_up(market: Market, company: Company, many: int, size: int) -> None:
    """Prices of those who may join, their copies, and what any box around them loses."""
    company = lent(company)
    for place in range(many):
        one = company.slot[place]
        company.price[place], company.copies[place] = market.price[one], min(market.tree.copies[one], size)
        company.least[place] = market.cheapest[one]


@kernel
def measure(market: Market, company: Company, slot: int, many: int) -> None:
    """How far each of those who may join reaches on each side."""
    hulls, at, company = lent(market.hulls), lent(market.tree.at), lent(company)
    for j in range(at.shape[1]):
        is_range = hulls.kind[j] == RANGE
        company.cap[j] = hulls.cap[j] if is_range else np.inf
        here = at[slot, j]
        for place in range(many):
            there = at[company.slot[place], j]
            left, right = 0.0, 0.0
            if is_range:
                left, right = max(here - there, 0.0) * hulls.scale[j], max(there - here, 0.0) * hulls.scale[j]
            elif there != here:
                left = term(hulls, j, min(here, there), max(here, there))
            company.side[2 * j, place], company.side[2 * j + 1, place] = left, right
