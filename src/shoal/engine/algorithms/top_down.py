# SPDX-License-Identifier: Apache-2.0
"""Top-down local recoding: split the records in two around two records far apart; small groups borrow or join.

Idea: take a group of 2k records or more, find two of its records far apart (from any record to the one furthest from
it, and so on, ``sweeps`` times), and give every other record, in random order, to the one of the two whose hull costs
less with it. When no group is that large any more, the groups of fewer than k records are mended, smallest first: a
group either borrows what it lacks, the records nearest to its hull, from one group that can spare them, or it joins
another group of fewer than 2k; whichever raises the total loss least.

Paper: J. Xu, W. Wang, J. Pei, X. Wang, B. Shi, A. Fu, "Utility-based anonymization using local recoding", KDD 2006.
Our reading of it: groups of fewer than 2k are not split; a group none of whose records prefers either seed (equal
records, or all different names) is cut into blocks of k; other ties go to the first seed's group, in mending to
borrowing, then to the group that was made first.

Cost: O(n²) in the worst case as published, O(n log n) typically; here, too. Partners are found with a tree over the
hulls of the groups instead of asking every group; the answers are the same.

When not to use it: for low loss ``k_member`` is usually better; for classes of at most 2k - 1 records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._given import order_parameter, visiting_order
from shoal.engine.encoding.losses import for_totals
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.methods.group_mending import find_smallest, lenders_and_partners, mend_groups, new_mending
from shoal.engine.kernels.methods.seeded_splits import Splitting, new_splitting, split_groups
from shoal.engine.kernels.trees.group_tree import LinkedGroups, labels_of_groups, new_groups
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, parameter

CAPABILITIES = Capabilities(random=True, class_sizes="k..", paper_loss="ncp")

VISITS = 200_000
"""Records visited between two reports while groups are split."""
MENDED = 200
"""Groups mended between two reports."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of top_down."""

    sweeps: int = parameter(3, "how often the search for far-apart seeds turns round", least=1)
    order: tuple[int, ...] = order_parameter("they are visited")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 3k - 2 records."""
    n, size, hulls = len(encoded), requirement.size, encoded.hulls
    order = visiting_order(parameters.order, n, random, "top_down")
    splitting = new_splitting(encoded.points, order)
    labels = np.full(n, -1, dtype=np.int64)
    while splitting.parts.waiting[0] > 0:
        split_groups(hulls, splitting, size, parameters.sweeps, VISITS, labels)
        progress(int(splitting.parts.settled[0]), 2 * n)
    hulls = for_totals(hulls, 4 * size)
    groups = new_groups(hulls, splitting.points, labels, int(splitting.parts.classes[0]))
    _mend(hulls, splitting, groups, size, progress)
    labels[splitting.rows] = labels_of_groups(groups)
    return Partition.of(labels)


def _mend(hulls: Hulls, splitting: Splitting, groups: LinkedGroups, size: int, progress: Progress) -> None:
    """Let groups that are too small borrow or join."""
    points, rows, n = splitting.points, splitting.rows, len(splitting.rows)
    small = np.flatnonzero(groups.size < size)
    work = new_mending(hulls, points, size)
    while find_smallest(groups, work, size):
        tree = lenders_and_partners(hulls, points, groups, work, size)
        while mend_groups(hulls, points, rows, groups, tree, work, size, MENDED):
            left = (groups.size[small] < size) & (groups.size[small] > 0)
            progress(n + int(n * (1 - left.mean())), 2 * n)
