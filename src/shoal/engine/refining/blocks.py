# SPDX-License-Identifier: Apache-2.0
"""Classes in blocks of neighbours, each small enough to be searched by itself.

The cuts are as in a k-d tree, but where and along which attribute is partly random: classes that were parted in
one round meet in another.
"""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats, Ints

SMALL_BLOCK, LARGEST_BLOCK = 300, 1000
"""Most classes in a block, where classes are large and where they are small: a step compares one with all of them."""
MOST_RECORDS = 40_000
"""Records in a block of more than ``SMALL_BLOCK`` classes: what is larger keeps several processors busy."""
NARROW = 0.05
"""Classes of less than this share of a block's reach are as good as of no width."""
ROUNDED_AWAY = 1e-12
"""Added to a width that may be nothing."""


def most_classes(classes: int, records: int, largest: int = LARGEST_BLOCK) -> int:
    """How many classes of a partition make a block at most."""
    return min(max(SMALL_BLOCK, MOST_RECORDS * classes // max(records, 1)), largest)


def cut(middles: Floats, random: np.random.Generator, largest: int, widths: Floats | None = None) -> list[Ints]:
    """Numbers of the classes of each block; ``middles`` are in units of loss, and so are ``widths``, if there are any.

    Cuts are across what reaches far beside the width of its classes: few then lie near a cut.
    """
    blocks, todo = [], [np.arange(len(middles))]
    while todo:
        block = todo.pop()
        if len(block) <= largest:
            blocks.append(block)
            continue
        reach = np.ptp(middles[block], axis=0)
        if widths is not None:
            reach /= np.maximum(widths[block].mean(axis=0), NARROW * reach) + ROUNDED_AWAY
        reach *= random.uniform(0.3, 1.0, len(reach))
        order = block[np.argsort(middles[block, reach.argmax()], kind="stable")]
        at = int(len(order) * random.uniform(0.4, 0.6))
        todo += [order[:at], order[at:]]
    return blocks
