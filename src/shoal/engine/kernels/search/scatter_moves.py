# SPDX-License-Identifier: Apache-2.0
"""Classes around means, and the moves of records between them, each with what it does to the squared error.

A class is known by its size and its sum, so that one record leaving or joining it costs one distance:

    leaving A:  -n_A / (n_A - 1) |r - mean_A|²        joining B:  n_B / (n_B + 1) |r - mean_B|²
    swapping r of A and s of B, u = s - r:  2 u·(mean_B - mean_A) - |u|² (1 / n_A + 1 / n_B)

Larger moves are made record by record and logged, so that they can be undone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import share
from shoal.engine.kernels.rules import Rules, obeyed_by
from shoal.ground.arrays import Floats, Ints, Words

HOMES = 6
"""Classes priced for a record that loses its own."""
MATES = 16
"""Members of a class that are priced for a swap, at most."""
SKIPPED = 0.1
"""Chance that a founder passes over a near record."""


class Search(NamedTuple):
    """A partition under search, and the moves being tried."""

    points: Floats
    near: Ints
    sums: Floats
    """[class, attribute] sum over its records."""
    sizes: Ints
    first: Ints
    """[class] number of its records, and the first of them."""
    label: Ints
    next: Ints
    before: Ints
    """[record] its class, and the records after and before it there."""
    log_row: Ints
    log_from: Ints
    """[move] the record moved in the rebuilding being tried, and the class it came from."""
    moves: Ints
    pricings: Ints
    """[0] moves in the log, and pricings spent in all."""
    saved: Floats
    paid: Floats
    """[0] what the moves in the log saved, and what they cost."""
    held: Ints
    ones: Ints
    """[i] scratch for rows of a class; each counts once."""


@inlined
def _shift(search: Search, row: int, to: int) -> tuple[float, float]:
    """Move a record to another class; what its old class saves and what the new one pays."""
    points, sums, old = search.points, search.sums, search.label[row]
    size, full = search.sizes[old], search.sizes[to]
    left, joined = 0.0, 0.0
    for j in range(points.shape[1]):
        value = points[row, j]
        if size > 1:
            left += (value - sums[old, j] / size) ** 2
            sums[old, j] -= value
        else:
            sums[old, j] = 0.0
        if full > 0:
            joined += (value - sums[to, j] / full) ** 2
        sums[to, j] += value
    _unchain(search, row, old)
    chain(search, row, to)
    search.sizes[old] -= 1
    search.sizes[to] += 1
    return left * size / max(size - 1, 1), joined * full / (full + 1)


@inlined
def _unchain(search: Search, row: int, old: int) -> None:
    """Take a record out of the chain of its class."""
    after, before = search.next[row], search.before[row]
    if before >= 0:
        search.next[before] = after
    else:
        search.first[old] = after
    if after >= 0:
        search.before[after] = before


@inlined
def chain(search: Search, row: int, to: int) -> None:
    """Put a record before all others of a class."""
    first = search.first[to]
    if first >= 0:
        search.before[first] = row
    search.label[row], search.next[row], search.before[row] = to, first, -1
    search.first[to] = row


@inlined
def _home(search: Search, row: int, size: int) -> tuple[int, int]:
    """The class of a near record that would pay least for this one (-1: there is none), and how many were priced."""
    points, sums, near, label = search.points, search.sums, search.near, search.label
    own, best, least, priced, last = label[row], -1, np.inf, 0, -1
    for i in range(near.shape[1]):
        to = label[near[row, i]]
        full = search.sizes[to]
        if to in (own, last) or full < size:
            continue
        last = to
        cost = 0.0
        for j in range(points.shape[1]):
            cost += (points[row, j] - sums[to, j] / full) ** 2
        cost *= full / (full + 1)
        priced += 1
        if cost < least:
            best, least = to, cost
        if priced == HOMES:
            break
    return best, priced


@kernel
def exchange(search: Search, way: Floats, row: int, member: int, size: int) -> tuple[float, float, int]:
    """The best way for a record into the class of a member, alone or against one of some members.

    The change of the loss, the squared distances of the record to both means, and the member (-1: none is swapped);
    ``way`` is scratch, from one mean to the other.
    """
    search, way = lent(search), lent(way)
    points, sums, own, to = search.points, search.sums, search.label[row], search.label[member]
    here, there = 1.0 / search.sizes[own], 1.0 / search.sizes[to]
    d = points.shape[1]
    left, joined, along = 0.0, 0.0, 0.0
    for j in range(d):
        value, mean, other = points[row, j], sums[own, j] * here, sums[to, j] * there
        left += (value - mean) ** 2
        joined += (value - other) ** 2
        way[j] = other - mean
        along += value * way[j]
    best, mate = np.inf, -1
    if search.sizes[own] > size:
        best = joined / (1.0 + there) - left / (1.0 - here)
    for _ in range(min(search.sizes[to], MATES)):
        turn, apart = 0.0, 0.0
        for j in range(d):
            value = points[member, j]
            turn += value * way[j]
            apart += (value - points[row, j]) ** 2
        change = 2.0 * (turn - along) - apart * (here + there)
        if change < best:
            best, mate = change, member
        member = search.next[member]
        if member < 0:
            member = search.first[to]
    return best, left + joined, mate


@kernel
def go(search: Search, row: int, to: int) -> None:
    """Move a record and log it."""
    search = lent(search)
    move = search.moves[0]
    search.log_row[move], search.log_from[move] = row, search.label[row]
    saved, paid = _shift(search, row, to)
    search.saved[0] += saved
    search.paid[0] += paid
    search.moves[0] += 1
    search.pricings[0] += 1


@kernel
def back(search: Search) -> None:
    """Undo the logged moves, last first."""
    search = lent(search)
    for move in range(search.moves[0] - 1, -1, -1):
        _shift(search, search.log_row[move], search.log_from[move])


@kernel
def dissolve(search: Search, label: int, size: int) -> bool:
    """Send each record of a class where it costs least; False if one has nowhere to go."""
    search = lent(search)
    while search.sizes[label] > 0:
        row = search.first[label]
        to, priced = _home(search, row, size)
        search.pricings[0] += priced
        if to < 0:
            return False
        go(search, row, to)
    return True


@kernel
def start_class(search: Search, row: int, size: int, dice: Words) -> bool:
    """A new class of a record and its nearest; False if that cannot be.

    Either only records that their classes can spare, or any; then what is left of a class that became too small is
    dissolved.
    """
    search = lent(search)
    sizes, label, near = search.sizes, search.label, search.near
    sparing = share(dice) < 0.5 or sizes[label[row]] >= 2 * size
    fresh = 0
    while sizes[fresh] > 0:
        fresh += 1
    if sparing and sizes[label[row]] <= size:
        return False
    go(search, row, fresh)
    for i in range(near.shape[1]):
        if sizes[fresh] == size:
            break
        other = near[row, i]
        if (not sparing or sizes[label[other]] > size) and share(dice) > SKIPPED:
            go(search, other, fresh)
    if sizes[fresh] < size:
        return False
    whole = True
    for i in range(size):
        if 0 < sizes[search.log_from[i]] < size:
            whole = whole and dissolve(search, search.log_from[i], size)
    return whole


@kernel
def stand(search: Search, rules: Rules | None, rows: Ints) -> bool:
    """Whether all classes that the logged moves touched obey the rules."""
    if rules is None:
        return True
    search = lent(search)
    for move in range(search.moves[0]):
        for label in (search.log_from[move], search.label[search.log_row[move]]):
            count, member = 0, search.first[label]
            while member >= 0:
                search.held[count] = rows[member]
                count += 1
                member = search.next[member]
            search.pricings[0] += count
            if count > 0 and not obeyed_by(rules, search.held, search.ones, count):
                return False
    return True


@kernel
def reckon(points: Floats, labels: Ints, sums: Floats, sizes: Ints) -> float:
    """Sums and sizes of all classes afresh, and the loss."""
    n, d = points.shape
    sums[:] = 0.0
    sizes[:] = 0
    for row in range(n):
        sizes[labels[row]] += 1
        for j in range(d):
            sums[labels[row], j] += points[row, j]
    loss = 0.0
    for row in range(n):
        for j in range(d):
            loss += (points[row, j] - sums[labels[row], j] / sizes[labels[row]]) ** 2
    return loss


@kernel
def renumber(labels: Ints) -> int:
    """Number the classes without gaps, by their first record; how many there are."""
    number = np.full(labels.max() + 1, -1, np.int64)
    classes = 0
    for row in range(len(labels)):
        if number[labels[row]] < 0:
            number[labels[row]] = classes
            classes += 1
        labels[row] = number[labels[row]]
    return classes
