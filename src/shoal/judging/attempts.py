# SPDX-License-Identifier: Apache-2.0
"""What an attack is, what it may look at, and what it answers.

An attack is one file with a docstring (first line the summary, then the attacker, the measure, the paper) and
``attempt(scene) -> list[Attempt]``. It works with what is published and with what the attacker holds
(``known``, ``on``); ``person``, ``rows`` and ``original`` are the truth, which only scores the attempt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shoal.ground.arrays import Ints
from shoal.ground.cards import card
from shoal.ground.json_text import plain
from shoal.plan.plan import Plan
from shoal.tables.table import Table

LEVEL = 0.95
NORMAL = 1.959963984540054
"""Quantile of the normal distribution for a two-sided interval of that level."""


@dataclass(frozen=True)
class Scene:
    """One release, what an attacker knows, and the truth by which the attack is scored."""

    tables: tuple[Table, ...]
    """The released table, or the sub-tables of the same people."""
    plan: Plan
    """Roles, kinds, hierarchies and renderings, hierarchies loaded."""
    k: int | None = None
    """What was promised; None: nothing."""
    known: Table | None = None
    """What the attacker holds: one row per target."""
    on: tuple[str, ...] = ()
    """The columns of it that the attack uses."""
    person: Ints | None = None
    """[target] row of the input that is this person, -1 if the person is not in it; None: not known."""
    rows: tuple[Ints, ...] | None = None
    """[table][released row] row of the input that it shows, -1 if that is not known; None: not known."""
    original: Table | None = None
    """The input, row by row."""
    second: Scene | None = None
    """Another release of overlapping people."""
    k_joint: int | None = None
    """Of sub-tables: the k that their maker measured for all of them joined."""
    read: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What attacks have already worked out, so that each thing is worked out once."""


@dataclass(frozen=True)
class Attempt:
    """What one attack found."""

    attack: str
    statement: str
    """In plain words, without cell values."""
    broken: bool | None = None
    """True: more was learned than was promised. None: nothing was promised about it, or it was not tried."""
    tried: bool = True
    targets: int = 0
    rate: float = math.nan
    """Success rate; NaN where it cannot be scored."""
    baseline: float = math.nan
    """Success rate without the release: of guesses by guessing, of what is certain how often it was."""
    promise: float = math.nan
    """Largest rate that was promised; NaN: none was."""
    before: float = math.nan
    """Success rate against the original table, where it is given."""
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the rate (Wilson)."""
        return wilson(self.rate, self.targets)

    @property
    def mark(self) -> str:
        """The one word that stands before the statement."""
        if not self.tried:
            return "NOT TRIED"
        if self.broken is None and self.rate == 0:
            return "NOTHING FOUND"
        return {True: "BROKEN", False: "WITHSTANDS", None: "FOUND"}[self.broken]

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no NaN: what is undefined is None."""
        low, high = self.interval
        return {
            "attack": self.attack,
            "tried": self.tried,
            "broken": self.broken,
            "statement": self.statement,
            "targets": self.targets,
            "rate": plain(self.rate),
            "interval": {"method": "Wilson", "level": LEVEL, "low": plain(low), "high": plain(high)},
            "baseline": plain(self.baseline),
            "promise": plain(self.promise),
            "before": plain(self.before),
            "figures": plain(self.figures),
        }


@dataclass(frozen=True)
class AttackReport:
    """All attempts on one release."""

    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    """How the attempts were scored, and what could not be."""

    @property
    def broken(self) -> bool:
        """Whether some attack learned more than was promised."""
        return any(one.broken for one in self.attempts)

    def of(self, attack: str) -> tuple[Attempt, ...]:
        """The attempts of one attack."""
        return tuple(one for one in self.attempts if one.attack == attack)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"broken": self.broken, "attacks": [one.to_dict() for one in self.attempts], "notes": list(self.notes)}

    def __str__(self) -> str:
        lines = [f"{one.mark:<13} {one.attack}: {one.statement}" for one in self.attempts]
        return "\n".join(lines + [f"{'NOTE':<13} {note}" for note in self.notes])

    def _repr_html_(self) -> str:
        rows = [(one.mark, one.attack, one.statement) for one in self.attempts]
        rows += [("NOTE", "", note) for note in self.notes]
        return card("shoal attack", (("", "attack", "what it found"), rows))


def not_tried(attack: str, reason: str) -> Attempt:
    """An attempt that could not be made, and why."""
    return Attempt(attack, reason, tried=False)


def wilson(rate: float, targets: int) -> tuple[float, float]:
    """Wilson's score interval, 95 %, two-sided.

    Rates that are means of unequal chances vary less than a binomial of the same mean, so for them it is wide.

    >>> [round(end, 4) for end in wilson(0.1, 100)]
    [0.0552, 0.1744]
    """
    if targets <= 0 or math.isnan(rate):
        return math.nan, math.nan
    square = NORMAL**2
    middle = (rate + square / (2 * targets)) / (1 + square / targets)
    half = NORMAL * math.sqrt(rate * (1 - rate) / targets + square / (4 * targets**2)) / (1 + square / targets)
    return max(0.0, middle - half), min(1.0, middle + half)
