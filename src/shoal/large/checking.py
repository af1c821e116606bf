# SPDX-License-Identifier: Apache-2.0
"""Judging Parquet files within some memory: classes are counted, and no row is looked at by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from shoal.ground.errors import PlanError
from shoal.ground.sizes import bytes_of
from shoal.judging.by_counts import judged, measured
from shoal.judging.evidence import Measurement
from shoal.judging.verdicts import Verdict
from shoal.large.counting import CountedParquet
from shoal.plan.plan import Plan
from shoal.releases.folder import described
from shoal.releases.inspection import problems_of
from shoal.tables.parquet_queries import questions_to
from shoal.tables.sources import Paths, format_and_files
from shoal.tables.streaming import PARQUET


def check_files(paths: Paths, plan: Plan, k: int | None, memory: str) -> Verdict:
    """Judge a table in Parquet files, within so much memory."""
    return _counted(_parquet(paths), plan, k, memory)[0]


def check_folder(folder: Path, planned: Callable[[Plan], Plan], memory: str) -> tuple[Verdict, list[str], Path]:
    """Judge a release folder: the verdict on its table, what does not fit its manifest, and where the table is."""
    base, kind, files = described(folder)
    plan = planned(base)
    if plan.format != PARQUET or kind.several:
        return check_files(files, plan, plan.k, memory), [], files[0]
    verdict, rows = _counted(files, plan, plan.k, memory)
    return verdict, problems_of(folder, base, kind, {files[0]: rows}), files[0]


def measure_files(original: Paths, released: Paths, plan: Plan, memory: str) -> tuple[Measurement, ...]:
    """What was lost between two tables in Parquet files, within so much memory: what needs no rows."""
    share = bytes_of(memory, "--memory") // 2
    with (
        TemporaryDirectory(prefix="shoal-") as scratch,
        questions_to(_parquet(original), share, Path(scratch)) as before,
        questions_to(_parquet(released), share, Path(scratch)) as after,
    ):
        return measured(CountedParquet(before), CountedParquet(after), plan)


def _parquet(paths: Paths) -> list[Path]:
    """The files of a table, all of them Parquet."""
    format, files = format_and_files(paths)
    if format != PARQUET:
        raise PlanError(
            "Only Parquet is counted within a limit of memory.",
            where="--memory",
            allowed="Parquet files; a database counts by itself (check --in-database)",
            received=f"files of format {format!r}",
            todo="leave out --memory, or write the table as Parquet",
        )
    return files


def _counted(files: list[Path], plan: Plan, k: int | None, memory: str) -> tuple[Verdict, int]:
    allowed = bytes_of(memory, "--memory")
    with TemporaryDirectory(prefix="shoal-") as scratch, questions_to(files, allowed, Path(scratch)) as asked:
        table = CountedParquet(asked)
        return judged(table, plan, k), table.rows
