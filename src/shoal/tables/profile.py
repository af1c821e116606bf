# SPDX-License-Identifier: Apache-2.0
"""A first look at the columns of a table, quick on long ones: how many values, which rows agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.tables.table import TEXT_TYPES, Table

MARKS = ("?", "NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "-", ".", "#N/A", "unknown")
"""Texts that programs write for missing cells."""


@dataclass(frozen=True)
class Spread:
    """Whole numbers of a column, at a glance."""

    low: float
    high: float
    rising: bool
    """Whether every number is larger than the one in the row before."""


def distinct_values(table: Table, name: str) -> int:
    """Different values of a column, missing ones left out."""
    column = table.frame.get_column(name)
    return int(column.n_unique()) - bool(column.null_count())


def readable(table: Table, name: str) -> bool:
    """Whether the cells of a column can be shown as text at all."""
    try:
        table.select([name]).take(np.arange(min(len(table), 1))).texts(name)
    except TableError:
        return False
    return True


def fingerprints(table: Table, name: str) -> NDArray[np.uint64]:
    """A number per row, the same for the same cells; only to be compared within one run."""
    column = table.frame.get_column(name)
    return column.hash(seed=0).to_numpy()


def whole_numbers(table: Table, name: str) -> Spread | None:
    """The spread of a column of whole numbers, in numbers or text; None if it holds anything else."""
    column = table.frame.get_column(name).drop_nulls()
    if column.dtype in TEXT_TYPES:
        plain = column.cast(pl.String)
        if not len(plain) or not plain.head(100).str.contains(r"^[+-]?\d{1,18}$").all():
            return None
        column = plain.cast(pl.Int64, strict=False)
        if column.null_count():
            return None
    if not column.dtype.is_integer() or not len(column):
        return None
    numbers = column.cast(pl.Float64)
    steps = np.diff(numbers.to_numpy())
    return Spread(float(numbers.min()), float(numbers.max()), bool((steps > 0).all()))  # type: ignore[arg-type]


def marks_among_numbers(table: Table) -> list[str]:
    """Texts for missing cells that keep columns of a file without types from being numbers or dates."""
    found: dict[str, None] = {}
    for name in table.names if table.untyped else []:
        column = table.frame.get_column(name)
        if not column.is_in(MARKS).any():
            continue
        values = column.drop_nulls().unique()
        marks = values.filter(values.is_in(MARKS))
        others = values.filter(~values.is_in(MARKS))
        if (
            len(marks)
            and len(others)
            and Table(pl.DataFrame([others]), True, table.decimal).natural_kind(name)
            in (
                "numeric",
                "date",
            )
        ):
            found |= dict.fromkeys(sorted(marks.to_list()))
    return list(found)
