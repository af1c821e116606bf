# SPDX-License-Identifier: Apache-2.0
"""Whether a table must be cut: by what it would need in memory, and by what the plan says."""

from __future__ import annotations

from pathlib import Path

from shoal.ground.errors import PlanError
from shoal.ground.sizes import bytes_of
from shoal.plan.plan import Plan
from shoal.tables.databases import is_url
from shoal.tables.sources import Paths, format_and_files
from shoal.tables.streaming import PARQUET, cells_of_files

BYTES_PER_CELL = 120
"""That the whole flow takes about for a cell of the table, and for one of a quasi-identifier as much again."""
AT_LEAST = 1 << 29
"""Bytes that the libraries take, whatever the table."""


def must_be_cut(paths: Paths, plan: Plan) -> bool:
    """Whether the table is worked on in cells: a plan that says their size was so before, and is so again."""
    if plan.cell_rows is not None:
        return True
    allowed = bytes_of(plan.memory or "", "--memory")
    return needed(paths, plan) > allowed


def needed(paths: Paths, plan: Plan) -> int:
    """About the memory that the table would need as a whole."""
    _refuse_databases(paths, plan)
    format, files = format_and_files(paths)
    if format != PARQUET:  # text is read as text: about six times its size, and what is found out of it
        return AT_LEAST + BYTES_PER_CELL * sum(file.stat().st_size for file in files) // 8
    rows, columns = cells_of_files(files)
    return AT_LEAST + BYTES_PER_CELL * rows * (columns + len(plan.quasi_identifiers))


def refuse_other_targets(plan: Plan, to: Path | str | None) -> None:
    """Refuse to write a table that is cut anywhere but into Parquet: it never stands in memory as a whole."""
    if to is None and plan.format in (None, PARQUET):
        return
    raise PlanError(
        "A table that is cut is released as Parquet, in its folder only.",
        where="--format / [release] format" if to is None else "--to",
        allowed="Parquet in the release folder",
        received=f"format {plan.format!r}" if to is None else "the place of a database",
        todo="leave it out and load the Parquet file of the release, or give more --memory, without --cell-rows",
    )


def _refuse_databases(paths: Paths, plan: Plan) -> None:
    given = [paths] if isinstance(paths, str) or not isinstance(paths, list | tuple) else paths
    if any(is_url(one) for one in given):
        raise PlanError(
            "A table of a database cannot be cut.",
            where="--memory / [method] memory",
            allowed="files: Parquet of any size, others of which each fits memory",
            received="the address of a database",
            todo="export the table as Parquet, in one file or several, or leave out --memory",
        )
