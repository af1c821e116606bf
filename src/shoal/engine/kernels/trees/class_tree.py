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

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE, Hulls, term, ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, grow_nodes
from shoal.engine.kernels.trees.walks import Nodes, least
from shoal.ground.arrays import Floats, Ints

NO_CLASS = NO_ROW
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
    left, parent, begin, end = grow_nodes(hulls, centres, order, False)[0]
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
                _price_again(hulls, tree, label)
            _fit_leaf(tree, node)
        else:
            _fit_inner(tree, node)
    return tree


@kernel
def _price_again(hulls: Any, tree: ClassTree, label: int) -> None:
    hulls = lent(hulls)
    lo, hi, cost = tree.lo, tree.hi, tree.cost
    for j in range(lo.shape[1]):
        cost[label, j] = term(hulls, j, lo[label, j], hi[label, j])


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
        first_lo, first_hi, cheapest = np.inf, np.inf, np.inf
        last_lo, last_hi, dearest = -np.inf, -np.inf, -np.inf
        for slot in range(begin, end):
            label = held[slot]
            first_lo, last_lo = min(first_lo, lo[label, j]), max(last_lo, lo[label, j])
            first_hi, last_hi = min(first_hi, hi[label, j]), max(last_hi, hi[label, j])
            cheapest, dearest = min(cheapest, cost[label, j]), max(dearest, cost[label, j])
        box[node, j, FIRST_LO], box[node, j, LAST_LO] = first_lo, last_lo
        box[node, j, FIRST_HI], box[node, j, LAST_HI] = first_hi, last_hi
        box[node, j, LEAST], box[node, j, MOST] = cheapest, dearest


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
    _price_again(hulls, tree, label)
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


class GrowthQuestion(NamedTuple):
    """A record, and the classes and boxes that may take it."""

    hulls: Hulls
    lo: Floats
    hi: Floats
    sizes: Ints
    cost: Floats
    held: Ints
    box: Floats
    fewest: Ints
    records: Floats
    row: int
    by_growth: bool


@inlined
def _value(question: GrowthQuestion, label: int, limit: float) -> float:
    """What it costs a class to take the record; adding up ends beyond the limit."""
    hulls, lo, hi, sizes, cost, _held, _box, _fewest, records, row, by_growth = question
    weight, total, growth = sizes[label] if by_growth else 0, 0.0, 0.0
    for j in range(records.shape[1]):
        after = term(hulls, j, min(lo[label, j], records[row, j]), max(hi[label, j], records[row, j]))
        total += after
        growth += after - cost[label, j]
        if total + weight * growth > limit:
            break
    return total + weight * growth


@inlined
def _bound(question: GrowthQuestion, node: int, limit: float) -> float:
    """The least that any class of a box can pay.

    With the record all of them span at least what joins it, the last lower end and the first upper end, and none costs
    less than the cheapest does. On a line they grow by the gap to the outermost end or more, less what rounding does;
    in a tree by what they cost then above what the dearest costs now.
    """
    hulls, _lo, _hi, _sizes, _cost, _held, box, fewest, records, row, by_growth = question
    weight, total, growth = fewest[node] if by_growth else 0, 0.0, 0.0
    for j in range(records.shape[1]):
        x, most = records[row, j], box[node, j, MOST]
        after = term(hulls, j, min(box[node, j, LAST_LO], x), max(box[node, j, FIRST_HI], x))
        if hulls.kind[j] == RANGE:
            gap = max(box[node, j, FIRST_LO] - x, x - box[node, j, LAST_HI])
            growth += max(min(gap * hulls.scale[j], hulls.cap[j] - most) - ROUNDING * hulls.cap[j], 0.0)
        else:
            growth += max(after - most, 0.0)
        total += max(after, box[node, j, LEAST])
        if total + weight * growth > limit:
            break
    return total + weight * growth


@inlined
def _price(question: GrowthQuestion, i: int, is_leaf: bool, limit: float) -> float:
    return ticks(_value(question, question.held[i], limit) if is_leaf else _bound(question, i, limit))


@inlined
def _asked(hulls: Any, tree: ClassTree, records: Floats, row: int, by_growth: bool) -> GrowthQuestion:
    return GrowthQuestion(
        lent(hulls), tree.lo, tree.hi, tree.sizes, tree.cost, tree.held, tree.box, tree.fewest, lent(records), row,
        by_growth,
    )  # fmt: skip


@kernel
def class_value(hulls: Any, tree: ClassTree, label: int, records: Floats, row: int, by_growth: bool) -> float:
    """What it costs a class to take a record, not rounded."""
    return _value(_asked(hulls, lent(tree), records, row, by_growth), label, np.inf)


@kernel
def best_class(
    hulls: Any, tree: ClassTree, records: Floats, row: int, by_growth: bool, guess: int
) -> tuple[int, float]:
    """The class of the tree that takes the record at the least cost, and that cost in ticks; ties to the lowest.

    ``guess`` is any class (-1 for none): if it is in the tree, the walk starts with its cost to beat.
    Answers -1 and infinity if the tree is empty.
    """
    tree = lent(tree)
    question = _asked(hulls, tree, records, row, by_growth)
    chosen, best = NO_ROW, np.inf
    if guess >= 0 and tree.leaf[guess] >= 0:
        chosen, best = guess, ticks(_value(question, guess, np.inf))
    nodes = Nodes(tree.left, tree.begin, tree.end, tree.held, tree.low_class, tree.work)
    chosen, best = least(_price, question, nodes, best, chosen)
    return (chosen, best) if chosen < NO_ROW else (-1, np.inf)
