# SPDX-License-Identifier: Apache-2.0
"""Distances of two leaves that are no hull losses, in the form in which the kernels look them up."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.hierarchy import Hierarchy

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeafDistance:
    """``(rise[h, a] * share[p]) * (rise[h, b] * other_share[p]) * scale`` for two leaves that meet in node p.

    h is the height of p, counted so that the root of a tree of three levels has 3; a and b tell how many levels
    each leaf lies below p.
    """

    share: Floats
    other_share: Floats
    rise: Floats
    scale: float = 1.0

    @classmethod
    def by_leaves(cls, tree: Hierarchy) -> LeafDistance:
        """The share of all leaves that lie below the common node."""
        share = tree.leaf_counts / tree.n_leaves
        return cls(share, np.ones_like(share), np.ones((tree.levels + 1, tree.levels)))

    @classmethod
    def by_rise(cls, tree: Hierarchy) -> LeafDistance:
        """DistC of Wang, He and Zhu (2022), equations 4 and 5: how high, how far and how wide it is generalised."""
        levels, share = tree.levels, tree.leaf_counts / tree.n_leaves
        rise = np.zeros((levels + 1, levels))
        for height in range(2, levels + 1):
            rise[height, :height] = [float(height * below) ** (height / levels) for below in range(height)]
        return cls(share, share, rise)

    def times(self, factor: float) -> LeafDistance:
        """The same distance, so much larger."""
        return replace(self, scale=self.scale * factor)

    def to_unit(self, tree: Hierarchy) -> LeafDistance:
        """The same distance, divided so that no two leaves are further apart than 1."""
        furthest = float(self.reach(tree).max())
        return self.times(1.0 / furthest) if furthest > 0 else self

    def reach(self, tree: Hierarchy) -> Floats:
        """Greatest distance of two leaves that meet in each node: those deepest below two of its children."""
        bottom, second = tree.depths.copy(), np.full(len(tree.labels), -1, dtype=np.int64)
        for node in range(len(tree.labels) - 1, 0, -1):
            above, depth = tree.parents[node], bottom[node]
            if depth > bottom[above]:
                if bottom[above] > tree.depths[above]:
                    second[above] = bottom[above]
                bottom[above] = depth
            elif depth > second[above]:
                second[above] = depth
        height = tree.levels - tree.depths
        one = self.rise[height, bottom - tree.depths] * self.share
        other = self.rise[height, np.maximum(second - tree.depths, 0)] * self.other_share
        return np.where(second >= 0, one * other * self.scale, 0.0)
