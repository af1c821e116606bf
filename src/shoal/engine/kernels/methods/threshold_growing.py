# SPDX-License-Identifier: Apache-2.0
"""Growing a class by the nearest record for as long as its score stays within a threshold.

The score of a class is ``share`` times its loss, as a part of the most it can be, and for the rest the part of its
records that bring no new private value: ``1 - different values / records``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import loss_with, stretch, ticks
from shoal.engine.kernels.trees.box_tree import BoxTree, delete, restore
from shoal.engine.kernels.trees.hull_queries import cheapest
from shoal.ground.arrays import Floats, Ints


class Growth(NamedTuple):
    """The class under way; between two calls it may be unfinished."""

    at: Ints
    label: Ints
    size: Ints
    kinds: Ints
    """[0] position in the order of seeds; number, records and different private values of the class."""
    members: Ints
    """Its records, in the order in which they joined."""
    lo: Floats
    hi: Floats
    codes: Ints
    """[row] private value; empty if it does not matter."""
    tally: Ints
    """[value] records of the class with it."""


@kernel
def _score(share: float, unit: float, lost: float, kinds: int, count: int) -> float:
    """In ticks; ``unit`` is the loss of a class that loses all."""
    lost = lost / unit if unit > 0 else 0.0
    return ticks(lost if share == 1.0 else share * lost + (1.0 - share) * (1.0 - kinds / count))


@kernel
def _add(growth: Growth, tree: BoxTree, records: Floats, row: int) -> None:
    delete(tree, row)
    if growth.size[0] == 0:
        growth.lo[:], growth.hi[:] = np.inf, -np.inf
    stretch(growth.lo, growth.hi, records, row)
    growth.members[growth.size[0]] = row
    growth.size[0] += 1
    if len(growth.codes):
        growth.tally[growth.codes[row]] += 1
        growth.kinds[0] += growth.tally[growth.codes[row]] == 1


@kernel
def _next(hulls: Any, growth: Growth, tree: BoxTree, records: Floats, share: float, unit: float) -> tuple[int, float]:
    """The nearest record to the class, and the score that it would have with it; -1 if none is left."""
    row = cheapest(hulls, tree, growth.lo, growth.hi)
    if row < 0:
        return -1, np.inf
    kinds = growth.kinds[0]
    if len(growth.codes):
        kinds += growth.tally[growth.codes[row]] == 0
    lost = loss_with(hulls, growth.lo, growth.hi, records, row)
    return row, _score(share, unit, lost, kinds, growth.size[0] + 1)


@kernel
def _begin_anew(growth: Growth, tree: BoxTree, returned_from: int) -> None:
    """Forget the class; its members from ``returned_from`` on go back to the others."""
    for i in range(growth.size[0]):
        if len(growth.codes):
            growth.tally[growth.codes[growth.members[i]]] = 0
        if i >= returned_from:
            restore(tree, growth.members[i])
    growth.size[0], growth.kinds[0] = 0, 0


@kernel
def score_around(
    hulls: Any, growth: Growth, tree: BoxTree, records: Floats, share: float, unit: float, size: int, seed: int
) -> float:
    """The highest score of a class on its way from a seed to ``size`` records, in ticks; the tree stays as it was."""
    highest = 0.0
    _add(growth, tree, records, seed)
    for _ in range(size - 1):
        row, score = _next(hulls, growth, tree, records, share, unit)
        highest = max(highest, score)
        _add(growth, tree, records, row)
    _begin_anew(growth, tree, 0)
    return highest


@kernel
def grow_to_threshold(
    hulls: Any, growth: Growth, tree: BoxTree, records: Floats, share: float, unit: float, threshold: float,
    size: int, only_seed: bool, order: Ints, most: int, labels: Ints,
) -> None:  # fmt: skip
    """Make classes around the live records of ``order``, until it is gone through or ``most`` records were tried.

    A class that ends with fewer than ``size`` records is left out, or with ``only_seed`` only its seed is.
    """
    while growth.at[0] < len(order) and most > 0:
        if growth.size[0] == 0:
            if tree.taken[order[growth.at[0]]]:
                growth.at[0] += 1
                continue
            _add(growth, tree, records, order[growth.at[0]])
        row, score = _next(hulls, growth, tree, records, share, unit)
        most -= 1
        if score <= threshold:
            _add(growth, tree, records, row)
            continue
        kept = growth.size[0] >= size
        if kept:
            for i in range(growth.size[0]):
                labels[growth.members[i]] = growth.label[0]
            growth.label[0] += 1
        _begin_anew(growth, tree, 1 if only_seed and not kept else growth.size[0])
        growth.at[0] += 1
