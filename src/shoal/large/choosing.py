# SPDX-License-Identifier: Apache-2.0
"""Whether a table must be cut: by what it would need in memory, and by what the plan says."""

from __future__ import annotations

from pathlib import Path

from shoal.ground.errors import PlanError
from shoal.ground.sizes import bytes_of, in_words
from shoal.large.room import text_bytes
from shoal.plan.plan import Plan
from shoal.tables.databases import is_url
from shoal.tables.sources import Paths, format_and_files
from shoal.tables.streaming import PARQUET, cells_of_files, in_parts

BYTES_PER_CELL = 120
"""That the whole flow takes about for a cell of the table, and for one of a quasi-identifier as much again."""
AT_LEAST = 1 << 29
"""Bytes that the libraries take, whatever the table."""


def must_be_cut(paths: Paths, plan: Plan) -> bool:
    """Whether the table is worked on in cells: a plan that says their size was so before, and is so again."""
    allowed = None if plan.memory is None else memory_of(plan.memory)
    if plan.cell_rows is not None or allowed is None:
        return plan.cell_rows is not None
    return needed(paths, plan) > allowed


def memory_of(size: str) -> int:
    """The bytes that may be used; refused are fewer than any run takes, however small its table."""
    allowed = bytes_of(size, "--memory")
    if allowed < AT_LEAST:
        raise PlanError(
            "That is less memory than the libraries take before the first row is read.",
            where="--memory / [method] memory",
            allowed=f"{in_words(AT_LEAST)} or more",
            received=in_words(allowed),
            todo="allow more, such as --memory 4GiB",
        )
    return allowed


def needed(paths: Paths, plan: Plan) -> int:
    """About the memory that the table would need as a whole."""
    _refuse_databases(paths, plan)
    format, files = format_and_files(paths)
    if format != PARQUET:  # text is read as text: about six times its size, and what is found out of it
        return AT_LEAST + BYTES_PER_CELL * text_bytes(files) // 8
    rows, columns = cells_of_files(files)
    return AT_LEAST + BYTES_PER_CELL * rows * (columns + len(plan.quasi_identifiers))


def refuse_other_targets(plan: Plan, to: Path | str | None) -> None:
    """Refuse to write a table that is cut where it would have to stand in memory as a whole."""
    if to is None and (plan.format is None or in_parts(plan.format)):
        return
    raise PlanError(
        "A table that is cut is released as Parquet or delimited text, in its folder only.",
        where="--format / [release] format" if to is None else "--to",
        allowed="Parquet or delimited text in the release folder",
        received=f"format {plan.format!r}" if to is None else "the place of a database",
        todo="leave it out and load the file of the release, or give more --memory, without --cell-rows",
    )


def _refuse_databases(paths: Paths, plan: Plan) -> None:
    given = [paths] if isinstance(paths, str) or not isinstance(paths, list | tuple) else paths
    if any(is_url(one) for one in given):
        raise PlanError(
            "A table of a database cannot be cut.",
            where="--memory / [method] memory",
            allowed="files: Parquet and delimited text of any size, others of which each fits memory",
            received="the address of a database",
            todo="export the table as Parquet, in one file or several, or leave out --memory",
        )
