# SPDX-License-Identifier: Apache-2.0
"""How much work a bound may take: counted in steps, so that the same table always gets the same bound.

Only where a time is set may the clock end it earlier; what was worked out by then is a bound, too.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from shoal.ground.progress import Enough, Progress

SLICE = 10_000_000
"""Steps between two reports of progress, about 50 ms."""


@dataclass
class StepBudget:
    """Steps that may still be taken; a step is one record looked at, or one cell of it where boxes are not listed."""

    left: int
    progress: Progress = field(default_factory=Progress)
    until: float = math.inf
    """When the time is over, by ``time.perf_counter``."""
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.left

    @property
    def slice(self) -> int:
        """Steps to take before the next report."""
        return min(SLICE, max(self.left, 0))

    def spend(self, steps: int) -> None:
        """Note steps taken."""
        self.left = self.left - steps if time.perf_counter() < self.until else 0
        self.progress(self.total - max(self.left, 0), self.total)

    def all_or_nothing(self, done: int, total: int) -> None:
        """Report work that is of no use before its end, so that it is given up when the time is over."""
        if time.perf_counter() >= self.until:
            raise Enough
        self.progress(done, total)
