# SPDX-License-Identifier: Apache-2.0
"""Splitting groups in two around two records far apart, until every group holds fewer than twice the least number.

Every group is a run of *positions*; all records stand in the order in which they are visited, and splitting a run keeps
that order. The coordinates move along, so that every pass reads memory from left to right.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import stretch, stretched_loss, ticks
from shoal.engine.kernels.methods.two_means import furthest_in, part_by
from shoal.engine.kernels.parts import Parts, one_part, pop, push, settle
from shoal.ground.arrays import Flags, Floats, Ints


class Splitting(NamedTuple):
    """Where the work stands, so that it can be done in slices."""

    rows: Ints
    """[position] the record that stands there."""
    points: Floats
    """[position, attribute] its coordinates."""
    parts: Parts
    """Groups to be split, and what is settled."""


@kernel
def new_splitting(points: Floats, order: Ints) -> Splitting:
    """All records as one group, in the given order."""
    return Splitting(order.copy(), points[order], one_part(len(order), len(order) + 1))


@kernel
def _sides(hulls: Any, points: Floats, begin: int, end: int, one: int, other: int, sides: Flags) -> bool:
    """Whether each record of a group joins the second seed: the hull that costs less with it, on a tie the first.

    Returns whether any record preferred one of the two.
    """
    hulls, points = lent(hulls), lent(points)
    lo, hi = np.empty((2, points.shape[1])), np.empty((2, points.shape[1]))
    lo[0], hi[0], lo[1], hi[1] = points[one], points[one], points[other], points[other]
    preferred = False
    sides[one - begin], sides[other - begin] = False, True
    for i in range(begin, end):
        if i in (one, other):
            continue
        first = ticks(stretched_loss(hulls, lo[0], hi[0], points, i))
        second = ticks(stretched_loss(hulls, lo[1], hi[1], points, i))
        preferred = preferred or second != first
        side = 1 if second < first else 0
        sides[i - begin] = side == 1
        stretch(lo[side], hi[side], points, i)
    return preferred


@kernel
def _settle(work: Splitting, begin: int, end: int, labels: Ints) -> None:
    label = settle(work.parts, end - begin)
    for i in range(begin, end):
        labels[i] = label


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
    push(work.parts, middle, end)
    push(work.parts, begin, middle)
    return True


@kernel
def split_groups(hulls: Any, work: Splitting, least: int, sweeps: int, most: int, labels: Ints) -> int:
    """Work until ``most`` records were visited or no group is left; returns how many records are settled.

    ``labels`` are by position. Groups are numbered in the order in which they are settled. A group none of whose
    records prefers either seed is cut into blocks of ``least``, the last taking the rest: to split off one record after
    another would be in vain.
    """
    visited = 0
    while work.parts.waiting[0] > 0 and visited < most:
        begin, end = pop(work.parts)
        visited += end - begin
        if end - begin < 2 * least:
            _settle(work, begin, end, labels)
        elif not _split(hulls, work, begin, end, sweeps):
            while end - begin >= 2 * least:
                _settle(work, begin, begin + least, labels)
                begin += least
            _settle(work, begin, end, labels)
    return work.parts.settled[0]
