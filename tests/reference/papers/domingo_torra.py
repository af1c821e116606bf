# SPDX-License-Identifier: Apache-2.0
"""MDAV-generic: J. Domingo-Ferrer, V. Torra, algorithm 5.1.

"Ordinal, continuous and heterogeneous k-anonymity through microaggregation", Data Mining and Knowledge Discovery 11(2),
2005.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.reference.papers.records import Classes, Column, Names, Records, how_many

Point = list[Any]


def middle(column: Column, rows: Sequence[int]) -> Any:
    """The average of some records: their mean, or their commonest name (of several the first in the tree)."""
    cells = [column.cells[row] for row in rows]
    if isinstance(column, Names):
        counts, names = Counter(cells), list(column.tree.paths)
        return min(counts, key=lambda name: (-counts[name], names.index(name)))
    return sum(cells, Fraction(0)) / len(cells)


def squared_distance(records: Records, row: int, point: Point) -> Fraction:
    """Squared Euclidean distance on standardised numbers; a name is equal or is not."""
    total = Fraction(0)
    for column, cell in zip(records, point, strict=True):
        if isinstance(column, Names):
            total += column.weight * (column.cells[row] != cell)
        elif variance(column):
            total += column.weight * (column.cells[row] - cell) ** 2 / variance(column)
    return total


def variance(column: Column) -> Fraction:
    """Mean squared difference from the mean."""
    everybody = range(len(column.cells))
    mean = middle(column, everybody)
    return sum(((column.cells[row] - mean) ** 2 for row in everybody), Fraction(0)) / len(column.cells)


def cells_of(records: Records, row: int) -> Point:
    """A record as a point."""
    return [column.cells[row] for column in records]


def furthest(records: Records, left: Sequence[int], point: Point) -> int:
    """The most distant record."""
    return max(left, key=lambda row: (squared_distance(records, row, point), -row))


def take(records: Records, left: list[int], row: int, k: int) -> list[int]:
    """A record and its k - 1 closest, which leave those that are left."""
    others = [other for other in left if other != row]
    nearest = sorted(others, key=lambda other: (squared_distance(records, other, cells_of(records, row)), other))
    members = [row, *nearest[: k - 1]]
    left[:] = [other for other in left if other not in members]
    return members


def mdav_generic(records: Records, k: int) -> Classes:
    """Two classes at a time around the record furthest from the average and the one furthest from that."""
    left, classes = list(range(how_many(records))), []
    while len(left) >= 2 * k:
        again = len(left) >= 3 * k
        far = furthest(records, left, [middle(column, left) for column in records])
        classes.append(take(records, left, far, k))
        if again:
            opposite = furthest(records, left, cells_of(records, far))
            classes.append(take(records, left, opposite, k))
    return [*classes, left]
