# SPDX-License-Identifier: Apache-2.0
"""The whole flow over a table that is too large for the memory it may use.

    read: different cells of each column -> roles & hierarchies -> encode and cut -> cluster cell by cell (-> refine)
    -> write rows with their labels -> judge what was written -> measure -> report

Everything on the way lies in the private folder beside the target that a release is made in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from shoal.engine.kernels.compiler.preparing import watched
from shoal.engine.methods import check_rows
from shoal.ground.arrays import Floats
from shoal.ground.errors import PlanError
from shoal.ground.progress import Clock, Progress
from shoal.ground.sizes import in_words
from shoal.large.choosing import AT_LEAST, BYTES_PER_CELL
from shoal.large.classes import Cells, sorted_by_cell
from shoal.large.room import DiskRoom, text_bytes
from shoal.large.settling import Settled, columns_to_digest, settled
from shoal.large.writing import ReleasedRows
from shoal.plan.plan import Plan
from shoal.tables.sources import Paths, extension, format_and_files
from shoal.tables.streaming import PARQUET, LongTable, in_parts, long_table, write_parts

DISK_PER_CELL, DISK_PER_ROW = 12, 30
"""Bytes on disk that a cell takes on its way, packed, and a row with its codes, its class and its place."""
LARGER_CELLS = 2
"""How many times the rows of a usual cell one has that was surely joined."""
BYTES_PER_DIFFERENT = 400
"""Memory that a different cell of a column takes about, with its code, its text and its place."""


@dataclass(frozen=True, eq=False)
class Written:
    """A table that was written, and what is known of the run."""

    table: LongTable
    path: Path
    """The released table."""
    settled: Settled
    losses: Floats
    """[quasi-identifier] mean loss of a cell."""
    classes: int
    cells: int
    left_out: int
    """Rows that are not released."""
    formulas: Mapping[str, int]
    """Released cells of each column that would run as a formula."""
    timings: Mapping[str, float]

    @property
    def plan(self) -> Plan:
        """What was done, complete."""
        plan = self.settled.work.plan
        return replace(plan, format=released_format(plan, self.table))


def write_released(paths: Paths, asked: Plan, memory: int, scratch: Path, folder: Path, progress: Progress) -> Written:
    """Write the released table of a long one into a folder; what lies on the way is in the folder ``scratch``."""
    clock = Clock(progress, 0)
    clock.phase("read")
    room = DiskRoom(scratch)
    with room.told(text_bytes(format_and_files(paths)[1])):
        table = long_table(paths, asked.reading, scratch)
    names = table.first.names
    table.first.require(list(asked.columns), where="plan, or flags and keywords in its place")
    table.first.refuse_nested([name for name in names if name not in asked.removed])
    check_rows(len(table), asked.k)
    needed = len(table) * (DISK_PER_CELL * len(names) + DISK_PER_ROW)
    room.require(needed)
    with room.told(needed):
        return _written(table, asked, memory, scratch, folder, clock)


def _written(table: LongTable, asked: Plan, memory: int, scratch: Path, folder: Path, clock: Clock) -> Written:
    most = max(memory // BYTES_PER_DIFFERENT // 4, 1000)
    different = table.different_cells(columns_to_digest(asked, table.first.names), most, clock.progress)
    clock.phase("encode")
    decided = settled(different, table.first, replace(asked, reading=table.source.reading), leaves_out=True)
    work = decided.work
    with watched([work.method.cluster], clock.progress.prepare):
        records = sorted_by_cell(work, table, different, scratch, clock.progress)
        cells, rows = Cells(work, records, scratch), ReleasedRows(scratch, table, work.plan)
        _refuse_large_cells(cells.largest, work.plan, memory)
        clock.phase("cluster")
        for first, shown in cells.classes_made(clock.progress):
            rows.add_classes(first, shown)
    clock.phase("generalise")
    rows.add_rows(records, clock.progress)
    cells.close()
    clock.phase("write")
    format = released_format(work.plan, table)
    path = folder / f"table{extension(format, work.plan.reading)}"
    write_parts(rows.parts(clock.progress), path, format, work.plan.reading)
    losses = cells.losses / len(table)
    return Written(
        table, path, decided, losses, cells.classes, len(cells), cells.left_out, rows.formulas, clock.finish()
    )


def released_format(plan: Plan, table: LongTable) -> str:
    """The format of the release: the one that is asked for, else that of the input if it can be written in parts."""
    usual = table.source.format if in_parts(table.source.format) else PARQUET
    return plan.format or usual


def _refuse_large_cells(rows: int, plan: Plan, memory: int) -> None:
    """Refuse cells that had to be joined, because of what is asked of their private values, beyond all memory."""
    needed = BYTES_PER_CELL * rows * len(plan.quasi_identifiers)
    allowed = max(memory - AT_LEAST, memory // 2)
    if rows > LARGER_CELLS * (plan.cell_rows or 1) and needed > allowed:
        raise PlanError(
            "The models can be kept only in cells that do not fit the memory that may be used.",
            where="--memory, and the models of the plan",
            allowed=f"cells that take {in_words(allowed)} or less",
            received=f"a cell of {rows:,} rows, joined of smaller ones; about {in_words(needed)}",
            todo="allow more --memory, or ask less of the models (for t-closeness a larger t)",
        )
