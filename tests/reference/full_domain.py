# SPDX-License-Identifier: Apache-2.0
"""Full-domain generalisation from its definition: every combination of levels is published and looked at."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from tests.reference.losses import Loss, up

Shown = list[Hashable]
PARTS = (64, 32, 16, 8, 4, 2, 1)


def levels(column: EncodedColumn) -> list[Shown]:
    """What each record shows at each level, finest first; levels at which records are told apart as before are gone."""
    points = column.points.tolist()
    every = _of_tree(column, points) if column.tree is not None else _of_line(column, points)
    kept: list[Shown] = []
    for shown in every:
        if not kept or len(set(shown)) < len(set(kept[-1])):
            kept.append(shown)
    return kept


def _of_tree(column: EncodedColumn, points: Sequence[float]) -> list[Shown]:
    tree = column.tree
    assert tree is not None
    paths = [up(tree, int(tree.leaves[int(point)]))[::-1] for point in points]  # root first
    deepest = max(map(len, paths))
    return [[path[min(depth, len(path)) - 1] for path in paths] for depth in range(deepest, 0, -1)]


def _of_line(column: EncodedColumn, points: Sequence[float]) -> list[Shown]:
    numbers = [Fraction(point) for point in points if point != column.missing]
    low, high = min(numbers, default=Fraction(0)), max(numbers, default=Fraction(0))

    def part(point: float, parts: int) -> Hashable:
        if point == column.missing:
            return "missing"
        return 0 if high == low else min(int((Fraction(point) - low) * parts / (high - low)), parts - 1)

    return [list(points), *([part(point, parts) for point in points] for parts in PARTS), ["*"] * len(points)]


class Lattice:
    """All tables with one level per column."""

    def __init__(self, encoded: Encoded, k: int) -> None:
        self.encoded, self.k = encoded, k
        self.levels = [levels(column) for column in encoded.columns]
        self.loss_of = Loss(encoded)

    def nodes(self) -> list[tuple[int, ...]]:
        """Every combination of levels."""
        return list(itertools.product(*(range(len(one)) for one in self.levels)))

    def rows(self, node: Sequence[int]) -> list[tuple[Hashable, ...]]:
        """What the records show."""
        return list(zip(*(one[level] for one, level in zip(self.levels, node, strict=True)), strict=True))

    def few(self, node: Sequence[int]) -> list[bool]:
        """Which records have too few look-alikes."""
        rows = self.rows(node)
        count = Counter(rows)
        return [count[row] < self.k for row in rows]

    def cells(self, node: Sequence[int]) -> list[list[float]]:
        """What each cell loses: the hull of all that shows the same."""
        found = []
        for place, level in enumerate(node):
            points, shown = self.encoded.columns[place].points.tolist(), self.levels[place][level]
            ends = {
                label: [point for point, other in zip(points, shown, strict=True) if other == label]
                for label in set(shown)
            }
            found.append([self.loss_of.term(place, min(ends[label]), max(ends[label])) for label in shown])
        return found

    def loss(self, node: Sequence[int]) -> float:
        """The loss of the table, rows that are left out wholly lost, as a share of the largest."""
        full = sum(column.weight for column in self.encoded.columns)
        kept = [sum(row) for row in zip(*self.cells(node), strict=True)]
        total = sum(full if few else cost for few, cost in zip(self.few(node), kept, strict=True))
        return round(total / (full * len(kept)), 9) if full else 0.0


def best_loss(encoded: Encoded, k: int, spare: int) -> float:
    """The least loss of all tables that leave out no more than ``spare`` records."""
    lattice = Lattice(encoded, k)
    return min(lattice.loss(node) for node in lattice.nodes() if sum(lattice.few(node)) <= spare)


def datafly(encoded: Encoded, k: int, spare: int) -> tuple[int, ...]:
    """The levels at which Sweeney's greedy walk ends."""
    lattice = Lattice(encoded, k)
    node = [0] * len(lattice.levels)
    while sum(lattice.few(node)) > spare:
        several = [
            (len(set(one[level])), -place)
            for place, (one, level) in enumerate(zip(lattice.levels, node, strict=True))
            if level + 1 < len(one)
        ]
        node[-max(several)[1]] += 1
    return tuple(node)


def labels(encoded: Encoded, k: int, node: Sequence[int]) -> list[int]:
    """The classes at a node, numbered by first record; -1 for records left out."""
    lattice = Lattice(encoded, k)
    numbers: dict[Hashable, int] = {}
    rows = zip(lattice.rows(node), lattice.few(node), strict=True)
    return [-1 if few else numbers.setdefault(row, len(numbers)) for row, few in rows]
