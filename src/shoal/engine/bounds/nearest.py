# SPDX-License-Identifier: Apache-2.0
"""Bound 1: a class that holds a record holds k - 1 others, so it loses at least the hull with the (k-1)-th nearest one.

It needs no listing of boxes, so it serves any number of columns, of any kind.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.slots import each_slot
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.bounds.nearest import nearest_losses
from shoal.engine.kernels.trees.box_tree import BoxTree, build
from shoal.ground.arrays import Floats


def nearest_bound(encoded: Encoded, size: int, budget: StepBudget) -> tuple[BoxTree, Floats, int]:
    """The tree of all records; for each of its slots the loss that no class can go below; how many were looked at."""
    tree = build(encoded.hulls, encoded.points, False)
    loss = np.zeros(len(tree.at))
    look = partial(nearest_losses, encoded.hulls, tree, size)
    done = each_slot(look, np.arange(len(loss)), loss, len(encoded.columns), budget)
    return tree, loss, done
