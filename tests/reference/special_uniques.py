# SPDX-License-Identifier: Apache-2.0
"""Special uniques from the definition: every set of columns of every row, compared with every other row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from math import prod

Row = Sequence[object]


def is_unique(rows: Sequence[Row], row: int, columns: Sequence[int]) -> bool:
    """Whether no other row has the same cells in these columns; any other row is like it where there are none."""
    cells = [rows[row][column] for column in columns]
    return all(
        [rows[other][column] for column in columns] != cells for other in range(len(rows)) if other != row
    ) and bool(columns)


def minimal_sample_uniques(rows: Sequence[Row], row: int, largest: int) -> list[tuple[int, ...]]:
    """Sets of columns that single out the row, and of which no smaller part does."""
    columns = range(len(rows[0]))
    return [
        chosen
        for size in range(1, largest + 1)
        for chosen in combinations(columns, size)
        if is_unique(rows, row, chosen)
        and not any(is_unique(rows, row, part) for less in range(size) for part in combinations(chosen, less))
    ]


def score(size: int, columns: int, largest: int) -> int:
    """The product over i from the size to M of (A - i), as Elliot et al. have it; for M = A up to A - 1."""
    return prod(columns - i for i in range(size, min(largest, columns - 1) + 1))


def scores(rows: Sequence[Row], largest: int) -> list[int]:
    """Score of each row."""
    columns = len(rows[0])
    return [
        sum(score(len(one), columns, largest) for one in minimal_sample_uniques(rows, row, largest))
        for row in range(len(rows))
    ]


def contributions(rows: Sequence[Row], largest: int) -> list[float]:
    """Of each column the share of all scores that stems from sets with it."""
    columns = len(rows[0])
    total, having = 0, [0] * columns
    for row in range(len(rows)):
        for one in minimal_sample_uniques(rows, row, largest):
            total += score(len(one), columns, largest)
            for column in one:
                having[column] += score(len(one), columns, largest)
    return [part / total if total else 0.0 for part in having]


def shapley(rows: Sequence[Row]) -> list[float]:
    """What each column adds to the share of rows that are alone, on average over all orders of the columns."""
    columns = range(len(rows[0]))
    orders = list(permutations(columns))
    adds = [0.0] * len(columns)
    for order in orders:
        for place, column in enumerate(order):
            adds[column] += alone(rows, order[: place + 1]) - alone(rows, order[:place])
    return [one / len(orders) / len(rows) for one in adds]


def alone(rows: Sequence[Row], columns: Sequence[int]) -> int:
    """Rows that these columns single out."""
    return sum(is_unique(rows, row, columns) for row in range(len(rows)))
