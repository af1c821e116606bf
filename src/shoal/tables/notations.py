# SPDX-License-Identifier: Apache-2.0
"""The notation of a column of a table, found out from its cells, and the question where they leave it open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import polars as pl

from shoal.ground.errors import TableError, column_words, flag_column
from shoal.tables.date_formats import FRACTION, date_format
from shoal.tables.detecting import NOTHING, Found, Told, found_in, strays
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.parsing import as_moments, as_numbers, number_pattern
from shoal.tables.table import TEXT_TYPES, Table

COMPACT = (18_000_101, 21_991_231)
"""Whole numbers that may be days: 1800-01-01 to 2199-12-31."""


def found_notation(table: Table, name: str, told: Told) -> Found:
    """How the numbers or dates of a column are written; nothing where its type tells."""
    column = table.frame.get_column(name)
    if told.decimal is None and table.decimal != PLAIN.decimal:
        told = replace(told, decimal=table.decimal)
    if column.dtype in TEXT_TYPES:
        return found_in(table.distinct_texts(name), told)
    if not column.dtype.is_integer() or told.kind == "numeric" or told.marks:
        return NOTHING
    ends = column.drop_nulls().cast(pl.Float64)
    if told.date_format is None and not (len(ends) and ends.is_between(*COMPACT).all()):
        return NOTHING
    found = found_in(table.distinct_texts(name), told)
    dated = found.notation is not None and found.notation.date_format
    return found if dated or found.choices else NOTHING


def found_in_labels(values: list[str], told: Told) -> Found:
    """The same of single values."""
    return found_in(pl.Series(values, dtype=pl.String).unique(), told)


def holds_whole_numbers(table: Table, name: str) -> bool:
    """Whether a column of text is one of plain whole numbers."""
    return table.is_text(name) and bool(table.distinct_texts(name).str.contains(r"^[+-]?[0-9]+$").all())


def stray_values(table: Table, name: str) -> list[str]:
    """The distinct cells that keep a column of text from being one of numbers or dates, if they are few."""
    return strays(table.distinct_texts(name)) if table.is_text(name) else []


def has_parts_of_microseconds(table: Table, name: str, notation: Notation | None) -> bool:
    """Whether the moments of a column are told more exactly than they are counted; text is read in a notation."""
    column = table.frame.get_column(name)
    if isinstance(column.dtype, pl.Datetime):
        return bool((column.dt.nanosecond() % 1000 != 0).any())
    if notation is None or not notation.date_format or column.dtype not in TEXT_TYPES:
        return False
    form = date_format(notation.date_format)
    if FRACTION not in form.whats:
        return False
    parts = table.distinct_texts(name).str.strip_chars().str.extract_groups(form.pattern).struct.field(FRACTION)
    return bool(parts.str.contains("^[0-9]{6}[0-9]*[1-9]").any())


def numbers_in(texts: Sequence[str], notation: Notation) -> list[float | None]:
    """Texts as the numbers of a notation; None for others."""
    cells = pl.Series(texts, dtype=pl.String)
    sound = cells.str.strip_chars().str.contains(number_pattern(notation.decimal, notation.thousands, codes=True))
    read = as_numbers(cells.zip_with(sound, pl.Series([None], dtype=pl.String)), notation)
    return read.cast(pl.Float64).to_list()


def days_in(texts: Sequence[str], notation: Notation) -> list[date | None]:
    """Texts as days of a notation, or in the form of ISO; None for others."""
    if not notation.date_format:
        return [_iso_day(text) for text in texts]
    read = as_moments(pl.Series(texts, dtype=pl.String), date_format(notation.date_format))
    return read.cast(pl.Date).to_list()


def _iso_day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


def open_question(name: str, found: Found, otherwise: str = "") -> TableError:
    """The refusal to guess how a column is written, with what to say."""
    flag = flag_column(name)
    otherwise = f"or {otherwise or f'--kind {flag}=categorical'}"
    if found.mixed:
        return TableError(
            "The cells of a column look like numbers or dates, but no one way to read them fits all.",
            where=column_words(name),
            allowed="numbers or dates that are all written in one way",
            received=found.mixed,
            todo=f"write them in one way, mark those that mean missing with --na, {otherwise}",
        )
    what = "The cells of a column can be read in several ways, and nothing says which is meant."
    if any(isinstance(choice, str) for choice in found.choices):
        what = "The years of a column have two digits, and nothing says in which hundred years they lie."
    elif len(found.choices) == 1:
        what = "The cells of a column can be read as dates only in a way in which dates are hardly ever written."
    return TableError(
        what,
        where=column_words(name),
        allowed=" or ".join(f"dates {one}" if isinstance(one, str) else one.words for one in found.choices),
        received="cells that all fit each of these" if len(found.choices) > 1 else "cells that all fit this",
        todo=f"say which: {' or '.join(_flag(flag, choice) for choice in found.choices)}; {otherwise}",
    )


def _flag(column: str, choice: Notation | str) -> str:
    """The flag that chooses a notation."""
    if isinstance(choice, str):
        return f"--date-format '{column}={choice}' (or with another first year)"
    if choice.date_format:
        return f"--date-format {column}={choice.date_format}"
    if choice == PLAIN:
        return f"--decimal {column}=."
    return f"--thousands {column}={choice.thousands}" if choice.thousands else f"--decimal {column}={choice.decimal}"
