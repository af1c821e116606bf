# SPDX-License-Identifier: Apache-2.0
"""One column of any kind of frame as a Table, and results beside it as a frame of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from shoal.errors import TableError
from shoal.tables.pandas_columns import from_pandas, to_pandas
from shoal.tables.table import Table

NAME = "column"


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
    return [None if one is None else str(one) for one in cells]


def frame_beside(column: Any, made: Mapping[str, Any]) -> Any:
    """Columns as a frame of the kind that a column is from, with its index where it has one."""
    frame = pl.DataFrame(dict(made))
    native: Any = nw.from_native(column, series_only=True, pass_through=True)
    kind: Any = getattr(native, "implementation", None)
    if kind is nw.Implementation.PYARROW:
        return frame.to_arrow()
    if kind is not nw.Implementation.PANDAS:
        return frame
    pandas = native.__native_namespace__()
    columns = {cells.name: to_pandas(pandas, cells, None).set_axis(column.index) for cells in frame.get_columns()}
    return pandas.DataFrame(columns, index=column.index)


def moments_from(numbers: Any, style: str, zone: str) -> Any:
    """Days or microseconds since 1970 (missing = NaN) as dates or moments; of a zone, if one is named."""
    whole = pl.Series(numbers, dtype=pl.Float64).fill_nan(None).round().cast(pl.Int64)
    if style == "date":
        return whole.cast(pl.Int32).cast(pl.Date)
    moments = whole.cast(pl.Datetime("us"))
    return moments.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else moments
