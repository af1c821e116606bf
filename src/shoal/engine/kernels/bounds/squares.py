# SPDX-License-Identifier: Apache-2.0
"""Sets of k records that are priced above their squared error, by branch and bound.

The squared error of a set of k records is the sum of the squared distances of its pairs, divided by k. A *node* of the
search is a set of fewer records. Whatever joins it pays for its distances to it, and for those to what joins with it at
least half of what the nearest records of all would cost. So the sum of the best that could join is never passed. See
docs/certificate.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.ground.arrays import Floats, Ints


class Space(NamedTuple):
    """Records by their squared distances."""

    apart: Floats
    """[record, record] squared distance, divided by k."""
    near: Floats
    """[record, m] sum of the m smallest of them to others, m from 0 to k - 1."""


class Trail(NamedTuple):
    """The way from the first record to a node; [level, place] unless it says otherwise."""

    who: Ints
    """Records that may join, the most hopeful first."""
    paid: Floats
    """What each costs with those chosen so far."""
    hope: Floats
    """What each brings at most."""
    many: Ints
    place: Ints
    """[level] how many may join; how many of them were tried."""
    worth: Floats
    """[level] what those chosen so far are priced above their squared error."""


@kernel
def spaced(points: Floats, size: int) -> Space:
    """The distances of all records."""
    n = len(points)
    apart, near, nearest = np.zeros((n, n)), np.zeros((n, size)), np.empty(size)
    for row in range(n):
        for other in range(row):
            total = 0.0
            for j in range(points.shape[1]):
                total += (points[row, j] - points[other, j]) ** 2
            apart[row, other] = apart[other, row] = total / size
    for row in range(n):
        used = 0
        for other in range(n):
            here = apart[row, other]
            if other == row or (used == size - 1 and here >= nearest[used - 1]):
                continue
            used = min(used + 1, size - 1)
            place = used - 1
            while place > 0 and nearest[place - 1] > here:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = here
        for many in range(1, size):
            near[row, many] = near[row, many - 1] + nearest[many - 1]
    return Space(apart, near)


@kernel
def _trail(size: int, n: int) -> Trail:
    whole = np.zeros(size, np.int64)
    return Trail(
        np.empty((size, n), np.int64), np.empty((size, n)), np.empty((size, n)), whole, whole.copy(), np.zeros(size)
    )


@kernel
def _sort(who: Ints, paid: Floats, hope: Floats, many: int) -> None:
    """The most hopeful first (Shell's way)."""
    gap = 1
    while 9 * gap < 4 * many:
        gap = (9 * gap) // 4 + 1
    while gap > 0:
        for i in range(gap, many):
            one, cost, most, at = who[i], paid[i], hope[i], i
            while at >= gap and hope[at - gap] < most:
                who[at], paid[at], hope[at] = who[at - gap], paid[at - gap], hope[at - gap]
                at -= gap
            who[at], paid[at], hope[at] = one, cost, most
        gap = (4 * gap) // 9


@kernel
def _rank(space: Space, trail: Trail, level: int, left: int, many: int, price: Floats, best: float) -> None:
    """Of the first ``many`` of a level keep those that can be in a set worth more than ``best``, by their hope."""
    space, trail, price = lent(space), lent(trail), lent(price)
    who, paid, hope = trail.who[level], trail.paid[level], trail.hope[level]
    top = np.full(left, -np.inf)
    for i in range(many):
        hope[i] = price[who[i]] - paid[i] - space.near[who[i], left - 1] / 2
        place = left - 1
        while place > 0 and top[place - 1] < hope[i]:
            top[place] = top[place - 1]
            place -= 1
        top[place] = hope[i] if place < left - 1 else top[place]
    others, kept = trail.worth[level], 0
    for i in range(left - 1):
        others += top[i]
    for i in range(many):
        if others + hope[i] > best:
            who[kept], paid[kept], hope[kept] = who[i], paid[i], hope[i]
            kept += 1
    _sort(who, paid, hope, kept)
    trail.many[level], trail.place[level] = kept, 0


@kernel
def _most(trail: Trail, level: int, left: int) -> float:
    """What any set of this node and of those not tried yet is worth at most."""
    place = trail.place[level]
    if place + left > trail.many[level]:
        return -np.inf
    most = trail.worth[level]
    for i in range(place, place + left):
        most += trail.hope[level, i]
    return most


@kernel
def _descend(space: Space, trail: Trail, level: int, left: int, price: Floats, best: float) -> int:
    """Choose the next record of a level; returns how many of the others were looked at."""
    space, trail = lent(space), lent(trail)
    place = trail.place[level]
    one, many = trail.who[level, place], 0
    for i in range(place + 1, trail.many[level]):
        other = trail.who[level, i]
        trail.who[level + 1, many] = other
        trail.paid[level + 1, many] = trail.paid[level, i] + space.apart[one, other]
        many += 1
    trail.place[level] += 1
    trail.worth[level + 1] = trail.worth[level] + price[one] - trail.paid[level, place]
    trail.many[level + 1] = trail.place[level + 1] = 0
    if many >= left - 1:
        _rank(space, trail, level + 1, left - 1, many, price, best)
    return many


@kernel
def _worst_set(
    space: Space, trail: Trail, row: int, rank: Ints, price: Floats, size: int, most_steps: int, least: float,
    found: Ints,
) -> tuple[float, bool, int]:  # fmt: skip
    """By how much at most a set of ``row`` and others of a higher ``rank`` is priced above its squared error.

    Sets that are so by no more than ``least`` do not count. Tells also whether the worst set is in ``found``, and the
    steps taken; after ``most_steps`` what is left is not looked into, but counts with the most it could be.
    """
    space, trail, price = lent(space), lent(trail), lent(price)
    steps, many, best, unseen, is_found, level = len(price), 0, least, least, False, 0
    for other in range(len(price)):
        if rank[other] > rank[row]:
            trail.who[0, many], trail.paid[0, many] = other, space.apart[row, other]
            many += 1
    trail.worth[0], trail.many[0], trail.place[0] = price[row], 0, 0
    if many >= size - 1:
        _rank(space, trail, 0, size - 1, many, price, best)
    while level >= 0:
        left = size - 1 - level
        most = _most(trail, level, left)
        if most > best and steps > most_steps:
            unseen = max(unseen, most)
        if most <= best or steps > most_steps:
            level -= 1
        elif left > 1:
            steps += 1 + _descend(space, trail, level, left, price, best)
            level += 1
        else:  # the last one: no distances are left, so the hope is what it brings
            best, is_found = most, True
            for i in range(level):
                found[i] = trail.who[i, trail.place[i] - 1]
            found[level], found[size - 1] = trail.who[level, trail.place[level]], row
            trail.place[level] += 1
    return max(best, unseen), is_found, steps


@kernel
def list_sets(
    space: Space, price: Floats, size: int, first: int, budget: int, most_steps: int, least: float, sets: Ints
) -> tuple[int, int, int]:  # fmt: skip
    """The worst set around each record from ``first`` on; returns how many, the record to go on with, and the steps."""
    trail, steps, many = _trail(size, len(price)), 0, 0
    rank = np.ones(len(price), np.int64)
    for row in range(first, len(price)):
        if steps > budget:
            return many, row, steps
        rank[row] = 0
        _, is_found, taken = _worst_set(space, trail, row, rank, price, size, most_steps, least, sets[many])
        rank[row] = 1
        steps += taken
        many += is_found
    return many, len(price), steps


@kernel
def cut_sets(
    space: Space, price: Floats, size: int, order: Ints, first: int, budget: int, most_steps: int
) -> tuple[int, int]:
    """Lower the price of each record, in this order, until no set of it and later ones is priced too high.

    A set is looked at with its first record, and prices only fall; so in the end all sets were. Returns the position to
    go on with, and the steps taken.
    """
    trail, steps, rank, found = _trail(size, len(price)), 0, np.empty(len(price), np.int64), np.empty(size, np.int64)
    for position in range(len(order)):
        rank[order[position]] = position
    for position in range(first, len(order)):
        if steps > budget:
            return position, steps
        row = order[position]
        most, _, taken = _worst_set(space, trail, row, rank, price, size, most_steps, 0.0, found)
        price[row] -= most
        steps += taken
    return len(order), steps
