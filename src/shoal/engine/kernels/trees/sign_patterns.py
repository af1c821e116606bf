# SPDX-License-Identifier: Apache-2.0
"""The furthest record from a record, with node bounds that are exact on numbers.

A box says how far its corners are, but no record may stand in the corner: when the far side of the table has been
eaten away evenly, thousands of boxes look better than their records are. On numbers the true maximum is cheap:
the sum of distances ``|x - p|`` is the largest of ``s · (x - p)`` over all patterns of signs ``s``, so a node that
keeps the largest ``s · x`` of its live points for each pattern knows its furthest point exactly. Names still go by
the box. Both bounds hold, the smaller one counts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.engine.kernels.hull import RANGE, Hulls, term, ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.engine.kernels.trees.walks import TreeBoxes, boxes_of, ends, least, records_of
from shoal.ground.arrays import Flags, Floats, Ints

MOST_AXES = 4
"""Numeric attributes with sign patterns; 16 of them. Further ones go by the box."""
NOISE_ROOM = 1e-14
"""Relative and absolute room for float noise, so that a bound is never below a value it covers."""


class SignPatterns(NamedTuple):
    """What a box tree needs beside its boxes."""

    axes: Ints
    """The numeric attributes that have patterns."""
    base: Floats
    """[axis] smallest coordinate; distances are counted from there to keep numbers small."""
    scale: Floats
    """[axis] cost of one unit."""
    signs: Floats
    """[pattern, axis] +1 or -1."""
    far: Floats
    """[node, pattern] largest ``s · x`` of the live points."""


@kernel
def _project(reach: SignPatterns, at: Floats, i: int, pattern: int) -> float:
    total = 0.0
    for a in range(len(reach.axes)):
        total += reach.signs[pattern, a] * (at[i, reach.axes[a]] - reach.base[a]) * reach.scale[a]
    return total


@kernel
def _mend_leaf(tree: BoxTree, reach: SignPatterns, node: int) -> None:
    for pattern in range(len(reach.signs)):
        largest = -np.inf
        for slot in range(tree.begin[node], tree.end[node]):
            largest = max(largest, _project(reach, tree.at, slot, pattern))
        reach.far[node, pattern] = largest


@kernel
def _mend_inner(tree: BoxTree, reach: SignPatterns, node: int) -> bool:
    """Mend a node from its children; False if nothing changed."""
    a, changed = tree.left[node], False
    for pattern in range(len(reach.signs)):
        largest = max(reach.far[a, pattern], reach.far[a + 1, pattern])
        if largest != reach.far[node, pattern]:
            reach.far[node, pattern] = largest
            changed = True
    return changed


@kernel
def reach_of(hulls: Any, tree: BoxTree) -> SignPatterns:
    """The patterns of a tree whose records are all alive."""
    numeric = np.flatnonzero((hulls.kind == RANGE) & (hulls.scale > 0))
    axes = numeric[: min(len(numeric), MOST_AXES)].astype(np.int64)
    patterns = 1 << len(axes)
    signs = np.ones((patterns, len(axes)))
    for pattern in range(patterns):
        for a in range(len(axes)):
            if pattern >> a & 1:
                signs[pattern, a] = -1.0
    base, scale = np.empty(len(axes)), np.empty(len(axes))
    for a in range(len(axes)):
        base[a], scale[a] = tree.lo[0, axes[a]], hulls.scale[axes[a]]
    reach = SignPatterns(axes, base, scale, signs, np.empty((len(tree.left), patterns)))
    for node in range(len(tree.left) - 1, -1, -1):  # children come after their parents
        if tree.left[node] < 0:
            _mend_leaf(tree, reach, node)
        else:
            _mend_inner(tree, reach, node)
    return reach


@kernel
def mend_reach(tree: BoxTree, reach: SignPatterns, row: int) -> None:
    """Mend the patterns after a row was deleted from the tree; must be called before the next question."""
    point = tree.point_of[row]
    if tree.copies[tree.slot[point]] > 0:
        return
    node = tree.leaf[point]
    _mend_leaf(tree, reach, node)
    node = tree.parent[node]
    while node >= 0 and _mend_inner(tree, reach, node):
        node = tree.parent[node]


class FarQuestion(NamedTuple):
    """A record, and the records, boxes and patterns it is compared with."""

    hulls: Hulls
    boxes: TreeBoxes
    far: Floats
    origin: Floats
    here: Floats
    """[pattern] ``s · p`` of the record."""
    patterned: Flags
    """[attribute] whether the patterns cover it."""


@inlined
def _far(question: FarQuestion, i: int, is_leaf: bool, _limit: float) -> float:
    """Hull distance of a record, negated; of a box the smaller of what its corners and its patterns allow."""
    hulls, boxes, far, origin, here, patterned = question
    total, lined = 0.0, 0.0
    for j in range(len(origin)):
        low, high = ends(boxes, i, j, is_leaf)
        cost = term(hulls, j, min(origin[j], low), max(origin[j], high))
        total += cost
        if patterned[j]:
            lined += cost
    if not is_leaf:
        exact = -np.inf
        for pattern in range(len(here)):
            exact = max(exact, far[i, pattern] - here[pattern])
        if exact < lined:  # the corner is further out than any record on these attributes
            total = (total - lined + exact) * (1.0 + NOISE_ROOM) + NOISE_ROOM
    return -ticks(total)


@kernel
def furthest_from(hulls: Any, tree: BoxTree, reach: SignPatterns, records: Floats, row: int) -> int:
    """The live row furthest from a row (hull distance); ties to the lowest row; -1 if none is alive."""
    here, patterned = np.empty(len(reach.signs)), np.zeros(records.shape[1], np.bool_)
    patterned[reach.axes] = True
    for pattern in range(len(here)):
        here[pattern] = _project(reach, records, row, pattern)
    question = FarQuestion(hulls, boxes_of(tree), reach.far, records[row], here, patterned)
    chosen, _ = least(_far, question, records_of(tree), np.inf, NO_ROW)
    return chosen if chosen < NO_ROW else -1
