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

from shoal.engine.algorithms._given import order_parameter, visiting_order
from shoal.engine.algorithms._growing import finish, grown_in_order
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement

CAPABILITIES = Capabilities(random=True, paper_loss="height")


@dataclass(frozen=True)
class Parameters:
    """Parameters of k_members."""

    order: tuple[int, ...] = order_parameter("they are tried as seeds")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    order = visiting_order(parameters.order, len(encoded), random, "k_members")
    labels, n_classes = grown_in_order(encoded.hulls, encoded.points, order, requirement.size, progress)
    return finish(encoded, labels, n_classes, order)
