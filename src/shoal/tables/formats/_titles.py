# SPDX-License-Identifier: Apache-2.0
"""Titles and remarks above a table: rows of one cell, or of none, above the row of the column names."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.ground.errors import looks_like_a_cell

MOST = 30
"""Rows that are looked at."""
FEWEST_COLUMNS = 3
"""Columns of a table from which on a row of one cell cannot be its header."""


def rows_above(rows: Sequence[Sequence[str | None]], width: int) -> int:
    """How many rows stand above the names of a table of so many columns; 0 unless that is plain to see.

    >>> rows_above([["Survey 2024"], [], ["age", "sex", "town"], ["39", "f", "Bonn"]], 3)
    2
    """
    if width < FEWEST_COLUMNS:
        return 0
    above = 0
    while above < len(rows) and sum(bool(cell) for cell in rows[above]) <= 1:
        above += 1
    if not above or above + 1 >= len(rows):
        return 0
    names = [cell or "" for cell in rows[above]]
    sound = len(names) == width and all(names) and len(set(names)) == width and not any(map(looks_like_a_cell, names))
    return above if sound else 0
