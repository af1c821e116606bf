# SPDX-License-Identifier: Apache-2.0
"""What travels with a table besides its values: formulas in text cells, byte-order marks, notes in metadata.

A spreadsheet may run a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return; plain numbers
such as ``-5`` are harmless. The plan says whether such cells, and names of columns, are kept or get an apostrophe in
front. One that has apostrophes before the formula already gets one more, so that no two different cells become alike
and whoever takes one apostrophe away has the cells as they were.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from shoal.ground.arrays import Ints
from shoal.tables.columns import different
from shoal.tables.table import TEXT_TYPES, Table

DANGEROUS = r"^[=+\-@\t\r]"
QUOTED = r"^'+[=+\-@\t\r]"
HARMLESS = r"^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$"
MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DUCKDB = b"DUCK"
"""Behind eight bytes that are a checksum, which may happen to be a mark."""
FOR_TYPES = {"ARROW:schema", "pandas"}
"""Notes that restore the types of columns."""


def formula_cells(table: Table) -> dict[str, int]:
    """How many cells of each column would run as a formula; columns without any are left out.

    >>> formula_cells(Table(pl.DataFrame({"note": ["=1+1", "-5", "fine"]})))
    {'note': 1}
    """
    counts = {name: int(_dangerous(column, *table.different(name)).sum()) for name, column in _texts(table).items()}
    return {name: count for name, count in counts.items() if count}


def prefix_formulas(table: Table) -> Table:
    """The same table with an apostrophe before such cells; a categorical column that has any becomes text."""
    changed = []
    for name, column in _texts(table).items():
        marked = _dangerous(column, *table.different(name), quoted=True)
        if marked.any():
            text = column.cast(pl.String)
            changed.append(("'" + text).zip_with(marked, text).alias(name))
    return replace(table, frame=table.frame.with_columns(changed)) if changed else table


def without_prefixes(table: Table) -> Table:
    """The same table as it was before :func:`prefix_formulas`; a column that had such cells stays text."""
    cells = {name: table.frame.get_column(name).cast(pl.String) for name in prefixed_columns(table)}
    bare = [text.str.strip_prefix("'").zip_with(text.str.contains(QUOTED), text) for text in cells.values()]
    return replace(table, frame=table.frame.with_columns(bare)) if bare else table


def prefixed_columns(table: Table) -> list[str]:
    """Columns with cells that begin like a formula behind apostrophes, as :func:`prefix_formulas` leaves them."""
    return [name for name, column in _texts(table).items() if column.cast(pl.String).str.contains(QUOTED).any()]


def prefixed_names(names: Sequence[str]) -> list[str]:
    """The names of columns with an apostrophe before those that would run.

    >>> prefixed_names(["age", "=1+1", "'=1+1", "-5"])
    ['age', "'=1+1", "''=1+1", '-5']
    """
    column = pl.Series(list(names), dtype=pl.String)
    marked = _dangerous(column, *different(column), quoted=True)
    return [f"'{name}" if guarded else name for name, guarded in zip(names, marked)]


def _texts(table: Table) -> dict[str, pl.Series]:
    frame = table.frame
    return {name: frame.get_column(name) for name in frame.columns if frame.schema[name] in TEXT_TYPES}


def _dangerous(column: pl.Series, numbers: Ints, rows: Ints, *, quoted: bool = False) -> pl.Series:
    """Which cells would run, or would without their apostrophes; only the different ones are looked at."""
    text = column.gather(rows).cast(pl.String)
    text = text.str.strip_chars_start("'") if quoted else text
    return (text.str.contains(DANGEROUS) & ~text.str.contains(HARMLESS)).fill_null(False).gather(numbers)


def begins_with_a_mark(path: Path) -> bool:
    """Whether a file begins with a byte-order mark; files that are not there do not."""
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError:
        return False
    return head.startswith(MARKS) and not head.endswith(DUCKDB)


def notes_in(path: Path) -> int:
    """How many notes a Parquet file carries, those about types aside."""
    try:
        if not path.is_file() or not path.name.lower().endswith((".parquet", ".pq")):
            return 0
        return len(set(pl.read_parquet_metadata(path)) - FOR_TYPES)
    except (OSError, pl.exceptions.PolarsError):
        return 0
