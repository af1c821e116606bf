# SPDX-License-Identifier: Apache-2.0
"""Parting classes in two again and again, as long as both parts obey the rules and cost less than the whole.

A class is laid out along the line between two of its records far apart. It is cut where the two parts cost least; and
once more so that each part gets half of every private value, those nearer to its end, which keeps rules that the class
keeps. Parts that break a rule exchange records, if they are not too large for that. The cheapest parting that obeys is
made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.enforcing.class_mending import POOL, TABLED, work_of_exchange
from shoal.engine.kernels.enforcing.exchanging import EPSILON, exchange
from shoal.engine.kernels.enforcing.lacking import lack_of
from shoal.engine.kernels.hull import loss, loss_with, stretch, ticks
from shoal.engine.kernels.parts import Parts, pop, push, settle
from shoal.engine.kernels.rules import DISTINCT, Rules, by_values
from shoal.ground.arrays import Flags, Floats, Ints


@kernel
def _gap(hulls: Any, points: Floats, one: int, other: int) -> float:
    """Loss per record of two records together."""
    return loss_with(hulls, points[one], points[one], points, other)


@kernel
def _furthest(hulls: Any, points: Floats, rows: Ints, start: int) -> int:
    best, found = -1.0, start
    for row in rows:
        gap = ticks(_gap(hulls, points, start, row))
        if gap > best or (gap == best and row < found):
            best, found = gap, row
    return found


@kernel
def _in_line(hulls: Any, points: Floats, rows: Ints) -> Ints:
    """The records of a class on the way from one of its ends to the other."""
    one = _furthest(hulls, points, rows, rows.min())
    other = _furthest(hulls, points, rows, one)
    keys = np.empty(len(rows))
    for i in range(len(rows)):
        keys[i] = ticks(_gap(hulls, points, one, rows[i]) - _gap(hulls, points, other, rows[i]))
    by_row = np.argsort(rows, kind="mergesort")
    return rows[by_row][np.argsort(keys[by_row], kind="mergesort")]


@kernel
def _cheapest_cut(hulls: Any, points: Floats, line: Ints, least: int) -> int:
    """How many records from the front make the cheapest first part."""
    n, d = len(line), points.shape[1]
    costs = np.zeros(n + 1)
    lo, hi = np.full(d, np.inf), np.full(d, -np.inf)
    for i in range(n - 1, least - 1, -1):
        stretch(lo, hi, points, line[i])
        if i <= n - least:
            costs[i] = (n - i) * loss(hulls, lo, hi)
    lo[:], hi[:] = np.inf, -np.inf
    best, found = np.inf, least
    for i in range(n - least):
        stretch(lo, hi, points, line[i])
        if i + 1 >= least:
            cost = ticks(costs[i + 1] + (i + 1) * loss(hulls, lo, hi))
            if cost < best:
                best, found = cost, i + 1
    return found


@kernel
def _halve_each_value(rules: Rules, line: Ints, side: Flags) -> None:
    """Give the front half of every private value to one side, the rest to the other; odd ones in turn.

    Rules that only count different values decide if there are no others.
    """
    but = DISTINCT if (rules.kind != DISTINCT).any() else -1
    order = by_values(rules, line, np.arange(len(line)), but)
    begin, odd = 0, 0
    while begin < len(order):
        end = begin + 1
        while end < len(order) and _same(rules, line[order[begin]], line[order[end]], but):
            end += 1
        half = (end - begin + odd) // 2
        odd = (end - begin + odd) % 2
        for i in range(begin, end):
            side[order[i]] = i >= begin + half
        begin = end


@kernel
def _same(rules: Rules, one: int, other: int, but: int) -> bool:
    same = True
    for rule in range(len(rules.kind)):
        same = same and (rules.kind[rule] == but or rules.codes[rule, one] == rules.codes[rule, other])
    return same


@kernel
def _cost(hulls: Any, points: Floats, rows: Ints, side: Flags) -> float:
    """What two sides cost as classes."""
    d = points.shape[1]
    lo, hi, sizes = np.full((2, d), np.inf), np.full((2, d), -np.inf), np.zeros(2, np.int64)
    for i in range(len(rows)):
        which = 1 if side[i] else 0
        sizes[which] += 1
        stretch(lo[which], hi[which], points, rows[i])
    total = 0.0
    for which in range(2):
        if sizes[which] > 0:
            total += sizes[which] * loss(hulls, lo[which], hi[which])
    return total


@kernel
def _obey(rules: Rules, line: Ints, side: Flags, least: int) -> bool:
    return lack_of(rules, line[~side], least) <= 0 and lack_of(rules, line[side], least) <= 0


@kernel
def _along(points: Floats, line: Ints, attribute: int) -> Ints:
    """The records of a class in the order of one attribute, equal ones as they stand."""
    keys = np.empty(len(line))
    for i in range(len(line)):
        keys[i] = points[line[i], attribute]
    return line[np.argsort(keys, kind="mergesort")]


@kernel
def parted(hulls: Any, points: Floats, rules: Rules, rows: Ints, least: int) -> tuple[bool, Ints, Flags]:
    """The cheapest parting of a class that obeys, if it costs no more than the whole: its records, and their sides.

    Of the partings that break a rule, the cheapest is tried with an exchange.
    """
    line = _in_line(hulls, points, rows)
    side = np.zeros(len(line), np.bool_)
    lines, sides = (line, line), (side.copy(), side.copy())
    whole = _cost(hulls, points, line, side) + EPSILON
    costs = np.array([whole, whole])
    for way in range(-2, points.shape[1]):
        here = line if way < 0 else _along(points, line, way)
        if way == -2:
            cut = _cheapest_cut(hulls, points, line, least)
            for i in range(len(line)):
                side[i] = i >= cut
        else:
            _halve_each_value(rules, here, side)
        cost = _cost(hulls, points, here, side)
        if cost < costs[0] and (cost < costs[1] or costs[0] == whole):
            if _obey(rules, here, side, least):
                costs[0], lines = cost, (here, lines[1])
                sides[0][:] = side
            elif cost < costs[1]:
                costs[1], lines = cost, (lines[0], here)
                sides[1][:] = side
    if costs[1] < costs[0] and len(line) <= POOL and work_of_exchange(rules, len(line)) <= TABLED:
        costs[1] += exchange(hulls, points, rules, lines[1], sides[1], least, 0.0)
        if costs[1] < costs[0]:
            return True, lines[1], sides[1]
    return costs[0] < whole, lines[0], sides[0]


@kernel
def part_classes(
    hulls: Any, points: Floats, rules: Rules, rows: Ints, parts: Parts, least: int, most: int, labels: Ints
) -> bool:
    """Part the classes that wait, runs of ``rows``, until ``most`` records were visited; whether any is left."""
    visited = 0
    while parts.waiting[0] > 0 and visited < most:
        first, last = pop(parts)
        visited += last - first
        if last - first >= 2 * least:
            found, line, side = parted(hulls, points, rules, rows[first:last].copy(), least)
            if found:
                rows[first:last] = np.concatenate((line[~side], line[side]))
                middle = last - int(np.count_nonzero(side))
                push(parts, middle, last)
                push(parts, first, middle)
                continue
        label = settle(parts, last - first)
        for i in range(first, last):
            labels[rows[i]] = label
    return parts.waiting[0] > 0
