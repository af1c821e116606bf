# SPDX-License-Identifier: Apache-2.0
"""Splitting groups in two around two centres, round after round, and keeping the best split.

A centre is ``lo .. hi`` per attribute: a mean (``lo = hi``) where the measure is a range, the hull of its group where
it is a tree. A record is as far from a centre as the hull of both costs. Every group is a run of *positions*; all
records stand in the order in which they are visited, and splitting a run keeps that order. The coordinates move along,
so that every pass reads memory from left to right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import RANGE, term, ticks
from shoal.kernels.rules import Rules, obeyed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

DEPTH, SETTLED, CLASSES, START, ROUND = 0, 1, 2, 3, 4
"""Places in ``Halving.at``: groups on the stack, rows settled, classes made, start and round under way."""


class Halving(NamedTuple):
    """Where the work stands, so that it can be done in slices."""

    rows: Ints
    """[position] the record that stands there."""
    points: Floats
    """[position, attribute] its coordinates."""
    begin: Ints
    """[stack] first position of a group."""
    end: Ints
    at: Ints
    """See DEPTH, SETTLED, ..."""
    side: Flags
    """[position] whether a record is on the second side, in this round."""
    before: Flags
    """[position] the same, in the round before."""
    best: Flags
    """[position] the same, in the best round so far."""
    gaps: Floats
    """[centre, position] distances of a record from both centres."""
    lo: Floats
    """[centre, attribute] the two centres."""
    hi: Floats
    cost: Floats
    """[0] cost of the best split of the group, infinite if there is none yet; [1] 0 if it obeys all rules, else 1."""


@kernel
def new_halving(points: Floats, order: Ints, least: int) -> Halving:
    """All records as one group, in the given order."""
    n, d = points.shape
    most = n // least + 2
    begin, end = np.zeros(most, np.int64), np.zeros(most, np.int64)
    end[0] = n
    at = np.zeros(5, np.int64)
    at[DEPTH] = 1
    return Halving(
        order.copy(), points[order], begin, end, at, np.zeros(n, np.bool_), np.zeros(n, np.bool_),
        np.zeros(n, np.bool_), np.empty((2, n)), np.empty((2, d)), np.empty((2, d)), np.array([np.inf, 1.0]),
    )  # fmt: skip


@kernel
def furthest_in(hulls: Any, points: Floats, rows: Ints, begin: int, end: int, start: int) -> int:
    """Position of the record of a group that is furthest from another of its records; the lowest row of equals."""
    kind, scale, cap, first, size, tables, ancestors = hulls
    best, place = -1.0, -1
    for i in range(begin, end):
        if i == start:
            continue
        total = 0.0
        for j in range(points.shape[1]):
            low, high = min(points[start, j], points[i, j]), max(points[start, j], points[i, j])
            total += term(kind[j], scale[j], cap[j], first[j], size[j], tables, ancestors, low, high)
        value = ticks(total)
        if value > best or (value == best and rows[i] < rows[place]):
            best, place = value, i
    return place


@kernel
def _first_centres(hulls: Any, work: Halving, begin: int, end: int, far: bool) -> None:
    """Two records of the group: the next two in visiting order, or two that are far apart."""
    rows, points, lo, hi, start = work.rows, work.points, work.lo, work.hi, work.at[START]
    one = begin + (2 * start) % (end - begin)
    other = begin + (2 * start + 1) % (end - begin)
    if far:
        one = furthest_in(hulls, points, rows, begin, end, begin + start % (end - begin))
        other = furthest_in(hulls, points, rows, begin, end, one)
    for j in range(points.shape[1]):
        lo[0, j], hi[0, j] = points[one, j], points[one, j]
        lo[1, j], hi[1, j] = points[other, j], points[other, j]


@kernel
def _assign(hulls: Any, work: Halving, begin: int, end: int) -> int:
    """Each record to the nearer centre, on a tie to the smaller side so far, then the first; size of the second."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    points, side, gaps, lo, hi = work.points, work.side, work.gaps, work.lo, work.hi
    second = 0
    for i in range(begin, end):
        for centre in range(2):
            total = 0.0
            for j in range(points.shape[1]):
                low, high = min(lo[centre, j], points[i, j]), max(hi[centre, j], points[i, j])
                total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
            gaps[centre, i] = total
        one, other = ticks(gaps[0, i]), ticks(gaps[1, i])
        side[i] = other < one or (other == one and second < i - begin - second)
        second += side[i]
    return second


@kernel
def _borrow(work: Halving, begin: int, end: int, small: bool, lacking: int) -> None:
    """Move the records of least regret to the small side; ties to the nearer, then to the lowest row."""
    rows, side, gaps = work.rows, work.side, work.gaps
    own, other = (1, 0) if small else (0, 1)
    regrets, nears = np.empty(lacking), np.empty(lacking)
    places = np.empty(lacking, np.int64)
    found = 0
    for i in range(begin, end):
        if side[i] == small:
            continue
        regret, near = ticks(gaps[own, i] - gaps[other, i]), ticks(gaps[own, i])
        at = found
        while at > 0:
            last = at - 1
            if regrets[last] < regret or (regrets[last] == regret and nears[last] < near):
                break
            if regrets[last] == regret and nears[last] == near and rows[places[last]] < rows[i]:
                break
            at = last
        if at == lacking:
            continue
        for later in range(min(found, lacking - 1), at, -1):
            regrets[later], nears[later], places[later] = regrets[later - 1], nears[later - 1], places[later - 1]
        regrets[at], nears[at], places[at] = regret, near, i
        found = min(found + 1, lacking)
    for i in range(found):
        side[places[i]] = small


@kernel
def _centres(hulls: Any, work: Halving, begin: int, end: int) -> float:
    """Move the centres to the two sides; returns what the two sides cost as classes."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    points, side, lo, hi = work.points, work.side, work.lo, work.hi
    d = points.shape[1]
    sums = np.zeros((2, d))
    counts = np.zeros(2, np.int64)
    lo[:], hi[:] = np.inf, -np.inf
    for i in range(begin, end):
        at = 1 if side[i] else 0
        counts[at] += 1
        for j in range(d):
            value = points[i, j]
            sums[at, j] += value
            lo[at, j] = min(lo[at, j], value)
            hi[at, j] = max(hi[at, j], value)
    cost = 0.0
    for at in range(2):
        loss = 0.0
        for j in range(d):
            loss += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[at, j], hi[at, j])
            if kind[j] == RANGE:
                lo[at, j] = sums[at, j] / counts[at]
                hi[at, j] = lo[at, j]
        cost += counts[at] * loss
    return cost


@kernel
def _round(hulls: Any, work: Halving, rules: Rules, least: int, far: bool) -> bool:
    """One round on the group on top of the stack; whether it ended where the round before it did."""
    at, side, before = work.at, work.side, work.before
    top = at[DEPTH] - 1
    begin, end = work.begin[top], work.end[top]
    if at[ROUND] == 0:
        _first_centres(hulls, work, begin, end, far)
    second = _assign(hulls, work, begin, end)
    first = end - begin - second
    if min(first, second) < least:
        _borrow(work, begin, end, second < first, least - min(first, second))
    cost = ticks(_centres(hulls, work, begin, end))
    broken = 0.0
    for which in range(2):
        if not obeyed(rules, work.rows, begin, end, side, which == 1):
            broken = 1.0
    if broken < work.cost[1] or (broken == work.cost[1] and cost < work.cost[0]):
        work.cost[0], work.cost[1] = cost, broken
        work.best[begin:end] = side[begin:end]
    same = at[ROUND] > 0
    for i in range(begin, end):
        same = same and before[i] == side[i]
        before[i] = side[i]
    return same


@kernel
def part_by(sides: Flags, rows: Ints, points: Floats, begin: int) -> int:
    """Bring the records of the first side before those of the second; returns where the second begins."""
    end = begin + len(sides)
    old_rows, old_points = rows[begin:end].copy(), points[begin:end].copy()
    fill, middle = begin, begin
    for second in (False, True):
        for i in range(end - begin):
            if sides[i] == second:
                rows[fill] = old_rows[i]
                for j in range(points.shape[1]):
                    points[fill, j] = old_points[i, j]
                fill += 1
        if not second:
            middle = fill
    return middle


@kernel
def _replace(work: Halving, least: int, labels: Ints) -> None:
    """Replace the group on top by the two sides of its best split; a side below 2 ``least`` is a class."""
    rows, points, best, at = work.rows, work.points, work.best, work.at
    top = at[DEPTH] - 1
    begin, end = work.begin[top], work.end[top]
    at[DEPTH] = top
    middle = part_by(best[begin:end], rows, points, begin)
    for second in (True, False):  # the first side is looked at first
        one, other = (middle, end) if second else (begin, middle)
        if other - one >= 2 * least:
            work.begin[at[DEPTH]], work.end[at[DEPTH]] = one, other
            at[DEPTH] += 1
        else:
            settle(work, one, other, labels)


@kernel
def settle(work: Halving, begin: int, end: int, labels: Ints) -> None:
    """Make a run of records a class."""
    for i in range(begin, end):
        labels[work.rows[i]] = work.at[CLASSES]
    work.at[CLASSES] += 1
    work.at[SETTLED] += end - begin


@kernel
def halve(
    hulls: Any, work: Halving, rules: Rules, least: int, rounds: int, starts: int, far: bool, most: int,
    labels: Ints,
) -> int:  # fmt: skip
    """Work until ``most`` records were visited or no group is left; returns how many records are settled.

    A group none of whose splits obeys the rules is settled as it is.
    """
    at = work.at
    visited = 0
    while at[DEPTH] > 0 and visited < most:
        top = at[DEPTH] - 1
        visited += work.end[top] - work.begin[top]
        same = _round(hulls, work, rules, least, far)
        at[ROUND] += 1
        if not same and at[ROUND] < rounds:  # from the same centres all further rounds would be the same
            continue
        at[ROUND] = 0
        at[START] += 1
        if at[START] < starts:
            continue
        at[START] = 0
        if work.cost[1] == 0.0:
            _replace(work, least, labels)
        else:
            at[DEPTH] = top
            settle(work, work.begin[top], work.end[top], labels)
        work.cost[0], work.cost[1] = np.inf, 1.0
    return at[SETTLED]
