# SPDX-License-Identifier: Apache-2.0
"""What a release can say about how good it is: its loss beside a bound that no grouping can go below."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any


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

    @property
    def gap(self) -> float:
        """How many times the bound the loss is: 1 is perfect; infinite if there is a loss but no bound."""
        if self.bound > 0:
            return max(1.0, self.loss / self.bound)
        return math.inf if self.loss > 0 else 1.0

    def sentence(self) -> str:
        """The gap in plain words.

        >>> Certificate(0.0295, 0.0256, 10, 30_162, 30_162, "prices").sentence()
        'The loss is at most 1.16 times the smallest possible with groups of at least 10.'
        """
        among = f"with groups of at least {self.k:,}"
        if not math.isfinite(self.gap):
            return f"How close this is to the smallest loss possible {among} was not worked out."
        if self.gap < 1.00005:
            return f"No grouping could lose less {among}."
        times = f"{math.ceil(100 * self.gap - 1e-9) / 100:.2f}"  # rounded up, so that it stays true
        said = f"The loss is at most {times} times the smallest possible {among}"
        if self.records_covered < self.records:
            share = math.floor(100 * self.records_covered / self.records)
            said += f"; worked out for {share} % of the rows, as if the others lost nothing"
        return f"{said}."

    def to_dict(self) -> dict[str, Any]:
        """For reports."""
        return {**asdict(self), "gap": self.gap, "statement": self.sentence()}
