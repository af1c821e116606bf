# SPDX-License-Identifier: Apache-2.0
"""Questions to Parquet files that are too large to be read: DuckDB answers them within some memory; extra duckdb."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.errors import TableError
from shoal.tables.formats.duckdb import EXTRA, ArrowStream
from shoal.tables.sql import quoted
from shoal.tables.table import Table

SOURCE = "long_table"
SHARE = 0.5
"""Of the memory that may be used: DuckDB's own limit does not count all that it takes."""


@contextmanager
def questions_to(files: Sequence[Path], memory: int, scratch: Path) -> Iterator[ParquetQueries]:
    """Ask files, which make one table, for as long as the block lasts; what does not fit memory goes to ``scratch``."""
    duckdb = library("duckdb", extra=EXTRA, what="Judging a table beyond memory")
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": f"{int(memory * SHARE) >> 20}MiB",
            "temp_directory": str(scratch),
            "threads": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1),
            "preserve_insertion_order": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        },
    )
    try:
        listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
        connection.execute(f"create view {SOURCE} as select * from read_parquet([{listed}])")
        yield ParquetQueries(connection)
    except duckdb.OutOfMemoryException:
        raise TableError(
            "The table cannot be counted within the memory and the room on the disk that there are.",
            where=f"--memory, folder {str(scratch)!r}",
            allowed="memory and disk enough to group the rows of the table",
            received=f"{memory >> 20} MiB of memory",
            todo="allow more --memory, or choose a folder on a disk with more room with -o",
        ) from None
    finally:
        connection.close()


class ParquetQueries:
    """One long table that answers questions."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        described = connection.execute(f"describe {SOURCE}").fetchall()
        self.types: dict[str, str] = {row[0]: row[1] for row in described}

    def ask(self, statement: str) -> Table:
        """The rows of a query about ``SOURCE``."""
        return Table(pl.DataFrame(ArrowStream(self._connection.sql(statement))))

    def exact(self, name: str) -> str:
        """A column in SQL, of which cells are equal that are stored alike."""
        column = quoted((name,))
        return f"cast({column} as varchar)" if self.types[name] in ("FLOAT", "DOUBLE") else column
