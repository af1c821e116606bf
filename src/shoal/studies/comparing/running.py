# SPDX-License-Identifier: Apache-2.0
"""Walks the grid: cell by cell, skipping what is known, keeping what is found, whatever happens to a single cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.ground.progress import ProgressCallback, Step
from shoal.plan.plan import Plan
from shoal.releases.kinds import kind_of_method
from shoal.studies.comparing.children import Children
from shoal.studies.comparing.grid import BOUND, Cell
from shoal.studies.comparing.outcome import OPEN, REFUSED, Outcome
from shoal.studies.comparing.storing import Store
from shoal.tables.table import Table

WEAKER = (
    "It publishes {kind} instead of one k-anonymous table, which protects less; it runs only if that is accepted "
    "(--accept-weaker, accept_weaker=True)."
)


class Stopped(Exception):
    """The progress callback answered ``"cancel"``."""


@dataclass
class Runner:
    """Runs cells of one table and plan."""

    table: Table
    plan: Plan
    store: Store
    limit: float | None = None
    progress: ProgressCallback | None = None
    stopped: bool = False
    """Whether the rest was cancelled."""
    interrupted: bool = False
    """Whether that was by Ctrl-C, which goes on once what is done is safe."""

    @classmethod
    def on(
        cls,
        table: Table,
        plan: Plan,
        output: str | Path | None,
        *,
        fresh: bool = False,
        limit: float | None = None,
        progress: ProgressCallback | None = None,
    ) -> Runner:
        """A runner that keeps its cells in a folder, if one is given."""
        store = Store(None if output is None else Path(output), table, plan, fresh=fresh)
        return cls(table, plan, store, limit, progress)

    def run(self, cells: Sequence[Cell]) -> list[Outcome]:
        """The outcome of every cell, in order; those not run say so."""
        try:
            return self._walk(cells)
        except KeyboardInterrupt:
            # It may come anywhere, also while a finished cell is being kept: what is known is told, the rest is open.
            self.stopped = self.interrupted = True
            return self._walk(cells)

    def _walk(self, cells: Sequence[Cell]) -> list[Outcome]:
        self._children = Children(self.table, self.plan, self.limit)
        try:
            return [self._one(cell, place, len(cells)) for place, cell in enumerate(cells, 1)]
        finally:
            self._children.close()

    def _one(self, cell: Cell, place: int, of: int) -> Outcome:
        known = self.store.known(cell, self.limit) or self._forbidden(cell)
        if known:
            return known
        if self.stopped:
            return Outcome.without(cell, OPEN, "The comparison was stopped before.")
        phase = f"{place}/{of} {cell.title}"

        def heard(done: int, total: int, loss: float | None) -> None:
            if self.progress is not None and self.progress(Step(phase, done, total, loss)) == "cancel":
                raise Stopped

        try:
            outcome = self._children.run(cell, heard)
        except Stopped:
            self.stopped = True
            return Outcome.without(cell, OPEN, "The comparison was stopped while it ran.")
        self.store.keep(cell, outcome)
        if self.progress is not None and self.progress(Step(phase, 1, 1, found=outcome)) == "cancel":
            self.stopped = True
        return outcome

    def _forbidden(self, cell: Cell) -> Outcome | None:
        """Methods that publish something weaker do not run unasked."""
        if cell.method == BOUND:
            return None
        kind = kind_of_method(cell.method)
        if not kind.weaker or self.plan.accept_weaker:
            return None
        return Outcome.without(cell, REFUSED, WEAKER.format(kind=kind.words))
