# SPDX-License-Identifier: Apache-2.0
"""MDAV microaggregation: classes of k around the records furthest from the mean and opposite to it.

Idea: the record furthest from the mean of those left takes its k - 1 nearest, then the record furthest from it
does; so on while 3k or more are left. Of 2k to 3k - 1, one such class is made and the rest is the last; fewer are
one class. What minimises the squared error within classes is made for publishing means, so that is the default
rendering; ``--render generalise`` publishes ranges and ancestors.

Paper: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through microaggregation",
DMKD 2005, for numbers. Names are taken as 0/1 (equal or not, trees are ignored), ordered categories by their rank; the
mean of names is the share of each (``mdav_generic`` uses their mode instead).

Cost: O(n² / k) as published; here every question is an exact query of a box tree and the mean is kept up to date
as records leave it, the ideas of A. Rodríguez-Hoyos et al., "Fast MDAV", 2020, that leave the classes as they are.

When not to use it: when ranges or ancestors are published, ``k_member`` loses less; where records form clear
clusters of different sizes, ``v_mdav`` follows them better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._euclidean import place, scale_parameter, tree_over
from shoal.engine.algorithms._growing import in_slices
from shoal.engine.kernels.methods.microaggregating import mdav_classes
from shoal.engine.kernels.trees.squared_queries import mean_of
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement

CAPABILITIES = Capabilities(losses=(), order_free=True, render="mean")


@dataclass(frozen=True)
class Parameters:
    """Parameters of mdav."""

    scale: str = scale_parameter("std")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    points, names, weight = place(encoded, parameters.scale)
    near, far = tree_over(points, names, weight), tree_over(points, names, weight, outward=True)
    mean = mean_of(points, names)
    labels = np.full(n, -1, dtype=np.int64)
    label, opposite = 0, -1

    def grow(until: int) -> int:
        nonlocal label, opposite
        label, opposite = mdav_classes(near, far, mean, points, names, weight, size, label, until, opposite, labels)
        return label

    in_slices(grow, n // size, progress)
    return Partition.of(labels)
