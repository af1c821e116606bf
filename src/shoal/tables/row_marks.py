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

DENSE = 0.5
"""Share of the numbers of a range from which on different ones are no accident."""
FEWEST_DENSE = 60
"""Rows from which on that is so."""
LONG_NUMBER = 10**9
FEWEST_EVEN, EVEN = 100, 1.95
"""Numbers from which on evenness can be told, and the limit that evenly drawn ones pass once in a thousand tables."""

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


def fills_its_range(table: Table, name: str) -> bool:
    """Whether whole numbers, behind a prefix or not, never repeat and yet leave less than half of their range free.

    Of numbers drawn or measured so close together some would be equal: none is with a chance of e^(-n/4).
    """
    present = table.frame.get_column(name).drop_nulls()
    first = present.head(FIRST_LOOK)
    if len(present) < FEWEST_DENSE or 2 * len(present) <= len(table) or first.n_unique() < len(first):
        return False
    numbers = _whole_numbers(present)
    numbers = _behind_a_prefix(present) if numbers is None else numbers
    return numbers is not None and numbers.n_unique() == len(numbers) and _dense(np.sort(numbers.to_numpy()))


def _dense(ordered: np.ndarray) -> bool:
    """Whether different numbers fill half of their range, in steps of what all their distances have in common."""
    steps = int(np.gcd.reduce(np.diff(ordered))) if len(ordered) > 1 else 1
    return len(ordered) >= DENSE * ((float(ordered[-1]) - float(ordered[0])) / max(steps, 1) + 1)


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


def given_out(table: Table, name: str) -> bool:
    """Whether the cells of a column that tells rows apart were given out, as keys are, and not measured.

    Text is. Whole numbers are where they fill their range, have one length and leading zeros, are too long for
    quantities or lie evenly over their range, as drawn keys do and amounts do not.
    """
    column = table.frame.get_column(name).drop_nulls()
    numbers = _whole_numbers(column)
    if numbers is None or not len(numbers):
        return column.dtype in TEXT_TYPES and not _measures(table, name)
    ordered = np.unique(numbers.drop_nulls().to_numpy())
    if not len(ordered) or _dense(ordered) or np.median(np.abs(ordered.astype(np.float64))) >= LONG_NUMBER:
        return True  # none: longer than 64 bits
    return _padded(column) or _evenly_spread(ordered)


def code_width(table: Table, name: str) -> int | None:
    """Number of digits that all whole numbers of a column have; 0 if they differ, None if there are real numbers."""
    numbers = _whole_numbers(table.frame.get_column(name).drop_nulls())
    if numbers is None:
        return None
    widths = numbers.drop_nulls().cast(pl.String).str.len_chars().unique().to_list()
    return int(widths[0]) if len(widths) == 1 else 0


def _padded(column: pl.Series) -> bool:
    """Whether numbers are written with leading zeros."""
    return column.dtype in TEXT_TYPES and bool(column.cast(pl.String).str.contains(r"^0\d").any())


def _evenly_spread(ordered: np.ndarray) -> bool:
    """Whether numbers lie as evenly over their range as drawn ones do (Kolmogorov and Smirnov)."""
    if len(ordered) < FEWEST_EVEN:
        return False
    place = (ordered - ordered[0]) / float(ordered[-1] - ordered[0])
    expected = np.arange(len(ordered)) / (len(ordered) - 1)
    return bool(np.abs(place - expected).max() * np.sqrt(len(ordered)) < EVEN)


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


def _too_long(column: pl.Series) -> bool:
    """Whether most cells are whole numbers of so many digits that nobody measured them."""
    long = column.drop_nulls().cast(pl.String).str.contains(r"^[+-]?\d{17,}$")
    return 2 * int(long.sum()) > len(long)


def _measures(table: Table, name: str) -> bool:
    """In an untyped file real numbers and dates are text too; distinct measurements are no identifiers."""
    column = table.frame.get_column(name)
    if column.dtype not in TEXT_TYPES or _whole_numbers(column) is not None or _too_long(column):
        return False
    return table.natural_kind(name) in ("numeric", "date")
