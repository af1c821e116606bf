# SPDX-License-Identifier: Apache-2.0
"""A tree over groups of which some have joined others and hold nobody."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.trees.group_tree import build_tree, fill, members_of, new_groups
from tests.counts import repeats
from tests.strategies import random_encoded


@pytest.mark.parametrize("seed", repeats(4, 40))
def test_groups_without_members_are_nowhere(seed: int) -> None:
    """Every group is in the tree once, the hull of the tree is that of the groups that hold somebody."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 60, columns=3)
    hulls, points = encoded.hulls, encoded.points
    groups = new_groups(hulls, points, np.arange(60) % 20, 20)
    for joined in range(0, 20, 2):
        both = np.concatenate((members_of(groups, joined), members_of(groups, joined + 1)))
        fill(hulls, points, groups, joined, both[:0])
        fill(hulls, points, groups, joined + 1, both)
    tree = build_tree(hulls, groups, 2)
    assert sorted(tree.group.tolist()) == list(range(20))
    assert tree.lo[0].tolist() == points.min(axis=0).tolist()
    assert tree.hi[0].tolist() == points.max(axis=0).tolist()
