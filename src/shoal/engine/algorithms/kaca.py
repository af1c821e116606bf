# SPDX-License-Identifier: Apache-2.0
"""KACA: classes of equal records, the small ones joined with the class that distorts least.

Idea: start from the classes of equal records. While one has fewer than k, join it with the class for which the
distortion of the table grows least; if the two would have 2k records or more, it takes only as many as it lacks (those
with the lowest row numbers). Distortion is the weighted hierarchical distance of each record from what it publishes:
to climb from level j to j - 1 of a tree (level 1 is the root) costs 1 / (j - 1)^beta as a share of the whole way, so
with ``beta`` above 0 steps near the root cost more. Short branches are padded at the bottom. The loss chosen in the
plan does not matter.

Paper: J. Li, R. Wong, A. Fu, J. Pei, "Achieving k-anonymity by clustering in attribute hierarchical structures", DaWaK
2006. Our reading of it: numbers have no tree and cost their share of the column's range; the next class to be joined
is the smallest, then the one made first (``pick="random"``: that of a random record, as in the paper).

Cost: O(d c²) for c different records, in memory for the records alone.

When not to use it: with more than some 50,000 different records, since every join looks at all classes; ``k_member`` is
near-linear.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._given import given_first
from shoal.engine.algorithms._growing import in_slices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.engine.kernels.methods.joining import absorb, new_classes
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.engine.methods import Capabilities, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy

CAPABILITIES = Capabilities(random=True, class_sizes="k..", losses=(), largest_distinct=50_000)


@dataclass(frozen=True)
class Parameters:
    """Parameters of kaca."""

    beta: float = parameter(0.0, "how much more steps near the root of a tree cost; 0: all steps the same", least=0)
    pick: str = choice("which small class is joined next: the smallest, or a random one", "smallest", "random")
    order: tuple[int, ...] = parameter(
        (), "rows whose classes are joined first, instead of the choice by pick", advanced=True
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records, or of more if they are equal."""
    hulls = hull_kernel_arrays([_term(column, parameters.beta) for column in encoded.columns])
    order = _order(parameters, len(encoded), random)
    point_of, _, n_points = distinct(encoded.points)
    classes = new_classes(hulls, encoded.points, point_of, n_points, requirement.size)
    small, at = int(classes.small[0]), 0

    def join(until: int) -> int:
        nonlocal at
        at = absorb(hulls, encoded.points, classes, requirement.size, order, at, small - until)
        return small - int(classes.small[0])

    progress(0, max(small, 1))
    in_slices(join, small, progress)
    return Partition.of(classes.class_of)


def whd(tree: Hierarchy, beta: float) -> Floats:
    """Weighted hierarchical distance from any leaf up to each node; 0 for leaves."""
    if tree.n_leaves <= 1:
        return np.zeros(len(tree.labels))
    steps = np.arange(1.0, tree.levels) ** -beta  # from depth d - 1 to d, i.e. between levels d and d + 1
    above = np.concatenate([[0.0], np.cumsum(steps)])
    distance: Floats = (above[-1] - above[tree.depths]) / above[-1]
    distance[tree.leaves] = 0.0
    return distance


def _term(column: EncodedColumn, beta: float) -> HullTerm:
    if column.tree is None:
        return column.term("ncp")
    return HullTerm.of_nodes(column.tree, whd(column.tree, beta) * column.weight)


def _order(parameters: Parameters, n: int, random: np.random.Generator) -> Ints:
    """Rows in the order in which their classes are joined; none: the smallest class first."""
    if parameters.order:
        return given_first(parameters.order, n, "kaca")
    return random.permutation(n) if parameters.pick == "random" else np.zeros(0, dtype=np.int64)
