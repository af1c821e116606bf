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

from shoal.ground.arrays import Flags, Ints, first_places
from shoal.ground.errors import TableError, column_words
from shoal.tables.columns import grouped
from shoal.tables.table import Table

WORK_OF_A_JOIN = 2_000_000
"""Comparisons of two cells that take as long as one small join."""

LARGEST_NUMBER = 2**62
"""What the product of the numbers of different cells stays below."""

BLOCK = 10_000_000
"""Pairs of rows that are compared at once."""


def classes(table: Table, columns: Sequence[str]) -> Ints:
    """Class number of each row, numbered by first row; no columns means one class.

    >>> classes(Table.of(pl.DataFrame({"sex": ["f", None, "f", None, "m"]})), ["sex"]).tolist()
    [0, 1, 0, 1, 2]
    """
    found = table.once(("classes", *columns), lambda: _classes(table, columns).astype(np.int32))
    return found.astype(np.int64)  # type: ignore[no-any-return]


def _classes(table: Table, columns: Sequence[str]) -> Ints:
    _check_cells(table, columns)
    numbers, count = np.zeros(len(table), dtype=np.int64), 1
    for name in columns:  # all at once take several times their memory
        numbers, count = _refined(numbers, count, *table.different(name))
    return _renumbered(numbers)[0]


def smallest_class(table: Table, alike: Ints, columns: Sequence[str]) -> int:
    """Size of the smallest class of a table with rows, once these columns are known beside those of some classes.

    Columns after those that single out a row cannot make it smaller and are not looked at.
    """
    smallest = int(np.bincount(alike).min())
    _check_cells(table, columns)
    for name in columns:
        if smallest == 1:
            break
        alike = _renumbered(_refined(alike, int(alike.max()) + 1, *table.different(name))[0])[0]
        smallest = int(np.bincount(alike).min())
    return smallest


def _refined(numbers: Ints, count: int, place: Ints, shown: Ints) -> tuple[Ints, int]:
    """Class numbers, and what they are below, once one more column is known; may leave gaps."""
    if count * len(shown) >= LARGEST_NUMBER:
        numbers, count = _renumbered(numbers)
    return numbers * len(shown) + place, count * len(shown)


def class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    """How many rows look like each row, itself included."""
    alike = classes(table, columns)
    return np.bincount(alike)[alike]


def wildcard_class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    """How many rows match each row when a missing cell, on either side, matches anything.

    Matching is symmetric but not transitive, so these are neighbourhoods rather than classes. Rows are grouped by
    *which* of their cells are missing. A large group is counted by joins on the columns it shares with the others, a
    small one by comparing it with every distinct row, whichever is less work.
    """
    found = table.once(("wildcard sizes", *columns), lambda: _wildcard_class_sizes(table, columns).astype(np.int32))
    return found.astype(np.int64)  # type: ignore[no-any-return]


def _wildcard_class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    alike = classes(table, columns)
    if not columns or not len(table):
        return np.full(len(table), len(table), dtype=np.int64)
    cells = _cells(table, columns)
    first, count = first_places(alike), np.bincount(alike)
    codes = _codes(Table(cells[first]))
    pattern_of = classes(Table(pl.DataFrame(codes > 0)), [f"column_{place}" for place in range(len(columns))])
    patterns = (codes > 0)[first_places(pattern_of)]
    members = np.split(np.argsort(pattern_of, kind="stable"), np.cumsum(np.bincount(pattern_of))[:-1])
    matches = np.empty(len(first), dtype=np.int64)
    for present, rows in zip(patterns, members, strict=True):
        fewest_joins = min(len(patterns), 2 ** int(present.sum()))
        direct = len(rows) * len(codes) * int(present.sum())
        if direct < fewest_joins * WORK_OF_A_JOIN:
            matches[rows] = _compared(codes[:, present], count, rows)
        else:
            shared, number = np.unique(patterns & present, axis=0, return_inverse=True)
            matches[rows] = _joined(codes, count, rows, shared, number.ravel()[pattern_of])
    return matches[alike]


def complete_class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    """The class sizes if every row with a missing cell is left out, as tools do that drop such rows; 0 for those rows.

    No guarantee follows from them: the rows that are left out are published all the same.
    """
    found = table.once(("complete sizes", *columns), lambda: _complete_class_sizes(table, columns).astype(np.int32))
    return found.astype(np.int64)  # type: ignore[no-any-return]


def _complete_class_sizes(table: Table, columns: Sequence[str]) -> Ints:
    whole = ~np.any([table.missing(name) for name in columns], axis=0) if columns else np.ones(len(table), dtype=bool)
    return np.where(whole, class_sizes(table, columns), 0)  # alike: all of them have missing cells, or none


def has_missing(table: Table, columns: Iterable[str]) -> bool:
    """Whether any cell of these columns is missing."""
    return any(table.frame.get_column(name).null_count() for name in columns)


def _cells(table: Table, columns: Sequence[str]) -> pl.DataFrame:
    """The columns under neutral names, so that no name can clash with ours."""
    _check_cells(table, columns)
    return table.frame.select(pl.col(name).alias(str(place)) for place, name in enumerate(columns))


def _check_cells(table: Table, columns: Sequence[str]) -> None:
    """Refuse columns that are not there, or whose cells cannot be compared."""
    table.require(columns, where="quasi-identifiers")
    for name in columns:
        kind = table.frame.schema[name]
        if kind.is_nested() or kind == pl.Object:
            what = "A quasi-identifier holds nested cells, which cannot be compared."
            allowed, todo = "numbers, text, booleans, dates", "unpack it into plain columns"
            raise TableError(what, column_words(name), allowed, f"type {kind}", todo)


def _renumbered(numbers: Ints) -> tuple[Ints, int]:
    """The same classes under numbers without gaps, by first row, and how many there are."""
    places, rows = grouped(pl.Series(numbers))
    return places, len(rows)


def _codes(cells: Table) -> Ints:
    """One small number per different cell of a column; 0 is missing."""
    numbered = [np.where(cells.missing(name), 0, classes(cells, [name]) + 1) for name in cells.names]
    return np.column_stack(numbered)


def _compared(codes: Ints, count: Ints, rows: Ints) -> Ints:
    """Matching rows of some distinct rows that have all of these columns, by comparison with every distinct row."""
    matching = np.empty(len(rows), dtype=np.int64)
    step = max(1, BLOCK // len(codes))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        match = np.ones((len(block), len(codes)), dtype=bool)
        for cell in codes.T:
            match &= (cell == cell[block][:, None]) | (cell == 0)
        matching[start : start + step] = [count[row].sum() for row in match]
    return matching


def _joined(codes: Ints, count: Ints, rows: Ints, shared: Flags, number: Ints) -> Ints:
    """Matching rows of the distinct rows of one pattern: one join per set of columns that it shares with others.

    ``shared`` holds those sets, ``number`` the set that each distinct row shares with the pattern.
    """
    names = [str(place) for place in range(codes.shape[1])]
    frame = pl.DataFrame(codes, schema=names).with_columns(pl.Series("rows", count))
    group, total = frame[rows], np.zeros(len(rows), dtype=np.int64)
    candidates = frame.with_columns(pl.Series("set", number)).partition_by("set", as_dict=True, include_key=False)
    for (place,), part in candidates.items():
        on = [name for name, is_shared in zip(names, shared[place], strict=True) if is_shared]
        if not on:
            total += int(part.get_column("rows").sum())
            continue
        counted = part.group_by(on).agg(pl.col("rows").sum())
        matching = group.select(on).join(counted, on=on, how="left", maintain_order="left")
        total += matching.get_column("rows").fill_null(0).to_numpy()
    return total
