# SPDX-License-Identifier: Apache-2.0
"""One level for a whole column: the levels that columns have, and what tables look like at them.

A name has the levels of its tree, from itself up to the root: cut at a depth, a leaf that lies higher stays itself. A
number without a tree has its own value, then 64, 32, … 2 equal parts of the range, and the whole of it; ranks and days
the same. Missing cells stay apart until nothing is told at all.

Equal records are looked at once, with their number; a table at a node (one level per column) is a count of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import hull_kernel_arrays
from shoal.engine.kernels.enforcing.lacking import broken_classes
from shoal.engine.kernels.hull import total_loss
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.methods import Partition, Requirement
from shoal.ground.arrays import Flags, Floats, Ints

PARTS = (64, 32, 16, 8, 4, 2, 1)
"""Equal parts of a range."""
LARGEST_KEY = 2**62
DIGITS = 12
"""Losses are compared as shares of the largest one, to so many decimals."""

Node = tuple[int, ...]
"""The level of each column, 0 the finest."""


@dataclass(frozen=True)
class ColumnLevels:
    """The levels of one column, finest first."""

    bands: list[Ints]
    """[level][value] its band, numbered from 0."""
    costs: list[Floats]
    """[level][value] what a record with it loses."""


def levels_of(column: EncodedColumn, values: Floats, loss: str) -> ColumnLevels:
    """The levels of a column with these different coordinates, rising; those that change nothing are left out."""
    rungs = _of_line(column, values) if column.tree is None else _of_tree(column, values)
    bands: list[Ints] = []
    for rung in rungs:
        numbered = np.unique(rung, return_inverse=True)[1].ravel()
        if not bands or numbered.max() < bands[-1].max():
            bands.append(numbered)
    return ColumnLevels(bands, [_costs(column, values, one, loss) for one in bands])


def _of_line(column: EncodedColumn, values: Floats) -> Iterator[Ints]:
    yield np.arange(len(values))
    present = values if column.missing is None else values[values != column.missing]
    if len(present):
        span = max(float(present[-1] - present[0]), np.finfo(float).tiny)
        for parts in PARTS:
            inner = np.minimum(np.floor((present - present[0]) * parts / span), parts - 1).astype(np.int64)
            yield np.append(inner, np.full(len(values) - len(present), parts))
    yield np.zeros(len(values), dtype=np.int64)


def _of_tree(column: EncodedColumn, values: Floats) -> Iterator[Ints]:
    tree = column.tree
    assert tree is not None
    nodes = tree.leaves[values.astype(np.int64)]
    for depth in range(int(tree.depths[nodes].max()), -1, -1):
        nodes = np.where(tree.depths[nodes] > depth, tree.parents[nodes], nodes)
        yield tree.first[nodes] * len(tree.labels) + tree.depths[nodes]  # bands in the order of their leaves


def _costs(column: EncodedColumn, values: Floats, bands: Ints, loss: str) -> Floats:
    """[value] what its band costs a record: the hull of the band's values."""
    hulls, one = hull_kernel_arrays([column.term(loss)]), np.ones(1, dtype=np.int64)
    first = np.searchsorted(bands, np.arange(int(bands.max()) + 1))
    last = np.append(first[1:], len(bands)) - 1
    ends = np.column_stack([values[first], values[last]])
    cost = np.array([total_loss(hulls, pair[None, :1], pair[None, 1:], one) for pair in ends])
    return cost[bands]


class Domains:
    """All columns with their levels, and the different records of the table."""

    def __init__(self, encoded: Encoded, requirement: Requirement) -> None:
        found = [np.unique(column.points, return_inverse=True) for column in encoded.columns]
        self.levels = [levels_of(column, one[0], encoded.loss) for column, one in zip(encoded.columns, found)]
        codes = np.column_stack([one[1].ravel() for one in found])
        self._kinds, self._kind_of, self._rows = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
        self._kind_of = self._kind_of.ravel()
        self._encoded, self._size = encoded, requirement.size
        self._subset = requirement.subset
        self._rules = as_arrays(requirement.rules, len(encoded)) if requirement.rules else None
        self.top: Node = tuple(len(one.bands) - 1 for one in self.levels)
        self.bases = [self._base(place) for place in range(len(self.levels))]

    def _base(self, place: int) -> Floats:
        """[level] what a column loses in all records."""
        codes = self._kinds[:, place]
        return np.array([float(self._rows @ cost[codes]) for cost in self.levels[place].costs])

    def distinct(self, place: int, level: int) -> int:
        """How many different values a column has at a level."""
        return int(self.levels[place].bands[level].max()) + 1

    def _groups(self, node: Node) -> tuple[Ints, Ints]:
        """[different record] its group at a node, and the records of each group."""
        key, width = np.zeros(len(self._kinds), dtype=np.int64), 1
        for place, level in enumerate(node):
            bands = self.levels[place].bands[level]
            more = int(bands.max()) + 1
            if width * more > LARGEST_KEY:
                key = np.unique(key, return_inverse=True)[1].ravel()
                width = len(key)
            key, width = key * more + bands[self._kinds[:, place]], width * more
        group = np.unique(key, return_inverse=True)[1].ravel()
        return group, np.bincount(group, weights=self._rows).astype(np.int64)

    def _few(self, node: Node, ruled: bool = True) -> Flags:
        """[different record] whether too few look like it, or its group breaks a rule."""
        group, sizes = self._groups(node)
        bad: Flags = sizes < self._size
        if ruled and self._rules is not None:
            labels = group[self._kind_of]
            order = np.argsort(labels, kind="stable")
            bad = bad | broken_classes(self._rules, order, np.cumsum(np.bincount(labels)), self._size)
        return bad[group] if self._subset is None else self._lonely(node, bad[group], *self._subset)

    def _lonely(self, node: Node, few: Flags, least: int, columns: int) -> Flags:
        """[different record] also those that fewer than ``least`` others share some so many columns with.

        Whoever is left out is missed by others, so it is asked anew until nobody more is; coarser levels need no more.
        """
        cells = [
            self._groups(tuple(level if place in chosen else self.top[place] for place, level in enumerate(node)))[0]
            for chosen in combinations(range(len(node)), min(columns, len(node)))
        ]
        found = few.copy()
        while True:
            rows = np.where(found, 0, self._rows)
            lonely = np.any([np.bincount(cell, rows)[cell] < least for cell in cells], axis=0) & ~found
            if not lonely.any():
                return found
            found |= lonely

    def left_out(self, node: Node, ruled: bool = True) -> int:
        """Records that would have to be left out; without rules, coarser levels never need more of them."""
        return int(self._rows[self._few(node, ruled)].sum())

    def loss(self, node: Node, spare: int) -> float:
        """Loss at a node, as a share of the largest possible one; infinite if more records would be left out.

        Records that are left out are wholly lost.
        """
        few = self._few(node)
        if self._rows[few].sum() > spare:
            return math.inf
        lost = sum(
            float(self._rows[few] @ (column.itself.weight - self.levels[place].costs[level][self._kinds[few, place]]))
            for place, (level, column) in enumerate(zip(node, self._encoded.columns))
        )
        whole = sum(float(base[level]) for base, level in zip(self.bases, node)) + lost
        return float(self.shares(np.array(whole)))

    def shares(self, totals: Floats) -> Floats:
        """Losses as shares of the largest one, rounded, so that sums in another order are the same."""
        largest = max(len(self._kind_of) * self._encoded.full, np.finfo(float).tiny)
        return np.round(totals / largest, DIGITS)

    def partition(self, node: Node) -> Partition:
        """The classes at a node, each shown at its levels; of records that are too few, none."""
        labels = np.where(self._few(node), -1, self._groups(node)[0])[self._kind_of]
        bands = {
            place: self.levels[place].bands[level][self._kinds[:, place]][self._kind_of]
            for place, level in enumerate(node)
            if self._encoded.columns[place].behind is None
        }
        return Partition.of(labels, bands=bands)


def raised(node: Node, place: int, by: int = 1) -> Node:
    """A node with one column at another level."""
    return (*node[:place], node[place] + by, *node[place + 1 :])


def finer(node: Node) -> Sequence[Node]:
    """Nodes with one column one level finer."""
    return [raised(node, place, -1) for place, level in enumerate(node) if level > 0]
