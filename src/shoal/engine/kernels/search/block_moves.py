# SPDX-License-Identifier: Apache-2.0
"""Moves of records between the classes of a block, written down so that they can be undone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined
from shoal.engine.kernels.hull import Hulls, stretch
from shoal.engine.kernels.search.class_block import Block, add, carried, close_hull, put, span
from shoal.ground.arrays import Floats, Ints

MOST_MOVES = 150
"""Most moves before they are kept or undone."""


class Log(NamedTuple):
    """Moves since the log was opened, and what their classes were before."""

    moves: Ints
    touches: Ints
    """[0] how many moves, and how many classes they touched."""
    atom: Ints
    units: Ints
    source: Ints
    target: Ints
    """[move] what went where."""
    last: Ints
    """[move] whether nothing of the atom was left at the source, 0 or 1."""
    touched: Ints
    lo: Floats
    hi: Floats
    loss: Floats
    carried: Floats
    """[touched] hull, loss per record and loss of all records before."""


def new_log(d: int) -> Log:
    """No moves yet."""
    moves, most = np.empty(MOST_MOVES, np.int64), 2 * MOST_MOVES
    return Log(
        np.zeros(1, np.int64), np.zeros(1, np.int64), moves, moves.copy(), moves.copy(), moves.copy(),
        moves.copy(),
        np.empty(most, np.int64), np.empty((most, d)), np.empty((most, d)), np.empty(most), np.empty(most),
    )  # fmt: skip


@inlined
def _touch(block: Block, log: Log, label: int) -> None:
    """Write down what a class was before its first move."""
    last = log.touches[0]
    for i in range(last):
        if log.touched[i] == label:
            return
    log.touched[last], log.loss[last], log.carried[last] = label, block.losses[label], carried(block, label)
    for j in range(block.lo.shape[1]):
        log.lo[last, j], log.hi[last, j] = block.lo[label, j], block.hi[label, j]
    log.touches[0] += 1


@inlined
def take(block: Block, atom: int, units: int, source: int) -> bool:
    """Take units of an atom out of a class, whose hull stays; whether nothing of it is left there."""
    before, entry = -1, block.head[source]
    while block.atom[entry] != atom:
        before, entry = entry, block.next[entry]
    block.amount[entry] -= units
    block.sizes[source] -= units
    block.paid[source] -= units * block.worth[atom]
    if block.amount[entry] > 0:
        return False
    if before < 0:
        block.head[source] = block.next[entry]
    else:
        block.next[before] = block.next[entry]
    block.next[entry] = block.unused[0]
    block.unused[0] = entry
    return True


@inlined
def _is_covered(block: Block, points: Floats, label: int, atom: int) -> bool:
    """Whether an atom lies within a class; else the class holds none of it, which saves looking for it."""
    covered = True
    for j in range(points.shape[1]):
        covered = covered and block.lo[label, j] <= points[atom, j] <= block.hi[label, j]
    return covered


@inlined
def move(hulls: Hulls, block: Block, points: Floats, log: Log, atom: int, units: int, source: int, target: int) -> None:
    """Move units of an atom and write it down; the hull of the target stretches, ``shrink`` the source in the end."""
    _touch(block, log, source)
    _touch(block, log, target)
    last = log.moves[0]
    log.atom[last], log.units[last], log.source[last], log.target[last] = atom, units, source, target
    log.last[last] = np.int64(take(block, atom, units, source))
    log.moves[0] += 1
    if _is_covered(block, points, target, atom):
        add(block, target, atom, units, points, atom)
    else:
        put(block, target, atom, units, points, atom)
    span(hulls, block, target)


@inlined
def shrink(hulls: Hulls, block: Block, points: Floats, label: int) -> None:
    """Hull and loss of a class from what it holds."""
    close_hull(block, label)
    entry = block.head[label]
    while entry >= 0:
        stretch(block.lo[label], block.hi[label], points, block.atom[entry])
        entry = block.next[entry]
    span(hulls, block, label)


@inlined
def change(block: Block, log: Log) -> float:
    """By how much the moves have raised the loss."""
    total = 0.0
    for i in range(log.touches[0]):
        total += carried(block, log.touched[i]) - log.carried[i]
    return total


@inlined
def undo(block: Block, points: Floats, log: Log) -> None:
    """Take all moves back."""
    for i in range(log.moves[0] - 1, -1, -1):
        atom, units, source = log.atom[i], log.units[i], log.source[i]
        take(block, atom, units, log.target[i])
        if log.last[i]:
            put(block, source, atom, units, points, atom)
        else:
            add(block, source, atom, units, points, atom)
    for i in range(log.touches[0]):
        label = log.touched[i]
        block.losses[label] = log.loss[i]
        for j in range(block.lo.shape[1]):
            block.lo[label, j], block.hi[label, j] = log.lo[i, j], log.hi[i, j]
