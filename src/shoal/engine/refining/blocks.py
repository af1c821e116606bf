# SPDX-License-Identifier: Apache-2.0
"""Classes in blocks of neighbours, each small enough to be searched by itself.

The cuts are as in a k-d tree, but where and along which attribute is partly random: classes that were parted in
one round meet in another.
"""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats, Ints

LARGEST_BLOCK = 300
"""Most classes in a block: each step compares a class with all others of its block."""


def cut(middles: Floats, random: np.random.Generator) -> list[Ints]:
    """Numbers of the classes of each block; ``middles`` are in units of loss."""
    blocks, todo = [], [np.arange(len(middles))]
    while todo:
        block = todo.pop()
        if len(block) <= LARGEST_BLOCK:
            blocks.append(block)
            continue
        reach = np.ptp(middles[block], axis=0) * random.uniform(0.3, 1.0, middles.shape[1])
        order = block[np.argsort(middles[block, reach.argmax()], kind="stable")]
        at = int(len(order) * random.uniform(0.4, 0.6))
        todo += [order[:at], order[at:]]
    return blocks
