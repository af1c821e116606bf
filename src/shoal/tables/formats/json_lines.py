# SPDX-License-Identifier: Apache-2.0
"""JSON Lines: one object per line, as services and document stores export them.

Carries names, text, numbers, booleans, nested cells and missing cells (null, or a key that is absent). Dates are
written as ISO text, and a column of nothing but such text is read as dates. An object with other keys than the first
line's adds columns at the end. Cannot carry a table without rows, since the names stand in the rows.

Read: UTF-8, also packed (gz, bz2, xz, zst). Written: UTF-8, LF.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import polars as pl

from shoal.ground.errors import Refusal, TableError
from shoal.ground.json_text import json_text
from shoal.tables.columns import check_names
from shoal.tables.formats._compression import packing_of, unpacked, with_packings, write_packed
from shoal.tables.formats._plain_columns import canonical_text, plain_column, with_dates
from shoal.tables.quantities import EXACT_INTEGER
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = with_packings((".jsonl", ".ndjson"))
PACKED = True
LONG_INTEGER = rb"\s*:\s*-?[0-9]{16,}\s*[,}]"
KEEPS = "names, their order, numbers, text, booleans, nested cells, empty text beside missing cells"
LOSES = {
    "tables without rows": "refused: the names stand in the rows",
    "columns without cells": "come back without a type",
    "text that is a date": "comes back as a date",
    "size of numbers": "comes back as 64 bits",
    "decimals": "come back as real numbers, as text if they have too many digits",
    "categories": "come back as text",
    "order of categories": "gone",
    "time zones": "come back as text",
    "times and spans": "come back as text",
    "nanoseconds": "moments that have some come back as text",
    "infinite numbers": "their column comes back as text",
    "labels": "gone",
    "binary cells": "refused",
}
UNREADABLE = Refusal(
    TableError,
    "The file cannot be read as JSON Lines.",
    allowed='UTF-8 text with one object per line, such as {"age": 39, "sex": "m"}; columns of one type each',
    todo="export the table again; a list [...] of objects must be split into lines",
)


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file; only its packing matters, which its name tells."""
    where = f"file {str(path)!r}"
    stored = unpacked(path)
    if not stored.strip():
        raise UNREADABLE(where, "nothing but white space")
    try:
        frame = pl.read_ndjson(stored, infer_schema_length=None)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError):
        raise UNREADABLE(where, f"{len(stored)} bytes with a line that is something else") from None
    check_names(frame.columns, where, "rename the keys")
    _refuse_rounded(frame, stored, where)
    table = with_dates(Table.of(frame.select(_in_order(stored, frame.columns))))
    return table, replace(reading, compression=packing_of(path))


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a table, one object per row."""
    if not len(table):
        raise TableError(
            "A table without rows cannot be written as JSON Lines.",
            where=f"file {str(path)!r}",
            allowed="at least one row; the names of the columns stand in the rows",
            received="0 rows",
            todo="choose another format with --format",
        )
    shown = [_shown(table, name).alias(name) for name in table.names]
    content = io.BytesIO()
    pl.DataFrame(shown).write_ndjson(content)
    write_packed(path, content.getvalue())


def _shown(table: Table, name: str) -> pl.Series:
    column = table.frame.get_column(name)
    if column.dtype.is_nested() or column.dtype.is_integer() or column.dtype == pl.Null:
        return column
    plain = plain_column(table, name)
    return canonical_text(column if isinstance(plain.dtype, pl.Datetime) else plain)  # plain ones have no nanoseconds


def _refuse_rounded(frame: pl.DataFrame, stored: bytes, where: str) -> None:
    """Whole numbers beyond 2^53 beside fractions would be read as reals, which do not tell them apart."""
    for name, kind in frame.schema.items():
        large = kind.is_float() and bool((frame.get_column(name).abs() >= EXACT_INTEGER).any())
        if large and re.search(re.escape(json_text(name).encode()) + LONG_INTEGER, stored):
            raise TableError(
                "A column mixes fractions with whole numbers that are too large to be told apart beside them.",
                where=f"{where}, column {name!r}",
                allowed=f"whole numbers below 2^53 = {EXACT_INTEGER}, or nothing but whole numbers",
                received="larger ones beside fractions",
                todo="write the column as text",
            )


def _in_order(stored: bytes, names: list[str]) -> list[str]:
    """The names as they appear in the file; Polars shuffles those of wide tables."""
    seen: dict[str, None] = {}
    for line in io.BytesIO(stored):
        if len(seen) == len(names):
            break
        if line.strip():
            seen |= dict.fromkeys(json.loads(line))
    return list(seen)
