# SPDX-License-Identifier: Apache-2.0
"""Records as points of a Euclidean space, for the methods that work with means and squared distances.

Every quasi-identifier becomes one *axis* (two, if it is a number with missing cells):

* numbers and dates are points on a line: as they are (``none``), as shares of the column's range (``range``), or
  in standard deviations from its mean (``std``);
* ordered categories stand at rank / (m - 1), names are 0/1: two records that differ add 1 to the squared distance;
* a missing number stands at the mean of its column and differs on a second axis, present or missing. Mixing
  the two therefore costs 1, plus the squared distance of the present number from the mean;
* the weight of a column multiplies its part of the squared distance.

Trees are not looked at: a wrong name is wrong, however near it is in the tree. :func:`axes` keeps names as codes, one
axis per column, for methods that can do with "equal or not"; :func:`features` spreads each name over a 0/1 feature of
its own, divided by the square root of 2, so that plain squared distances and plain means are right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.encoding.losses import SMALLEST_SPAN

SCALES = ("none", "range", "std")

MOST_NAMES = 128
"""A column of more names than this gets no 0/1 features: its names stand in leaf order, as shares of
the last one's number."""

LARGEST_SPAN = 1e100
"""Squares of larger unscaled differences overflow; then all lines are divided by the largest span."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Axes:
    """Squared distance: the sum over axes of weight times the squared difference (or times 1 where names differ)."""

    points: Floats
    """[record, axis] place on a line, or number of a name; C order."""
    names: NDArray[np.bool_]
    """[axis] whether it holds names."""
    weight: Floats
    """[axis] weight of its column."""
    column: Ints
    """[axis] its column."""


def axes(encoded: Encoded, scale: str) -> Axes:
    """One axis per column, and one more for each line with missing cells."""
    made = [
        (points, is_names, column.weight, place)
        for place, column in enumerate(encoded.columns)
        for points, is_names in _axes(column, scale)
    ]
    points = np.column_stack([one[0] for one in made])
    names = np.array([one[1] for one in made])
    widest = np.ptp(points[:, ~names], axis=0).max(initial=0.0) if len(points) else 0.0
    if widest > LARGEST_SPAN:
        points[:, ~names] /= widest
    return Axes(
        np.ascontiguousarray(points) + 0.0,  # no negative zero: equal means equal bits
        names,
        np.array([one[2] for one in made]),
        np.array([one[3] for one in made], dtype=np.int64),
    )


def _axes(column: EncodedColumn, scale: str) -> Iterator[tuple[Floats, bool]]:
    """The axes of one column, each with whether it holds names."""
    if column.tree is not None:
        yield column.points, True
        return
    holes = np.zeros(len(column.points), dtype=bool) if column.missing is None else column.points == column.missing
    yield _line(column, holes, scale), False
    if holes.any():
        yield holes.astype(np.float64), True


def _line(column: EncodedColumn, holes: NDArray[np.bool_], scale: str) -> Floats:
    """Places on a line; missing cells stand at the mean of the others."""
    present = column.points[~holes]
    if len(present) == 0 or column.span <= SMALLEST_SPAN:
        return np.zeros(len(holes)) if scale != "none" or len(present) == 0 else np.full(len(holes), present[0])
    if column.style == "ordered":
        placed = present / max(len(column.order) - 1, 1)
    elif scale == "none":
        placed = present
    else:
        placed = (present - present.min()) / column.span
        if scale == "std":
            placed = (placed - placed.mean()) / placed.std()
    line = np.full(len(holes), placed.mean())
    line[~holes] = placed
    return line


def features(encoded: Encoded, scale: str) -> Floats:
    """[record, feature] coordinates whose plain squared distances are those of :func:`axes`, weights included."""
    matrix, weight, _ = spread(axes(encoded, scale))
    return np.ascontiguousarray(matrix * np.sqrt(weight))


def spread(given: Axes) -> tuple[Floats, Floats, Ints]:
    """Unweighted features, 0/1 ones divided by the square root of 2; weight and column of each."""
    blocks = [
        _block(given.points[:, j]) if given.names[j] else given.points[:, j : j + 1] for j in range(len(given.names))
    ]
    axis = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    return np.hstack(blocks), given.weight[axis], given.column[axis]


def _block(codes: Floats) -> Floats:
    """The 0/1 features of the names that occur, or their places in leaf order if they are too many."""
    present, place = np.unique(codes, return_inverse=True)
    if len(present) > MOST_NAMES:
        return np.asarray(codes / codes.max())[:, None]
    block = np.zeros((len(codes), len(present)))
    block[np.arange(len(codes)), place] = np.sqrt(0.5)
    return block
