# SPDX-License-Identifier: Apache-2.0
"""The question about a hull: which live record is cheapest to take in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import Hulls, term, ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.engine.kernels.trees.walks import TreeBoxes, boxes_of, ends, least, records_of
from shoal.ground.arrays import Floats


class HullQuestion(NamedTuple):
    """A hull, and the records and boxes it is asked about."""

    hulls: Hulls
    boxes: TreeBoxes
    lo: Floats
    hi: Floats
    base: Floats
    """[attribute] what the hull costs as it is."""


@inlined
def about_hull(hulls: Any, tree: BoxTree, lo: Floats, hi: Floats) -> HullQuestion:
    """A question about a hull."""
    hulls = lent(hulls)
    base = np.empty(len(lo))
    for j in range(len(lo)):
        base[j] = term(hulls, j, lo[j], hi[j])
    return HullQuestion(hulls, boxes_of(tree), lent(lo), lent(hi), base)


@inlined
def _cheap(question: HullQuestion, i: int, is_leaf: bool, limit: float) -> float:
    """Loss of the hull grown to a record, or just to the near face of a box: no record in it can cost less."""
    hulls, boxes, lo, hi, base = question
    total = 0.0
    for j in range(len(lo)):
        low, high = ends(boxes, i, j, is_leaf)
        if low > hi[j]:
            total += term(hulls, j, lo[j], low)
        elif high < lo[j]:
            total += term(hulls, j, high, hi[j])
        else:
            total += base[j]
        if total > limit:
            break
    return ticks(total)


@kernel
def cheapest(hulls: Any, tree: BoxTree, lo: Floats, hi: Floats) -> int:
    """Row of the live record with the smallest loss of the grown hull; ties to the lowest row; -1 if none."""
    row, _ = least(_cheap, about_hull(hulls, tree, lo, hi), records_of(tree), np.inf, NO_ROW)
    return row if row < NO_ROW else -1
