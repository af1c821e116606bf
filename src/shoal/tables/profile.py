# SPDX-License-Identifier: Apache-2.0
"""A first look at a table, quick on long ones: how many values, which rows agree, is it the same table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.ground.errors import TableError
from shoal.ground.missing_words import says_nothing
from shoal.tables.detecting import NOTHING, Told, found_in
from shoal.tables.table import TEXT_TYPES, Table, as_texts

MOST_MARKS = 20
"""Words among numbers; a column of more is one of words."""


@dataclass(frozen=True)
class Spread:
    """Whole numbers of a column, at a glance."""

    low: float
    high: float
    rising: bool
    """Whether every number is larger than the one in the row before."""
    falling: bool
    """Whether some number is smaller than the one in the row before."""


def distinct_values(table: Table, name: str) -> int:
    """Different values of a column, missing ones left out."""
    column = table.frame.get_column(name)
    nested = column.dtype.is_nested() or column.dtype == pl.Object
    return int(column.n_unique() if nested else len(table.different(name)[1])) - bool(column.null_count())


def tally(table: Table, name: str, most: int) -> list[tuple[str, int]]:
    """The different cells of a column as text, sorted, and in how many rows each is; none if there are more of them.

    >>> tally(Table.from_columns({"sex": ["m", "f", None, "m"]}), "sex", 2)
    [('f', 1), ('m', 2)]
    """
    if distinct_values(table, name) > most:
        return []
    codes, texts = table.codes(name)
    return list(zip(texts, np.bincount(codes[codes >= 0], minlength=len(texts)).tolist()))


def readable(table: Table, name: str) -> bool:
    """Whether the cells of a column can be shown as text at all."""
    try:
        as_texts(table.frame.get_column(name).head(1))
    except TableError:
        return False
    return True


def fingerprints(table: Table, name: str) -> NDArray[np.uint64]:
    """A number per row, the same for the same cells; only to be compared within one run."""
    column = table.frame.get_column(name)
    return column.hash(seed=0).to_numpy()


def fingerprint(table: Table) -> str:
    """A short text that changes with any cell, name or type of a table, and tells nothing about them.

    >>> fingerprint(Table.from_columns({"a": ["x"]})) == fingerprint(Table.from_columns({"a": ["y"]}))
    False
    """
    frame = table.frame
    digest = hashlib.sha256(repr([(name, str(kind)) for name, kind in frame.schema.items()]).encode())
    digest.update(f"{table.untyped} {table.decimal} {frame.height}".encode())
    for column in frame.get_columns():
        digest.update(column.hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()


def whole_numbers(table: Table, name: str) -> Spread | None:
    """The spread of a column of whole numbers, as numbers of any type or as text; None if it holds anything else."""
    column = table.frame.get_column(name).drop_nulls()
    if column.dtype in TEXT_TYPES:
        plain = column.cast(pl.String)
        if not len(plain) or not plain.head(100).str.contains(r"^[+-]?\d{1,18}(?:\.0)?$").all():
            return None
        column = plain.str.strip_suffix(".0").cast(pl.Int64, strict=False)
        if column.null_count():
            return None
    if not column.dtype.is_numeric() or not len(column):
        return None
    if column.dtype.is_float() and not (column == column.floor()).all():
        return None
    numbers = column.cast(pl.Float64)
    steps = np.diff(numbers.to_numpy())
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    return Spread(low, high, bool((steps > 0).all()), bool((steps < 0).any()))


def marks_among_numbers(table: Table) -> list[str]:
    """Texts for missing cells that keep columns of a file without types from being numbers or dates."""
    marks: dict[str, None] = {}
    for name in table.names if table.untyped else []:
        column = table.frame.get_column(name).drop_nulls()
        words = column.filter(~column.str.contains("[0-9]")).unique()
        said = [text for text in words if says_nothing(text)] if len(words) <= MOST_MARKS else []
        if not said:
            continue
        values = column.unique()
        others = found_in(values.filter(~values.is_in(said)), Told(None if table.decimal == "." else table.decimal))
        if others != NOTHING:
            marks |= dict.fromkeys(sorted(said))
    return list(marks)
