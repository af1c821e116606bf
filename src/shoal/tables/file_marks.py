# SPDX-License-Identifier: Apache-2.0
"""What a file carries besides its table: byte-order marks, and notes in its metadata."""

from __future__ import annotations

import codecs
from pathlib import Path

import polars as pl

MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
FOR_TYPES = {"ARROW:schema", "pandas"}
"""Notes that restore the types of columns."""


def begins_with_a_mark(path: Path) -> bool:
    """Whether a file begins with a byte-order mark; files that are not there do not."""
    try:
        with path.open("rb") as file:
            return file.read(3).startswith(MARKS)
    except OSError:
        return False


def notes_in(path: Path) -> int:
    """How many notes a Parquet file carries, those about types aside."""
    try:
        if not path.is_file() or not path.name.lower().endswith((".parquet", ".pq")):
            return 0
        return len(set(pl.read_parquet_metadata(path)) - FOR_TYPES)
    except (OSError, pl.exceptions.PolarsError):
        return 0
