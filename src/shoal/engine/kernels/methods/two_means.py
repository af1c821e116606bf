# SPDX-License-Identifier: Apache-2.0
"""Splitting groups in two around two centres, round after round, and keeping the best split.

A centre is ``lo .. hi`` per attribute: a mean (``lo = hi``) where the measure is a range, the hull of its group where
it is a tree. A record is as far from a centre as the hull of both costs. Every group is a run of *positions*, and
splitting a run keeps the order of its records. The coordinates move along, so that every pass reads memory from left to
right.

In every round the records are visited in a new random order. That order decides ties only (who goes to the side that is
smaller *so far*), so it is drawn where there are any, and walked over after the pass. Dice that always show 0 keep the
order in which the records stand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.dice import below
from shoal.engine.kernels.hull import RANGE, stretched_loss, term, ticks
from shoal.engine.kernels.parts import Parts, one_part, pop, push, settle
from shoal.engine.kernels.rules import Rules, obeyed
from shoal.ground.arrays import Flags, Floats, Ints, Words


class Halving(NamedTuple):
    """Where the work stands, so that it can be done in slices."""

    rows: Ints
    """[position] the record that stands there."""
    points: Floats
    """[position, attribute] its coordinates."""
    parts: Parts
    """Groups to be halved, and what is settled."""
    start: Ints
    round: Ints
    """[0] the start and the round under way."""
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
    obeys: Flags
    """[0] cost of the best split of the group, infinite if there is none yet, and whether it obeys all rules."""
    tied: Flags
    """[position] whether a record is as far from one centre as from the other, in this round."""
    visits: Ints
    """[place in a group] the position that is visited there, counted from where the group begins."""
    dice: Words
    """[0] what draws centres and orders; 0 if the records stand in the order in which they are to be taken."""


@kernel
def new_halving(points: Floats, order: Ints, least: int, dice: Words) -> Halving:
    """All records as one group, in the given order."""
    n, d = points.shape
    return Halving(
        order.copy(), points[order], one_part(n, n // least + 2), np.zeros(1, np.int64), np.zeros(1, np.int64),
        np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.empty((2, n)), np.empty((2, d)),
        np.empty((2, d)), np.full(1, np.inf), np.zeros(1, np.bool_), np.zeros(n, np.bool_), np.empty(n, np.int64), dice,
    )  # fmt: skip


@kernel
def furthest_in(hulls: Any, points: Floats, rows: Ints, begin: int, end: int, start: int) -> int:
    """Position of the record of a group that is furthest from another of its records; the lowest row of equals."""
    hulls, points = lent(hulls), lent(points)
    best, place = -1.0, -1
    for i in range(begin, end):
        if i == start:
            continue
        value = ticks(stretched_loss(hulls, points[start], points[start], points, i))
        if value > best or (value == best and rows[i] < rows[place]):
            best, place = value, i
    return place


@kernel
def _first_centres(hulls: Any, work: Halving, begin: int, end: int, far: bool) -> None:
    """Two records of the group, drawn for every start: at random, or the ends of a walk from a random one."""
    rows, points, lo, hi, size = work.rows, work.points, work.lo, work.hi, end - begin
    if far:
        anyone = begin + (work.start[0] + below(work.dice, size)) % size
        one = furthest_in(hulls, points, rows, begin, end, anyone)
        other = furthest_in(hulls, points, rows, begin, end, one)
    else:
        one = begin + (2 * work.start[0] + below(work.dice, size)) % size
        other = begin + (one - begin + 1 + below(work.dice, size - 1)) % size
    lo[0], hi[0], lo[1], hi[1] = points[one], points[one], points[other], points[other]


@kernel
def _assign(hulls: Any, work: Halving, begin: int, end: int) -> tuple[int, int]:
    """Each record to the nearer centre; size of the second side without those that are tied, and how many are."""
    hulls, work = lent(hulls), lent(work)
    side, tied, gaps, second, ties = work.side, work.tied, work.gaps, 0, 0
    for i in range(begin, end):
        for centre in range(2):
            gaps[centre, i] = stretched_loss(hulls, work.lo[centre], work.hi[centre], work.points, i)
        one, other = ticks(gaps[0, i]), ticks(gaps[1, i])
        side[i], tied[i] = other < one, other == one
        second += side[i]
        ties += tied[i]
    return second, ties


@kernel
def _break_ties(work: Halving, begin: int, end: int, ties: int) -> int:
    """Visit the group in a new order, ties to the smaller side so far, then the first; how many go to the second."""
    side, tied, visits, size = work.side, work.tied, work.visits, end - begin
    for place in range(size):
        visits[place] = place
    second, decided, place = 0, 0, 0
    while decided < ties:
        other = place + below(work.dice, size - place)
        visits[place], visits[other] = visits[other], visits[place]
        i = begin + visits[place]
        if tied[i]:
            side[i] = second < place - second
            decided += 1
        second += side[i]
        place += 1
    chosen = 0
    for i in range(begin, end):
        chosen += tied[i] and side[i]
    return chosen


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
    hulls = lent(hulls)
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
            loss += term(hulls, j, lo[at, j], hi[at, j])
            if hulls.kind[j] == RANGE:
                lo[at, j] = sums[at, j] / counts[at]
                hi[at, j] = lo[at, j]
        cost += counts[at] * loss
    return cost


@kernel
def _round(hulls: Any, work: Halving, rules: Rules | None, least: int, far: bool, begin: int, end: int) -> bool:
    """One round on a group; whether all further rounds would end as it did."""
    side, before = work.side, work.before
    if work.round[0] == 0:
        _first_centres(hulls, work, begin, end, far)
    second, ties = _assign(hulls, work, begin, end)
    if ties > 0:
        second += _break_ties(work, begin, end, ties)
    first = end - begin - second
    if min(first, second) < least:
        _borrow(work, begin, end, second < first, least - min(first, second))
    cost = ticks(_centres(hulls, work, begin, end))
    obeys = True
    if rules is not None:
        obeys = obeyed(rules, work.rows, begin, end, side, False) and obeyed(rules, work.rows, begin, end, side, True)
    if (obeys and not work.obeys[0]) or (obeys == work.obeys[0] and cost < work.cost[0]):
        work.cost[0], work.obeys[0] = cost, obeys
        work.best[begin:end] = side[begin:end]
    same = work.round[0] > 0 and (ties == 0 or work.dice[0] == 0)  # else chance may decide otherwise next time
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
def _take_apart(work: Halving, least: int, begin: int, end: int, labels: Ints) -> None:
    """Replace a group by the two sides of its best split; a side below 2 ``least`` is a class."""
    middle = part_by(work.best[begin:end], work.rows, work.points, begin)
    for one, other in ((middle, end), (begin, middle)):  # the first side is looked at first
        if other - one >= 2 * least:
            push(work.parts, one, other)
        else:
            _make_class(work, one, other, labels)


@kernel
def _make_class(work: Halving, begin: int, end: int, labels: Ints) -> None:
    label = settle(work.parts, end - begin)
    for i in range(begin, end):
        labels[work.rows[i]] = label


@kernel
def halve(
    hulls: Any, work: Halving, rules: Rules | None, least: int, rounds: int, starts: int, far: bool, most: int,
    labels: Ints,
) -> int:  # fmt: skip
    """Work until ``most`` records were visited or no group is left; returns how many records are settled.

    A group none of whose splits obeys the rules is settled as it is.
    """
    visited = 0
    while work.parts.waiting[0] > 0 and visited < most:
        begin, end = pop(work.parts)
        visited += end - begin
        same = _round(hulls, work, rules, least, far, begin, end)
        work.round[0] += 1
        if same or work.round[0] >= rounds:
            work.round[0] = 0
            work.start[0] += 1
        perfect = work.obeys[0] and work.cost[0] == 0  # no round can better it
        if not perfect and (work.round[0] > 0 or work.start[0] < starts):
            push(work.parts, begin, end)
            continue
        if work.obeys[0]:
            _take_apart(work, least, begin, end, labels)
        else:
            _make_class(work, begin, end, labels)
        work.start[0], work.round[0], work.cost[0], work.obeys[0] = 0, 0, np.inf, False
    return work.parts.settled[0]
