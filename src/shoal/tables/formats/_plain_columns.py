# SPDX-License-Identifier: Apache-2.0
"""Columns in the few plain types that every format knows, and the way back from what such a format makes of them.

Plain are Int64, Float64, Boolean, String, Date and Datetime. What has no plain type is written as the text that a CSV
file would show: the value is kept, the type is not. Nested and binary cells have no such text and are refused.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from shoal.tables.quantities import EXACT_INTEGER
from shoal.tables.table import CALENDAR, Table

CANONICAL_DATE = r"^\d{4}-\d{2}-\d{2}$"
CANONICAL_MOMENT = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?$"
WHOLE_SECONDS, FRACTIONS, FINEST = (f"%Y-%m-%dT%H:%M:%S{parts}" for parts in ("", "%.6f", "%.9f"))


def plain_column(table: Table, name: str) -> pl.Series:
    """A column as one of the plain types."""
    column = table.frame.get_column(name)
    kind = column.dtype
    if kind in (pl.Boolean, pl.String):
        return column
    if kind.is_integer():
        exact = column.drop_nulls().cast(pl.Int128).is_between(1 - EXACT_INTEGER, EXACT_INTEGER - 1).all()
        return column.cast(pl.Int64) if exact else table.texts(name)
    if kind.is_float() or kind.is_decimal():
        numbers = column.cast(pl.Float64).fill_nan(None)
        return table.texts(name) if numbers.is_infinite().any() or rounds(column) else numbers
    if kind == pl.Date and _in_calendar(column.cast(pl.Int32)):
        return column
    if isinstance(kind, pl.Datetime) and kind.time_zone is None and _in_calendar(column.dt.epoch("d")):
        return column.dt.cast_time_unit("us")
    return table.texts(name)


def rounds(column: pl.Series) -> bool:
    """Whether decimals have more digits than a real number keeps."""
    return column.dtype.is_decimal() and not (column.cast(pl.Float64).cast(column.dtype) == column).all()


def canonical_text(column: pl.Series) -> pl.Series:
    """Dates and moments as text; other columns as they are.

    :func:`with_dates` recognises the text, but for moments with parts of microseconds, which it leaves as they are.
    """
    if column.dtype == pl.Date:
        return column.dt.to_string("%Y-%m-%d")
    if isinstance(column.dtype, pl.Datetime):
        parts = column.dt.nanosecond()
        if (parts % 1000 != 0).any():
            return column.dt.to_string(FINEST)
        return column.dt.to_string(FRACTIONS if (parts != 0).any() else WHOLE_SECONDS)
    return column


def with_dates(table: Table) -> Table:
    """The table with the text columns that hold nothing but canonical dates or moments as such."""
    texts = [column for column in table.frame.get_columns() if column.dtype == pl.String]
    return replace(table, frame=table.frame.with_columns(map(dated, texts)))


def dated(text: pl.Series) -> pl.Series:
    """Text as dates or moments if every cell is one in canonical form."""
    distinct = text.drop_nulls().unique()
    if not len(distinct):
        return text
    for pattern, kind in ((CANONICAL_DATE, pl.Date()), (CANONICAL_MOMENT, pl.Datetime("us"))):
        if distinct.str.contains(pattern).all():
            form = "%Y-%m-%d" if kind == pl.Date else "%Y-%m-%dT%H:%M:%S%.f"
            read = text.str.strptime(kind, form, strict=False)
            return read if read.null_count() == text.null_count() else text
    return text


def whole_numbers(column: pl.Series) -> pl.Series:
    """Real numbers as whole ones if all of them are."""
    present = column.drop_nulls()
    if not len(present) or not column.dtype.is_float():
        return column
    whole = (present == present.floor()).all() and (present.abs() < EXACT_INTEGER).all()
    return column.cast(pl.Int64) if whole else column


def _in_calendar(days: pl.Series) -> bool:
    return bool(days.drop_nulls().is_between(*CALENDAR).all())
