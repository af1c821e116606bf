# SPDX-License-Identifier: Apache-2.0
"""V-MDAV microaggregation: MDAV with classes that grow beyond k where records lie close together.

Idea: the record furthest from the mean of the whole table takes its k - 1 nearest; then the class takes the record
nearest to any of its members as long as that one is nearer to the class than ``gamma`` times its distance from the
nearest record still free, up to 2k - 1 records. When fewer than 2k are left they are the last class, or, if fewer
than k, each joins the class of its nearest record. Means are published by default.

Paper: A. Solanas, A. Martínez-Ballesté, "V-MDAV: a multivariate microaggregation with variable group size", COMPSTAT
2006; our reading of its description by Zhang and Zheng. Names are taken as 0/1 (equal or not, trees are ignored),
ordered categories by their rank.

Cost: O(n²) as published; here the distances from the mean are sorted once, and all else are exact queries of a box
tree: one per record, and one more per record that is considered for a larger class.

When not to use it: on scattered records a large ``gamma`` makes classes larger than needed; then use 0.2 or ``mdav``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._euclidean import nearest_rows, place, scale_parameter, tree_over
from shoal.engine.algorithms._growing import in_slices
from shoal.engine.kernels.methods.microaggregating import v_mdav_classes
from shoal.engine.kernels.trees.squared_queries import from_mean, mean_of
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, parameter
from shoal.ground.arrays import Flags, Floats, Ints

CAPABILITIES = Capabilities(losses=(), order_free=True, class_sizes="k..", render="mean")


@dataclass(frozen=True)
class Parameters:
    """Parameters of v_mdav."""

    gamma: float = parameter(
        0.2, "how readily classes grow: 0 not at all, 0.2 for scattered records, 1.1 for clustered ones", least=0.0
    )
    scale: str = scale_parameter("std")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records, and the fewer than k that are left over."""
    n, size = len(encoded), requirement.size
    points, names, weight = place(encoded, parameters.scale)
    order = np.argsort(-from_mean(mean_of(points, names), points, names, weight), kind="stable")
    tree = tree_over(points, names, weight)
    labels = np.full(n, -1, dtype=np.int64)
    gain = parameters.gamma * parameters.gamma
    label, at = 0, 0

    def grow(until: int) -> int:
        nonlocal label, at
        label, at = v_mdav_classes(tree, points, names, weight, size, gain, order, at, label, until, labels)
        return int((labels >= 0).sum())

    in_slices(grow, n, progress)
    left = np.flatnonzero(labels < 0)
    labels[left] = label if len(left) >= size else _nearest_classes(points, names, weight, labels, left)
    return Partition.of(labels)


def _nearest_classes(points: Floats, names: Flags, weight: Floats, labels: Ints, left: Ints) -> Ints:
    """The class of the record nearest to each one left over; of equally near ones the class made first."""
    placed = np.flatnonzero(labels >= 0)
    by_class = placed[np.argsort(labels[placed], kind="stable")]
    tree = tree_over(points[by_class], names, weight)
    nearest = by_class[nearest_rows(tree, names, weight, points[left])]
    return np.asarray(labels[nearest])
