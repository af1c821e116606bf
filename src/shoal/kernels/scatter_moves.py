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
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.pools import Words, share
from shoal.kernels.rules import Rules, obeyed_by

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HOMES = 6
"""Classes priced for a record that loses its own."""
SKIPPED = 0.1
"""Chance that a founder passes over a near record."""

CLASS, NEXT, BEFORE = 0, 1, 2
"""Rows of ``book``: class of each record, and the records after and before it in the class."""
COUNT, FIRST = 0, 1
"""Rows of ``roll``: number of records of each class, and the first of them."""


class Search(NamedTuple):
    """A partition under search, and the moves being tried."""

    points: Floats
    near: Ints
    sums: Floats
    """[class, attribute] sum over its records."""
    roll: Ints
    """See COUNT, FIRST."""
    book: Ints
    """See CLASS, NEXT, BEFORE."""
    log: Ints
    """[0: record, 1: class it came from; move] the moves of the rebuilding being tried."""
    at: Ints
    """[moves in the log, pricings spent]"""
    tally: Floats
    """What the moves in the log saved, and what they cost."""
    held: Ints
    ones: Ints
    """[i] scratch for rows of a class; each counts once."""


@kernel
def _shift(points: Floats, sums: Floats, roll: Ints, book: Ints, row: int, to: int) -> tuple[float, float]:
    """Move a record to another class; what its old class saves and what the new one pays."""
    old = book[CLASS, row]
    size, full = roll[COUNT, old], roll[COUNT, to]
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
    after, before, first = book[NEXT, row], book[BEFORE, row], roll[FIRST, to]
    if before >= 0:
        book[NEXT, before] = after
    else:
        roll[FIRST, old] = after
    if after >= 0:
        book[BEFORE, after] = before
    if first >= 0:
        book[BEFORE, first] = row
    book[CLASS, row], book[NEXT, row], book[BEFORE, row] = to, first, -1
    roll[FIRST, to] = row
    roll[COUNT, old] -= 1
    roll[COUNT, to] += 1
    return left * size / max(size - 1, 1), joined * full / (full + 1)


@kernel
def _home(points: Floats, sums: Floats, roll: Ints, book: Ints, near: Ints, row: int, size: int) -> tuple[int, int]:
    """The class of a near record that would pay least for this one (-1: there is none), and how many were priced."""
    own, best, least, priced, last = book[CLASS, row], -1, np.inf, 0, -1
    for i in range(near.shape[1]):
        to = book[CLASS, near[row, i]]
        full = roll[COUNT, to]
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
def exchange(
    points: Floats, sums: Floats, roll: Ints, book: Ints, way: Floats, row: int, to: int, size: int
) -> tuple[float, float, int]:
    """The best way for a record into a class, alone or against a member of it.

    The change of the loss, the squared distances of the record to both means, and the member (-1: none is swapped);
    ``way`` is scratch, from one mean to the other.
    """
    own = book[CLASS, row]
    here, there = 1.0 / roll[COUNT, own], 1.0 / roll[COUNT, to]
    d = points.shape[1]
    left, joined, along = 0.0, 0.0, 0.0
    for j in range(d):
        value, mean, other = points[row, j], sums[own, j] * here, sums[to, j] * there
        left += (value - mean) ** 2
        joined += (value - other) ** 2
        way[j] = other - mean
        along += value * way[j]
    best, mate = np.inf, -1
    if roll[COUNT, own] > size:
        best = joined / (1.0 + there) - left / (1.0 - here)
    member = roll[FIRST, to]
    while member >= 0:
        turn, apart = 0.0, 0.0
        for j in range(d):
            value = points[member, j]
            turn += value * way[j]
            apart += (value - points[row, j]) ** 2
        change = 2.0 * (turn - along) - apart * (here + there)
        if change < best:
            best, mate = change, member
        member = book[NEXT, member]
    return best, left + joined, mate


@kernel
def go(search: Search, row: int, to: int) -> None:
    """Move a record and log it."""
    move = search.at[0]
    search.log[0, move], search.log[1, move] = row, search.book[CLASS, row]
    saved, paid = _shift(search.points, search.sums, search.roll, search.book, row, to)
    search.tally[0] += saved
    search.tally[1] += paid
    search.at[0] += 1
    search.at[1] += 1


@kernel
def back(search: Search) -> None:
    """Undo the logged moves, last first."""
    for move in range(search.at[0] - 1, -1, -1):
        _shift(search.points, search.sums, search.roll, search.book, search.log[0, move], search.log[1, move])


@kernel
def dissolve(search: Search, label: int, size: int) -> bool:
    """Send each record of a class where it costs least; False if one has nowhere to go."""
    while search.roll[COUNT, label] > 0:
        row = search.roll[FIRST, label]
        to, priced = _home(search.points, search.sums, search.roll, search.book, search.near, row, size)
        search.at[1] += priced
        if to < 0:
            return False
        go(search, row, to)
    return True


@kernel
def found(search: Search, row: int, size: int, dice: Words) -> bool:
    """A new class of a record and its nearest; False if that cannot be.

    Either only records that their classes can spare, or any; then what is left of a class that became too small is
    dissolved.
    """
    roll, book, near, log = search.roll, search.book, search.near, search.log
    sparing = share(dice) < 0.5 or roll[COUNT, book[CLASS, row]] >= 2 * size
    fresh = 0
    while roll[COUNT, fresh] > 0:
        fresh += 1
    if sparing and roll[COUNT, book[CLASS, row]] <= size:
        return False
    go(search, row, fresh)
    for i in range(near.shape[1]):
        if roll[COUNT, fresh] == size:
            break
        other = near[row, i]
        if (not sparing or roll[COUNT, book[CLASS, other]] > size) and share(dice) > SKIPPED:
            go(search, other, fresh)
    if roll[COUNT, fresh] < size:
        return False
    whole = True
    for i in range(size):
        if 0 < roll[COUNT, log[1, i]] < size:
            whole = whole and dissolve(search, log[1, i], size)
    return whole


@kernel
def stand(search: Search, rules: Rules, rows: Ints) -> bool:
    """Whether all classes that the logged moves touched obey the rules."""
    if len(rules.kind) == 0:
        return True
    roll, book, log, held = search.roll, search.book, search.log, search.held
    for move in range(search.at[0]):
        for label in (log[1, move], book[CLASS, log[0, move]]):
            count, member = 0, roll[FIRST, label]
            while member >= 0:
                held[count] = rows[member]
                count += 1
                member = book[NEXT, member]
            search.at[1] += count
            if count > 0 and not obeyed_by(rules, held, search.ones, count):
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
