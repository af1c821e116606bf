# SPDX-License-Identifier: Apache-2.0
"""New cells in the type of the column whose place they take: dates stay dates, in their zone and unit."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.tables.table import Table


def has_type(table: Table, name: str) -> bool:
    """Whether the numbers and dates of a column have a type, and are not text in some notation."""
    return not table.untyped and name not in table.notations


def in_type_of(table: Table, name: str, cells: Any, *, values: bool) -> Any:
    """Typed cells as close to the type of a column of the table as they can be; text is left alone.

    ``values`` says that the cells are values of the column and not labels, so that names keep their type, too. Only
    the categories that are shown stay in the type of an ordered column: a list of all would tell of rows that are not.
    """
    if table.untyped or not isinstance(cells, pl.Series):
        return cells
    kind, new = table.frame.schema[name], cells.dtype
    if isinstance(kind, pl.Datetime) and isinstance(new, pl.Datetime):
        return _moments(cells, kind)
    same = (kind.is_integer() and new.is_integer()) or (new.is_float() and (kind.is_float() or kind.is_decimal()))
    if same:
        return cells.cast(kind)
    return _names(cells, kind) if values and new == pl.String else cells


def _moments(cells: pl.Series, kind: pl.Datetime) -> pl.Series:
    """Moments in universal time, without a zone, as the column has them."""
    cells = cells.cast(pl.Datetime(kind.time_unit))
    if kind.time_zone is None:
        return cells
    return cells.dt.replace_time_zone("UTC").dt.convert_time_zone(kind.time_zone)


def _names(cells: pl.Series, kind: pl.DataType) -> pl.Series:
    """Names as the numbers, truth values or categories that they are in the column."""
    if kind == pl.Boolean:
        return cells == "true"
    if isinstance(kind, pl.Enum):
        shown = set(cells.drop_nulls().unique())
        return cells.cast(pl.Enum([name for name in kind.categories if name in shown]))
    if kind == pl.Date:
        return cells.str.to_date("%Y-%m-%d")
    if kind == pl.Categorical or kind.is_numeric():
        return cells.cast(kind)
    return cells


def written_moment(microseconds: int, zone: str) -> str:
    """A moment as text, in the time of a zone and with its distance from universal time.

    >>> written_moment(0, "Europe/Berlin")
    '1970-01-01T01:00:00+01:00'
    """
    written: str = _in_zone(microseconds, zone).dt.to_string("%Y-%m-%dT%H:%M:%S%.f%::z")[0]
    return written.removesuffix(":00")  # seconds of the distance, which only local times of old have


def zone_offset(microseconds: int, zone: str) -> int:
    """How many microseconds the clocks of a zone are ahead of universal time at a moment.

    >>> zone_offset(0, "Europe/Berlin") == 3_600_000_000
    True
    """
    moment = _in_zone(microseconds, zone)
    ahead: int = (moment.dt.base_utc_offset() + moment.dt.dst_offset()).dt.total_microseconds()[0]
    return ahead


def _in_zone(microseconds: int, zone: str) -> pl.Series:
    moment = pl.Series([microseconds], dtype=pl.Int64).cast(pl.Datetime("us")).dt.replace_time_zone("UTC")
    return moment.dt.convert_time_zone(zone)


def moments_from(numbers: Any, style: str, zone: str) -> Any:
    """Days or microseconds since 1970 (missing = NaN) as dates or moments; of a zone, if one is named."""
    whole = pl.Series(numbers, dtype=pl.Float64).fill_nan(None).round().cast(pl.Int64)
    if style == "date":
        return whole.cast(pl.Int32).cast(pl.Date)
    moments = whole.cast(pl.Datetime("us"))
    return moments.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else moments
