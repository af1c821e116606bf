# SPDX-License-Identifier: Apache-2.0
"""Classes that a search would not leave: each whose records fit cheaper among the others is dissolved.

Whoever parts records one class after the other has scattered ones left at the end. Where few columns make most records
alike these last classes are nearly all the loss, so a forecast has to mend them before it says what a search leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from shoal.ground.arrays import Floats, Ints

PASSES = 2
"""So many times every class is tried; hardly any is dissolved later."""


class Hulled(Protocol):
    """What hulls of a column cost."""

    points: Floats

    def between(self, lows: Floats, highs: Floats) -> Floats:
        """Cost of each hull."""


class Parted(NamedTuple):
    """Some records, and how many rows of each."""

    members: Ints
    rows: Ints


class _Placed:
    """Classes by their hulls; all can be asked at once what one more record costs."""

    def __init__(self, columns: Sequence[Hulled], classes: Iterable[Parted]) -> None:
        self.columns = columns
        self.points = np.array([column.points for column in columns])
        self.members = [list(zip(one.members.tolist(), one.rows.tolist())) for one in classes]
        inside = [self.points[:, [record for record, _ in one]] for one in self.members]
        self.lows = np.array([points.min(axis=1) for points in inside])
        self.highs = np.array([points.max(axis=1) for points in inside])
        self.sizes = np.array([sum(rows for _, rows in one) for one in self.members])
        self.costs = self._costs(self.lows, self.highs)

    @property
    def total(self) -> float:
        return float((self.costs * self.sizes).sum())

    @property
    def left(self) -> int:
        """Classes that were not dissolved."""
        return int((self.sizes > 0).sum())

    def dissolve(self, one: int) -> bool:
        """Put the records of a class where each costs least, if that costs less than the class; else leave all."""
        own, before, joined = self.costs[one] * self.sizes[one], self._copied(), []
        for record, rows in self.members[one]:
            low = np.minimum(self.lows, self.points[:, record])
            high = np.maximum(self.highs, self.points[:, record])
            costs = self._costs(low, high)
            more = (self.sizes + rows) * costs - self.sizes * self.costs
            more[(self.sizes == 0) | (np.arange(len(more)) == one)] = np.inf
            best = int(more.argmin())
            own -= more[best]
            if own <= 0:
                self.lows, self.highs, self.sizes, self.costs = before
                return False
            joined.append((best, (record, rows)))
            self.lows[best], self.highs[best] = low[best], high[best]
            self.sizes[best], self.costs[best] = self.sizes[best] + rows, costs[best]
        for best, records in joined:
            self.members[best].append(records)
        self.sizes[one], self.costs[one], self.members[one] = 0, 0.0, []
        return True

    def _costs(self, lows: Floats, highs: Floats) -> Floats:
        costs: Floats = np.zeros(len(lows))
        for at, column in enumerate(self.columns):
            costs += column.between(lows[:, at], highs[:, at])
        return costs

    def _copied(self) -> tuple[Floats, Floats, Ints, Floats]:
        return self.lows.copy(), self.highs.copy(), self.sizes.copy(), self.costs.copy()


def dissolved(columns: Sequence[Hulled], classes: Iterable[Parted]) -> tuple[float, int]:
    """Loss of all rows, and how many classes are left, once those that cost more than they need are dissolved."""
    hulls = _Placed(columns, classes)
    for _ in range(PASSES):
        dear = np.argsort(-hulls.costs * hulls.sizes, kind="stable").tolist()
        tried = [hulls.dissolve(one) for one in dear if hulls.costs[one] > 0 and hulls.left > 1]
        if not any(tried):
            break
    return hulls.total, hulls.left
