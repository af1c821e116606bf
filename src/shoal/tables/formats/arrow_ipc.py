# SPDX-License-Identifier: Apache-2.0
"""Arrow IPC: columns as they lie in memory, with their types (also known as Feather version 2).

Carries names, order, types (numbers, text, booleans, dates, decimals, categories, nested columns) and missing cells.
NaN is read as missing. Both the file and the stream form are read; the file form is written. Metadata of the file
beyond the types is not kept. Nested and binary columns are read and written but never released.

Written with zstd and a fixed size of batches, so that the same table gives the same bytes, and with nothing in the
file that is not a cell of the table.
"""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl

from shoal.tables.arrow_files import MAGIC
from shoal.tables.formats._columnar import read_columnar
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".arrow", ".feather", ".ipc")
KEEPS = "names, their order, every type, empty text beside missing cells"
LOSES = {"NaN": "comes back as missing", "labels": "gone"}
ROWS_PER_BATCH = 1 << 18


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file; the settings for delimited text do not matter."""
    return read_columnar(path, _parse, "Arrow IPC"), reading


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a table with its types."""
    with path.open("wb") as file:
        _bare(table.frame).write_ipc(file, compression="zstd", record_batch_size=ROWS_PER_BATCH)


def _bare(frame: pl.DataFrame) -> pl.DataFrame:
    """The same frame with nothing in memory but its cells.

    Arrow IPC writes memory as it lies. Under a missing cell there may still lie the value that was there before, and
    beside the texts those of rows that were left out; they would be published. Parquet stores cells only, so a pass
    through it leaves nothing else.
    """
    cells = io.BytesIO()
    frame.write_parquet(cells, compression="lz4", statistics=False)
    cells.seek(0)
    return pl.read_parquet(cells).rechunk()


def _parse(stored: io.BytesIO) -> pl.DataFrame:
    if stored.getvalue().startswith(MAGIC):
        return pl.read_ipc(stored)
    return pl.read_ipc_stream(stored)
