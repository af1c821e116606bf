# SPDX-License-Identifier: Apache-2.0
"""What the worker tells the server: facts in plain types, so that the server needs none of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading

Places = str | Path | tuple[str | Path, ...]
"""A file, several files, or the address of a database."""
Cells = tuple[tuple[str, tuple[str | None, ...]], ...]
"""Some columns, each with its cells in some rows."""


@dataclass(frozen=True)
class Declared:
    """One method or model, without its code."""

    name: str
    summary: str
    parameters: tuple[tuple[str, Any, Any, dict[str, Any]], ...]
    """Of each its name, type, default, and what :func:`shoal.ground.parameters.parameter` was told."""
    badges: tuple[str, ...] = ()
    fast: bool = False
    """Whether it makes look-alike groups in nearly linear time, as its page says."""


@dataclass(frozen=True)
class ColumnFacts:
    """What is told of a column."""

    name: str
    role: str
    """As suggested; the plan may say another one."""
    kind: str | None
    distinct: int
    missing: int
    sure: bool
    why: str
    adds: float | None
    built: str
    """How its tree was built."""
    cells: tuple[str | None, ...] = field(repr=False)
    """Of the first rows."""


@dataclass(frozen=True)
class TableFacts:
    """What is told of a table; the table itself stays in the worker."""

    places: Places
    rows: int
    format: str
    reading: Reading
    fingerprint: str
    columns: tuple[ColumnFacts, ...] = field(repr=False)
    plan: Plan = field(repr=False)
    alone: float
    notes: tuple[str, ...]
    forecast: str


@dataclass(frozen=True)
class Exposed:
    """Rows in look-alike groups that are too small."""

    names: tuple[str, ...]
    rows: int
    below: tuple[tuple[int, int], ...]
    """For each k, the rows that fewer than k look like, themselves included; below 2 they are alone."""
    smallest: int
    """Rows of the smallest group."""

    @property
    def alone(self) -> int:
        """Rows like which there is no other."""
        return self.below[0][1]


class Figured(NamedTuple):
    """A figure that is asked for first; with a style it is a judgement."""

    name: str
    value: str
    note: str
    style: str


@dataclass(frozen=True)
class ReleaseShown:
    """What is shown of a release."""

    folder: Path
    plan: Plan = field(repr=False)
    """As it was asked for."""
    holds: bool
    style: str
    word: str
    statement: str
    models: tuple[tuple[str, str, str, str], ...]
    tiles: tuple[Figured, ...]
    sections: tuple[tuple[str, str, str], ...] = field(repr=False)
    """Name, heading and HTML of each."""
    loss: float | None
    risk: float | None
    """Largest chance of picking the right row for a person."""
    losses: tuple[tuple[str, float], ...]
    bound: float | None
    rows: int
    given_away: tuple[tuple[str, Mapping[str, object]], ...]
    """Models that would stop private values from being given away: a sentence, and what to add to the plan."""
    before: Cells = field(repr=False)
    after: Cells = field(repr=False)


TREE, BEGINNINGS = "tree", "beginnings"
"""Changes to a column of names that nothing groups, besides those that an attribution tries."""


@dataclass(frozen=True)
class Helped:
    """One change to a column, and what it would do to the losses."""

    change: str
    note: str
    others_before: float | None
    others: float | None
    total_before: float | None
    total: float | None
    becomes: ColumnPlan | None = field(default=None, repr=False)
    """The column after it; None where somebody has to say more."""

    @property
    def saves(self) -> float | None:
        """By how much the loss of the other columns falls."""
        return None if self.others is None or self.others_before is None else self.others_before - self.others


@dataclass(frozen=True)
class ComparedPoint:
    """One method at one k."""

    method: str
    k: int
    loss: float | None
    done: bool
    weaker: bool
    words: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Compared:
    """What every method came to."""

    chart: str = field(repr=False)
    recommendation: str
    heads: tuple[str, ...]
    points: tuple[ComparedPoint, ...]
    left: int
    """Points that had no turn."""
    bounds: Mapping[int, float | None]


@dataclass(frozen=True)
class Checked:
    """The verdict on a file."""

    holds: bool | None
    """None: nothing was claimed."""
    findings: tuple[tuple[str, str, str], ...]
    leaks: tuple[tuple[str, str, str, str], ...]
    problems: tuple[str, ...]
    chosen: tuple[str, ...]
    columns: tuple[str, ...]
    private: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What one attack came to; rates are None where they cannot be told."""

    kind: str
    """The attack's name in the catalogue."""
    attack: str
    """The same in words, with the column that it is about."""
    mark: str
    statement: str
    tried: bool
    targets: int
    before: float | None
    after: float | None
    guess: float | None
    promise: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Attacked:
    """What all attacks came to."""

    tried: tuple[Tried, ...]
    notes: tuple[str, ...]
    broken: bool
