# SPDX-License-Identifier: Apache-2.0
"""The boxes a class can be published as, listed: every combination of tree nodes, with the records inside it.

A class costs what its nodes and its range of numbers cost. So with at most one column of numbers, all boxes are
known once the records of each combination of nodes (a *cell*) stand in the order of that column: a box is a cell and a
window of it. A cell is left out if it holds fewer than k records, or the same records as one with a finer node, which
costs no more.

Every different number is a *bin*. Bins may be put together: a window from one bin to another is given the distance from
the largest number of the first to the smallest of the last, which only makes boxes look cheaper than they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.losses import node_losses
from shoal.engine.kernels.bounds.lattice import Lattice, gather
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.ground.arrays import Floats, Ints

Report = Callable[[int, int], None]
LARGEST = 16_000_000
"""Most places (records of all cells together) a lattice may hold: 128 MB."""


@dataclass(frozen=True, eq=False)
class Points:
    """The different records of a table: how often each occurs, and where."""

    at: Floats
    copies: Ints
    point_of: Ints
    """[row] its point."""

    @classmethod
    def of(cls, encoded: Encoded) -> Points:
        """Equal records made one point."""
        point_of, first, count = distinct(encoded.points)
        return cls(encoded.points[first], np.bincount(point_of, minlength=count), point_of)


def coarser(lattice: Lattice, most: int) -> Lattice:
    """The same with at most so many bins, neighbours put together."""
    width = -(-len(lattice.left) // most)
    first = np.arange(0, len(lattice.left), width)
    last = np.minimum(first + width, len(lattice.left)) - 1
    return lattice._replace(bins=lattice.bins // width, left=lattice.left[first], right=lattice.right[last])


def counted(encoded: Encoded) -> Encoded:
    """Only the columns that can cost anything, their weights as shares of all.

    A missing cell that matches anything costs nothing, wherever its stand-in is; a column with such cells is left out.
    """
    columns = [
        column
        for column in encoded.columns
        if column.weight > 0 and np.ptp(column.points) > 0 and (column.holes is None or not column.holes.any())
    ]
    return Encoded(tuple(column.lighter(encoded.full) for column in columns), encoded.loss)


def lattice_size(encoded: Encoded, points: Points) -> int | None:
    """Places the lattice takes at most; None if several columns have numbers, so that there is none."""
    if sum(column.tree is None for column in encoded.columns) > 1:
        return None
    return len(points.at) * math.prod(column.tree.levels for column in encoded.columns if column.tree is not None)


def build_lattice(encoded: Encoded, points: Points, size: int, report: Report) -> Lattice:
    """All cells of at least ``size`` records that are not the same as a cheaper one."""
    bins, left, right, cap = _window(encoded, points)
    order = np.argsort(bins, kind="stable")
    nodes, costs = [], []
    for place, column in enumerate(encoded.columns):
        if column.tree is not None:
            leaf = points.at[order, place].astype(np.int64)
            nodes.append(column.tree.ancestors[:, leaf].astype(np.int64))
            costs.append(node_losses(column.tree, encoded.loss) * column.weight)
    found = list(_cells(nodes, costs, points.copies[order], size, report))
    members, lengths, base = (np.concatenate(parts) for parts in zip(*found))
    rank = np.argsort(base, kind="stable")
    begin = (np.cumsum(lengths) - lengths)[rank]
    start = np.concatenate([[0], np.cumsum(lengths[rank])])
    places = np.arange(start[-1]) + np.repeat(begin - start[:-1], lengths[rank])
    return Lattice(order[members[places]], start, base[rank], bins, left, right, cap, points.copies)


def _window(encoded: Encoded, points: Points) -> tuple[Ints, Floats, Floats, float]:
    """Bin of each point on the column of numbers, the ends of the bins in units of loss, and the dearest window."""
    numbers = [place for place, column in enumerate(encoded.columns) if column.tree is None]
    if not numbers:
        return np.zeros(len(points.at), dtype=np.int64), np.zeros(1), np.zeros(1), 0.0
    term = encoded.columns[numbers[0]].term(encoded.loss)
    values, rank = np.unique(points.at[:, numbers[0]], return_inverse=True)
    line = (values - values[0]) * term.scale
    return rank.astype(np.int64), line, line, term.cap


def _cells(
    nodes: Sequence[Ints], costs: Sequence[Floats], copies: Ints, size: int, report: Report
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """For each combination of levels the cells worth keeping: their points, their lengths, their costs."""
    shape = [len(one) for one in nodes]
    total = int(np.prod(shape, dtype=np.int64))
    held = np.zeros((total, len(copies)), dtype=np.int32)
    strides = [int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape))]
    cells: list[Ints] = [np.zeros(len(copies), dtype=np.int64)] * (len(shape) + 1)
    before: tuple[int, ...] = ()
    for number, levels in enumerate(product(*(range(one) for one in shape))):
        report(number, total)
        changed = next((place for place in range(len(before)) if before[place] != levels[place]), 0)
        for place in range(changed, len(shape)):
            told_apart = np.column_stack([cells[place], nodes[place][levels[place]]]).astype(np.float64)
            cells[place + 1] = distinct(told_apart)[0]
        before = levels
        finer = np.array([number - stride for stride, level in zip(strides, levels) if level > 0], dtype=np.int64)
        members, lengths = gather(cells[-1], copies, size, held, number, finer)
        if len(lengths):
            first = members[np.cumsum(lengths) - lengths]
            cost = np.zeros(len(lengths))
            for one, cost_of, level in zip(nodes, costs, levels):
                cost += cost_of[one[level, first]]
            yield members, lengths, cost
