# SPDX-License-Identifier: Apache-2.0
"""The doors for what is no whole frame: a single column, an array of two dimensions; and results beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.ground.errors import TableError
from shoal.tables.pandas_columns import PLAIN_CELLS, from_pandas, to_pandas, unreadable_cells
from shoal.tables.quantities import EXACT_INTEGER
from shoal.tables.table import Table

NAME = "column"


def frame_like(data: Any, columns: Mapping[str, Sequence[Any]]) -> Any:
    """A frame of the kind that ``data`` is; Polars if it is none, such as the path of a file."""
    made = pl.DataFrame({name: pl.Series(list(cells), strict=False) for name, cells in columns.items()})
    return _in_kind_of(nw.from_native(data, eager_only=True, pass_through=True), made)


def frame_beside(column: Any, made: Mapping[str, Any]) -> Any:
    """Columns as a frame of the kind that a column is from, with its index where it has one."""
    frame = _in_kind_of(nw.from_native(column, series_only=True, pass_through=True), pl.DataFrame(dict(made)))
    return frame.set_axis(column.index) if hasattr(frame, "set_axis") else frame


def with_replaced(data: Any, new: Mapping[str, Mapping[str, Any]]) -> Any:
    """A frame with some columns replaced by others, in their places; what is no frame in memory comes out as Polars."""
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        frame = nw.from_native(data.pl(), eager_only=True)  # a relation of DuckDB
    made = {name: cells for columns in new.values() for name, cells in columns.items()}
    order = [shown for name in frame.columns for shown in new.get(name, (name,))]
    beside = nw.from_native(_in_kind_of(frame, pl.DataFrame(made)), eager_only=True)
    kept = frame.select([name for name in frame.columns if name not in new])
    parts = [part for part in (kept, beside) if part.columns]
    return nw.concat(parts, how="horizontal").select(order).to_native()


def _in_kind_of(native: Any, frame: pl.DataFrame) -> Any:
    kind = getattr(native, "implementation", None)
    if kind is nw.Implementation.PYARROW:
        return frame.to_arrow()
    if kind is not nw.Implementation.PANDAS:
        return frame
    pandas = native.__native_namespace__()
    return pandas.DataFrame({cells.name: to_pandas(pandas, cells, None) for cells in frame.get_columns()})


def take_column(column: Any) -> Table:
    """A column of pandas, Polars or PyArrow, or a list, as a table whose only column is called :data:`NAME`."""
    try:
        native: Any = nw.from_native(column, series_only=True, pass_through=True)
        kind: Any = getattr(native, "implementation", None)
        if kind is None:
            cells = pl.Series(_texts(column), dtype=pl.String)
        elif kind is nw.Implementation.PANDAS:
            cells = from_pandas(NAME, native.to_native(), None)
        else:
            cells = pl.Series(native.to_native())
    except (TypeError, ValueError):
        raise TableError(
            "This is no column.",
            where="shoal.intervals",
            allowed="a column of a pandas, Polars or PyArrow frame, or a list of texts",
            received=type(column).__name__,
            todo='give one column, e.g. frame["age"]',
        ) from None
    return Table.of(pl.DataFrame([cells.alias(NAME)]))


def _texts(cells: Any) -> Sequence[Any]:
    if isinstance(cells, str | bytes | Mapping):
        raise TypeError
    return [None if cell is None else str(cell) for cell in cells]


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
    large = any(isinstance(cell, int) and abs(cell) >= EXACT_INTEGER for cell in held)
    if not large and all(
        cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool)) for cell in held
    ):
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
