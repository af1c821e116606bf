# SPDX-License-Identifier: Apache-2.0
"""GAA-CP style greedy clustering: classes grow by whole groups of equal records, the cheapest per record first.

Idea: records with equal quasi-identifiers form groups. A group of k or more is a class at once. Otherwise a random
group starts a class, and the group that raises the total loss least *per record it brings* joins it, whole, until
the class has k. The groups left at the end, fewer than k records together, join, whole and in row order, the class
whose total loss grows least.

Paper: our reading of Jiang, Zeng and Ma, "Greedy clustering-anonymity method for privacy preservation of table
data-publishing", Journal of Software 28(2), 2017, of which we know the abstract and what Wang, He and Zhu 2022 say of
it. A class short of k and a group short of k always fit into 2k - 2 records, so no group is ever divided.

Cost: the square of the number of different records as published; here every addition is one exact query of a box
tree, near-linear in practice.

When not to use it: when classes must stay below 2k records, whatever repeats. Where hardly any record is
repeated it does what ``k_members`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._given import visiting_order
from shoal.engine.algorithms._growing import in_slices
from shoal.engine.kernels.hull import class_hulls
from shoal.engine.kernels.methods.group_growing import grow_by_groups, largest_groups, place_groups
from shoal.engine.kernels.trees.box_tree import build, distinct
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, parameter
from shoal.ground.arrays import Ints

CAPABILITIES = Capabilities(random=True, class_sizes="k..")


@dataclass(frozen=True)
class Parameters:
    """Parameters of gaa_cp."""

    order: tuple[int, ...] = parameter(
        (), "rows in the order in which their groups are tried as seeds; drawn if not given", advanced=True
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 2 records; more only for equal records and what is left over."""
    n, size, points = len(encoded), requirement.size, encoded.points
    groups, first, n_groups = distinct(points)
    small = np.bincount(groups) < size
    labels = np.where(small[groups], -1, groups)
    if small.any():
        if parameters.order:
            order = visiting_order(parameters.order, n, random, "gaa_cp")
        else:
            order = first[small][random.permutation(np.count_nonzero(small))]
        _grow(encoded, labels, n_groups, order[small[groups[order]]], size, progress)
    labels = Partition.of(labels).labels
    lo, hi, sizes = class_hulls(points, labels, int(labels.max()) + 1)
    place_groups(encoded.hulls, points, groups, n_groups, lo, hi, sizes, labels)
    return Partition.of(labels)


def _grow(encoded: Encoded, labels: Ints, label: int, order: Ints, size: int, progress: Progress) -> None:
    """Classes of the records without one, numbered from ``label`` on; fewer than ``size`` are left over."""
    rows = np.flatnonzero(labels < 0)
    points, grown = encoded.points[rows], np.full(len(rows), -1, dtype=np.int64)
    tree = build(encoded.hulls, points, False)
    most, order, at = largest_groups(tree), np.searchsorted(rows, order), 0

    def step(until: int) -> int:
        nonlocal label, at
        label, at = grow_by_groups(encoded.hulls, tree, most, points, size, label, until, order, at, grown)
        return len(rows) - int(tree.live[0])

    in_slices(step, len(rows), progress)
    labels[rows] = grown
