# SPDX-License-Identifier: Apache-2.0
"""Columns that tell the rows apart: row numbers and identifiers left in a table that is to be published."""

from __future__ import annotations

import polars as pl

from shoal.tables.table import TEXT_TYPES, Table

FEWEST_ROWS = 3
"""In smaller tables nearly every column is all-distinct; a warning would say nothing."""


def numbers_rows(table: Table, name: str) -> bool:
    """Whether a column holds 0..n-1 or 1..n, each once, in any order."""
    rows = len(table)
    column = _whole_numbers(table.frame.get_column(name))
    if column is None or rows < FEWEST_ROWS or column.null_count():
        return False
    low, high = column.min(), column.max()
    return low in (0, 1) and high == low + rows - 1 and column.n_unique() == rows  # type: ignore[operator]


def tells_rows_apart(table: Table, name: str) -> bool:
    """Whether a text or integer column is present in most rows and never says the same twice."""
    column = table.frame.get_column(name)
    if not (column.dtype in TEXT_TYPES or column.dtype.is_integer()) or len(table) < FEWEST_ROWS:
        return False
    if table.untyped and _whole_numbers(column) is None and _is_number(table, name):
        return False
    present = column.drop_nulls()
    return 2 * len(present) > len(table) and present.n_unique() == len(present)


def _whole_numbers(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_integer():
        return column
    if column.dtype not in TEXT_TYPES:
        return None
    numbers = column.cast(pl.String).cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else None


def _is_number(table: Table, name: str) -> bool:
    """In an untyped file real numbers and dates are text too; distinct measurements are no identifiers."""
    return table.natural_kind(name) in ("numeric", "date")
