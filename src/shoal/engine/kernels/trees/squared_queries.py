# SPDX-License-Identifier: Apache-2.0
"""Squared Euclidean distances on the box tree: nearest records, and the record furthest from a record or a mean.

An axis is a line, on which a difference ``d`` adds ``weight * d * d``, or holds names, where a difference adds
``weight`` (see :mod:`shoal.engine.encoding.features`). A mean knows the share ``c`` of every name; since names are 0/1
coordinates divided by the square root of 2, its squared distance from a name is ``(1 + sum of c * c) / 2 - c(name)``.
Distances are compared in ticks, equal ones by row number, as everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.engine.kernels.trees.walks import TreeBoxes, boxes_of, ends, least, least_few, records_of
from shoal.ground.arrays import Flags, Floats, Ints

FEW_NAMES = 16
"""Names of a box that are looked at one by one for the rarest."""


class Mean(NamedTuple):
    """The mean of some records, exact enough that records can leave it one by one.

    Sums are kept as pairs of floats (the second holds what the first lost in rounding), names are counted.
    """

    size: Ints
    """[0] number of records."""
    high: Floats
    low: Floats
    """[axis] sum of the coordinates of a line: high + low."""
    start: Ints
    """[axis] where the counts of its names begin."""
    counts: Ints
    squares: Ints
    """[axis] sum of the squared counts of its names."""


# -- means -------------------------------------------------------------------------------------------------------


@kernel
def mean_of(points: Floats, names: Flags) -> Mean:
    """The mean of all records."""
    n, d = points.shape
    start = np.zeros(d, np.int64)
    total = 0
    for j in range(d):
        start[j] = total
        if names[j]:
            total += int(points[:, j].max()) + 1
    mean = Mean(
        np.zeros(1, np.int64), np.zeros(d), np.zeros(d), start, np.zeros(max(total, 1), np.int64),
        np.zeros(d, np.int64),
    )  # fmt: skip
    for row in range(n):
        _change(mean, points, names, row, 1)
    return mean


@kernel
def leave(mean: Mean, points: Floats, names: Flags, row: int) -> None:
    """Take one record out of the mean."""
    _change(mean, points, names, row, -1)


@kernel
def _change(mean: Mean, points: Floats, names: Flags, row: int, sign: int) -> None:
    high, low, start, counts, squares = mean.high, mean.low, mean.start, mean.counts, mean.squares
    mean.size[0] += sign
    for j in range(points.shape[1]):
        if names[j]:
            place = start[j] + np.int64(points[row, j])
            squares[j] += 1 + 2 * sign * counts[place]
            counts[place] += sign
        else:
            add_exactly(high, low, j, sign * points[row, j])


@inlined
def add_exactly(high: Floats, low: Floats, j: int, value: float) -> None:
    """Add to a sum in twice the usual precision; ``low`` holds what ``high`` lost in rounding."""
    total = high[j] + value
    part = total - high[j]
    rest = low[j] + ((high[j] - (total - part)) + (value - part))
    high[j] = total + rest
    low[j] = rest - (high[j] - total)


@kernel
def _name_term(count: int, squares: int, size: int) -> float:
    """Squared distance of a mean from a name that ``count`` of its records have."""
    return 0.5 * (1.0 + squares / (size * size)) - count / size


@kernel
def from_mean(mean: Mean, points: Floats, names: Flags, weight: Floats) -> Floats:
    """Squared distance of every record from the mean, in ticks."""
    n, d = points.shape
    size, high, start, counts, squares = mean.size[0], mean.high, mean.start, mean.counts, mean.squares
    found = np.empty(n)
    for row in range(n):
        total = 0.0
        for j in range(d):
            if names[j]:
                total += weight[j] * _name_term(counts[start[j] + np.int64(points[row, j])], squares[j], size)
            else:
                gap = points[row, j] - high[j] / size
                total += weight[j] * (gap * gap)
        found[row] = ticks(total)
    return found


@kernel
def _rarest(counts: Ints, first: int, last: int) -> int:
    """A number that no live name of the places ``first .. last`` falls below."""
    if last - first >= FEW_NAMES:
        return 1
    fewest = 0
    for place in range(first, last + 1):
        if counts[place] > 0 and (fewest == 0 or counts[place] < fewest):
            fewest = counts[place]
    return fewest


# -- questions ---------------------------------------------------------------------------------------------------


class SquaredQuestion(NamedTuple):
    """A record, and the records and boxes it is compared with."""

    boxes: TreeBoxes
    names: Flags
    weight: Floats
    record: Floats


@inlined
def _about(tree: BoxTree, names: Flags, weight: Floats, record: Floats) -> SquaredQuestion:
    return SquaredQuestion(boxes_of(tree), names, weight, record)


@inlined
def _near(question: SquaredQuestion, i: int, is_leaf: bool, limit: float) -> float:
    """Distance of a record, or of the nearest face of a box."""
    boxes, names, weight, record = question
    total = 0.0
    for j in range(len(record)):
        lo, hi = ends(boxes, i, j, is_leaf)
        if lo <= record[j] <= hi:
            continue
        gap = max(lo - record[j], record[j] - hi)
        total += weight[j] * (1.0 if names[j] else gap * gap)
        if total > limit:
            break
    return ticks(total)


@inlined
def _far(question: SquaredQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """Distance of a record, or of the far corner of a box, negated; a box of one name is as far as that name."""
    boxes, names, weight, record = question
    total = 0.0
    for j in range(len(record)):
        lo, hi = ends(boxes, i, j, is_leaf)
        if names[j]:
            total += weight[j] if lo != record[j] or hi != record[j] else 0.0
        else:
            gap = max(abs(lo - record[j]), abs(hi - record[j]))
            total += weight[j] * (gap * gap)
    return -ticks(total)


class MeanQuestion(NamedTuple):
    """The mean of the live records, and the records and boxes it is compared with."""

    boxes: TreeBoxes
    names: Flags
    weight: Floats
    mean: Mean


@inlined
def _far_from_mean(question: MeanQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """As :func:`_far`, from a mean; of the names of a box the rarest is furthest."""
    boxes, names, weight, mean = question
    size, total = mean.size[0], 0.0
    for j in range(len(weight)):
        lo, hi = ends(boxes, i, j, is_leaf)
        if names[j]:
            count = _rarest(mean.counts, mean.start[j] + np.int64(lo), mean.start[j] + np.int64(hi))
            total += weight[j] * _name_term(count, mean.squares[j], size)
        else:
            centre = mean.high[j] / size
            gap = max(abs(lo - centre), abs(hi - centre))
            total += weight[j] * (gap * gap)
    return -ticks(total)


@kernel
def furthest_from_mean(tree: BoxTree, names: Flags, weight: Floats, mean: Mean) -> int:
    """Row of the live record furthest from the mean of the live records; ties to the lowest row."""
    question = MeanQuestion(boxes_of(tree), names, weight, mean)
    return least(_far_from_mean, question, records_of(tree), np.inf, NO_ROW)[0]


@kernel
def furthest_from_record(tree: BoxTree, names: Flags, weight: Floats, record: Floats) -> int:
    """Row of the live record furthest from a record; ties to the lowest row."""
    return least(_far, _about(tree, names, weight, record), records_of(tree), np.inf, NO_ROW)[0]


@kernel
def nearest_each(
    tree: BoxTree, names: Flags, weight: Floats, points: Floats, asked: Ints, values: Floats, rows: Ints
) -> None:
    """For each of the points ``asked``, the live record nearest to it, if better than the one known so far.

    ``values`` (distances in ticks) and ``rows`` hold what is known, and then what was found.
    """
    tree, names, weight, points = lent(tree), lent(names), lent(weight), lent(points)
    nodes = records_of(tree)
    for query in range(len(asked)):
        question = _about(tree, names, weight, points[asked[query]])
        rows[query], values[query] = least(_near, question, nodes, values[query], rows[query])


@kernel
def nearest(tree: BoxTree, names: Flags, weight: Floats, record: Floats, values: Floats, rows: Ints) -> int:
    """Collect the ``len(rows)`` live records nearest to a record, with their distances in ticks; returns how many.

    ``values`` and ``rows`` are filled as a heap, the worst first.
    """
    return least_few(_near, _about(tree, names, weight, record), tree, values, rows)
