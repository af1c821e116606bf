# SPDX-License-Identifier: Apache-2.0
"""How much work a bound may take: counted in steps, so that the same table always gets the same bound."""

from __future__ import annotations

from dataclasses import dataclass, field

from shoal.progress import Progress

SLICE = 10_000_000
"""Steps between two reports of progress, about 50 ms."""


@dataclass
class Budget:
    """Steps that may still be taken; a step is one record looked at, or one cell of it where boxes are not listed."""

    left: int
    progress: Progress = field(default_factory=Progress)
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = self.left

    @property
    def slice(self) -> int:
        """Steps to take before the next report."""
        return min(SLICE, max(self.left, 0))

    def spend(self, steps: int) -> None:
        """Note steps taken."""
        self.left -= steps
        self.progress(self.total - max(self.left, 0), self.total)
