# SPDX-License-Identifier: Apache-2.0
"""How much work a bound may take: counted in steps, so that the same table always gets the same bound.

Only where a time is set may the clock end it earlier; what was worked out by then is a bound, too. How often somebody
looked at the clock by then is remembered: the looks are the same in every run, so another run can end at the same one.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from shoal.ground.progress import Enough, Progress

SLICE = 10_000_000
"""Steps between two reports of progress, about 50 ms."""


class TimeOver(Enough):
    """The time is over, and there is nothing yet."""


@dataclass
class Watch:
    """When a bound ends although there are steps left: by the clock, or at the look at which an earlier run ended."""

    until: float = math.inf
    """When the time is over, by ``time.perf_counter``."""
    stop_after: int | None = None
    """The look at which the time of an earlier run was over; the clock does not count then."""
    looks: int = 0
    stopped_after: int | None = None
    """The look at which the time was over, if it was."""
    is_short: bool = False
    """Whether something was left undone for want of steps or time."""

    def is_over(self) -> bool:
        """Look whether the time is over; once it is, it stays so."""
        self.looks += 1
        if self.stopped_after is None and self._ends():
            self.stopped_after, self.is_short = self.looks, True
        return self.stopped_after is not None

    def _ends(self) -> bool:
        if self.stop_after is not None:
            return self.looks >= self.stop_after
        return time.perf_counter() >= self.until


@dataclass
class StepBudget:
    """Steps that may still be taken; a step is one record looked at, or one cell of it where boxes are not listed."""

    left: int
    progress: Progress = field(default_factory=Progress)
    watch: Watch = field(default_factory=Watch)
    """The same one for all budgets of a bound."""
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.left

    @property
    def slice(self) -> int:
        """Steps to take before the next report."""
        return min(SLICE, max(self.left, 0))

    def affords(self, steps: int) -> bool:
        """Whether so many steps are left; if not, more of them would have been of use."""
        self.watch.is_short |= self.left < steps
        return self.left >= steps

    def spend(self, steps: int) -> None:
        """Note steps taken."""
        self.left = 0 if self.watch.is_over() else self.left - steps
        self.watch.is_short |= self.left <= 0
        self.progress(self.total - max(self.left, 0), self.total)

    def all_or_nothing(self, done: int, total: int) -> None:
        """Report work that is of no use before its end, so that it is given up when the time is over."""
        if self.watch.is_over():
            raise TimeOver
        self.progress(done, total)
