# SPDX-License-Identifier: Apache-2.0
"""The door for dataframes: pandas, Polars or PyArrow in, and the same kind out.

Columns that the run did not touch are handed back from the caller's own frame, row by row, so their types come back
exactly as they came: categories, time zones, nullable and Arrow-backed columns, decimals. Only the columns with new
cells are converted. Narwhals tells the kinds apart without importing a library that the caller does not use.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from numbers import Number
from pathlib import Path
from typing import Any, cast

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from shoal.errors import MissingExtraError, TableError, listed
from shoal.tables.column_names import check_names
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

KINDS = "a pandas DataFrame, a Polars DataFrame or a PyArrow Table"
#: What may stand mixed in one pandas object column; it is then read as text.
PLAIN_CELLS = (str, bool, Number, date, time, timedelta)


@dataclass(frozen=True)
class Taken:
    """A caller's frame as a Table, and the way back."""

    table: Table
    _native: nw.DataFrame[Any] = field(repr=False)

    def hand_back(self, released: Table, rows: NDArray[np.int64], changed: Set[str]) -> Any:
        """The released table as the kind of frame that was taken in.

        ``rows[i]`` is the input row that is shown in released row i; ``changed`` names the columns whose cells are
        new. The order of the columns is that of ``released``. A pandas index starts again at 0: old labels on
        shuffled rows would link each released row to its record.
        """
        kept = [name for name in released.names if name not in changed and name in self._native.columns]
        untouched = self._native.select(kept)[rows] if kept else None
        return _BUILDERS[self._native.implementation](self._native, untouched, released.frame)


def take_in(frame: Any) -> Taken:
    """A dataframe as a Table; NaN becomes missing."""
    native = _recognised(frame)
    names = native.columns
    _check_columns(names)
    kind = native.implementation
    if kind is nw.Implementation.POLARS:
        inner: pl.DataFrame = native.to_native()
    elif kind is nw.Implementation.PANDAS:
        inner = pl.DataFrame([_from_pandas(native.get_column(name)) for name in names])
    else:
        columns = native.to_native()
        inner = pl.DataFrame([_from_arrow(name, columns.column(name)) for name in names])
    objects = [name for name, dtype in inner.schema.items() if dtype == pl.Object]
    if objects:
        raise _unreadable_cells(objects[0])
    return Taken(Table.of(inner), native)


def as_table(data: Any, reading: Reading | None = None) -> Table:
    """Whatever a user may call a table: a Table, a path (file or folder), or a dataframe."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | Path):
        return read_table(data, reading).table
    return take_in(data).table


# -- in ------------------------------------------------------------------------------------------------------


def _recognised(frame: Any) -> nw.DataFrame[Any]:
    try:
        native: nw.DataFrame[Any] | None = nw.from_native(frame, eager_only=True)
    except DuplicateError:
        raise TableError(
            "Some columns have the same name.",
            where="the dataframe",
            allowed="a different name for every column",
            received="names that repeat",
            todo="rename the columns",
        ) from None
    except TypeError:
        native = None
    if native is None or native.implementation not in _BUILDERS:
        lazy = "collect" in dir(frame) or "compute" in dir(frame)
        raise TableError(
            "The table is of a kind that cannot be read.",
            where="the dataframe",
            allowed=f"{KINDS}; or the path of a file",
            received=f"{type(frame).__module__}.{type(frame).__qualname__}",
            todo="load it into memory first, e.g. with .collect()" if lazy else "convert it to one of these",
        )
    return native


def _check_columns(names: list[Any]) -> None:
    others = [number + 1 for number, name in enumerate(names) if not isinstance(name, str)]
    if others or not names:
        raise TableError(
            "The columns of the dataframe must be named by text.",
            where="the dataframe",
            allowed="at least one column, and a text as the name of each",
            received=f"other names for columns {listed(others)} (of {len(names)})" if names else "0 columns",
            todo="rename them, e.g. frame.columns = [str(name) for name in frame.columns]" if names else "add columns",
        )
    check_names(names, "the dataframe", "rename the columns")


def _from_pandas(column: nw.Series[Any]) -> pl.Series:
    native = column.to_native()
    try:
        series = cast(pl.Series, pl.from_pandas(native))
    except ImportError:
        raise MissingExtraError(
            "A pandas frame needs PyArrow to be read.",
            where=f"column {column.name!r}",
            allowed="pandas with PyArrow beside it",
            received="no PyArrow",
            todo="pip install 'shoal[frames]'",
        ) from None
    except Exception:  # of PyArrow or Polars, in many classes; their messages quote cells
        return _as_text(column.name, native.tolist(), native.isna().tolist())
    if isinstance(series.dtype, pl.BaseExtension):  # periods and intervals: numbers inside, text to the reader
        return _as_text(column.name, native.astype(str).tolist(), native.isna().tolist())
    if isinstance(column.dtype, nw.Enum):
        return series.cast(pl.String).cast(pl.Enum(list(column.dtype.categories)))
    return series.alias(column.name)


def _as_text(name: str, cells: list[Any], missing: list[bool]) -> pl.Series:
    """Cells of several plain types as text."""
    if not all(gone or isinstance(cell, PLAIN_CELLS) for cell, gone in zip(cells, missing)):
        raise _unreadable_cells(name)
    return pl.Series(name, [None if gone else str(cell) for cell, gone in zip(cells, missing)], dtype=pl.String)


def _from_arrow(name: str, column: Any) -> pl.Series:
    try:
        series = pl.Series(name, column)
    except Exception:  # as above
        raise _unreadable_cells(name) from None
    return series.ext.storage() if isinstance(series.dtype, pl.BaseExtension) else series


def _unreadable_cells(name: str) -> TableError:
    return TableError(
        "A column holds cells of a kind that cannot be read.",
        where=f"column {name!r}",
        allowed="numbers, text, booleans, dates, or lists and structures of them",
        received="other Python objects, or kinds that do not go together",
        todo="convert the column to text, or leave it out",
    )


# -- out -----------------------------------------------------------------------------------------------------

Builder = Callable[[nw.DataFrame[Any], nw.DataFrame[Any] | None, pl.DataFrame], Any]


def _to_polars(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> pl.DataFrame:
    return released if kept is None else released.with_columns(kept.to_native().get_columns())


def _to_pandas(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> Any:
    pandas = native.__native_namespace__()
    untouched = {} if kept is None else dict(kept.to_native().reset_index(drop=True).items())
    columns = {name: untouched.get(name) for name in released.columns}
    for name in columns.keys() - untouched.keys():
        columns[name] = released.get_column(name).to_pandas()
    return pandas.DataFrame(columns)


def _to_arrow(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> Any:
    arrow = native.__native_namespace__()
    fields, arrays = [], []
    for name in released.columns:
        if kept is not None and name in kept.columns:
            source = kept.to_native()
            fields.append(source.schema.field(name))
            arrays.append(source.column(name))
        else:
            array = released.get_column(name).to_arrow()
            array = array.cast(arrow.string()) if array.type == arrow.large_string() else array
            fields.append(arrow.field(name, array.type))
            arrays.append(array)
    # The note that pandas leaves describes the old types and carries the old index.
    notes = {key: note for key, note in (native.to_native().schema.metadata or {}).items() if key != b"pandas"}
    return arrow.Table.from_arrays(arrays, schema=arrow.schema(fields, metadata=notes or None))


_BUILDERS: dict[nw.Implementation, Builder] = {
    nw.Implementation.POLARS: _to_polars,
    nw.Implementation.PANDAS: _to_pandas,
    nw.Implementation.PYARROW: _to_arrow,
}
