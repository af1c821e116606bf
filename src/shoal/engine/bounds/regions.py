# SPDX-License-Identifier: Apache-2.0
"""Regions: boxes that hold k or more records of only so many classes, and the toll that such classes pay.

Classes of 2k or more records can be parted without any loss, so all classes may be taken to be smaller. A region of m
records holds k or more records of at most m // k of them. If each pays a toll, beside what it loses, its records may
be priced higher by that, and all prices, less m // k times the toll, are still at most what any partition loses.
The proof is in docs/certificate.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.engine.kernels.bounds.crowding import crowded_windows
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.bounds.pricing import Tolls
from shoal.ground.arrays import Floats, Ints

TOO_MANY = 0.05
"""Classes by which a window is crowded that becomes a region."""
LARGEST = 8
"""Most classes of a region."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Regions without a common point, and what they charge."""

    region: Ints
    """[point] the region that it is in; -1 for none."""
    limit: Ints
    """[region] how many classes can have k or more of their records in it."""
    toll: Floats
    """[region]"""

    @classmethod
    def none(cls, points: int) -> Regions:
        """No region at all."""
        return cls(np.full(points, -1), np.zeros(0, dtype=np.int64), np.zeros(0))

    @property
    def tolls(self) -> Tolls:
        """As the kernels take them."""
        return Tolls(self.region, self.toll)

    @property
    def owed(self) -> float:
        """What all prices together are too high by."""
        return float(self.toll @ self.limit)

    def charging(self, toll: Floats) -> Regions:
        """The same regions with other tolls."""
        return replace(self, toll=toll)

    def without_idle(self) -> Regions:
        """Only the regions that charge something."""
        kept = self.toll > 0
        names = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
        return Regions(names[self.region], self.limit[kept], self.toll[kept])

    def joined_by_crowded(
        self, lattice: Lattice, size: int, begin: Ints, points: Ints, use: Floats
    ) -> tuple[Regions, int]:
        """These and windows in which listed boxes are used too often, the most crowded first; and the steps taken."""
        over, until = np.zeros(len(lattice.members)), np.zeros(len(lattice.members), dtype=np.int64)
        steps = crowded_windows(lattice, size, LARGEST * size, begin, points, use, over, until)
        region, limit = self.region.copy(), list(self.limit)
        for place in np.argsort(-over, kind="stable")[: int((over > TOO_MANY).sum())]:
            end = lattice.start[np.searchsorted(lattice.start, place, side="right")]
            inside = lattice.members[place:end]
            inside = inside[lattice.bins[inside] <= until[place]]
            if (region[inside] < 0).all():
                region[inside] = len(limit)
                limit.append(int(lattice.copies[inside].sum()) // size)
        toll = np.append(self.toll, np.zeros(len(limit) - len(self.toll)))
        return Regions(region, np.array(limit, dtype=np.int64), toll), steps
