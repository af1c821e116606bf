# SPDX-License-Identifier: Apache-2.0
"""What a portrait consists of: bins and bars of columns, pairs of columns, attempts of attackers; plain figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from shoal.ground.arrays import Ints
from shoal.judging.attempts import Attempt
from shoal.tables.table import Table

MISSING, OTHERS, ANY = "missing", "others", "any"
DIGITS = 6
"""Of shares in JSON; more would mean nothing."""


class Subtable(NamedTuple):
    """One released table, its rows shuffled by themselves."""

    released: Table
    rows: Ints
    """Input row shown in each released row. Private."""


@dataclass(frozen=True)
class Bin:
    """A stretch of a line between two ends that the released table shows."""

    label: str
    """In words: ``20 to under 25``."""
    low: str
    """The first value as the table writes it."""
    start: float
    end: float
    """Where the bin lies, to draw it to scale; the end is not included."""
    before: float
    """Share of the original cells that have a value."""
    after: float
    """Share of the released cells that show a value or a range, each range spread evenly."""
    beyond: bool = False
    """An end so far from the other bins that to draw it to scale would leave no room for them."""


@dataclass(frozen=True)
class LabelBar:
    """A label of the released table, or one of the kinds of cells without one."""

    label: str
    before: float | None
    """Share of the original rows that belong here; None: some, but fewer than k."""
    after: float
    """Share of the released rows that show it."""
    kind: str = "label"
    """``label``, ``missing``, ``others`` (labels put together) or ``any`` (cells that say nothing)."""


@dataclass(frozen=True)
class Drawn:
    """A column as it is drawn: on a line in bins, what is not on it in bars, the largest first."""

    bars: tuple[LabelBar, ...]
    kept: float
    bins: tuple[Bin, ...] = ()
    last: str = ""


@dataclass(frozen=True)
class ColumnPortrait:
    """One released column."""

    name: str
    role: str
    changed: bool
    """Whether the column was made coarser; any other is published as it is."""
    bins: tuple[Bin, ...] = ()
    last: str = ""
    """The largest value of the bins as the table writes it."""
    bars: tuple[LabelBar, ...] = ()
    kept: float = 1.0
    """Share of the rows that the distributions before and after have in common."""
    labels: int = 0
    """How many different labels the column shows, where it shows labels."""
    problem: str = ""
    """Why it cannot be drawn; then the rest is empty."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        told: dict[str, Any] = {"name": self.name, "role": self.role, "changed": self.changed}
        if self.problem:
            return told | {"problem": self.problem}
        ranges = [{"range": one.label, **_sides(one.before, one.after)} for one in self.bins]
        labels = [{"label": one.label, "kind": one.kind, **_sides(one.before, one.after)} for one in self.bars]
        return told | {"kept": round(self.kept, DIGITS), "ranges": ranges, "labels": labels}


@dataclass(frozen=True)
class Pair:
    """How strongly two columns go together, before and after."""

    one: str
    other: str
    measure: str
    before: float
    after: float

    @property
    def change(self) -> float:
        """How far the measure moved."""
        return abs(self.after - self.before)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"columns": [self.one, self.other], "measure": self.measure, **_sides(self.before, self.after)}


@dataclass(frozen=True)
class Portrait:
    """A release beside its original."""

    columns: tuple[ColumnPortrait, ...]
    left: tuple[str, ...] = ()
    """Columns that are not drawn, because there are too many."""
    pairs: tuple[Pair, ...] = ()
    sample: int | None = None
    """Rows that the pairs were measured on, if not all."""
    attempts: tuple[Attempt, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "columns": [one.to_dict() for one in self.columns],
            "columns_left_out": list(self.left),
            "pairs": [one.to_dict() for one in self.pairs],
            "pairs_measured_on_rows": self.sample,
            "attacks": [one.to_dict() for one in self.attempts],
        }


def _sides(before: float | None, after: float) -> dict[str, float | None]:
    return {"before": None if before is None else round(before, DIGITS), "after": round(after, DIGITS)}
