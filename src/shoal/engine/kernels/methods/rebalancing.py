# SPDX-License-Identifier: Apache-2.0
"""Filling classes that are too small from classes that are too large, by the single cheapest move each time.

A move of record r to class T changes the total loss by what T's grows less what the source saves. What T grows by
depends on r's values and on T; what the source saves only on the source. So each lot (see ``lots``)
remembers the target that takes it at the least cost, and a tournament over all lots knows the cheapest move. After
a move

* the saves of the source's lots are worked out anew, all of them only if its loss has changed;
* lots for which the grown target is now better than theirs are found in the tree of lots, whose nodes know the
  dearest remembered cost below; elsewhere a remembered cost can only be too low;
* a lot that wins with a target that has changed since asks again before it moves.

A target that would have to tell too many lots (names under a flat root: once a class mixes them, it takes every name
for less) looks for its own best lot instead, each time that it has changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import term, ticks
from shoal.engine.kernels.methods.choosing import widen
from shoal.engine.kernels.methods.lots import (
    LotEnds,
    Lots,
    LotTree,
    better,
    fit,
    fit_up,
    loss_of,
    net_of,
    new_ends,
    new_lot_tree,
    new_lots,
    next_row,
    replay,
    saving,
    unlink,
)  # fmt: skip
from shoal.engine.kernels.trees.box_tree import NO_ROW
from shoal.engine.kernels.trees.class_tree import ClassTree, best_class, class_value, drop, mend
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Floats, Ints

MOST_SEEKING = 16
"""Targets that look for themselves at a time."""


class Moves(NamedTuple):
    """All that is known about moves."""

    lots: Lots
    boxes: LotTree
    ends: LotEnds
    changes: Ints
    """[class] how often it has changed."""
    seeking: Ints
    """Targets that look for themselves; -1 is a free place."""
    found: Ints
    """The lot that each of them has found; -1 if it is to look again."""
    price: Floats
    """The price of that move: what it changes, in ticks."""
    row: Ints
    """The record of that move."""


@kernel
def new_moves(
    hulls: Any, tree: ClassTree, at: Floats, row_start: Ints, rows: Ints, of_class: Ints, sizes: Ints
) -> Moves:
    """All lots with their saves, and their best targets among the classes of the tree."""
    lots = new_lots(at, row_start, rows, of_class)
    boxes, ends = new_lot_tree(hulls, lots), new_ends(lots)
    width = len(lots.winner) // 2
    for lot in range(len(at)):
        guess = lots.target[lot - 1] if lot > 0 else -1
        lots.target[lot], lots.cost[lot] = best_class(hulls, tree, at, lot, True, guess)
        lots.paid[lot] = class_value(hulls, tree, lots.target[lot], at, lot, True)
        lots.winner[width + lot] = lot
    for label in range(len(sizes)):
        for lot in range(of_class[label], of_class[label + 1]):
            lots.saves[lot] = saving(hulls, lots, ends, lot, label, sizes[label])
            ends.whole[label] = loss_of(hulls, lots, ends, label)
    for place in range(width - 1, 0, -1):
        lots.winner[place] = better(lots, lots.winner[2 * place], lots.winner[2 * place + 1])
    for node in range(len(boxes.shape.left) - 1, -1, -1):
        fit(lots, boxes, node)
    nobody = np.full(MOST_SEEKING, -1, np.int64)
    return Moves(
        lots, boxes, ends, np.zeros(len(sizes), np.int64), nobody, nobody.copy(), np.zeros(MOST_SEEKING), nobody.copy()
    )


# -- lots and their targets --------------------------------------------------------------------------------------


@kernel
def _ask(hulls: Any, tree: ClassTree, moves: Moves, lot: int) -> None:
    """Find the lot's best target anew."""
    lots = moves.lots
    target, lots.cost[lot] = best_class(hulls, tree, lots.at, lot, True, lots.target[lot])
    lots.target[lot], lots.seen[lot] = target, moves.changes[target]
    lots.paid[lot] = class_value(hulls, tree, target, lots.at, lot, True)
    replay(lots, lot)
    fit_up(lots, moves.boxes, moves.boxes.leaf[lot])


@kernel
def _bound(hulls: Any, tree: ClassTree, label: int, boxes: LotTree, node: int) -> float:
    """The least that a class pays for any lot of a box."""
    hulls = lent(hulls)
    lo, hi, cost, box_lo, box_hi = tree.lo, tree.hi, tree.cost, boxes.lo, boxes.hi
    total, growth = 0.0, 0.0
    for j in range(lo.shape[1]):
        low, high = min(lo[label, j], box_hi[node, j]), max(hi[label, j], box_lo[node, j])
        after = term(hulls, j, low, high)
        total += after
        growth += after - cost[label, j]
    return total + tree.sizes[label] * growth


@kernel
def _net(hulls: Any, tree: ClassTree, label: int, lots: Lots, lot: int) -> float:
    """What it changes, in ticks, if a class takes a record of a lot."""
    return ticks(class_value(hulls, tree, label, lots.at, lot, True) - lots.saves[lot])


@kernel
def _tell(hulls: Any, tree: ClassTree, moves: Moves, label: int, most: int) -> bool:
    """Lots that a changed target takes at less than they remember, now remember it; False if they are too many."""
    lots, boxes = moves.lots, moves.boxes
    stack, told = np.empty(STACK, np.int64), 0
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        # what the target pays here is more than any lot below has to beat
        if boxes.dearest[node] == -np.inf or ticks(_bound(hulls, tree, label, boxes, node)) > boxes.dearest[node]:
            continue
        if boxes.shape.left[node] >= 0:
            stack[depth], stack[depth + 1] = boxes.shape.left[node] + 1, boxes.shape.left[node]
            depth += 2
            continue
        for slot in range(boxes.shape.begin[node], boxes.shape.end[node]):
            lot = boxes.order[slot]
            known = lots.cost[lot]
            if known == -np.inf:
                continue
            paid = class_value(hulls, tree, label, lots.at, lot, True)
            value = ticks(paid)
            if value < known or (value == known and label <= lots.target[lot]):
                lots.cost[lot], lots.target[lot], lots.seen[lot] = value, label, moves.changes[label]
                lots.paid[lot] = paid
                told += value < known
                replay(lots, lot)
        fit_up(lots, boxes, node)
        if told > most:
            return False
    return True


# -- targets that look for themselves ----------------------------------------------------------------------------


@kernel
def _seek(hulls: Any, tree: ClassTree, moves: Moves, place: int) -> None:
    """Find the cheapest move to a target that looks for itself; of equals the one of the lowest row."""
    lots, boxes, label = moves.lots, moves.boxes, moves.seeking[place]
    best, found, row = np.inf, -1, NO_ROW
    stack = np.empty(STACK, np.int64)
    stack[0], depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if boxes.low_row[node] == NO_ROW:
            continue
        bound = ticks(_bound(hulls, tree, label, boxes, node) - boxes.richest[node])
        if bound > best or (bound == best and boxes.low_row[node] > row):  # of equal moves the lowest row goes
            continue
        a = boxes.shape.left[node]
        if a >= 0:
            near = a if boxes.low_row[a] < boxes.low_row[a + 1] else a + 1
            stack[depth], stack[depth + 1] = 2 * a + 1 - near, near
            depth += 2
            continue
        for slot in range(boxes.shape.begin[node], boxes.shape.end[node]):
            lot = boxes.order[slot]
            if lots.cost[lot] > -np.inf:
                value = _net(hulls, tree, label, lots, lot)
                if value < best or (value == best and next_row(lots, lot) < row):
                    best, found, row = value, lot, next_row(lots, lot)
    moves.found[place], moves.price[place], moves.row[place] = found, best, row


@kernel
def _start_seeking(hulls: Any, tree: ClassTree, moves: Moves, label: int) -> None:
    """Take the free place; there is one."""
    place = _place_of(moves, -1)
    moves.seeking[place] = label
    _seek(hulls, tree, moves, place)


@kernel
def _place_of(moves: Moves, label: int) -> int:
    """Where a class (or, for -1, nobody) stands among those that look for themselves; -1 if nowhere."""
    for place in range(MOST_SEEKING):
        if moves.seeking[place] == label:
            return place
    return -1


@kernel
def _offer(hulls: Any, tree: ClassTree, moves: Moves, lot: int) -> None:
    """A lot's save has risen: it may be better for a target that looks for itself."""
    lots = moves.lots
    for place in range(MOST_SEEKING):
        if moves.seeking[place] >= 0 and moves.found[place] >= 0:
            value = _net(hulls, tree, moves.seeking[place], lots, lot)
            row = next_row(lots, lot)
            if value < moves.price[place] or (value == moves.price[place] and row < moves.row[place]):
                moves.found[place], moves.price[place], moves.row[place] = lot, value, row


@kernel
def _first_seeker(hulls: Any, tree: ClassTree, moves: Moves) -> int:
    """The place of the cheapest move among targets that look for themselves, by price, row, class; -1 if none."""
    lots, best = moves.lots, -1
    for place in range(MOST_SEEKING):
        if moves.seeking[place] < 0:
            continue
        lot = moves.found[place]
        stale = lot < 0 or lots.cost[lot] == -np.inf or next_row(lots, lot) != moves.row[place]
        if not stale:
            value = _net(hulls, tree, moves.seeking[place], lots, lot)
            stale = value != moves.price[place]
        if stale:
            _seek(hulls, tree, moves, place)
        key = (moves.price[place], moves.row[place], moves.seeking[place])
        if best < 0 or key < (moves.price[best], moves.row[best], moves.seeking[best]):
            best = place
    return best


# -- moving ------------------------------------------------------------------------------------------------------


@kernel
def move_cheapest(
    hulls: Any, tree: ClassTree, moves: Moves, size: int, patience: int, until: int, moved: int, labels: Ints
) -> int:
    """Move records until ``until`` have moved or no class of the tree (those below ``size``) is left.

    A changed target tells about ``patience`` lots before it looks for itself; that changes nothing but the time.
    """
    lots = moves.lots
    while moved < until and tree.low_class[0] < len(tree.sizes):
        lot = lots.winner[1]
        target, price, row = lots.target[lot], net_of(lots, lot), next_row(lots, lot)
        place = _first_seeker(hulls, tree, moves)
        if place >= 0 and (moves.price[place], moves.row[place], moves.seeking[place]) <= (price, row, target):
            lot, target = moves.found[place], moves.seeking[place]
        elif tree.leaf[target] < 0 or moves.changes[target] != lots.seen[lot]:
            _ask(hulls, tree, moves, lot)
            continue
        source = labels[next_row(lots, lot)]
        labels[next_row(lots, lot)] = target
        tree.sizes[source] -= 1
        _give(hulls, tree, moves, lot, source, size)
        _take(hulls, tree, moves, lot, target, size, patience)
        moved += 1
    return moved


@kernel
def _take(hulls: Any, tree: ClassTree, moves: Moves, lot: int, target: int, size: int, patience: int) -> None:
    """A target takes in a record of a lot."""
    widen(tree.lo, tree.hi, tree.sizes, moves.lots.at, lot, target)
    moves.changes[target] += 1
    place = _place_of(moves, target)
    if tree.sizes[target] == size:
        drop(tree, target)
        if place >= 0:
            moves.seeking[place] = -1
        return
    mend(hulls, tree, target)
    if place >= 0:
        moves.found[place] = -1
    else:
        most = patience if _place_of(moves, -1) >= 0 else len(moves.lots.at)
        if not _tell(hulls, tree, moves, target, most):
            _start_seeking(hulls, tree, moves, target)


@kernel
def _give(hulls: Any, tree: ClassTree, moves: Moves, given: int, source: int, size: int) -> None:
    """A source loses a record of a lot: its saves change; once it has ``size`` members, its lots stay."""
    lots, boxes, ends = moves.lots, moves.boxes, moves.ends
    lots.row_next[given] += 1
    gone = lots.row_next[given] == lots.row_start[given + 1]
    if gone:
        unlink(lots, ends, given, source)
        lots.cost[given] = -np.inf
    replay(lots, given)  # its next record has a higher row number
    fit_up(lots, boxes, boxes.leaf[given])
    if tree.sizes[source] == size:
        for lot in range(lots.of_class[source], lots.of_class[source + 1]):
            if lots.cost[lot] > -np.inf:
                lots.cost[lot] = -np.inf
                replay(lots, lot)
                fit_up(lots, boxes, boxes.leaf[lot])
        return
    whole = loss_of(hulls, lots, ends, source)
    if whole != ends.whole[source]:
        ends.whole[source] = whole
        for lot in range(lots.of_class[source], lots.of_class[source + 1]):
            _reprice(hulls, tree, moves, lot, source)
        return
    for j in range(lots.at.shape[1]):
        _reprice(hulls, tree, moves, ends.first[source, j], source)
        _reprice(hulls, tree, moves, ends.last[source, j], source)
    if not gone:
        _reprice(hulls, tree, moves, given, source)


@kernel
def _reprice(hulls: Any, tree: ClassTree, moves: Moves, lot: int, source: int) -> None:
    """Work out what a source saves by a lot, and let it play again if that has changed."""
    lots = moves.lots
    if lots.cost[lot] == -np.inf:
        return
    saves = saving(hulls, lots, moves.ends, lot, source, tree.sizes[source])
    if saves == lots.saves[lot]:
        return
    risen = saves > lots.saves[lot]
    lots.saves[lot] = saves
    replay(lots, lot)
    fit_up(lots, moves.boxes, moves.boxes.leaf[lot])
    if risen:
        _offer(hulls, tree, moves, lot)
