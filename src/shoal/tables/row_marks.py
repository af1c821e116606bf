# SPDX-License-Identifier: Apache-2.0
"""Columns that tell the rows apart: row numbers and identifiers left in a table that is to be published."""

from __future__ import annotations

import polars as pl

from shoal.tables.table import TEXT_TYPES, Table

FEWEST_ROWS = 3
"""In smaller tables nearly every column is all-distinct; a warning would say nothing."""

FIRST_LOOK = 1000
"""Rows that are looked at first: nearly every harmless column of a long table repeats itself in them."""


def numbers_rows(table: Table, name: str) -> bool:
    """Whether a column holds 0..n-1 or 1..n, each once, in any order."""
    rows = len(table)
    column = table.frame.get_column(name)
    if rows < FEWEST_ROWS or column.null_count() or not _all_distinct(column.head(FIRST_LOOK)):
        return False
    numbers = _whole_numbers(column)
    if numbers is None:
        return False
    low, high = int(numbers.min()), int(numbers.max())  # type: ignore[arg-type]
    return low in (0, 1) and high == low + rows - 1 and _all_distinct(numbers)


def tells_rows_apart(table: Table, name: str) -> bool:
    """Whether a text or integer column is present in most rows and never says the same twice."""
    column = table.frame.get_column(name)
    present = column.drop_nulls()
    if len(table) < FEWEST_ROWS or 2 * len(present) <= len(table) or not _all_distinct(present.head(FIRST_LOOK)):
        return False
    if column.dtype in TEXT_TYPES and _whole_numbers(column) is None and _measures(table, name):
        return False
    return _all_distinct(present)


def _all_distinct(column: pl.Series) -> bool:
    """Whether cells of text or whole numbers never repeat; other types are measurements and need not be looked at."""
    return (column.dtype in TEXT_TYPES or column.dtype.is_integer()) and column.n_unique() == len(column)


def _whole_numbers(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_integer():
        return column
    numbers = column.cast(pl.String).cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else None


def _measures(table: Table, name: str) -> bool:
    """In an untyped file real numbers and dates are text too; distinct measurements are no identifiers."""
    return table.natural_kind(name) in ("numeric", "date")
