# SPDX-License-Identifier: Apache-2.0
"""The walk that answers every question asked of a tree of boxes: who is best, and who are the best few.

A question is a function ``price`` that values a record, or bounds from below the value of whatever lies in a box.
Values are whole ticks, the least is best (who asks for the furthest negates). The walk goes depth first with a stack of
its own, the better child on top. Three rules make its answer the one of a scan:

* a bound is never above the value of a record below it, rounded in the same way;
* a node is cut only if its bound is *strictly* worse than the best, or equal while all its row numbers are higher:
  of equal values the lowest row number wins, whenever it is met;
* of two equally good children the one with the lower row number goes first, so that fewer of the others are looked at.

It is compiled into each question; passing arrays on costs nothing because they are lent.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import TICKS
from shoal.engine.kernels.trees.box_tree import NO_ROW, BoxTree
from shoal.ground.arrays import Floats, Ints

QUESTIONS, VISITED, COMPARED = 0, 1, 2
"""Places of the counters that every tree keeps, so that tests can count the work."""
STACK = 256
"""Places on the stack; the walk pushes at most one sibling per level, and no tree is deeper than 200."""


class Nodes(NamedTuple):
    """What a walk needs to know of a tree."""

    left: Ints
    begin: Ints
    end: Ints
    number: Ints
    """[slot] by which ties are decided: lowest row, or class."""
    lowest: Ints
    """[node] lowest number below; NO_ROW for a node that is empty."""
    work: Ints
    """Counters: questions, nodes visited, records compared."""


class TreeBoxes(NamedTuple):
    """Where the records and the boxes of a tree lie."""

    at: Floats
    lo: Floats
    hi: Floats


@inlined
def boxes_of(tree: BoxTree) -> TreeBoxes:
    """The records and boxes of a tree."""
    return lent(TreeBoxes(tree.at, tree.lo, tree.hi))


@inlined
def ends(boxes: TreeBoxes, i: int, j: int, is_leaf: bool) -> tuple[float, float]:
    """The interval of a record or a box on one attribute."""
    low = boxes.at[i, j] if is_leaf else boxes.lo[i, j]
    return low, low if is_leaf else boxes.hi[i, j]


@inlined
def records_of(tree: BoxTree) -> Nodes:
    """The nodes of a tree of records."""
    return lent(Nodes(tree.left, tree.begin, tree.end, tree.first, tree.low_row, tree.work))


@inlined
def _beyond(value: float) -> float:
    """A sum that surely has more ticks than ``value``: terms need not be added any further."""
    return (value + 2.0) / TICKS * (1.0 + 1e-12)


@inlined
def walk(
    price: Any, keep: Any, question: Any, shelf: Any, nodes: Nodes, worst: float, chosen: int
) -> tuple[int, float]:  # fmt: skip
    """Show ``keep`` whatever is better than ``worst`` with the number ``chosen``; it answers with the new ones."""
    question, shelf = lent(question), lent(shelf)  # arguments here, though the walk is compiled into its callers
    left, begin, end, number, lowest, work = nodes
    stack, bounds, pair = np.empty(STACK, np.int64), np.empty(STACK), np.empty(2)
    stack[0], bounds[0], limit = 0, -np.inf, _beyond(worst)
    depth, visited, compared = 1 if lowest[0] < NO_ROW else 0, 0, 0
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if bounds[depth] > worst or (bounds[depth] == worst and lowest[node] > chosen):
            continue  # since it was pushed, something better was found
        visited += 1
        a = left[node]
        is_leaf = a < 0
        for i in range(begin[node] if is_leaf else a, end[node] if is_leaf else a + 2):
            if not is_leaf and lowest[i] == NO_ROW:  # an empty box has no corners to look up
                pair[i - a] = np.inf
                continue
            value = price(question, i, is_leaf, limit)
            if not is_leaf:
                pair[i - a] = value
            elif value < worst or (value == worst and number[i] < chosen):
                worst, chosen = keep(shelf, i, value)
                limit = _beyond(worst)
        if is_leaf:
            compared += end[node] - begin[node]
            continue
        near = a if pair[0] < pair[1] or (pair[0] == pair[1] and lowest[a] <= lowest[a + 1]) else a + 1
        for child in (2 * a + 1 - near, near):
            if pair[child - a] <= worst and pair[child - a] < np.inf:  # an equal bound may hold a lower number
                stack[depth], bounds[depth] = child, pair[child - a]
                depth += 1
    work[QUESTIONS] += 1
    work[VISITED] += visited
    work[COMPARED] += compared
    return chosen, worst


@inlined
def _keep_one(number: Ints, i: int, value: float) -> tuple[float, int]:
    return value, number[i]


@inlined
def least(price: Any, question: Any, nodes: Nodes, best: float, chosen: int) -> tuple[int, float]:
    """The number with the least value, if better than ``chosen`` with the value ``best``; and its value."""
    return walk(price, _keep_one, question, nodes.number, nodes, best, chosen)


# -- the best few ------------------------------------------------------------------------------------------------


class Few(NamedTuple):
    """The best rows so far, as a heap, the worst first."""

    tree: BoxTree
    values: Floats
    rows: Ints
    found: Ints
    """[0] how many."""


@inlined
def least_few(price: Any, question: Any, tree: BoxTree, values: Floats, rows: Ints) -> int:
    """The ``len(rows)`` live rows of least value, with their values, as a heap, the worst first; returns how many."""
    found = np.zeros(1, np.int64)  # read again below, so it outlives the walk that it is lent to
    if len(rows) > 0:
        few = Few(lent(tree), values, rows, found)
        walk(price, _keep_copies, question, few, records_of(tree), np.inf, NO_ROW)
    return found[0]


@inlined
def _keep_copies(few: Few, slot: int, value: float) -> tuple[float, int]:
    """Take in the live rows of one point, lowest first, until one is refused; only a full heap has a worst to beat."""
    tree, values, rows, found = few
    point = tree.point[slot]
    for i in range(tree.row_next[point], tree.row_start[point + 1]):
        row = tree.rows[i]
        if tree.taken[row]:
            continue
        if found[0] < len(rows):
            _rise(values, rows, found[0], value, row)
            found[0] += 1
        elif value < values[0] or (value == values[0] and row < rows[0]):
            _sink(values, rows, len(rows), value, row)
        else:
            break
    return (values[0], rows[0]) if found[0] == len(rows) else (np.inf, NO_ROW)


@kernel
def _rise(values: Floats, rows: Ints, at: int, value: float, row: int) -> None:
    """Put a record into a new last place of the heap."""
    while at > 0:
        up = (at - 1) // 2
        if values[up] > value or (values[up] == value and rows[up] > row):
            break
        values[at], rows[at] = values[up], rows[up]
        at = up
    values[at], rows[at] = value, row


@kernel
def _sink(values: Floats, rows: Ints, many: int, value: float, row: int) -> None:
    """Replace the worst record of a full heap of ``many``."""
    at = 0
    while 2 * at + 1 < many:
        down = 2 * at + 1
        if down + 1 < many and (
            values[down + 1] > values[down] or (values[down + 1] == values[down] and rows[down + 1] > rows[down])
        ):
            down += 1
        if value > values[down] or (value == values[down] and row > rows[down]):
            break
        values[at], rows[at] = values[down], rows[down]
        at = down
    values[at], rows[at] = value, row


@kernel
def best_first(values: Floats, rows: Ints, found: int) -> None:
    """Put the first ``found`` of a heap in order, the least value first, of equals the lowest row."""
    for last in range(found - 1, 0, -1):
        value, row = values[last], rows[last]
        values[last], rows[last] = values[0], rows[0]
        _sink(values, rows, last, value, row)
