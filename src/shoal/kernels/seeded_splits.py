# SPDX-License-Identifier: Apache-2.0
"""Splitting groups in two around two records far apart, until every group holds fewer than twice the least number.

Every group is a run of *positions*; all records stand in the order in which they are visited, and splitting a run keeps
that order. The coordinates move along, so that every pass reads memory from left to right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import term, ticks
from shoal.kernels.two_means import furthest_in, part_by

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

DEPTH, SETTLED, GROUPS = 0, 1, 2
"""Places in ``Splitting.at``: groups on the stack, records settled, groups settled."""


class Splitting(NamedTuple):
    """Where the work stands, so that it can be done in slices."""

    rows: Ints
    """[position] the record that stands there."""
    points: Floats
    """[position, attribute] its coordinates."""
    begin: Ints
    """[stack] first position of a group."""
    end: Ints
    at: Ints
    """See DEPTH, SETTLED, GROUPS."""


@kernel
def new_splitting(points: Floats, order: Ints) -> Splitting:
    """All records as one group, in the given order."""
    n = len(order)
    begin, end = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    end[0] = n
    return Splitting(order.copy(), points[order], begin, end, np.array([1, 0, 0]))


@kernel
def _sides(hulls: Any, points: Floats, begin: int, end: int, one: int, other: int, sides: Flags) -> bool:
    """Whether each record of a group joins the second seed: the hull that costs less with it, on a tie the first.

    Returns whether any record preferred one of the two.
    """
    kind, scale, cap, start, size, tables, ancestors = hulls
    d = points.shape[1]
    lo, hi = np.empty((2, d)), np.empty((2, d))
    for j in range(d):
        lo[0, j], hi[0, j] = points[one, j], points[one, j]
        lo[1, j], hi[1, j] = points[other, j], points[other, j]
    preferred = False
    sides[one - begin], sides[other - begin] = False, True
    for i in range(begin, end):
        if i in (one, other):
            continue
        first, second = 0.0, 0.0
        for j in range(d):
            value = points[i, j]
            low, high = min(lo[0, j], value), max(hi[0, j], value)
            first += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
            low, high = min(lo[1, j], value), max(hi[1, j], value)
            second += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
        preferred = preferred or ticks(second) != ticks(first)
        side = 1 if ticks(second) < ticks(first) else 0
        sides[i - begin] = side == 1
        for j in range(d):
            lo[side, j] = min(lo[side, j], points[i, j])
            hi[side, j] = max(hi[side, j], points[i, j])
    return preferred


@kernel
def _settle(work: Splitting, begin: int, end: int, labels: Ints) -> None:
    for i in range(begin, end):
        labels[i] = work.at[GROUPS]
    work.at[GROUPS] += 1
    work.at[SETTLED] += end - begin


@kernel
def _split(hulls: Any, work: Splitting, begin: int, end: int, sweeps: int) -> bool:
    """Replace a group by its two sides, the first to be looked at first; False if no record prefers either."""
    one, other = begin, begin
    for _ in range(sweeps):
        one, other = other, furthest_in(hulls, work.points, work.rows, begin, end, other)
    sides = np.empty(end - begin, np.bool_)
    if not _sides(hulls, work.points, begin, end, one, other, sides):
        return False
    middle = part_by(sides, work.rows, work.points, begin)
    depth = work.at[DEPTH]
    work.begin[depth], work.end[depth] = middle, end
    work.begin[depth + 1], work.end[depth + 1] = begin, middle
    work.at[DEPTH] = depth + 2
    return True


@kernel
def split_groups(hulls: Any, work: Splitting, least: int, sweeps: int, most: int, labels: Ints) -> int:
    """Work until ``most`` records were visited or no group is left; returns how many records are settled.

    ``labels`` are by position. Groups are numbered in the order in which they are settled. A group none of whose
    records prefers either seed is cut into blocks of ``least``, the last taking the rest: to split off one record after
    another would be in vain.
    """
    visited = 0
    while work.at[DEPTH] > 0 and visited < most:
        work.at[DEPTH] -= 1
        begin, end = work.begin[work.at[DEPTH]], work.end[work.at[DEPTH]]
        visited += end - begin
        if end - begin < 2 * least:
            _settle(work, begin, end, labels)
        elif not _split(hulls, work, begin, end, sweeps):
            while end - begin >= 2 * least:
                _settle(work, begin, begin + least, labels)
                begin += least
            _settle(work, begin, end, labels)
    return work.at[SETTLED]
