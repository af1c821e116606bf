# SPDX-License-Identifier: Apache-2.0
"""The loss of the hull of a record and its nearest ones, for many records."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import term
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Floats, Ints


@kernel
def _push(stack: Ints, bounds: Floats, depth: int, node: int, bound: float, second: bool) -> int:
    """Put a node on the stack, below its sibling if that is nearer."""
    place = depth
    if second and bounds[depth - 1] < bound:
        stack[depth], bounds[depth] = stack[depth - 1], bounds[depth - 1]
        place = depth - 1
    stack[place], bounds[place] = node, bound
    return depth + 1


@kernel
def nearest_slots(
    hulls: Any, tree: BoxTree, slot: int, records: int, slots: int, near: Floats, where: Ints, stack: Ints,
    bounds: Floats,
) -> tuple[int, int]:  # fmt: skip
    """The points nearest to the one at ``slot`` (itself first) by the loss of their common hull, ascending.

    As many as hold ``records`` records, and at least ``slots`` points: ``near`` gets the losses, ``where`` the slots.
    Returns their number, and how many points and boxes were compared.
    """
    hulls = lent(hulls)
    at, copies, left, begin, end = tree.at, tree.copies, tree.left, tree.begin, tree.end
    box_lo, box_hi = tree.lo, tree.hi
    d = at.shape[1]
    found, held, limit, compared = 0, 0, np.inf, 0
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] >= limit:  # only losses are asked for, not rows: of equals any will do
            continue
        a = left[node]
        is_leaf = a < 0
        first, last = (begin[node], end[node]) if is_leaf else (a, a + 2)
        compared += last - first
        for i in range(first, last):
            total = 0.0
            for j in range(d):
                here = at[slot, j]
                low = at[i, j] if is_leaf else box_lo[i, j]
                high = low if is_leaf else box_hi[i, j]
                if low > here:
                    total += term(hulls, j, here, low)
                elif high < here:
                    total += term(hulls, j, high, here)
                if total >= limit:
                    break
            if total >= limit:
                continue
            if not is_leaf:
                depth = _push(stack, bounds, depth, i, total, i > a and depth > 0 and stack[depth - 1] == a)
                continue
            insert(near, where, found, total, i)
            found += 1
            held += copies[i]
            while found > slots and held - copies[where[found - 1]] >= records:
                found -= 1
                held -= copies[where[found]]
            if found >= slots and held >= records:  # enough: from now on only nearer ones count
                limit = near[found - 1]
    return found, compared


@kernel
def nearest_losses(
    hulls: Any, tree: BoxTree, size: int, slots: Ints, first: int, budget: int, loss: Floats
) -> tuple[int, int]:
    """For each of ``slots[first:]``, the loss of its hull with the nearest record that makes a class of ``size``.

    Returns the position to go on with after ``budget`` comparisons, and the comparisons made.
    """
    near, where = np.empty(size + 2), np.empty(size + 2, np.int64)
    stack, bounds = np.empty(STACK, np.int64), np.empty(STACK)
    compared = 0
    for position in range(first, len(slots)):
        if compared > budget:
            return position, compared
        slot = slots[position]
        if tree.copies[slot] >= size:
            loss[slot] = 0.0
            continue
        found, steps = nearest_slots(hulls, tree, slot, size, 1, near, where, stack, bounds)
        loss[slot] = near[found - 1]
        compared += steps
    return len(slots), compared
