# SPDX-License-Identifier: Apache-2.0
"""What the loss of a range is counted on: the numbers themselves, their ranks, or their logarithms.

A money column of a few very rich people spends nearly all of its range on them: an interval around a usual income, wide
as it is, costs next to nothing. On another scale it costs what it hides:

* ``rank``: a number stands at the mean rank of the cells that have it, among all that are present: with b cells below
  and c equal ones at b + (c + 1) / 2, a number between two of them at b + 1/2. A range costs its share of the rows.
* ``log``: x stands at sign(x) · ln(1 + |x| / u). u is the size that a tenth of the cells other than 0 do not exceed: of
  m such sizes in ascending order the one at place ⌊(m - 1) / 10⌋, counted from 0. Above u ratios count, below it
  differences; and whatever the unit of the column, the loss is the same.

Both keep the order of the numbers, so a class has the same smallest and largest record on each scale. The judge has
code of its own for the same definitions (``judging/labels/scales.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from shoal.ground.arrays import Floats
from shoal.plan.roles import LOG, RANK

TENTH = 10


class LossScale(Protocol):
    """Numbers to places on a scale; missing (NaN) stays so."""

    def __call__(self, numbers: Floats) -> Floats:
        """The places of the numbers."""


def scale_of(how: str, numbers: Floats) -> LossScale | None:
    """The scale of a column of these numbers; None where they are their own places."""
    known = np.sort(numbers[~np.isnan(numbers)])
    if not len(known) or how not in (RANK, LOG):
        return None
    return Ranks(known) if how == RANK else Logarithms.beyond_usual(known)


@dataclass(frozen=True, eq=False)
class Ranks:
    """Mean ranks among known numbers; what lies beyond them stands where the last one does."""

    known: Floats
    """Sorted, each as often as it occurs."""

    def __call__(self, numbers: Floats) -> Floats:
        """The places of the numbers."""
        first, last = self._rank(self.known[[0, -1]])
        return np.where(np.isnan(numbers), np.nan, np.clip(self._rank(numbers), first, last))

    def _rank(self, numbers: Floats) -> Floats:
        below, up_to = (np.searchsorted(self.known, numbers, side) for side in ("left", "right"))
        ranks: Floats = (below + up_to + 1) / 2
        return ranks


@dataclass(frozen=True)
class Logarithms:
    """Logarithms of sizes in a unit that most exceed, with the sign of the number."""

    unit: float
    """The logarithm of the unit, for quotients of very large and very small numbers overflow."""

    @classmethod
    def beyond_usual(cls, known: Floats) -> Logarithms:
        """The unit that a tenth of the sizes do not exceed."""
        sizes = np.sort(np.abs(known[known != 0]))
        return cls(float(np.log(sizes[(len(sizes) - 1) // TENTH])) if len(sizes) else 0.0)

    def __call__(self, numbers: Floats) -> Floats:
        """The places of the numbers."""
        with np.errstate(divide="ignore", invalid="ignore"):  # nothing has no logarithm, and stands at 0
            beyond = np.log(np.abs(numbers)) - self.unit
            placed: Floats = np.sign(numbers) * np.logaddexp(0.0, beyond)
        return placed
