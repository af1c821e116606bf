# SPDX-License-Identifier: Apache-2.0
"""What a release can say about how good it is: its loss beside a bound that no grouping can go below.

The bound is about groupings of all rows, each group shown as its hull (ranges and tree names), under one loss; squared
errors are about the means of groups. It is
lowered by what rounding could amount to, so even the best grouping lies a little above it: that nothing could be lost
less is said only where that is certain.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from shoal.ground.wording import NEARLY_ONE, times_at_most

SQUARES = "sse"
"""The loss that is about the means of groups, whatever is shown of them."""
FAR = 100.0
"""Gaps beyond this say nothing of the loss: the table is too large to work the bound out."""
POOR = 1.5
"""From gaps of so much on it is said how more could be proved."""
EFFORT, TIME = "effort", "time"
"""What a bound can lack."""
MORE = {
    EFFORT: "The bound took all the steps it had: with more effort (thorough) it may turn out to be closer.",
    TIME: "The bound took all the time it had: with more of it, it may turn out to be closer.",
}
"""What is said then beside a poor certificate."""


@dataclass(frozen=True)
class Certificate:
    """The loss of the groups' hulls, and the proven lower bound for any grouping of the same records."""

    loss: float
    """Per cell, 0 to 1."""
    bound: float
    """Per cell: no grouping of the records into groups of at least ``k`` loses less."""
    k: int
    records: int
    records_covered: int
    """Records that the bound was worked out for; the others count as if they lost nothing."""
    method: str
    """How: ``nearest``, ``boxes`` or ``prices``."""
    metric: str = ""
    """The loss, by its name."""
    k_asked: int | None = None
    """The k of the plan, where ``k`` may be larger because something else asks for larger groups."""
    others: tuple[str, ...] = ()
    """What else was asked for; unless it heeds some of it, the bound knows of the size of groups alone."""
    rows_may_go: bool = False
    """Whether rows might have been left out, which the bound does not consider."""
    heeds: bool = False
    """Whether the bound is only for groupings that keep what else was asked for."""
    levels: tuple[str, ...] = ()
    """Columns whose levels all groups share: the bound is for groups that keep these levels."""
    lacked: str = ""
    """What would perhaps have proved more: ``effort`` or ``time``; empty if nothing that can be asked for."""

    @property
    def gap(self) -> float:
        """How many times the bound the loss is: 1 is perfect; infinite if there is a loss but no bound."""
        if self.smallest:
            return 1.0
        return max(1.0, self.loss / self.bound) if self.bound > 0 else math.inf

    @property
    def smallest(self) -> bool:
        """Whether no grouping can lose less, without any rounding: nothing is lost, or there is but one grouping."""
        return self.loss <= self.bound or self.loss == 0 or self.only_one

    @property
    def only_one(self) -> bool:
        """Whether there are too few rows for a second group, so that all of them in one is the only grouping."""
        return self.records < 2 * self.k

    def sentence(self) -> str:
        """The gap in plain words, with all that it rests on.

        >>> Certificate(0.0295, 0.0256, 10, 30_162, 30_162, "prices", "ncp").sentence().partition(" (")[0]
        'The loss is at most 1.16 times the smallest possible with groups of at least 10'
        """
        return " ".join([f"{self._gap_in_words()}.", *self._limits()])

    def _gap_in_words(self) -> str:
        meant = (
            "all rows kept"
            if self.metric == SQUARES
            else "all rows kept, each group shown as its ranges and tree names"
        )
        meant += f", {' and '.join(self.levels)} in these levels" if self.levels else ""
        meant += f", loss {self.metric}" if self.metric else ""
        among = f"with groups of at least {self.k:,}{self._unlike()} ({meant})"
        if self.only_one:
            return f"The loss is 1.00 times the smallest possible: there is only one grouping {among}"
        if self.smallest:
            return f"No grouping could lose less {among}"
        if self.gap > FAR:
            return f"How close this is to the smallest loss possible {among} was not worked out"
        if self.gap < NEARLY_ONE:
            return f"The loss is the smallest possible, to within 0.005 %, {among}"
        said = f"The loss is at most {times_at_most(self.gap)} times the smallest possible {among}"
        if self.records_covered < self.records:
            share = math.floor(100 * self.records_covered / self.records)
            said += f"; worked out for {share} % of the rows, as if the others lost nothing"
        return said

    def _unlike(self) -> str:
        """What the groupings that it is compared with keep, or need not keep."""
        if self.heeds and self.others:
            return f" that keep {self._others()}"
        return f" that need not keep {self._others()}" if self.others and not self.smallest else ""

    def _others(self) -> str:
        return " and ".join(self.others)

    def _limits(self) -> list[str]:
        """What the bound does not know of, a sentence each."""
        told = []
        if self.k_asked is not None and self.k_asked < self.k:
            why = f"to be sure of {self._others()}" if self.others else "as was asked for"
            told.append(f"Groups have at least {self.k:,} rows, more than k = {self.k_asked:,}, {why}.")
        if self._unlike() and not self.heeds:
            told.append(
                f"The best grouping that keeps {self._others()}, too, loses as much or more; "
                "to that one it is no further."
            )
        if self.rows_may_go:
            told.append("That rows may be left out is not considered.")
        if self.lacked and self.gap > POOR:
            told.append(MORE[self.lacked])
        return told

    def to_dict(self) -> dict[str, Any]:
        """For reports."""
        named = {"others": list(self.others), "levels": list(self.levels)}
        return {**asdict(self), **named, "gap": self.gap, "statement": self.sentence()}
