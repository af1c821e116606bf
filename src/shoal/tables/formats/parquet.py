# SPDX-License-Identifier: Apache-2.0
"""Parquet: compressed columns with their types, the format for long tables.

Carries names, order, types (numbers, text, booleans, dates, decimals, categories, nested columns) and missing cells.
NaN is read as missing. Metadata of the file beyond the types is not kept. Nested and binary columns are read and
written but never released.

Written with zstd and fixed sizes of groups and pages, so that the same table gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.tables.formats._columnar import read_columnar
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".parquet", ".pq")
KEEPS = "names, their order, every type, empty text beside missing cells"
LOSES = {"NaN": "comes back as missing", "labels": "gone"}
ROWS_PER_GROUP = 1 << 18
BYTES_PER_PAGE = 1 << 20


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file; the settings for delimited text do not matter."""
    return read_columnar(path, pl.read_parquet, "Parquet"), reading


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a table with its types."""
    with path.open("wb") as file:
        table.frame.rechunk().write_parquet(
            file, compression="zstd", compression_level=3, row_group_size=ROWS_PER_GROUP, data_page_size=BYTES_PER_PAGE
        )
