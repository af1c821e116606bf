# SPDX-License-Identifier: Apache-2.0
"""The different cells of each column in place of all rows: what a table too large for memory is understood by.

A *digest* is a table that shows every different cell of some columns of another, the i-th of each column in its i-th
row (short columns begin anew below their last), and knows how many rows have each. Whatever is decided column by
column (kinds, notations, trees, coordinates, shares of private values) is decided on the digest, by the code that
decides it for tables that fit; a row of the table itself is then a *code* per column: the row of the digest that shows
its cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.ground.arrays import Ints, SmallCodes
from shoal.tables.table import DATE_TYPES, TEXT_TYPES, Table, settled

DENSE = 1 << 16
"""Whole numbers whose range is no wider are looked up by their place."""


@dataclass(frozen=True, eq=False)
class DifferentCells:
    """The different cells of a column, in ascending order and missing last, and how many rows have each."""

    cells: pl.Series
    rows: Ints

    @classmethod
    def of(cls, cells: pl.Series, rows: Ints) -> DifferentCells:
        """Count cells in any order, some of which may stand there several times (found in several parts)."""
        counted = pl.DataFrame({"cell": settled(cells), "rows": pl.Series(rows, dtype=pl.Int64)})
        counted = counted.group_by("cell").agg(pl.col("rows").sum()).sort("cell", nulls_last=True)
        return cls(counted["cell"].rename(cells.name), counted["rows"].to_numpy())

    @property
    def missing(self) -> int:
        """How many cells are missing."""
        return int(self.rows[-1]) if self.cells.null_count() else 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest type that holds all codes."""
        return np.min_scalar_type(max(len(self.cells) - 1, 0))

    def codes(self, column: pl.Series) -> SmallCodes:
        """The code of each cell of a part of the column."""
        present, last = self.cells.drop_nulls(), len(self.cells) - 1
        if column.dtype in TEXT_TYPES:
            found = column.cast(pl.String).cast(pl.Enum(present.cast(pl.String))).to_physical()
        elif (column.dtype.is_numeric() and not _is_wide(column.dtype)) or column.dtype in DATE_TYPES:
            found = _places(present.to_physical(), settled(column).to_physical())
        else:
            numbered = pl.DataFrame({"cell": present, "code": np.arange(len(present))})
            found = pl.DataFrame({"cell": column}).join(numbered, on="cell", how="left", maintain_order="left")["code"]
        return found.fill_null(last).to_numpy().astype(self.dtype)


def _is_wide(kind: pl.DataType) -> bool:
    """Whether numbers have more bits than NumPy can hold."""
    return kind.is_decimal() or kind in (pl.Int128, pl.UInt128)


def _places(present: pl.Series, column: pl.Series) -> pl.Series:
    """Where each number stands among the different ones; missing stays missing."""
    if present.is_empty():
        return pl.Series([None], dtype=pl.UInt32).new_from_index(0, len(column))
    known, wanted = present.to_numpy(), column.fill_null(present[0]).to_numpy()
    if present.dtype.is_integer() and int(known[-1]) - int(known[0]) < DENSE:
        place = np.zeros(int(known[-1]) - int(known[0]) + 1, dtype=np.uint32)
        known, wanted = known.astype(np.uint64), wanted.astype(np.uint64)  # negative ones wrap, differences are right
        place[known - known[0]] = np.arange(len(known))
        found = place[wanted - known[0]]
    else:
        found = np.searchsorted(known, wanted).astype(np.uint32)
    return pl.select(pl.when(column.is_not_null()).then(pl.Series(found))).to_series()


def digest(facts: Mapping[str, DifferentCells], like: Table) -> Table:
    """The table of all different cells; ``like`` holds a few rows of the table itself and all that is told of it."""
    longest = max(len(one.cells) for one in facts.values())
    shown = {name: one.cells.gather(np.arange(longest) % len(one.cells)) for name, one in facts.items()}
    rows = {name: np.where(np.arange(longest) < len(one.rows), np.resize(one.rows, longest), 0)
            for name, one in facts.items()}  # fmt: skip
    return replace(like, frame=pl.DataFrame(shown), stands_for=rows)


def rows_meant(table: Table) -> int:
    """How many rows a table stands for: a digest for those of its table, any other for its own."""
    held = next(iter(table.stands_for.values()), None)
    return len(table) if held is None else int(held.sum())
