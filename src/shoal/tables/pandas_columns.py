# SPDX-License-Identifier: Apache-2.0
"""Columns of pandas as columns of Polars and back, with PyArrow where it is installed and without it elsewhere.

The way back gives new cells the kind of storage that the column had: Arrow-backed stays Arrow-backed, nullable stays
nullable, an ordered category stays one. pandas itself is never imported here, it is the caller's.
"""

from __future__ import annotations

from datetime import date, time, timedelta
from functools import cache
from importlib import import_module
from numbers import Number
from typing import Any, cast

import polars as pl

from shoal.ground.errors import TableError, column_words

#: What may stand mixed in one object column; it is then read as text.
PLAIN_CELLS = (str, bool, Number, date, time, timedelta)


@cache
def arrow_is_there() -> bool:
    """Whether PyArrow can be imported."""
    try:
        import_module("pyarrow")
    except ImportError:
        return False
    return True


def unreadable_cells(name: str) -> TableError:
    """The refusal of a column whose cells are of no kind that a table can hold."""
    return TableError(
        "A column holds cells of a kind that cannot be read.",
        where=column_words(name),
        allowed="numbers, text, booleans, dates, or lists and structures of them",
        received="other Python objects, or kinds that do not go together",
        todo="convert the column to text, or leave it out",
    )


def from_pandas(name: str, native: Any, order: list[str] | None) -> pl.Series:
    """A column of pandas; ``order`` holds its categories where they have an order."""
    if order is not None and len(order) < 2:  # nothing to put in order
        order, native = None, native.astype(object)
    if order is not None and not all(isinstance(one, str) for one in order):
        return _ordered(name, native, order)
    try:
        series = cast(pl.Series, pl.from_pandas(native)) if arrow_is_there() else _without_arrow(native)
    except Exception:  # of PyArrow or Polars, in many classes; their messages quote cells
        return _as_text(name, native.tolist(), native.isna().tolist())
    if isinstance(series.dtype, pl.BaseExtension):  # periods and intervals: numbers inside, text to the reader
        return _as_text(name, native.astype(str).tolist(), native.isna().tolist())
    if order is not None:
        return series.cast(pl.String).cast(pl.Enum(order)).alias(name)
    return series.alias(name)


def _ordered(name: str, native: Any, order: list[Any]) -> pl.Series:
    """Categories that are numbers, truth values or dates, in their order, as text."""
    words = [str(one) for one in order]
    cells = [None if code < 0 else words[code] for code in native.cat.codes]
    return pl.Series(name, cells, dtype=pl.Enum(words) if len(set(words)) == len(words) else pl.String)


def _as_text(name: str, cells: list[Any], missing: list[bool]) -> pl.Series:
    """Cells of several plain types as text."""
    if not all(gone or isinstance(cell, PLAIN_CELLS) for cell, gone in zip(cells, missing)):
        raise unreadable_cells(name)
    try:
        return pl.Series(name, [None if gone else str(cell) for cell, gone in zip(cells, missing)], dtype=pl.String)
    except UnicodeEncodeError:  # half a character
        raise unreadable_cells(name) from None


def _without_arrow(native: Any) -> pl.Series:
    """The same without PyArrow, told apart by what the type of a column has to offer."""
    kind = native.dtype
    missing = native.isna()
    if hasattr(kind, "categories"):
        codes = pl.Series(native.cat.codes.to_numpy()).cast(pl.Int64).replace(-1, None)
        return pl.Series(kind.categories.tolist()).gather(codes).cast(pl.Categorical, strict=False)
    if getattr(kind, "tz", None) is not None:
        moments = pl.Series(native.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        return moments.dt.replace_time_zone("UTC").dt.convert_time_zone(str(kind.tz))
    if hasattr(kind, "numpy_dtype"):  # nullable numbers and truth values
        whole = pl.Series(native.to_numpy(dtype=kind.numpy_dtype, na_value=kind.numpy_dtype.type(0)))
        return whole.set(pl.Series(missing.to_numpy()), None)
    if hasattr(kind, "freq") or hasattr(kind, "subtype"):  # periods and intervals
        return pl.Series([None if gone else str(cell) for cell, gone in zip(native, missing)], dtype=pl.String)
    if kind.kind in "biufmM":
        cells = native.to_numpy()
        coarse = kind.kind in "mM" and kind.str.endswith("[s]")
        return pl.Series(cells.astype(kind.str.replace("[s]", "[ms]")) if coarse else cells)
    held = pl.Series([None if gone else cell for cell, gone in zip(native.tolist(), missing.tolist())], strict=True)
    return held.cast(pl.String) if held.dtype == pl.Null else held


def to_pandas(pandas: Any, cells: pl.Series, like: Any | None) -> Any:
    """New cells as a column of pandas, stored as the column ``like`` is, where that can hold them."""
    kind = None if like is None else like.dtype
    if hasattr(kind, "pyarrow_dtype"):
        array = cells.to_arrow()
        array = array.cast("string") if cells.dtype == pl.String else array
        return pandas.Series(pandas.arrays.ArrowExtensionArray(array), name=cells.name)
    if isinstance(cells.dtype, pl.Enum):
        named = pandas.Categorical(cells.cast(pl.String).to_list(), list(cells.dtype.categories), ordered=True)
        return pandas.Series(named, name=cells.name)
    if cells.dtype == pl.Categorical:
        return pandas.Series(pandas.Categorical(cells.cast(pl.String).to_list()), name=cells.name)
    if cells.dtype == pl.String and kind is not None and kind.name.startswith("string"):
        return pandas.Series(cells.to_list(), dtype=kind, name=cells.name)
    if hasattr(kind, "numpy_dtype") and (cells.dtype.is_numeric() or cells.dtype == pl.Boolean):
        return pandas.Series(cells.to_list(), dtype=_nullable(cells.dtype), name=cells.name)
    if kind is not None and kind.kind == "O" and (cells.dtype == pl.Date or cells.null_count() == len(cells)):
        return pandas.Series(cells.to_list(), dtype=object, name=cells.name)
    made = cells.to_pandas() if arrow_is_there() else _as_numpy(pandas, cells)
    return _in_seconds(made, kind) if getattr(kind, "name", "") == "datetime64[s]" and made.dtype.kind == "M" else made


def _in_seconds(made: Any, kind: Any) -> Any:
    """Moments in whole seconds again, which Polars does not have, unless that would cut some."""
    coarse = made.astype(kind)
    return coarse if ((coarse == made) | made.isna()).all() else made


def _nullable(kind: pl.DataType) -> str:
    """The name that pandas has for a nullable type; those of Polars are spelt alike but for one."""
    return "boolean" if kind == pl.Boolean else str(kind)


def _as_numpy(pandas: Any, cells: pl.Series) -> Any:
    """Without PyArrow: a missing number is NaN, a missing moment NaT, anything else None."""
    kind = cells.dtype
    zone = kind.time_zone if isinstance(kind, pl.Datetime) else None
    if zone:
        moments = pandas.Series(cells.dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy())
        return moments.dt.tz_localize("UTC").dt.tz_convert(zone).rename(cells.name)
    if kind.is_numeric() and not kind.is_decimal():
        whole = cells if cells.null_count() == 0 or kind.is_float() else cells.cast(pl.Float64)
        return pandas.Series(whole.to_numpy(), name=cells.name)
    if isinstance(kind, pl.Date | pl.Datetime) or (kind == pl.Boolean and cells.null_count() == 0):
        return pandas.Series(cells.to_numpy(), name=cells.name)
    text = pandas.Series(["a"]).dtype if kind == pl.String else object
    return pandas.Series(cells.to_list(), dtype=text, name=cells.name)
