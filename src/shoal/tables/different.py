# SPDX-License-Identifier: Apache-2.0
"""The different cells of a column: a number for each row, and a row that shows each number.

Whole numbers that lie close together, and categories, are looked up by their place; other cells are grouped.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def different(column: pl.Series) -> tuple[Ints, Ints]:
    """The number of each cell, equal for equal cells and without gaps; and the row of one cell of each number.

    Missing cells are equal to each other and to nothing else.

    >>> numbers, rows = different(pl.Series(["b", None, "a", "b"]))
    >>> (numbers == numbers[0]).tolist(), len(rows)
    ([True, False, False, True], 3)
    """
    places = _close_places(column)
    if places is None:
        return _grouped(column)
    row_of = np.full(int(places.max(initial=-1)) + 1, -1, dtype=np.int64)
    row_of[places] = np.arange(len(places))
    found = np.flatnonzero(row_of >= 0)
    number = np.empty(len(row_of), dtype=np.int64)
    number[found] = np.arange(len(found))
    return number[places], row_of[found]


def _close_places(column: pl.Series) -> Ints | None:
    """Each cell as a place from 0 on, missing last; None unless there are about as few places as rows."""
    if isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Date):
        column = column.to_physical()
    if not column.dtype.is_integer():
        return None
    whole = column.cast(pl.Int64, strict=False)
    if whole.null_count() == len(whole) or whole.null_count() > column.null_count():
        return None
    low, high = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
    return None if high - low > len(whole) else (whole - low).fill_null(high - low + 1).to_numpy()


def _grouped(column: pl.Series) -> tuple[Ints, Ints]:
    cells = pl.DataFrame({"cell": column}).with_row_index("row")
    members = cells.group_by("cell", maintain_order=True).agg("row").get_column("row")
    rows = members.explode(empty_as_null=False).to_numpy()
    lengths = members.list.len().to_numpy()
    numbers = np.empty(len(column), dtype=np.int64)
    numbers[rows] = np.repeat(np.arange(len(members)), lengths)
    first = np.cumsum(lengths, dtype=np.int64) - lengths
    return numbers, rows[first].astype(np.int64)
