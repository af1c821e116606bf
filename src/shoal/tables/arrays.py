# SPDX-License-Identifier: Apache-2.0
"""Two-dimensional arrays as tables and back: a column of numbers stays numbers, any other is text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.tables.pandas_columns import PLAIN_CELLS, unreadable_cells
from shoal.tables.table import Table


def table_of(array: NDArray[Any], names: Sequence[str]) -> Table:
    """An array as a table; None and NaN are missing."""
    columns = [_column(name, array[:, place]) for place, name in enumerate(names)]
    return Table.of(pl.DataFrame(columns))


def _column(name: str, cells: NDArray[Any]) -> pl.Series:
    if cells.dtype.kind in "biufmM":
        return pl.Series(name, np.ascontiguousarray(cells))
    if cells.dtype.kind in "US":
        return pl.Series(name, cells.astype(str).tolist(), dtype=pl.String)
    held = [None if _is_missing(cell) else cell for cell in cells.tolist()]
    if not all(cell is None or isinstance(cell, PLAIN_CELLS) for cell in held):
        raise unreadable_cells(name)
    if all(cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in held):
        return pl.Series(name, held, dtype=pl.Float64, strict=False)
    return pl.Series(name, [None if cell is None else str(cell) for cell in held], dtype=pl.String)


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)  # noqa: PLR0124  NaN alone differs from itself


def array_of(table: Table) -> NDArray[Any]:
    """A table as an array: of numbers (missing is NaN) if all its columns are, else of objects (missing is None)."""
    frame = table.frame
    if all(kind.is_numeric() or kind == pl.Null for kind in frame.schema.values()):
        return frame.with_columns(pl.col(pl.Null).cast(pl.Float64)).to_numpy()
    made = np.empty(frame.shape, dtype=object)
    for place, column in enumerate(frame.get_columns()):
        made[:, place] = column.to_list()
    return made
