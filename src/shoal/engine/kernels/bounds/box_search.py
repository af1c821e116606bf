# SPDX-License-Identifier: Apache-2.0
"""The cheapest box around a record that holds k records, by branch and bound.

A *node* of the search is all boxes that contain an inner box and reach no further than some limits: on a line, open
ends left and right; in a tree, a cost that the box's node stays below. Every record of such a box lies within the
limits, so the box loses at least what the inner box loses once it takes in the k-th cheapest of them. The node is split
on the attribute that costs most between the inner box and the hull of these k records: either the box reaches a certain
point, which goes into the inner box, or it does not, which is a new limit.

The search goes on with the node of the lowest bound. If it is stopped, that lowest bound still holds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.bounds.nearest import nearest_slots
from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import RANGE, term
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Floats, Ints

INNER_LO, INNER_HI, OUTER_LO, OUTER_HI, HULL_LO, HULL_HI = 0, 1, 2, 3, 4, 5
"""Rows of a node: the inner box; its limits (in a tree OUTER_HI is the cost to stay below); the hull of the k
cheapest."""


@kernel
def cheapest_boxes(
    hulls: Any, tree: BoxTree, size: int, candidates: int, most_nodes: int, slots: Ints, first: int, budget: int,
    loss: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Raise ``loss`` of each slot in ``slots[first:]`` to that of the cheapest box around it, or as near as it gets.

    Only the nearest ``candidates`` points of a record are looked at; a box with any other loses at least what the
    last of them does. Returns the position to go on with after ``budget`` steps, and the steps taken.
    """
    d = tree.at.shape[1]
    near, where = np.empty(candidates + size + 2), np.empty(candidates + size + 2, np.int64)
    stack, bounds = np.empty(STACK, np.int64), np.empty(STACK)
    nodes, bound = np.empty((most_nodes + 2, 6, d)), np.empty(most_nodes + 2)
    values, chosen = np.empty(size + 1), np.empty(size + 1, np.int64)
    steps = 0
    for position in range(first, len(slots)):
        if steps > budget:
            return position, steps
        slot = slots[position]
        if tree.copies[slot] >= size:
            continue
        found, compared = nearest_slots(hulls, tree, slot, size, candidates, near, where, stack, bounds)
        reach = near[found - 1] if found < len(tree.at) else np.inf
        for j in range(d):
            nodes[0, INNER_LO, j] = nodes[0, INNER_HI, j] = tree.at[slot, j]
            nodes[0, OUTER_LO, j], nodes[0, OUTER_HI, j] = -np.inf, np.inf
        best, looked = _search(hulls, tree, size, where[:found], nodes, bound, values, chosen, reach)
        loss[slot] = max(loss[slot], best)
        steps += compared + looked
    return len(slots), steps


@kernel
def _search(
    hulls: Any, tree: BoxTree, size: int, where: Ints, nodes: Floats, bound: Floats, values: Floats, chosen: Ints,
    best: float,
) -> tuple[float, int]:  # fmt: skip
    """Loss of the cheapest box of ``nodes[0]``, at most ``best``; or a lower bound of it when the nodes are used up."""
    best = _evaluate(hulls, tree, size, where, nodes[0], bound, 0, values, chosen, best)
    used, steps = 1, len(where)
    while True:
        lowest = 0
        for node in range(1, used):
            if bound[node] < bound[lowest]:
                lowest = node
        if bound[lowest] >= best or used + 1 >= len(bound):
            return min(best, bound[lowest]), steps
        for row in range(nodes.shape[1]):
            for j in range(nodes.shape[2]):
                nodes[used, row, j] = nodes[lowest, row, j]
        _split(hulls, tree, where, nodes[lowest], nodes[used])
        best = _evaluate(hulls, tree, size, where, nodes[lowest], bound, lowest, values, chosen, best)
        best = _evaluate(hulls, tree, size, where, nodes[used], bound, used, values, chosen, best)
        used += 1
        steps += 2 * len(where)


@kernel
def _evaluate(
    hulls: Any, tree: BoxTree, size: int, where: Ints, node: Floats, bound: Floats, number: int, values: Floats,
    chosen: Ints, best: float,
) -> float:  # fmt: skip
    """Set the bound and the hull of a node; returns the loss of the best box known, which may be that hull."""
    hulls = lent(hulls)
    at, copies = tree.at, tree.copies
    d = at.shape[1]
    used, records = 0, 0
    for i in range(len(where)):
        slot = where[i]
        total = 0.0
        for j in range(d):
            here = at[slot, j]
            low, high = min(node[INNER_LO, j], here), max(node[INNER_HI, j], here)
            cost = term(hulls, j, low, high)
            if hulls.kind[j] == RANGE:
                if here <= node[OUTER_LO, j] or here >= node[OUTER_HI, j]:
                    total = np.inf
            elif cost >= node[OUTER_HI, j]:
                total = np.inf
            total += cost
            if total >= best:
                break
        if total >= best or (records >= size and total >= values[used - 1]):
            continue
        insert(values, chosen, used, total, slot)
        used += 1
        records += copies[slot]
        while records - copies[chosen[used - 1]] >= size:
            used -= 1
            records -= copies[chosen[used]]
    if records < size:
        bound[number] = np.inf
        return best
    bound[number] = values[used - 1]
    whole = 0.0
    for j in range(d):
        low, high = node[INNER_LO, j], node[INNER_HI, j]
        for i in range(used):
            low, high = min(low, at[chosen[i], j]), max(high, at[chosen[i], j])
        node[HULL_LO, j], node[HULL_HI, j] = low, high
        whole += term(hulls, j, low, high)
    return min(best, whole)


@kernel
def _split(hulls: Any, tree: BoxTree, where: Ints, reaching: Floats, staying: Floats) -> None:
    """Two copies of a node become its two parts."""
    hulls = lent(hulls)
    split, widest, dearest = 0, -1.0, 0.0
    for j in range(reaching.shape[1]):
        inner = term(hulls, j, reaching[INNER_LO, j], reaching[INNER_HI, j],
        )  # fmt: skip
        whole = term(hulls, j, reaching[HULL_LO, j], reaching[HULL_HI, j],
        )  # fmt: skip
        if whole - inner > widest:
            split, widest, dearest = j, whole - inner, whole
    low, high = reaching[HULL_LO, split], reaching[HULL_HI, split]
    if hulls.kind[split] != RANGE:
        staying[OUTER_HI, split] = dearest
        reaching[INNER_LO, split], reaching[INNER_HI, split] = low, high
    elif reaching[INNER_LO, split] - low > high - reaching[INNER_HI, split]:
        cut = low
        for i in range(len(where)):  # the furthest point that goes no more than half way
            here = tree.at[where[i], split]
            if here < reaching[INNER_LO, split] and low / 2 + reaching[INNER_LO, split] / 2 <= here:
                cut = here if cut == low else min(cut, here)
        staying[OUTER_LO, split] = cut
        reaching[INNER_LO, split] = cut
    else:
        cut = high
        for i in range(len(where)):
            here = tree.at[where[i], split]
            if here > reaching[INNER_HI, split] and high / 2 + reaching[INNER_HI, split] / 2 >= here:
                cut = here if cut == high else max(cut, here)
        staying[OUTER_HI, split] = cut
        reaching[INNER_HI, split] = cut
