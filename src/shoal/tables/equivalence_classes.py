# SPDX-License-Identifier: Apache-2.0
"""Rows of a released table that look alike: the judges' own view of its classes.

Two rows are alike on some columns if they show the same cells there. A missing cell is a value like any other
(it equals a missing cell and nothing else), so a row that is unique by its missing cell is a class of one.
:func:`wildcard_class_sizes` is the other reading, in which a missing cell may stand for any value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.tables.table import Table

Ints = NDArray[np.int64]


def classes(table: Table, columns: Sequence[str]) -> Ints:
    """Class number of each row, numbered by first row; no columns means one class.

    >>> classes(Table.of(pl.DataFrame({"sex": ["f", None, "f", None, "m"]})), ["sex"]).tolist()
    [0, 1, 0, 1, 2]
    """
    cells = _cells(table, columns)
    if not columns or not len(table):
        return np.zeros(len(table), dtype=np.int64)
    rows = cells.with_row_index("row").group_by(cells.columns, maintain_order=True).agg("row")
    members = rows.get_column("row")
    numbers = np.empty(len(table), dtype=np.int64)
    numbers[members.explode(empty_as_null=False).to_numpy()] = np.repeat(np.arange(len(rows)), members.list.len())
    return numbers


def class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    """How many rows look like each row, itself included."""
    cells = _cells(table, columns)
    if not columns or not len(table):
        return np.full(len(table), len(table), dtype=np.int64)
    return cells.select(pl.len().over(cells.columns)).to_series().cast(pl.Int64).to_numpy()


def wildcard_class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    """How many rows match each row when a missing cell, on either side, matches anything.

    Matching is symmetric but not transitive, so these are neighbourhoods rather than classes. Rows are grouped by
    *which* of their cells are missing; two such groups are compared on the columns that both have, by one join.
    """
    alike = classes(table, columns)
    if not columns or not len(table):
        return np.full(len(table), len(table), dtype=np.int64)
    cells = _cells(table, columns)
    _, first, count = np.unique(alike, return_index=True, return_counts=True)
    distinct = cells[first].with_columns(pl.Series("rows", count), pl.int_range(len(first)).alias("class"))
    matches = np.zeros(len(first), dtype=np.int64)
    groups = _by_present_columns(distinct, cells.columns)
    for present, group in groups.items():
        matches[group.get_column("class").to_numpy()] = _matches(group, present, groups)
    return matches[alike]


def has_missing(table: Table, columns: Iterable[str]) -> bool:
    """Whether any cell of these columns is missing."""
    return any(table.frame.get_column(name).null_count() for name in columns)


def _cells(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """The columns under neutral names, so that no name can clash with ours."""
    table.require(columns, where="quasi-identifiers")
    for name in columns:
        kind = table.frame.schema[name]
        if kind.is_nested() or kind == pl.Object:
            raise TableError(
                "A quasi-identifier holds nested cells, which cannot be compared.",
                where=f"column {name!r}",
                allowed="numbers, text, booleans, dates",
                received=f"type {kind}",
                todo="unpack it into plain columns",
            )
    return table.frame.select(pl.col(name).alias(str(place)) for place, name in enumerate(columns))


def _by_present_columns(distinct: pl.DataFrame, names: Sequence[str]) -> dict[tuple[str, ...], pl.DataFrame]:
    flags = [pl.col(name).is_null().alias(f"no {name}") for name in names]
    parts = distinct.with_columns(flags).partition_by(
        [f"no {name}" for name in names], as_dict=True, include_key=False, maintain_order=True
    )
    return {
        tuple(name for name, absent in zip(names, key, strict=True) if not absent): part for key, part in parts.items()
    }


def _matches(group: pl.DataFrame, present: tuple[str, ...], groups: dict[tuple[str, ...], pl.DataFrame]) -> Ints:
    """Matching rows of each class of one group; groups that share the same columns with it are joined at once."""
    by_shared: dict[tuple[str, ...], list[pl.DataFrame]] = {}
    for others, part in groups.items():
        shared = tuple(name for name in present if name in others)
        by_shared.setdefault(shared, []).append(part.select(*shared, "rows"))
    total = np.zeros(len(group), dtype=np.int64)
    for shared, parts in by_shared.items():
        candidates = pl.concat(parts)
        if not shared:
            total += int(candidates.get_column("rows").sum())
            continue
        counted = candidates.group_by(shared).agg(pl.col("rows").sum())
        joined = group.select(shared).join(counted, on=shared, how="left", maintain_order="left")
        total += joined.get_column("rows").fill_null(0).to_numpy()
    return total
