# SPDX-License-Identifier: Apache-2.0
"""KACPC: classes around centre points that spread from the middle of the table to its edge.

Idea: the first centroid is the record nearest to the commonest value of every column, each next one the record
with the smallest mean distance to all earlier centroids; a class is a centroid and its k - 1 nearest records. So
outliers come last and spoil few classes. The fewer than k records left at the end join the nearest centroid.

The distance of two leaves multiplies how far each is generalised: with p their lowest common node,
``D(u, p) * D(v, p)``, ``D(v, p) = (h(p) * (h(p) - h(v))) ^ (h(p) / levels) * leaves(p) / all leaves``, where the height
h is counted from the root down. It has no upper bound of 1 as numbers have: two leaves at the bottom of a tree of 2,
3 or 4 levels may be 4, 36 or 144 apart, so deep trees dominate. ``scale="unit"`` divides by the largest distance.

Paper: H. Wang, J. He, N. Zhu, "Improving data utilization of k-anonymity through clustering optimization", 2022.
Where it is silent: ties go to the smallest value and the lowest row, leftovers go in row order, and a missing number
is a whole range from every number.

Cost: O(n²) as published; here nearest records and smallest means are exact queries of box trees, near-linear in
practice. Each class costs the number of leaves of every tree once more.

When not to use it: ``k_members`` loses less on most tables; and where trees differ much in depth, the deepest
decides alone (give weights, or ``scale="unit"``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._centroids import LeafDistance, around_centroids
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice
from shoal.hierarchies.hierarchy import Hierarchy

CAPABILITIES = Capabilities(losses=(), order_free=True)


@dataclass(frozen=True)
class Parameters:
    """Parameters of kacpc."""

    scale: str = choice("distances of leaves as published, or at most 1 in every tree", "paper", "unit")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""

    def between(tree: Hierarchy) -> LeafDistance:
        distance = LeafDistance.by_rise(tree)
        return distance.to_unit(tree) if parameters.scale == "unit" else distance

    return around_centroids(encoded, requirement.size, between, 1.0, None, progress)[0]
