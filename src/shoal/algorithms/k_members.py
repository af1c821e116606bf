# SPDX-License-Identifier: Apache-2.0
"""k-members clustering with random seeds: each class takes the cheapest next record.

Idea: start a class at a random record, then k - 1 times add the record that makes the class's hull grow least;
the fewer than k records left at the end, in random order, join the class whose loss grows least.

Paper: Wang, Liu & Gao, k-members clustering for k-anonymity (IL as in Byun et al. 2007). Where the text says
"make the loss minimum" for leftovers we read: the smallest *increase*.

Cost: the paper's O(n) is wrong, the plain algorithm is O(n²); here every addition is one exact query of a box
tree, near-linear in practice.

When not to use it: for small k on skewed tables ``k_member`` may lose less; results vary with the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.algorithms._growing import finish, in_slices
from shoal.algorithms._order import visiting_order
from shoal.algorithms._protocol import Capabilities, Partition
from shoal.encoding.encoded import Encoded
from shoal.kernels.box_tree import build
from shoal.kernels.growing import grow_in_order
from shoal.parameters import parameter
from shoal.progress import Progress
from shoal.requirements import Requirement

CAPABILITIES = Capabilities(random=True)


@dataclass(frozen=True)
class Parameters:
    """Parameters of k_members."""

    order: tuple[int, ...] = parameter(
        (), "rows in the order in which they are tried as seeds; drawn with the seed if not given", advanced=True
    )


def cluster(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    labels = np.full(n, -1, dtype=np.int64)
    order = visiting_order(parameters.order, n, random, "k_members")
    tree = build(encoded.hulls, encoded.points, False)
    members = np.empty(size, dtype=np.int64)
    label, at = 0, 0

    def grow(until: int) -> int:
        nonlocal label, at
        label, at = grow_in_order(encoded.hulls, tree, encoded.points, size, label, until, order, at, labels, members)
        return label

    n_classes = in_slices(grow, n // size, progress)
    return finish(encoded, labels, n_classes, order)
