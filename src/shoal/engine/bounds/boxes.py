# SPDX-License-Identifier: Apache-2.0
"""Bound 2: a class that holds a record loses at least the cheapest box around that record that holds k records.

Where all boxes are listed (see :mod:`shoal.engine.bounds.lattice`) it is read off; else it is searched for, record by
record, the most promising first.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.slots import each_slot
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.bounds.box_search import cheapest_boxes
from shoal.engine.kernels.bounds.lattice import Lattice, cheapest_windows
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.ground.arrays import Floats

Passes = tuple[tuple[int, int], ...]
PASSES: Passes = ((2, 8), (4, 16), (12, 64))
"""Each pass over the records looks at more: nearest points as a multiple of k, and parts into which the boxes around a
record are split at most."""
FIRST_PASSES = 1
"""Passes after which prices can begin."""


def listed_boxes(lattice: Lattice, size: int) -> Floats:
    """For each point the loss of the cheapest box around it that holds ``size`` records; 0 if no class can obey."""
    loss = cheapest_windows(lattice, size)
    return np.where(np.isfinite(loss), loss, 0.0)


def searched_boxes(
    encoded: Encoded, tree: BoxTree, size: int, nearest: Floats, budget: StepBudget, passes: Passes = PASSES
) -> Floats:
    """The same for each slot of the tree, as far as the budget goes; ``nearest`` (bound 1) where it does not."""
    loss, width = nearest.copy(), len(encoded.columns)
    for near, nodes in passes:
        slots = np.argsort(-loss * tree.copies, kind="stable")
        each_slot(partial(cheapest_boxes, encoded.hulls, tree, size, near * size, nodes), slots, loss, width, budget)
    return loss
