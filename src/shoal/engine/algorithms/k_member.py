# SPDX-License-Identifier: Apache-2.0
"""Greedy k-member clustering with far-apart seeds: each class takes the cheapest next record.

Idea: start a class at the record furthest from the previous seed, then k - 1 times add the record that makes
the class's hull grow least; the fewer than k records left at the end join the class whose loss grows least.

Paper: J.-W. Byun, A. Kamra, E. Bertino, N. Li, "Efficient k-anonymization using clustering techniques", DASFAA
2007. The prose seeds from the previous seed (``seed_rule="seed"``, the default), the pseudo-code from the last
record added (``"last"``), and then even the first class starts at the furthest record.

Cost: O(n²) as published; here every addition is one exact query of a box tree, near-linear in practice.

When not to use it: far-apart seeds are outliers, so at large k (50 and more) ``k_members`` with random seeds
often loses less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._growing import finish, in_slices
from shoal.engine.kernels.methods.growing import grow_from_furthest
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.kernels.trees.sign_patterns import reach_of
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter

CAPABILITIES = Capabilities(random=True, paper_loss="height")


@dataclass(frozen=True)
class Parameters:
    """Parameters of k_member."""

    seed_rule: str = choice(
        "a class starts furthest from the previous seed, or from the last record added", "seed", "last"
    )
    start: int | None = parameter(None, "row to start from; drawn with the seed if not given", least=0, advanced=True)


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    labels = np.full(n, -1, dtype=np.int64)
    previous = int(random.integers(n)) if parameters.start is None else parameters.start % n
    tree = build(encoded.hulls, encoded.points, False)
    reach = reach_of(encoded.hulls, tree)
    members = np.empty(size, dtype=np.int64)
    label, follow_last = 0, parameters.seed_rule == "last"

    def grow(until: int) -> int:
        nonlocal label, previous
        label, previous = grow_from_furthest(
            encoded.hulls, tree, reach, encoded.points, size, label, until, previous, follow_last, labels, members
        )
        return label

    n_classes = in_slices(grow, n // size, progress)
    return finish(encoded, labels, n_classes, np.arange(n))
