# SPDX-License-Identifier: Apache-2.0
"""k under every reading of missing values, from the definition: every row is compared with every row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Cell = str | None
Row = Sequence[Cell]


def as_value(one: Cell, other: Cell) -> bool:
    """Missing equals missing and nothing else."""
    return one == other


def as_wildcard(one: Cell, other: Cell) -> bool:
    """Missing matches anything."""
    return one is None or other is None or one == other


def look_alikes(rows: Sequence[Row], alike: Callable[[Cell, Cell], bool]) -> list[int]:
    """How many rows look like each row, itself included."""
    return [sum(all(alike(a, b) for a, b in zip(row, other, strict=True)) for other in rows) for row in rows]


def k_of(rows: Sequence[Row], alike: Callable[[Cell, Cell], bool] = as_value) -> int:
    """The fewest look-alikes that any row has."""
    return min(look_alikes(rows, alike))


def k_unlike_any(rows: Sequence[Row]) -> int:
    """A missing cell is unlike every cell of another row, missing ones too."""
    return min(
        sum(
            row is other or all(a is not None and b is not None and a == b for a, b in zip(row, other, strict=True))
            for other in rows
        )
        for row in rows
    )


def k_left_out(rows: Sequence[Row]) -> int | None:
    """Rows with a missing cell are dropped before anything is counted; None if no row is left."""
    whole = [row for row in rows if None not in row]
    return k_of(whole) if whole else None
