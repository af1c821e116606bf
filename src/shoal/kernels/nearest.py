# SPDX-License-Identifier: Apache-2.0
"""The loss of the hull of a record and its nearest ones, for many records."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import BoxTree
from shoal.kernels.compile import kernel
from shoal.kernels.hull import term
from shoal.kernels.hull_queries import DEPTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    hulls: Any,
    tree: BoxTree,
    slot: int,
    records: int,
    slots: int,
    near: Floats,
    where: Ints,
    stack: Ints,
    bounds: Floats,
) -> tuple[int, int]:
    """The points nearest to the one at ``slot`` (itself first) by the loss of their common hull, ascending.

    As many as hold ``records`` records, and at least ``slots`` points: ``near`` gets the losses, ``where`` the slots.
    Returns their number, and how many points and boxes were compared.
    """
    kind, scale, cap, start, size, tables, ancestors = hulls
    at, copies, left, begin, end = tree.at, tree.copies, tree.left, tree.begin, tree.end
    box_lo, box_hi = tree.lo, tree.hi
    d = at.shape[1]
    found, held, limit, compared = 0, 0, np.inf, 0
    stack[0], bounds[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] >= limit:
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
                    total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, here, low)
                elif high < here:
                    total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, high, here)
                if total >= limit:
                    break
            if total >= limit:
                continue
            if not is_leaf:
                depth = _push(stack, bounds, depth, i, total, i > a and depth > 0 and stack[depth - 1] == a)
                continue
            place = found
            while place > 0 and near[place - 1] > total:
                near[place], where[place] = near[place - 1], where[place - 1]
                place -= 1
            near[place], where[place] = total, i
            found += 1
            held += copies[i]
            while found > slots and held - copies[where[found - 1]] >= records:
                found -= 1
                held -= copies[where[found]]
            if found >= slots and held >= records:
                limit = near[found - 1]
    return found, compared


@kernel
def nearest_losses(hulls: Any, tree: BoxTree, size: int, first: int, budget: int, loss: Floats) -> tuple[int, int]:
    """For each slot from ``first`` on, the loss of its hull with the nearest record that makes a class of ``size``.

    Returns the slot to go on with after ``budget`` comparisons, and the comparisons made.
    """
    near, where = np.empty(size + 2), np.empty(size + 2, np.int64)
    stack, bounds = np.empty(DEPTH, np.int64), np.empty(DEPTH)
    compared = 0
    for slot in range(first, len(loss)):
        if compared > budget:
            return slot, compared
        if tree.copies[slot] >= size:
            loss[slot] = 0.0
            continue
        found, steps = nearest_slots(hulls, tree, slot, size, 1, near, where, stack, bounds)
        loss[slot] = near[found - 1]
        compared += steps
    return len(loss), compared
