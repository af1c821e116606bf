# SPDX-License-Identifier: Apache-2.0
"""The boxes a class can be published as, listed: every combination of tree nodes, with the records inside it.

A class costs what its nodes and its range of numbers cost. So with at most one column of numbers, all boxes are
known once the records of each combination of nodes (a *cell*) stand in the order of that column: a box is a cell and a
window of it. A cell is left out if it holds fewer than k records, or the same records as one with a finer node, which
costs no more.

Every different number is a *bin*. Bins may be put together: a window from one bin to another is given the distance from
the largest number of the first to the smallest of the last, which only makes boxes look cheaper than they are. Of
further columns of numbers all windows are listed like the nodes of a tree, with as many bins as there is room for.
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
from shoal.ground.requirements import Rule

Report = Callable[[int, int], None]
LARGEST = 16_000_000
"""Most places (records of all cells together) a lattice may hold: 128 MB."""
FEWEST_BINS_BESIDE, MOST_BINS_BESIDE = 8, 64
"""Bins of a further column of numbers; with fewer, too little of what it costs is seen."""
PARTS, SLIGHTLY = 2_520, 1e-6
"""Parts of a record, so that the shares of k records with small denominators are whole; others are rounded up."""
PLACES_PER_RECORD, COMBINED = 12_000, 500
"""Most places for each record where several columns have numbers; a combination of levels counts as so many more."""


@dataclass(frozen=True, eq=False)
class Points:
    """The different records of a table: how often each occurs, and where."""

    at: Floats
    copies: Ints
    point_of: Ints
    """[row] its point."""
    value: Ints
    """Private value."""
    shares: Floats
    """[value] largest share of a class that may have it; none if that does not matter."""

    @classmethod
    def of(cls, encoded: Encoded, caps: Caps | None = None) -> Points:
        """Equal records made one point."""
        if caps is None:
            caps = Caps(np.zeros(len(encoded), dtype=np.int64), np.zeros(0))
        point_of, first, count = distinct(np.column_stack([encoded.points, caps.codes.astype(np.float64)]))
        copies = np.bincount(point_of, minlength=count)
        return cls(encoded.points[first], copies, point_of, caps.codes[first], caps.shares)

    def counted(self, size: int) -> tuple[Ints, Ints, int]:
        """Records of each point, most records of each value in a class of ``size``, and what one record counts."""
        if not len(self.shares):
            return self.copies, np.full(1, np.iinfo(np.int64).max // 4), 1
        most = np.ceil(np.minimum(self.shares, 1.0) * (size * PARTS) - SLIGHTLY).astype(np.int64)
        return self.copies * PARTS, most, PARTS


@dataclass(frozen=True, eq=False)
class Caps:
    """What share of a class may have one private value."""

    codes: Ints
    """[record] its value."""
    shares: Floats
    """[value]"""

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> Caps | None:
        """The first of these rules that limits shares; None if none does."""
        for rule in rules:
            values = int(rule.codes.max()) + 1
            shares = np.full(values, rule.limit) if rule.kind == "share" else rule.upper
            if rule.kind in ("share", "bounds") and shares is not None and (shares < 1).any():
                return cls(rule.codes, np.asarray(shares, dtype=np.float64))
        return None


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


@dataclass(frozen=True)
class LineAndBins:
    """Which column of numbers is the line along which windows slide, and how many bins each further one has."""

    line: int | None
    bins: dict[int, int]
    is_worth_it: bool
    """Whether there is room for all cells, and for bins enough."""

    @classmethod
    def of(cls, encoded: Encoded, points: Points) -> LineAndBins:
        """The column of most different numbers is the line; the others have as many bins as there is room for."""
        numbers = [place for place, column in enumerate(encoded.columns) if column.tree is None]
        different = {place: len(np.unique(points.at[:, place])) for place in numbers}
        line = max(numbers, key=lambda place: different[place], default=None)
        levels = math.prod(one.tree.levels for one in encoded.columns if one.tree is not None)
        if len(numbers) < 2:
            return cls(line, {}, levels * len(points.at) <= LARGEST)
        room = min(LARGEST, PLACES_PER_RECORD * len(encoded)) // (len(points.at) + COMBINED)
        for most in range(MOST_BINS_BESIDE, 0, -1):
            bins = {place: min(most, different[place]) for place in numbers if place != line}
            if levels * math.prod(_partings(one) for one in bins.values()) <= room:
                enough = all(many >= min(FEWEST_BINS_BESIDE, different[place]) for place, many in bins.items())
                return cls(line, bins, enough)
        return cls(line, bins, False)


def _partings(bins: int) -> int:
    """Ways to part bins into windows of one length, so that every window is in one of them."""
    return sum(min(length, bins - length + 1) for length in range(1, bins + 1))


def build_lattice(encoded: Encoded, points: Points, plotted: LineAndBins, size: int, report: Report) -> Lattice:
    """All cells of at least ``size`` records; of trees, those that are not the same as a cheaper one."""
    bins, left, right, cap = _line(encoded, points, plotted.line)
    order = np.argsort(bins, kind="stable")
    nodes, costs = [], []
    for place, column in enumerate(encoded.columns):
        if column.tree is not None:
            leaf = points.at[order, place].astype(np.int64)
            nodes.append(column.tree.ancestors[:, leaf].astype(np.int64))
            costs.append(node_losses(column.tree, encoded.loss) * column.weight)
        elif place != plotted.line:
            windows, dear = _windows(encoded, points, place, plotted.bins[place])
            nodes.append(windows[:, order])
            costs.append(dear)
    nested = [column.tree is not None for place, column in enumerate(encoded.columns) if place != plotted.line]
    found = list(_cells(nodes, costs, nested, points.copies[order], size, report))
    members, lengths, base = (np.concatenate(parts) for parts in zip(*found))
    rank = np.argsort(base, kind="stable")
    begin = (np.cumsum(lengths) - lengths)[rank]
    start = np.concatenate([[0], np.cumsum(lengths[rank])])
    places = np.arange(start[-1]) + np.repeat(begin - start[:-1], lengths[rank])
    copies, most, unit = points.counted(size)
    return Lattice(order[members[places]], start, base[rank], bins, left, right, cap, copies, points.value, most, unit)


def _line(encoded: Encoded, points: Points, place: int | None) -> tuple[Ints, Floats, Floats, float]:
    """Bin of each point on a column of numbers, the ends of the bins in units of loss, and the dearest window."""
    if place is None:
        return np.zeros(len(points.at), dtype=np.int64), np.zeros(1), np.zeros(1), 0.0
    term = encoded.columns[place].term(encoded.loss)
    values, rank = np.unique(points.at[:, place], return_inverse=True)
    line = (values - values[0]) * term.scale
    return rank.astype(np.int64), line, line, term.cap


def _windows(encoded: Encoded, points: Points, place: int, most: int) -> tuple[Ints, Floats]:
    """[parting, point] the window it is in; and [window] what it costs from near edge to near edge.

    A parting has windows of one length side by side, and at its ends what is left; every window is in some parting.
    """
    rank, line, _, cap = _line(encoded, points, place)
    held = np.bincount(rank, points.copies)
    middle = (np.cumsum(held) - held / 2) / held.sum()
    coarse = np.arange(len(line)) if len(line) <= most else (middle * most).astype(np.int64)
    _, first, bin_of = np.unique(coarse, return_index=True, return_inverse=True)
    many, last = len(first), np.append(first[1:], len(line)) - 1
    windows = []
    for length in range(1, many + 1):
        for offset in range(min(length, many - length + 1)):
            begin = (np.arange(many) - offset) // length * length + offset
            low, high = np.maximum(begin, 0), np.minimum(begin + length, many) - 1
            windows.append((low * many + high)[bin_of[rank]])
    low, high = np.divmod(np.arange(many * many), many)
    width = np.minimum(line[first[high]] - line[last[low]], cap)
    return np.array(windows, dtype=np.int64), np.where(high > low, width, 0.0)


def _cells(
    nodes: Sequence[Ints], costs: Sequence[Floats], nested: Sequence[bool], copies: Ints, size: int, report: Report
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """For each combination of levels the cells worth keeping: their points, their lengths, their costs.

    ``nested``: whether each level of a column joins what is apart in the level before.
    """
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
        below = [number - stride for stride, level, joins in zip(strides, levels, nested) if level > 0 and joins]
        finer = np.array(below, dtype=np.int64)
        members, lengths = gather(cells[-1], copies, size, held, number, finer)
        if len(lengths):
            first = members[np.cumsum(lengths) - lengths]
            cost = np.zeros(len(lengths))
            for one, cost_of, level in zip(nodes, costs, levels):
                cost += cost_of[one[level, first]]
            yield members, lengths, cost
