# SPDX-License-Identifier: Apache-2.0
"""The door for dataframes: pandas, Polars, PyArrow or a DuckDB relation in, and the same kind out.

Columns that the run did not touch are handed back from the caller's own frame, row by row, so their types come back
exactly as they came: categories (those that are still shown), time zones, nullable and Arrow-backed columns, decimals.
Notes of the frame, of pandas (``attrs``) and Arrow (metadata), are not handed on. Only the columns with new cells are
converted; they are stored as the old ones were, where that can hold them. Narwhals tells the kinds apart
without importing a library that the caller does not use.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from narwhals.exceptions import DuplicateError

from shoal.ground.arrays import Ints
from shoal.ground.catalog import library
from shoal.ground.errors import TableError, listed
from shoal.tables.arrow_orders import dictionary_order, in_categories
from shoal.tables.bareness import bare_arrow, bare_pandas, bare_series
from shoal.tables.columns import check_names
from shoal.tables.pandas_columns import from_pandas, to_pandas, unreadable_cells
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.sql import quoted
from shoal.tables.table import Table

KINDS = "a pandas DataFrame, a Polars DataFrame, a PyArrow Table or a DuckDB relation"


@dataclass(frozen=True)
class Taken:
    """A caller's frame as a Table, and the way back."""

    table: Table
    _native: nw.DataFrame[Any] = field(repr=False)
    _relation: Any = field(default=None, repr=False)
    """The relation of DuckDB that was fetched, if the frame was one."""

    def hand_back(self, released: Table, rows: Ints, changed: Set[str]) -> Any:
        """The released table as the kind of frame that was taken in.

        ``rows[i]`` is the input row that is shown in released row i; ``changed`` names the columns whose cells are
        new. The order of the columns is that of ``released``. A pandas index starts again at 0: old labels on
        shuffled rows would link each released row to its record.
        """
        kept = [name for name in released.names if name not in changed and name in self._native.columns]
        untouched = self._native.select(kept)[rows] if kept else None
        made = _BUILDERS[self._native.implementation](self._native, untouched, released.frame)
        return made if self._relation is None else _as_relation(made, self._relation, kept)

    @property
    def native(self) -> Any:
        """The caller's frame itself; of a relation, what was fetched."""
        return self._native.to_native()

    def check_index(self) -> None:
        """Refuse a pandas index that tells more than the place of a row, if it is to be kept."""
        if self._native.implementation is not nw.Implementation.PANDAS:
            return
        index = self.native.index
        if index.nlevels > 1 or index.name is not None or index.dtype.kind not in "iu":
            raise TableError(
                "The index of the frame is more than row numbers, and would stay in the result.",
                where="the index of the dataframe",
                allowed="whole numbers without a name",
                received=f"an index of {index.nlevels} levels and type {index.dtype}",
                todo="drop it with frame.reset_index(drop=True), or make it a column and give that a role",
            )

    def in_place(self, released: Table, changed: Set[str]) -> Any:
        """The same rows in the same order, for results that stay with the caller: a pandas index is kept."""
        made = self.hand_back(released, np.arange(len(released)), changed)
        is_pandas = self._native.implementation is nw.Implementation.PANDAS
        return made.set_axis(self.native.index) if is_pandas else made


def is_frame(data: Any) -> bool:
    """Whether something is a dataframe of any kind, one that can be taken in or not."""
    native: Any = nw.from_native(data, pass_through=True, allow_series=False)
    return native is not data or _is_relation(data)


def take_in(frame: Any) -> Taken:
    """A dataframe as a Table; NaN becomes missing."""
    relation = frame if _is_relation(frame) else None
    native = _recognised(frame if relation is None else _fetched(relation))
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
        raise unreadable_cells(objects[0])
    return Taken(Table.of(inner), native, relation)


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
    order = list(column.dtype.categories) if isinstance(column.dtype, nw.Enum) else None
    return from_pandas(column.name, column.to_native(), order)


def _from_arrow(name: str, column: Any) -> pl.Series:
    try:
        series = pl.Series(name, column)
    except Exception:  # as above
        raise unreadable_cells(name) from None
    if getattr(column.type, "ordered", False) and series.dtype == pl.Categorical:
        return in_categories(series, dictionary_order(column))
    return series.ext.storage() if isinstance(series.dtype, pl.BaseExtension) else series


# -- out -----------------------------------------------------------------------------------------------------

Builder = Callable[[nw.DataFrame[Any], nw.DataFrame[Any] | None, pl.DataFrame], Any]


def _to_polars(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> pl.DataFrame:
    return released if kept is None else released.with_columns(map(bare_series, kept.to_native().get_columns()))


def _to_pandas(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> Any:
    pandas = native.__native_namespace__()
    same = {} if kept is None else dict(kept.to_native().reset_index(drop=True).items())
    untouched = {name: bare_pandas(column) for name, column in same.items()}
    columns = {}
    for cells in released.get_columns():
        old = _old_column(native, cells.name, released.columns)
        columns[cells.name] = untouched[cells.name] if cells.name in untouched else to_pandas(pandas, cells, old)
    return pandas.DataFrame(columns)


def _old_column(native: nw.DataFrame[Any], name: str, released: list[str]) -> Any | None:
    """The column whose place a released one has: its namesake, or for ``age_min`` the ``age`` that is gone."""
    names = [old for old in native.columns if old == name or (name.startswith(old) and old not in released)]
    return native.get_column(max(names, key=len)).to_native() if names else None


def _to_arrow(native: nw.DataFrame[Any], kept: nw.DataFrame[Any] | None, released: pl.DataFrame) -> Any:
    arrow = native.__native_namespace__()
    fields, arrays = [], []
    for name in released.columns:
        if kept is not None and name in kept.columns:
            source = kept.to_native()
            fields.append(source.schema.field(name).remove_metadata())
            arrays.append(bare_arrow(arrow, source.column(name)))
        else:
            array = released.get_column(name).to_arrow()
            array = array.cast(arrow.string()) if array.type == arrow.large_string() else array
            fields.append(arrow.field(name, array.type))
            arrays.append(array)
    # Notes of the old table may hold anything about it: that of pandas carries its index, others sums or sources.
    return arrow.Table.from_arrays(arrays, schema=arrow.schema(fields))


_BUILDERS: dict[nw.Implementation, Builder] = {
    nw.Implementation.POLARS: _to_polars,
    nw.Implementation.PANDAS: _to_pandas,
    nw.Implementation.PYARROW: _to_arrow,
}


# -- relations of DuckDB -------------------------------------------------------------------------------------
# A relation does not tell its connection, so what comes back belongs to DuckDB's default one; it can be queried,
# written and fetched like any other, but not joined with relations of another connection.


def _is_relation(frame: Any) -> bool:
    """Whether something is a relation of DuckDB; whoever has one has imported it."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(frame, duckdb.DuckDBPyRelation)


def _fetched(relation: Any) -> Any:
    """All rows of a relation as an Arrow table."""
    library("pyarrow", extra="frames", what="A relation of DuckDB")
    try:
        return relation.to_arrow_table()
    except Exception:  # of DuckDB, whose messages quote cells
        raise TableError(
            "The relation cannot be fetched.",
            where="the relation of DuckDB",
            allowed="a query that runs, and types that Arrow knows",
            received="one that fails",
            todo="try relation.fetchall(), and mend the query",
        ) from None


def _shown_type(table: Any, name: str, kind: Any) -> str:
    """A type of DuckDB; an ENUM lists what some cell shows."""
    if getattr(kind, "id", "") != "enum":
        return str(kind)
    shown = {str(value) for chunk in table.column(name).chunks for value in chunk.dictionary.to_pylist()}
    words = [str(word) for word in dict(kind.children)["values"] if str(word) in shown]
    listed_words = ", ".join("'" + word.replace("'", "''") + "'" for word in words)
    return f"ENUM({listed_words})" if words else "VARCHAR"


def _as_relation(table: Any, source: Any, kept: Collection[str]) -> Any:
    """An Arrow table as a relation; the columns that were kept get the types that they had in the source."""
    duckdb = sys.modules["duckdb"]
    types = {name: _shown_type(table, name, kind) for name, kind in zip(source.columns, source.types) if name in kept}
    shown = [
        f"CAST({quoted((name,))} AS {types[name]}) AS {quoted((name,))}" if name in types else quoted((name,))
        for name in table.column_names
    ]
    return duckdb.from_arrow(table).project(", ".join(shown))
