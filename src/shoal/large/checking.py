# SPDX-License-Identifier: Apache-2.0
"""Judging files within some memory: classes are counted, and no row is looked at by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from shoal.ground.errors import PlanError
from shoal.ground.writing import scratch_folder
from shoal.judging.by_counts import judged, measured
from shoal.judging.evidence import Measurement
from shoal.judging.verdicts import Verdict
from shoal.large.choosing import memory_of
from shoal.large.counting import CountedParquet
from shoal.large.room import temporary, text_bytes
from shoal.plan.plan import Plan
from shoal.releases.folder import described
from shoal.releases.inspection import problems_of
from shoal.tables.parquet_queries import ParquetQueries, questions_to
from shoal.tables.reading import Reading
from shoal.tables.sources import Paths, format_and_files
from shoal.tables.streaming import PARQUET, in_parts, long_table


def check_files(paths: Paths, plan: Plan, k: int | None, memory: str) -> Verdict:
    """Judge a table in files, within so much memory."""
    with scratch_folder() as scratch:
        return _counted(as_parquet(paths, plan.reading, scratch), plan, k, memory, scratch)[0]


def check_folder(folder: Path, planned: Callable[[Plan], Plan], memory: str) -> tuple[Verdict, list[str], Path]:
    """Judge a release folder: the verdict on its table, what does not fit its manifest, and where the table is."""
    base, kind, files = described(folder)
    plan = planned(base)
    if kind.several:
        return check_files(files, plan, plan.k, memory), [], files[0]
    with scratch_folder() as scratch:
        verdict, rows = _counted(read_back(files[0], plan, scratch), plan, plan.k, memory, scratch)
    return verdict, problems_of(folder, base, kind, {files[0]: rows}), files[0]


def measure_files(original: Paths, released: Paths, plan: Plan, memory: str) -> tuple[Measurement, ...]:
    """What was lost between two tables in files, within so much memory: what needs no rows."""
    return _measured(original, released, plan, memory)[0]


def measure_folder(original: Paths, folder: Path, plan: Plan, memory: str) -> tuple[tuple[Measurement, ...], list[str]]:
    """The same of a release folder, and what does not fit its manifest."""
    base, kind, files = described(folder)
    found, rows = _measured(original, files, plan, memory)
    return found, [] if kind.several else problems_of(folder, base, kind, {files[0]: rows})


def _measured(original: Paths, released: Paths, plan: Plan, memory: str) -> tuple[tuple[Measurement, ...], int]:
    share = memory_of(memory) // 2
    with scratch_folder() as scratch:
        first = as_parquet(original, plan.reading, scratch / "before")
        second = as_parquet(released, plan.reading.as_written() if plan.format else plan.reading, scratch / "after")
        with questions_to(first.files, share, scratch) as before, questions_to(second.files, share, scratch) as after:
            left = second.counted(after)
            return measured(first.counted(before), left, plan), left.rows


class AsParquet(NamedTuple):
    """A table in Parquet files."""

    files: Sequence[Path]
    untyped: bool
    """Whether they hold the text of others."""

    def counted(self, files: ParquetQueries) -> CountedParquet:
        """The table for the judge, while its files are asked."""
        return CountedParquet(files, untyped=self.untyped)


def read_back(file: Path, plan: Plan, scratch: Path) -> AsParquet:
    """The table of a release as its file is read, in Parquet."""
    return as_parquet([file], plan.reading.as_written(), scratch / "judged")


def as_parquet(paths: Paths, reading: Reading, stage: Path) -> AsParquet:
    """The files of a table in Parquet; delimited text is read in parts, and written so to a folder that is made."""
    format, files = format_and_files(paths)
    if format == PARQUET:
        return AsParquet(files, untyped=False)
    if in_parts(format):
        stage.mkdir(exist_ok=True)
        with temporary(stage).told(text_bytes(files)):
            return AsParquet(long_table(paths, reading, stage).files, untyped=True)
    raise PlanError(
        "Only Parquet and delimited text are counted within a limit of memory.",
        where="--memory",
        allowed="Parquet files, delimited text; a database counts by itself (check --in-database)",
        received=f"files of format {format!r}",
        todo="leave out --memory, or write the table as Parquet",
    )


def _counted(table: AsParquet, plan: Plan, k: int | None, memory: str, scratch: Path) -> tuple[Verdict, int]:
    with questions_to(table.files, memory_of(memory), scratch) as asked:
        counted = table.counted(asked)
        return judged(counted, plan, k), counted.rows
