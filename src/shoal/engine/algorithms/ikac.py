# SPDX-License-Identifier: Apache-2.0
"""IKAC: classes around centroids as far as possible from all earlier ones.

Idea: the first centroid is drawn, each next one is the record with the largest mean distance to all earlier
centroids; a class is a centroid and its k - 1 nearest records. The fewer than k records left at the end join the
nearest centroid. Two leaves are as far apart as the share of all leaves that lie below their common node.

Paper: our reading of Zheng et al., "Improved k-anonymity algorithm based on clustering" (IKAC), 2018, from its
abstract and from what Wang, He and Zhu (2022) tell of it; the full text was not at hand.

Cost: O(n²) as published; here nearest records and largest means are exact queries of box trees, near-linear in
practice. Each class costs the number of leaves of every tree once more.

When not to use it: centroids far from all others are outliers, so at large k it loses much more than ``kacpc`` or
``k_members``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._centroids import LeafDistance, around_centroids
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, parameter

CAPABILITIES = Capabilities(losses=(), random=True)


@dataclass(frozen=True)
class Parameters:
    """Parameters of ikac."""

    first: int | None = parameter(
        None, "row of the first centroid; drawn with the seed if not given", least=0, advanced=True
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n = len(encoded)
    first = int(random.integers(n)) if parameters.first is None else parameters.first % n
    return around_centroids(encoded, requirement.size, LeafDistance.by_leaves, -1.0, first, progress)[0]
