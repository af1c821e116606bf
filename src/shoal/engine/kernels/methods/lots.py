# SPDX-License-Identifier: Apache-2.0
"""Lots: equal records of one class that is too large, with what the class saves if one of them leaves.

A class that loses a record saves its loss per record, and its other members save what its hull shrinks by. The hull
shrinks only without a record that alone holds an end of it, so a class keeps its lots in a list per attribute, sorted
by value: who holds an end alone, and where the end would be then, is seen from the first two and the last two.

Costs are compared in ticks (see :mod:`shoal.engine.kernels.hull`). What a move changes, paid less saved, is rounded to
ticks once, after the subtraction: two moves that change the same, by different amounts, are equal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import term, ticks
from shoal.engine.kernels.trees.box_tree import NO_ROW, TreeShape, grow_nodes, leaves
from shoal.ground.arrays import Floats, Ints


class Lots(NamedTuple):
    """All lots, sorted by class."""

    at: Floats
    """[lot, attribute] coordinates."""
    row_start: Ints
    """[lot] where its rows begin in ``rows`` (one more at the end)."""
    row_next: Ints
    """[lot] its lowest row that has not left."""
    rows: Ints
    """Rows by lot, ascending."""
    of_class: Ints
    """[class] its first lot (one more at the end)."""
    saves: Floats
    """[lot] what its class saves if one of its records leaves."""
    cost: Floats
    """[lot] what the best target pays, or less, in ticks; -inf if the lot stays."""
    paid: Floats
    """[lot] the same, not rounded."""
    target: Ints
    """[lot] that target."""
    seen: Ints
    """[lot] how often the target had changed when it was asked."""
    winner: Ints
    """Tournament of moves: the lot of the cheapest is ``winner[1]``; -1 is nobody."""


class LotTree(NamedTuple):
    """Boxes of lots, and what is known of the lots below that may leave."""

    order: Ints
    """[slot] the lot that stands there."""
    leaf: Ints
    """[lot] its leaf node."""
    shape: TreeShape
    lo: Floats
    hi: Floats
    dearest: Floats
    """[node] largest cost; -inf if none may leave."""
    richest: Floats
    """[node] largest save."""
    low_row: Ints
    """[node] lowest row."""


class LotEnds(NamedTuple):
    """Lots of a class sorted by value, linked both ways; -1 ends a list."""

    after: Ints
    """[lot, attribute] the lot with the next higher value, or an equal one."""
    before: Ints
    first: Ints
    """[class, attribute]"""
    last: Ints
    whole: Floats
    """[class] its loss per record."""


# -- building ----------------------------------------------------------------------------------------------------


@kernel
def new_lots(at: Floats, row_start: Ints, rows: Ints, of_class: Ints) -> Lots:
    """Lots without prices, targets and tournament."""
    n_lots = len(at)
    width = 1
    while width < n_lots:
        width *= 2
    return Lots(
        at, row_start, row_start[:-1].copy(), rows, of_class, np.full(n_lots, -1.0), np.zeros(n_lots),
        np.zeros(n_lots), np.full(n_lots, -1, np.int64), np.zeros(n_lots, np.int64), np.full(2 * width, -1, np.int64),
    )  # fmt: skip


@kernel
def new_ends(lots: Lots) -> LotEnds:
    """The sorted lists of all classes."""
    n_lots, d = lots.at.shape
    n_classes = len(lots.of_class) - 1
    after, before = np.full((n_lots, d), -1, np.int64), np.full((n_lots, d), -1, np.int64)
    first, last = np.full((n_classes, d), -1, np.int64), np.full((n_classes, d), -1, np.int64)
    for label in range(n_classes):
        begin, end = lots.of_class[label], lots.of_class[label + 1]
        if begin == end:
            continue
        for j in range(d):
            order = begin + np.argsort(lots.at[begin:end, j])
            first[label, j], last[label, j] = order[0], order[-1]
            for i in range(len(order) - 1):
                after[order[i], j], before[order[i + 1], j] = order[i + 1], order[i]
    return LotEnds(after, before, first, last, np.full(n_classes, -1.0))


@kernel
def new_lot_tree(hulls: Any, lots: Lots) -> LotTree:
    """Boxes of all lots; what is known of them is still to be filled in."""
    order = np.arange(len(lots.at))
    shape, lo, hi = grow_nodes(hulls, lots.at, order, False)
    nodes, leaf = len(lo), leaves(order, shape)
    return LotTree(order, leaf, shape, lo, hi, np.empty(nodes), np.empty(nodes), np.empty(nodes, np.int64))


# -- tournament and tree -----------------------------------------------------------------------------------------


@kernel
def next_row(lots: Lots, lot: int) -> int:
    """The record of a lot that would leave next."""
    return lots.rows[lots.row_next[lot]]


@kernel
def net_of(lots: Lots, lot: int) -> float:
    """What the lot's move to its target changes, in ticks."""
    return ticks(lots.paid[lot] - lots.saves[lot])


@kernel
def better(lots: Lots, one: int, other: int) -> int:
    """The lot with the cheaper move; of equals the one with the lower row; -1 is nobody."""
    if one < 0 or other < 0:
        return max(one, other)
    first, second = net_of(lots, one), net_of(lots, other)
    if first != second:
        return one if first < second else other
    return one if next_row(lots, one) < next_row(lots, other) else other


@kernel
def replay(lots: Lots, lot: int) -> None:
    """The lot's move has another price, or another record, or none any more."""
    winner = lots.winner
    place = len(winner) // 2 + lot
    winner[place] = lot if lots.cost[lot] > -np.inf else -1
    place //= 2
    while place > 0:
        winner[place] = better(lots, winner[2 * place], winner[2 * place + 1])
        place //= 2


@kernel
def fit(lots: Lots, tree: LotTree, node: int) -> bool:
    """Work out what a node knows; False if it is what it was."""
    dearest, richest, low_row = -np.inf, -np.inf, NO_ROW
    a = tree.shape.left[node]
    if a >= 0:
        dearest = max(tree.dearest[a], tree.dearest[a + 1])
        richest = max(tree.richest[a], tree.richest[a + 1])
        low_row = min(tree.low_row[a], tree.low_row[a + 1])
    else:
        for slot in range(tree.shape.begin[node], tree.shape.end[node]):
            lot = tree.order[slot]
            if lots.cost[lot] > -np.inf:
                dearest, richest = max(dearest, lots.cost[lot]), max(richest, lots.saves[lot])
                low_row = min(low_row, next_row(lots, lot))
    same = dearest == tree.dearest[node] and richest == tree.richest[node] and low_row == tree.low_row[node]
    tree.dearest[node], tree.richest[node], tree.low_row[node] = dearest, richest, low_row
    return not same


@kernel
def fit_up(lots: Lots, tree: LotTree, node: int) -> None:
    """A lot below a leaf has changed."""
    while node >= 0 and fit(lots, tree, node):
        node = tree.shape.parent[node]


# -- what a class saves ------------------------------------------------------------------------------------------


@kernel
def unlink(lots: Lots, ends: LotEnds, lot: int, label: int) -> None:
    """The last record of a lot has left its class."""
    after, before, first, last = ends.after, ends.before, ends.first, ends.last
    for j in range(after.shape[1]):
        up, down = after[lot, j], before[lot, j]
        if up >= 0:
            before[up, j] = down
        else:
            last[label, j] = down
        if down >= 0:
            after[down, j] = up
        else:
            first[label, j] = up


@kernel
def loss_of(hulls: Any, lots: Lots, ends: LotEnds, label: int) -> float:
    """Loss per record of a class."""
    hulls = lent(hulls)
    at, first, last = lots.at, ends.first, ends.last
    total = 0.0
    for j in range(at.shape[1]):
        low, high = at[first[label, j], j], at[last[label, j], j]
        total += term(hulls, j, low, high)
    return total


@kernel
def saving(hulls: Any, lots: Lots, ends: LotEnds, lot: int, label: int, members: int) -> float:
    """What a class of ``members`` records saves if a record of the lot leaves."""
    hulls = lent(hulls)
    at, first, last = lots.at, ends.first, ends.last
    alone = lots.row_start[lot + 1] - lots.row_next[lot] == 1
    total, shrink = 0.0, 0.0
    for j in range(at.shape[1]):
        low, high = at[first[label, j], j], at[last[label, j], j]
        now = term(hulls, j, low, high)
        total += now
        if alone and low < high:
            if lot == first[label, j]:
                low = at[ends.after[lot, j], j]
            elif lot == last[label, j]:
                high = at[ends.before[lot, j], j]
            shrink += now - term(hulls, j, low, high)
    return total + (members - 1) * shrink
