# SPDX-License-Identifier: Apache-2.0
"""Questions to Parquet files that are too large to be read: DuckDB answers them within some memory; extra duckdb."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.errors import TableError
from shoal.ground.interrupts import interruptible, stopping_at_once
from shoal.tables.formats.duckdb import EXTRA, ArrowStream
from shoal.tables.streaming import refuse_other_parts, scanned
from shoal.tables.table import Table

SOURCE = "long_table"
SHARE = 0.5
"""Of the memory that may be used: DuckDB's own limit does not count all that it takes."""
PER_THREAD = 256 << 20
"""Bytes that are enough for a thread that counts; more would only be filled before anything goes to the disk."""


@contextmanager
def questions_to(files: Sequence[Path], memory: int, scratch: Path) -> Iterator[ParquetQueries]:
    """Ask files, which make one table, for as long as the block lasts; what does not fit memory goes to ``scratch``."""
    duckdb = library("duckdb", extra=EXTRA, what="Judging a table beyond memory")
    like = Table.of(scanned(files[0]).head(0).collect())
    refuse_other_parts(like, files, files[0])
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = min(int(memory * SHARE), PER_THREAD * threads)
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": f"{limit >> 20}MiB",
            "temp_directory": str(scratch),
            "threads": str(threads),
            "preserve_insertion_order": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
        },
    )
    try:
        listed = ", ".join(map(_literal, files))
        names = like.names
        columns = ", ".join(f"c{place}" for place in range(len(names)))
        connection.execute(
            f"create view {SOURCE}({columns}) as select * from read_parquet([{listed}], hive_partitioning = false)"
        )
        with interruptible(), stopping_at_once(connection.interrupt):
            yield ParquetQueries(connection, like)
    except (duckdb.OutOfMemoryException, duckdb.IOException):  # the other one where the disk is full
        raise TableError(
            "The table cannot be counted within the memory and the room on the disk that there are.",
            where=f"--memory, folder {str(scratch)!r}",
            allowed="memory and disk enough to group the rows of the table",
            received=f"{memory >> 20} MiB of memory",
            todo="allow more --memory, or a disk with more room: by -o, for check and measure by TMPDIR",
        ) from None
    finally:
        connection.close()


def _literal(file: Path) -> str:
    """A path in SQL, in which nothing is a pattern."""
    return "'" + re.sub(r"([*?[])", r"[\1]", str(file)).replace("'", "''") + "'"


class ParquetQueries:
    """One long table that answers questions, in which columns are called by their places.

    For DuckDB, ``Age`` and ``age`` are the same name; and no column may be called like what is counted.
    """

    def __init__(self, connection: Any, like: Table) -> None:
        self._connection, names = connection, like.names
        self._like = like.frame.schema
        described = connection.execute(f"describe {SOURCE}").fetchall()
        self.columns: dict[str, str] = {name: row[0] for name, row in zip(names, described, strict=True)}
        """What each column is called in SQL."""
        self._types = {name: row[1] for name, row in zip(names, described, strict=True)}

    def ask(self, statement: str) -> Table:
        """The rows of a query about ``SOURCE``."""
        return Table(pl.DataFrame(ArrowStream(self._connection.sql(statement))))

    def exact(self, name: str) -> str:
        """A column in SQL, of which cells are equal that are stored alike."""
        column = self.columns[name]
        return f"cast({column} as varchar)" if self._types[name] in ("FLOAT", "DOUBLE") else column

    def in_order(self, name: str, cells: pl.Series) -> pl.Series:
        """Cells of a column that were asked for, with their order if its type has one: SQL does not tell it."""
        kind = self._like[name]
        return (cells.cast(pl.String).cast(kind) if isinstance(kind, pl.Enum) else cells).alias(name)
