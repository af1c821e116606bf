# SPDX-License-Identifier: Apache-2.0
"""Growing classes by the cheapest next record, and placing the few that are left over."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import increase, stretch, ticks
from shoal.engine.kernels.trees.box_tree import BoxTree, delete
from shoal.engine.kernels.trees.hull_queries import cheapest
from shoal.engine.kernels.trees.sign_patterns import SignPatterns, furthest_from, mend_reach
from shoal.ground.arrays import Floats, Ints


@kernel
def grow_class(
    hulls: Any, tree: BoxTree, records: Floats, seed: int, size: int, label: int, labels: Ints, members: Ints
) -> int:
    """Start a class at ``seed`` and add the cheapest live record until it has ``size``; returns the last added."""
    lo = records[seed].copy()
    hi = records[seed].copy()
    delete(tree, seed)
    labels[seed] = label
    members[0] = seed
    row = seed
    for i in range(1, size):
        row = cheapest(hulls, tree, lo, hi)
        delete(tree, row)
        labels[row] = label
        members[i] = row
        stretch(lo, hi, records, row)
    return row


@kernel
def grow_from_furthest(
    hulls: Any, tree: BoxTree, reach: SignPatterns, records: Floats, size: int, label: int, until: int, previous: int,
    follow_last: bool, labels: Ints, members: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes ``label .. until-1``, each seeded furthest from the previous seed (or last record added)."""
    while label < until and tree.live[0] >= size:
        seed = previous
        if tree.taken[previous] or follow_last:
            seed = furthest_from(hulls, tree, reach, records, previous)
        last = grow_class(hulls, tree, records, seed, size, label, labels, members)
        for i in range(size):
            mend_reach(tree, reach, members[i])
        previous = last if follow_last else seed
        label += 1
    return label, previous


@kernel
def grow_in_order(
    hulls: Any, tree: BoxTree, records: Floats, size: int, label: int, until: int, order: Ints, at: int, labels: Ints,
    members: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes ``label .. until-1``, each seeded with the next live record of ``order``."""
    while label < until and tree.live[0] >= size:
        while tree.taken[order[at]]:
            at += 1
        grow_class(hulls, tree, records, order[at], size, label, labels, members)
        label += 1
    return label, at


@kernel
def place_leftovers(
    hulls: Any, records: Floats, order: Ints, lo: Floats, hi: Floats, sizes: Ints, labels: Ints
) -> None:
    """Give each unlabelled record, in order, to the class whose total loss grows least; ties to the lowest class."""
    hulls = lent(hulls)
    for i in range(len(order)):
        row = order[i]
        if labels[row] >= 0:
            continue
        best, chosen = np.inf, -1
        for label in range(len(sizes)):
            price = ticks(increase(hulls, lo[label], hi[label], sizes[label], records, row, 1))
            if price < best:
                best, chosen = price, label
        labels[row] = chosen
        sizes[chosen] += 1
        stretch(lo[chosen], hi[chosen], records, row)
