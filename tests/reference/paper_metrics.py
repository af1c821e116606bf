# SPDX-License-Identifier: Apache-2.0
"""The metrics of single papers by plain loops in exact fractions: distortion, ordered codes, the nearest neighbour.

Cells are numbers, names or None; a class is a list of rows.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

Vector = list[Fraction]


def mean(rows: list[Vector]) -> Vector:
    """The mean of some points."""
    return [sum(column, Fraction(0)) / len(rows) for column in zip(*rows, strict=True)]


def coordinates(cells: list[Any], of_range: bool = False) -> list[Vector]:
    """A number as it is, missing at the mean and marked; a name as 0 and 1."""
    if any(isinstance(cell, str) for cell in cells):
        kinds = sorted({str(cell) for cell in cells})
        return [[Fraction(str(cell) == kind) for kind in kinds] for cell in cells]
    present = [Fraction(cell) for cell in cells if cell is not None]
    middle = sum(present, Fraction(0)) / len(present) if present else Fraction(0)
    width = (max(present) - min(present) if present else Fraction(0)) if of_range else Fraction(1)
    places = [(middle if cell is None else Fraction(cell)) / (width or 1) for cell in cells]
    return [[place, Fraction(cell is None), Fraction(cell is not None)] for place, cell in zip(places, cells)]


def halved(cells: list[Any]) -> list[Fraction]:
    """What a coordinate counts: all of a number's, half of those that are 0 or 1."""
    return (
        [Fraction(1, 2)] * 9 if any(isinstance(cell, str) for cell in cells) else [Fraction(1), *[Fraction(1, 2)] * 2]
    )


def members(classes: list[int]) -> list[list[int]]:
    """The rows of each class."""
    return [[row for row, label in enumerate(classes) if label == one] for one in sorted(set(classes))]


def scatter(cells: list[Any], classes: list[int], of_range: bool) -> Fraction:
    """Squared distances from the means of classes."""
    points, total = coordinates(cells, of_range), Fraction(0)
    for rows in members(classes):
        centre = mean([points[row] for row in rows])
        for row in rows:
            pairs = zip(points[row], centre, halved(cells))
            total += sum(((x - c) ** 2 * count for x, c, count in pairs), Fraction(0))
    return total


def span(cells: list[Any], rows: list[int], order: list[str]) -> Fraction:
    """Last less first value of a class as a share of the domain; missing beside present costs all of it."""
    present = [cells[row] for row in rows if cells[row] is not None]
    if len({cells[row] is None for row in rows}) > 1:
        return Fraction(1)
    if not present:
        return Fraction(0)
    if any(isinstance(cell, str) for cell in cells):
        places, whole = [order.index(cell) for cell in present], len(order) - 1 + (None in cells)
    else:
        known = [cell for cell in cells if cell is not None]
        places, whole = present, max(known) - min(known)
    return Fraction(max(places) - min(places), whole) if whole else Fraction(0)


def guess(points: list[list[Vector]], row: int, train: dict[tuple[int, ...], list[str]], counts: list[Any]) -> str:
    """The commonest value of the nearest point (given by the rows that it is the mean of); ties to the lowest row."""
    away = {}
    for rows in train:
        total = Fraction(0)
        for column, count in zip(points, counts):
            centre = mean([column[one] for one in rows])
            total += sum((abs(x - c) * w for x, c, w in zip(column[row], centre, count)), Fraction(0))
        away[rows] = total
    votes = Counter(train[min(train, key=lambda rows: (away[rows], min(rows)))])
    return min(votes, key=lambda value: (-votes[value], value))
