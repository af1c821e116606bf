# SPDX-License-Identifier: Apache-2.0
"""Columns that tell the rows apart: row numbers and identifiers left in a table that is to be published."""

from __future__ import annotations

import re

import numpy as np
import polars as pl

from shoal.tables.table import TEXT_TYPES, Table

FEWEST_ROWS = 3
"""In smaller tables nearly every column is all-distinct; a warning would say nothing."""

FEWEST_IN_A_ROW = 6
"""Rows from which on numbers in a row that begin anywhere, or leave even gaps, are no accident."""

FIRST_LOOK = 1000
"""Rows that are looked at first: nearly every harmless column of a long table repeats itself in them."""

NEARLY = 0.9
"""Share of different cells from which on a column nearly tells all rows apart."""
FEWEST_NEARLY = 20

_NUMBERED = re.compile(r"^(\D*)(\d{1,15})(\D*)$")


def numbers_rows(table: Table, name: str) -> bool:
    """Whether a column counts the rows, in any order.

    0..n-1 and 1..n are found in every table; counting from elsewhere, in even steps or behind a prefix
    (``P0001``, ``row 7``) from six rows on.
    """
    rows = len(table)
    column = table.frame.get_column(name)
    if rows < FEWEST_ROWS or column.null_count() or column.head(FIRST_LOOK).n_unique() < min(rows, FIRST_LOOK):
        return False
    numbers = _whole_numbers(column)
    if numbers is None and rows >= FEWEST_IN_A_ROW:
        numbers = _behind_a_prefix(column)
    if numbers is None:
        return False
    ordered = np.sort(numbers.to_numpy())
    steps = np.diff(ordered)
    if not steps[0] or (steps != steps[0]).any():
        return False
    plain = ordered[0] in (0, 1) and steps[0] == 1
    return bool(plain or rows >= FEWEST_IN_A_ROW)


def tells_rows_apart(table: Table, name: str) -> bool:
    """Whether a text or integer column is present in most rows and never says the same twice."""
    column = table.frame.get_column(name)
    present = column.drop_nulls()
    if len(table) < FEWEST_ROWS or 2 * len(present) <= len(table) or not _all_distinct(present.head(FIRST_LOOK)):
        return False
    return not _measures(table, name) and _all_distinct(present)


def nearly_tells_rows_apart(table: Table, name: str) -> bool:
    """Whether a text or integer column is present in most rows and says hardly anything twice."""
    column = table.frame.get_column(name)
    if not _countable(column) or 2 * (len(column) - column.null_count()) <= max(len(table), FEWEST_NEARLY):
        return False
    present = column.drop_nulls()
    return present.n_unique() >= NEARLY * len(present) and not _measures(table, name)


def _countable(column: pl.Series) -> bool:
    return column.dtype in TEXT_TYPES or column.dtype.is_integer()


def _all_distinct(column: pl.Series) -> bool:
    """Whether cells of text or whole numbers never repeat; other types are measurements and need not be looked at."""
    return _countable(column) and column.n_unique() == len(column)


def _whole_numbers(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_integer():
        return column.cast(pl.Int64, strict=False)
    if not (column.dtype in TEXT_TYPES or column.dtype.is_float()):
        return None
    text = column.cast(pl.String).str.replace(r"\.0+$", "")  # what pandas makes of numbers beside a missing cell
    numbers = text.cast(pl.Int64, strict=False)
    return numbers if numbers.null_count() == column.null_count() else None


def _behind_a_prefix(column: pl.Series) -> pl.Series | None:
    """The numbers of cells such as ``P0001`` if what stands before and after them is the same in all."""
    first = _NUMBERED.match(str(column[0])) if column.dtype in TEXT_TYPES else None
    if first is None:
        return None
    pattern = f"^{re.escape(first[1])}([0-9]{{1,15}}){re.escape(first[3])}$"
    numbers = column.cast(pl.String).str.extract(pattern, 1).cast(pl.Int64, strict=False)
    return None if numbers.null_count() else numbers


def _measures(table: Table, name: str) -> bool:
    """In an untyped file real numbers and dates are text too; distinct measurements are no identifiers."""
    column = table.frame.get_column(name)
    if column.dtype not in TEXT_TYPES or _whole_numbers(column) is not None:
        return False
    return table.natural_kind(name) in ("numeric", "date")
