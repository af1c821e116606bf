# SPDX-License-Identifier: Apache-2.0
"""What became of one cell of the grid: its figures, or in words why there are none. Never a cell of the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from shoal.ground.errors import ShoalError
from shoal.releases.kinds import USUAL, kind_named
from shoal.studies.comparing.grid import Cell

DONE, REFUSED, FAILED, LATE, OPEN = "done", "refused", "failed", "too slow", "not run"
"""A table came out; the method said no; it broke; it was stopped at the limit; it was not its turn."""


@dataclass(frozen=True)
class Outcome:
    """One cell of the grid and what came of it; figures are None where there are none."""

    method: str
    k: int
    seed: int
    status: str = DONE
    reason: str = ""
    """Why there are no figures."""
    metric: str = ""
    loss: float | None = None
    """Loss per cell of the table under the plan's loss, from 0 (unchanged) to 1 (nothing left)."""
    bound: float | None = None
    """No grouping of all rows loses less that shows each group as its ranges and tree names, as this table does."""
    per_column: Mapping[str, float | None] = field(default_factory=dict)
    risk: float | None = None
    """Largest chance of picking the right row for a person."""
    mean_risk: float | None = None
    classes: int | None = None
    smallest_class: int | None = None
    largest_class: int | None = None
    suppressed: int | None = None
    seconds: float | None = None
    memory: float | None = None
    """Peak memory of the process, in megabytes, libraries and table included."""
    releases: str = USUAL
    """The kind of release that the method publishes."""
    rank: float | None = None
    """What it is ranked by, where that is not the loss."""
    better: str = "lower"
    """Whether a lower or a higher figure of that kind is better."""
    hulls: bool = False
    """Whether it shows every group as its ranges and tree names, as the lower bound supposes."""
    limit: float | None = None
    """Seconds the cell was given, where that was too little."""
    change: str = ""
    column: str = ""
    note: str = ""
    """What was done to the column, in words."""

    @property
    def done(self) -> bool:
        """Whether there are figures."""
        return self.status == DONE

    @property
    def weaker(self) -> bool:
        """Whether it publishes less than a k-anonymous table."""
        return kind_named(self.releases).weaker

    @property
    def gap(self) -> float | None:
        """How many times the lower bound the loss is, 1 being perfect; None where no bound is known or it is 0."""
        if self.loss is None or not self.bound:
            return None
        return max(1.0, self.loss / self.bound)

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**asdict(self), "per_column": dict(self.per_column)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Outcome:
        """The way back; keys of other versions are dropped."""
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in given.items() if name in known})

    @classmethod
    def without(cls, cell: Cell, status: str, reason: str, limit: float | None = None) -> Outcome:
        """A cell that has no figures."""
        return cls(cell.method, cell.k, cell.seed, status, reason, limit=limit, change=cell.change, column=cell.column)


def reason_of(problem: ShoalError) -> str:
    """An error in one line.

    >>> reason_of(ShoalError("The table is too large.", allowed="5 rows", received="7 rows"))
    'The table is too large. Allowed: 5 rows; received: 7 rows.'
    """
    told = "; ".join(f"{name}: {text}" for name, text in problem.parts().items() if name in ("allowed", "received"))
    return f"{problem.what} {told[:1].upper()}{told[1:]}." if told else problem.what
