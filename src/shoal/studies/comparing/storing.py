# SPDX-License-Identifier: Apache-2.0
"""The folder of a comparison: each finished cell is written at once, so that a second run goes on where one stopped.

``cells/`` holds one small JSON file per cell with a fingerprint of table, plan and cell. A file whose fingerprint
does not fit is as good as absent. There is no cell of the table in any file.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import __version__
from shoal.ground.errors import OutputError
from shoal.ground.json_text import json_line, json_text
from shoal.ground.writing import write_files
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.studies.comparing.grid import Cell
from shoal.studies.comparing.outcome import DONE, LATE, REFUSED, Outcome
from shoal.tables.profile import fingerprint
from shoal.tables.table import Table

CELLS = "cells"
MARK = "comparison.json"


class Store:
    """Finished cells: in memory for this run, and on disk where a folder is given."""

    def __init__(self, folder: Path | None, table: Table, plan: Plan, *, fresh: bool = False) -> None:
        self._folder = folder
        self._seen: dict[Cell, Outcome] = {}
        if folder is None:
            return
        claim(folder)
        if fresh:
            forget(folder)
        self._plan = plan
        self._table = fingerprint(table)

    def known(self, cell: Cell, limit: float | None) -> Outcome | None:
        """What an earlier run found; a cell that broke, or had less time than now, is tried again."""
        if self._folder is None or cell in self._seen:
            return self._seen.get(cell)
        with suppress(OSError, ValueError, TypeError, KeyError):
            saved = json.loads(self._path(cell).read_text(encoding="utf-8"))
            outcome = Outcome.from_dict(saved["outcome"])
            settled = outcome.status in (DONE, REFUSED) or (
                outcome.status == LATE and limit is not None and (outcome.limit or 0) >= limit
            )
            if saved["fingerprint"] == self._fingerprint(cell) and settled:
                return outcome
        return None

    def keep(self, cell: Cell, outcome: Outcome) -> None:
        """Remember one finished cell."""
        self._seen[cell] = outcome
        if self._folder is None:
            return
        kept = {"fingerprint": self._fingerprint(cell), "outcome": outcome.to_dict()}
        write_text(self._path(cell), json_text(kept) + "\n")

    def _path(self, cell: Cell) -> Path:
        assert self._folder is not None
        change = ""
        if cell.change:
            change = f"-{cell.change}-{self._plan.quasi_identifiers.index(cell.column)}"
        return self._folder / CELLS / f"{cell.method}-k{cell.k}-seed{cell.seed}{change}.json"

    def _fingerprint(self, cell: Cell) -> str:
        """Of the table, of what the plan says for this cell, and of the version that runs it."""
        plan = replace(cell.plan(self._plan), accept_weaker=False)
        trees = {name: column.hierarchy for name, column in plan.columns.items()}
        grown = {name: tree.rows() for name, tree in trees.items() if isinstance(tree, Hierarchy)}
        people = fingerprint(plan.population) if isinstance(plan.population, Table) else plan.population
        whole: list[Any] = [__version__, self._table, plan.to_dict(), grown, people, cell.to_dict()]
        return hashlib.sha256(json_line(whole, str).encode()).hexdigest()


def claim(folder: Path) -> None:
    """Make the folder, or go on in that of an earlier comparison; anything else is refused."""
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / CELLS).is_dir():
            raise _refused(
                folder, "a folder with other things in it", "a new or empty folder, or an earlier comparison"
            )
        (folder / CELLS).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise _refused(folder, problem.strerror or "an error without a name", "a place that can be written") from None


def _refused(folder: Path, received: str, allowed: str) -> OutputError:
    return OutputError(
        "The comparison cannot be written there.",
        where=f"output folder {str(folder)!r}",
        allowed=allowed,
        received=received,
        todo="choose another folder",
    )


def forget(folder: Path) -> None:
    """Remove what earlier runs found."""
    for path in (folder / CELLS).glob("*.json"):
        path.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    try:
        write_files({path: text})
    except OSError as problem:
        raise _refused(
            path.parent, problem.strerror or "an error", "a place with free space that can be written"
        ) from None
