# SPDX-License-Identifier: Apache-2.0
"""A table that is read some rows at a time, and written so: Parquet files whose rows never stand in memory together.

Other formats are turned into Parquet on the way in, delimited text some records at a time; of others each file must fit
memory by itself.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.errors import OutputError, TableError, listed
from shoal.ground.limits import refuse_no_file
from shoal.tables.columns import check_names
from shoal.tables.digest import DifferentCells
from shoal.tables.formats.parquet import BYTES_PER_PAGE, ROWS_PER_GROUP
from shoal.tables.reading import Reading
from shoal.tables.sources import (
    Paths,
    Source,
    format_and_files,
    read_in_parts,
    refuse_other_columns,
    with_missing,
    write_table,
)
from shoal.tables.table import Table

AT_ONCE = 1 << 19
"""Rows that are read together."""
LOOKED_AT = 20_000
"""Rows of the beginning that are looked at as rows."""
PARQUET = "parquet"
NUMBER = "\0number"
"""Beside the columns of rows that wait in a bucket; nobody has a column of that name."""


@dataclass(frozen=True)
class Stretch:
    """Some rows of one file."""

    file: Path
    begin: int
    rows: int


@dataclass(frozen=True, eq=False)
class LongTable:
    """Parquet files that make one table, in their order."""

    files: tuple[Path, ...]
    first: Table
    """Its first rows, with what is told of the table."""
    source: Source
    """How it was read; its table is ``first``."""

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """All rows, in parts that are read together."""
        found = []
        for file in self.files:
            rows = pl.scan_parquet(file, glob=False).select(pl.len()).collect().item()
            found += [Stretch(file, begin, min(AT_ONCE, rows - begin)) for begin in range(0, rows, AT_ONCE)]
        return tuple(found)

    def __len__(self) -> int:
        return sum(one.rows for one in self.stretches)

    def read(self, stretch: Stretch, names: Sequence[str]) -> Table:
        """Some rows with some columns."""
        part = pl.scan_parquet(stretch.file, glob=False).select(names).slice(stretch.begin, stretch.rows).collect()
        return with_missing(replace(self.first, frame=Table.of(part).frame), self.source.reading.na)

    def different_cells(
        self, names: Sequence[str], most: int, told: Callable[[int, int], object]
    ) -> dict[str, DifferentCells]:
        """The different cells of some columns; refuses a column that has more than ``most``."""
        found: dict[str, DifferentCells] = {}
        for number, stretch in enumerate(self.stretches):
            part = self.read(stretch, names).frame
            for name in names:
                cells, counts = part[name].value_counts(name=NUMBER).get_columns()
                rows = counts.to_numpy().astype(np.int64)
                if name in found:
                    cells = pl.concat([found[name].cells, cells])
                    rows = np.concatenate([found[name].rows, rows])
                found[name] = DifferentCells.of(cells, rows)
                if len(found[name].cells) > most:
                    raise _too_many(name, most)
            told(number + 1, len(self.stretches))
        return found


def _too_many(name: str, most: int) -> TableError:
    return TableError(
        "A quasi-identifier has too many different values for the memory that may be used.",
        where=f"column {name!r}",
        allowed=f"at most {most:,} different values",
        received="more",
        todo="allow more --memory, or round the column first: seconds to days, cents to whole amounts",
    )


# -- reading -------------------------------------------------------------------------------------------------


def cells_of_files(files: Sequence[Path]) -> tuple[int, int]:
    """Rows and columns of Parquet files, of which nothing but the end is read."""
    rows = sum(int(scanned(file).select(pl.len()).collect().item()) for file in files)
    return rows, len(scanned(files[0]).collect_schema())


def long_table(paths: Paths, reading: Reading, stage: Path) -> LongTable:
    """Open files as one long table; what is no Parquet is written as such into the folder ``stage``."""
    format, files = format_and_files(paths)
    if format == PARQUET:
        parts, like = tuple(files), Table.of(scanned(files[0]).head(0).collect())
    else:
        parts, like, reading = _staged(files, format, reading, stage)
    refuse_other_parts(like, parts, files[0])
    check_names(like.names, f"file {str(files[0])!r}", "rename the columns")
    _refuse_signs_of_ours(like.names, files[0])
    beginning = Table.of(scanned(parts[0]).head(LOOKED_AT).collect())
    first = with_missing(replace(like, frame=beginning.frame), reading.na)
    return LongTable(parts, first, Source(first, format, reading, tuple(files)))


def _refuse_signs_of_ours(names: Sequence[str], file: Path) -> None:
    """Refuse names that may be those of what is kept beside the columns on the way."""
    odd = [place + 1 for place, name in enumerate(names) if "\0" in name]
    if odd:
        raise TableError(
            "Some columns have a NUL sign in their name.",
            where=f"file {str(file)!r}, columns {listed(odd)}",
            allowed="names without NUL signs, where a table is cut",
            received=f"{len(odd)} names with one",
            todo="rename the columns",
        )


def refuse_other_parts(like: Table, parts: Sequence[Path], first: Path) -> None:
    """Refuse parts whose columns are not those of the first one: whoever reads them would guess or leave cells out."""
    for part in parts[1:]:
        refuse_other_columns(like, Table(scanned(part).head(0).collect()), first, part)


def scanned(file: Path) -> pl.LazyFrame:
    """A Parquet file, of which nothing is read yet but its schema."""
    refuse_no_file(file, f"file {str(file)!r}", TableError)
    try:
        found = pl.scan_parquet(file, glob=False)
        found.collect_schema()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        raise TableError(
            "The file cannot be read as Parquet.",
            where=f"file {str(file)!r}",
            allowed="a complete Parquet file with column names that differ",
            received="bytes that are damaged or something else",
            todo="check the extension, or export the table again",
        ) from None
    return found


def lazily(file: Path, reading: Reading) -> pl.LazyFrame:
    """A table that was written with a reading, in Parquet or as text, of which nothing is read yet but its names."""
    if file.suffix == ".parquet":
        return scanned(file)
    format = format_and_files(file)[0]

    def parts(
        names: list[str] | None, where: pl.Expr | None, rows: int | None, _: int | None = None
    ) -> Iterator[pl.DataFrame]:
        left = rows
        for table, _reading in read_in_parts(file, reading.as_written(), format):
            part = table.frame if left is None else table.frame.head(left)
            left = None if left is None else left - len(part)
            part = part if where is None else part.filter(where)
            yield part if names is None else part.select(names)
            if left == 0:
                return

    first = next(parts(None, None, 0))
    return register_io_source(parts, schema=first.schema)


def _staged(
    files: Sequence[Path], format: str, reading: Reading, stage: Path
) -> tuple[tuple[Path, ...], Table, Reading]:
    """Files of another format as Parquet, some records at a time where that can be; and what is told of their table."""
    parts: list[Path] = []
    like, known = None, reading
    for file in files:
        for table, completed in read_in_parts(file, known, format):
            known = completed
            like = like or replace(table, frame=table.frame.head(0))
            refuse_other_columns(like, table, files[0], file)
            parts.append(stage / f"input-{len(parts):06}.parquet")
            with _no_room():
                write_table(table, parts[-1], PARQUET)
    assert like is not None
    return tuple(parts), like, known


# -- writing -------------------------------------------------------------------------------------------------


class Buckets:
    """Rows on their way into an order of their own: set down by bucket, taken up bucket by bucket.

    Every bucket is a file that rows are added to, as runs of Arrow of which the lengths are kept. Each row has a number
    beside it.
    """

    def __init__(self, folder: Path, name: str, many: int) -> None:
        self._files = [folder / f"{name}-{number:06}" for number in range(many)]
        self._runs: list[list[int]] = [[] for _ in range(many)]

    def add(self, table: Table, numbers: Ints, bucket: Ints) -> None:
        """Set down numbered rows, each in its bucket."""
        frame = pl.DataFrame([pl.Series(NUMBER, numbers), *table.frame.get_columns()])
        order = np.argsort(bucket, kind="stable")
        ends = np.cumsum(np.bincount(bucket, minlength=len(self._files))).tolist()
        moved = frame[order]
        for number, (begin, end) in enumerate(pairwise([0, *ends])):
            if end > begin:
                run = io.BytesIO()
                moved.slice(begin, end - begin).write_ipc_stream(run, compression="lz4")
                with self._files[number].open("ab") as file:
                    self._runs[number].append(file.write(run.getbuffer()))

    def take(self, number: int) -> tuple[Table, Ints] | None:
        """The rows of a bucket and their numbers, of which the file is gone afterwards; None if there are none."""
        if not (runs := self._runs[number]):
            return None
        with self._files[number].open("rb") as file:
            frame = pl.concat([pl.read_ipc_stream(io.BytesIO(file.read(length))) for length in runs])
        self._files[number].unlink()
        return Table(frame.drop(NUMBER)), frame[NUMBER].to_numpy()


def side_by_side(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """Some of the columns of several tables of as many rows."""
    return Table(pl.concat([table.frame for table in tables if table.names], how="horizontal").select(names))


def write_part(table: Table, path: Path) -> None:
    """Rows as a file of Arrow, to be read again soon."""
    with _no_room():
        table.frame.write_ipc(path, compression="lz4")


def in_parts(format: str) -> bool:
    """Whether tables can be written in a format that never stand in memory as a whole."""
    return format == PARQUET or hasattr(catalog.load("formats", format), "write_parts")


def write_parts(parts: Sequence[Path], path: Path, format: str, reading: Reading) -> None:
    """One file of the rows of several parts, in their order, as a table in memory would be written."""
    with _no_room():
        if format != PARQUET:
            tables = (Table(pl.read_ipc(part)) for part in parts)
            catalog.load("formats", format).write_parts(tables, path, reading)
            return
        pl.scan_ipc(list(parts), glob=False).sink_parquet(
            path, compression="zstd", compression_level=3, row_group_size=ROWS_PER_GROUP, data_page_size=BYTES_PER_PAGE
        )


@contextmanager
def _no_room() -> Iterator[None]:
    """Whatever Polars says where it cannot write, as the system says it; the words of others may quote cells."""
    try:
        yield
    except (pl.exceptions.PolarsError, OutputError):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
