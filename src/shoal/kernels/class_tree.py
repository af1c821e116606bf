# SPDX-License-Identifier: Apache-2.0
"""A tree over classes that grow and move, to find the class that takes a record at the least cost.

The box tree holds records and is asked with a class; this one holds classes and is asked with a record. A class is
an interval per attribute: its hull, or its centre (``lo = hi`` on numbers). Taking record x in costs

    loss(class with x) + size * (loss(class with x) - loss(class)),

the increase of the class's total loss; with ``by_growth`` off only the first summand, the distance to a centre.

A node bounds both summands from below. Its classes all begin at or before the largest ``lo`` and end at or after
the smallest ``hi``, so with x they cost at least the interval that joins those two and x, and never less than the
cheapest of them costs already. What they grow by is at least what that costs above the dearest of them; on numbers,
at least the gap between x and the nearest end. The fewest records of any class below weigh the growth.

A class that changed is mended into all boxes above it at once, so bounds are never stale; when the classes have moved
a good deal, a new tree prunes better, and answers the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.box_tree import grow_nodes
from shoal.kernels.compile import kernel
from shoal.kernels.hull import RANGE, TICKS, term, ticks
from shoal.kernels.hull_queries import DEPTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NO_CLASS = 2**62
FIRST_LO, FIRST_HI, LEAST, LAST_LO, LAST_HI, MOST = 0, 1, 2, 3, 4, 5
"""Places in a box: smallest lower end, upper end and cost of its classes, then the largest of each."""
ROUNDING = 1e-15
"""More than a difference of two costs on a line can be off by, as a share of the largest cost."""


class ClassTree(NamedTuple):
    """Flat arrays; ``slot`` is a position in tree order. Classes that are not in the tree have leaf -1."""

    lo: Floats
    """[class, attribute] lower end; shared with the caller, who changes it and then calls :func:`mend`."""
    hi: Floats
    sizes: Ints
    cost: Floats
    """[class, attribute] cost of the interval as it is."""
    held: Ints
    """[slot] the class that stands there."""
    slot: Ints
    """[class] where it stands."""
    leaf: Ints
    """[class] its leaf node."""
    left: Ints
    """[node] left child, the right one follows it; -1 for a leaf."""
    parent: Ints
    begin: Ints
    end: Ints
    """[leaf] one past its last slot in use."""
    box: Floats
    """[node, attribute, place] see FIRST_LO ... MOST."""
    fewest: Ints
    """[node] size of its smallest class."""
    low_class: Ints
    """[node] its lowest class number."""
    work: Ints
    """Counters: queries, nodes visited, classes compared."""


# -- building and mending --------------------------------------------------------------------------------------


@kernel
def build_classes(hulls: Any, lo: Floats, hi: Floats, sizes: Ints, chosen: Ints) -> ClassTree:
    """A tree over the chosen classes (at least one, ascending)."""
    n_classes, d = lo.shape
    centres = np.empty((len(chosen), d))
    for i in range(len(chosen)):
        for j in range(d):
            middle = lo[chosen[i], j] / 2 + hi[chosen[i], j] / 2
            centres[i, j] = middle if hulls.kind[j] == RANGE else np.floor(middle)
    order = np.arange(len(chosen))
    left, parent, begin, end, _, _ = grow_nodes(hulls, centres, order, False)
    nodes = len(left)
    tree = ClassTree(
        lo, hi, sizes, np.empty((n_classes, d)), chosen[order], np.full(n_classes, -1, np.int64),
        np.full(n_classes, -1, np.int64), left, parent, begin, end, np.empty((nodes, d, 6)),
        np.empty(nodes, np.int64), np.empty(nodes, np.int64), np.zeros(3, np.int64),
    )  # fmt: skip
    for node in range(nodes - 1, -1, -1):
        if left[node] < 0:
            for slot in range(begin[node], end[node]):
                label = tree.held[slot]
                tree.slot[label], tree.leaf[label] = slot, node
                _price(hulls, tree, label)
            _fit_leaf(tree, node)
        else:
            _fit_inner(tree, node)
    return tree


@kernel
def _price(hulls: Any, tree: ClassTree, label: int) -> None:
    kind, scale, cap, start, size, tables, ancestors = hulls
    lo, hi, cost = tree.lo, tree.hi, tree.cost
    for j in range(lo.shape[1]):
        cost[label, j] = term(
            kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, lo[label, j], hi[label, j]
        )


@kernel
def _fit_leaf(tree: ClassTree, node: int) -> None:
    lo, hi, cost, box, held, sizes = tree.lo, tree.hi, tree.cost, tree.box, tree.held, tree.sizes
    begin, end = tree.begin[node], tree.end[node]
    fewest, lowest = NO_CLASS, NO_CLASS
    for slot in range(begin, end):
        fewest = min(fewest, sizes[held[slot]])
        lowest = min(lowest, held[slot])
    tree.fewest[node], tree.low_class[node] = fewest, lowest
    for j in range(lo.shape[1]):
        first_lo, first_hi, least = np.inf, np.inf, np.inf
        last_lo, last_hi, most = -np.inf, -np.inf, -np.inf
        for slot in range(begin, end):
            label = held[slot]
            first_lo, last_lo = min(first_lo, lo[label, j]), max(last_lo, lo[label, j])
            first_hi, last_hi = min(first_hi, hi[label, j]), max(last_hi, hi[label, j])
            least, most = min(least, cost[label, j]), max(most, cost[label, j])
        box[node, j, FIRST_LO], box[node, j, LAST_LO] = first_lo, last_lo
        box[node, j, FIRST_HI], box[node, j, LAST_HI] = first_hi, last_hi
        box[node, j, LEAST], box[node, j, MOST] = least, most


@kernel
def _fit_inner(tree: ClassTree, node: int) -> bool:
    """Mend a node from its children; False if nothing changed, so that the way up can stop."""
    box, fewest, low_class = tree.box, tree.fewest, tree.low_class
    a = tree.left[node]
    b = a + 1
    few, low = min(fewest[a], fewest[b]), min(low_class[a], low_class[b])
    changed = few != fewest[node] or low != low_class[node]
    fewest[node], low_class[node] = few, low
    for j in range(box.shape[1]):
        for place in range(6):
            one, other = box[a, j, place], box[b, j, place]
            value = min(one, other) if place <= LEAST else max(one, other)
            if value != box[node, j, place]:
                box[node, j, place] = value
                changed = True
    return changed


@kernel
def _mend_up(tree: ClassTree, node: int) -> None:
    _fit_leaf(tree, node)
    up = tree.parent[node]
    while up >= 0 and _fit_inner(tree, up):
        up = tree.parent[up]


@kernel
def mend(hulls: Any, tree: ClassTree, label: int) -> None:
    """A class of the tree has other ends or another size now."""
    _price(hulls, tree, label)
    _mend_up(tree, tree.leaf[label])


@kernel
def drop(tree: ClassTree, label: int) -> None:
    """Take a class out of the tree."""
    node, slot = tree.leaf[label], tree.slot[label]
    last = tree.end[node] - 1
    moved = tree.held[last]
    tree.held[slot], tree.slot[moved] = moved, slot
    tree.end[node], tree.leaf[label] = last, -1
    _mend_up(tree, node)


# -- the question ------------------------------------------------------------------------------------------------


@kernel
def least_growth(kind: int, scale: float, cap: float, gap: float, after: float, most: float) -> float:
    """The least by which classes grow on one attribute that lie ``gap`` away, cost ``most`` at most, ``after`` then."""
    if kind == RANGE:
        return max(min(gap * scale, cap - most) - ROUNDING * cap, 0.0)
    return max(after - most, 0.0)


@kernel
def class_value(hulls: Any, tree: ClassTree, label: int, records: Floats, row: int, by_growth: bool) -> float:
    """What it costs a class to take a record, in ticks."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    lo, hi, cost = tree.lo, tree.hi, tree.cost
    total, growth = 0.0, 0.0
    for j in range(records.shape[1]):
        low, high = min(lo[label, j], records[row, j]), max(hi[label, j], records[row, j])
        after = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
        total += after
        growth += after - cost[label, j]
    return ticks(total + tree.sizes[label] * growth if by_growth else total)


@kernel
def best_class(
    hulls: Any, tree: ClassTree, records: Floats, row: int, by_growth: bool, guess: int
) -> tuple[int, float]:
    """The class of the tree that takes the record at the least cost, and that cost in ticks; ties to the lowest.

    ``guess`` is any class (-1 for none): if it is in the tree, the walk starts with its cost to beat.
    Answers -1 and infinity if the tree is empty.
    """
    kind, scale, cap, start, size, tables, ancestors = hulls
    lo, hi, sizes, cost, held = tree.lo, tree.hi, tree.sizes, tree.cost, tree.held
    left, begin, end, box, fewest, low_class = tree.left, tree.begin, tree.end, tree.box, tree.fewest, tree.low_class
    best, chosen, limit = np.inf, NO_CLASS, np.inf
    if guess >= 0 and tree.leaf[guess] >= 0:
        best, chosen = class_value(hulls, tree, guess, records, row, by_growth), guess
        limit = (best + 1.0) / TICKS
    stack, bounds, pair = np.zeros(DEPTH, np.int64), np.zeros(DEPTH), np.empty(2)
    depth, visited, compared = 1 if low_class[0] < NO_CLASS else 0, 0, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > best or (bounds[depth] == best and low_class[node] > chosen):
            continue
        visited += 1
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and low_class[i] == NO_CLASS:  # an empty box has no corners to look up
                pair[i - a] = np.inf
                continue
            label = held[i] if is_leaf else 0
            weight = (sizes[label] if is_leaf else fewest[i]) if by_growth else 0
            total, growth = 0.0, 0.0
            for j in range(records.shape[1]):
                x = records[row, j]
                low = min(lo[label, j] if is_leaf else box[i, j, LAST_LO], x)
                high = max(hi[label, j] if is_leaf else box[i, j, FIRST_HI], x)
                after = term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
                if is_leaf:
                    growth += after - cost[label, j]
                else:
                    gap = max(box[i, j, FIRST_LO] - x, x - box[i, j, LAST_HI])
                    growth += least_growth(kind[j], scale[j], cap[j], gap, after, box[i, j, MOST])
                    after = max(after, box[i, j, LEAST])
                total += after
                if total + weight * growth > limit:
                    break
            value = ticks(total + weight * growth)
            if not is_leaf:
                pair[i - a] = value
            elif value < best or (value == best and label < chosen):
                best, chosen = value, label
                limit = (best + 1.0) / TICKS
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and low_class[a] <= low_class[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] <= best and pair[child - a] < np.inf:
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    tree.work[0] += 1
    tree.work[1] += visited
    tree.work[2] += compared
    return (chosen, best) if chosen < NO_CLASS else (-1, np.inf)
