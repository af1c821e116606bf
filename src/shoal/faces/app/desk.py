# SPDX-License-Identifier: Apache-2.0
"""The desk: all that the app knows at the moment, on the server, for every tab alike.

The plan is kept with its whole history, so that every change can be undone. Each change has a number; a page that was
made before somebody changed the plan elsewhere is told so when it wants to change it, too.
"""

from __future__ import annotations

import getpass
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.faces.app import memory
from shoal.faces.app.facts import ColumnFacts, Declared, Exposed, ReleaseShown, TableFacts
from shoal.plan.plan import Plan

FOLDERS_KEPT = 3
"""Results whose folder is kept; of older ones the figures stay."""


class Stale(Exception):
    """Somebody changed the plan elsewhere since the page was made."""


@dataclass(frozen=True)
class Version:
    """The plan at one time, and what led to it."""

    plan: Plan = field(repr=False)
    what: str
    when: float


@dataclass(eq=False)
class Result:
    """One release that was made."""

    shown: ReleaseShown
    number: int
    version: Version
    taken_early: bool = False
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    """Random, and looked up: never a path."""
    kept: bool = True
    """Whether its folder is still there."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What was found out about it since: attacks, what would help a column."""


@dataclass(eq=False)
class Desk:
    """What lies on it."""

    folder: Path
    """Private, gone when the app ends."""
    out: Path | None = None
    """Where releases are put as well."""
    most_upload: int = 4 << 30
    declared: dict[str, dict[str, Declared]] = field(default_factory=dict)
    table: TableFacts | None = None
    name: str = ""
    """What the table is called; shown, and nothing else."""
    uploaded: bool = False
    offered: memory.LastWork | None = None
    """What could be gone on with."""
    history: list[Version] = field(default_factory=list)
    place: int = -1
    revision: int = 0
    exposed: dict[tuple[str, ...], Exposed] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    bounds: dict[Any, float] = field(default_factory=dict)
    """Proven lower bounds that are known, by what they are about."""
    found: dict[str, Any] = field(default_factory=dict)
    """What comparing, attacking and checking gave last, by screen."""
    values: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict, repr=False)
    """The values of columns with their rows, as far as somebody looked at them."""
    tells: bool = False
    """Whether the list of what was done goes into the reports of releases to come."""
    covered: bool = False
    """Whether cells are hidden from who looks over the shoulder."""

    # -- the plan -----------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan as it is now."""
        return self.history[self.place].plan

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier plan."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether a change was undone."""
        return self.place < len(self.history) - 1

    def open(self, table: TableFacts, name: str, *, uploaded: bool) -> None:
        """Put another table on the desk, with the plan that was suggested, or kept from the last time."""
        self.table, self.name, self.uploaded = table, name, uploaded
        self.exposed, self.results, self.found, self.bounds, self.values = {}, [], {}, {}, {}
        self.history, self.place = [Version(table.plan, "suggested", time.time())], 0
        self.revision += 1
        last = self.offered
        if last is not None and last.fingerprint and last.fingerprint == table.fingerprint:
            self.change(last.plan, "continued from the last time")
        self.offered = None
        self.keep()

    def change(self, plan: Plan, what: str) -> None:
        """A new plan; what was undone before can no longer be redone."""
        if self.history and plan == self.plan:
            return
        del self.history[self.place + 1 :]
        self.history.append(Version(plan, what, time.time()))
        self.place = len(self.history) - 1
        self.revision += 1
        self.keep()

    def step(self, by: int) -> None:
        """Undo (-1) or redo (1)."""
        if 0 <= self.place + by < len(self.history):
            self.place += by
            self.revision += 1
            self.keep()

    def expect(self, revision: str) -> None:
        """Refuse what a page asks that was made before the plan was changed elsewhere."""
        if revision != str(self.revision):
            raise Stale

    def keep(self) -> None:
        """Remember what is needed to go on after a restart."""
        if self.table is None:
            return
        each = self.table.places if isinstance(self.table.places, tuple) else (self.table.places,)
        places = () if self.uploaded else tuple(map(str, each))
        memory.keep(memory.LastWork(places, self.name, self.table.fingerprint, self.plan))

    def actions(self) -> tuple[str, ...]:
        """What was done to the plan, when and by whom, in order; names of columns, and no value of the table."""
        who = _logged_in()
        return tuple(
            f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(one.when))} UTC, {who}: {one.what}"
            for one in self.history[: self.place + 1]
        )

    # -- columns ------------------------------------------------------------------------------------------

    def column(self, place: int) -> ColumnFacts:
        """A column of the table by its place."""
        assert self.table is not None
        return self.table.columns[place]

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The recognisable columns as the plan has them now."""
        return tuple(self.plan.quasi_identifiers)

    # -- results ------------------------------------------------------------------------------------------

    def add_result(self, shown: ReleaseShown, version: Version, *, taken_early: bool) -> Result:
        """Keep a result; older ones give their folders back."""
        result = Result(shown, len(self.results) + 1, version, taken_early)
        self.results.append(result)
        if shown.bound is not None:
            self.bounds[bound_key(version.plan)] = shown.bound
        for old in self.results[:-FOLDERS_KEPT]:
            if old.kept:
                memory.remove(old.shown.folder.parent)
                old.kept = False
        return result

    def result(self, id: str) -> Result | None:
        """A result by its random name."""
        return next((one for one in self.results if one.id == id), None)

    @property
    def current(self) -> Result | None:
        """The result that was made last."""
        return self.results[-1] if self.results else None

    def out_of_date(self, result: Result) -> bool:
        """Whether the plan is another one since."""
        return result.version.plan != self.plan


def _logged_in() -> str:
    """The name that somebody is logged in with; not every machine knows one."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "somebody"


def bound_key(plan: Plan) -> Any:
    """What a lower bound depends on."""
    return plan.k, plan.loss, tuple((name, plan.columns[name]) for name in plan.quasi_identifiers)
