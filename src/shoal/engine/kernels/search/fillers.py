# SPDX-License-Identifier: Apache-2.0
"""Fillers: records that a wide class holds only because it needs so many.

They would lose less elsewhere, but the class must not become too small. Whoever joins it lets one of them go: joining
costs less than it seems, the more so the dearer the class is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import ZERO
from shoal.engine.kernels.search.board import ABREAST, GLANCE, SCAN, Board, climbed, is_any_below, look
from shoal.engine.kernels.search.class_block import Block, amount_of
from shoal.ground.arrays import Floats, Ints, Words

MOST_FILLERS = 24
"""Most atoms of a class that are known as fillers."""


class Fillers(NamedTuple):
    """The fillers of all classes of a block, as they were when last looked for."""

    atom: Ints
    change: Floats
    """[class, place] and by how much the loss changes for each record that leaves: the lowest first, 0 if nobody is."""
    first: Floats
    """[class] the change by the first one who is still there."""


def new_fillers(classes: int) -> Fillers:
    """Nobody is known as a filler."""
    return Fillers(np.zeros((classes, MOST_FILLERS), np.int64), np.zeros((classes, MOST_FILLERS)), np.zeros(classes))


@inlined
def forget_fillers(fillers: Fillers, label: int) -> None:
    """Nobody in a class is known as a filler any more."""
    fillers.first[label] = 0.0
    for place in range(MOST_FILLERS):
        fillers.change[label, place] = 0.0


@kernel
def find_fillers(
    hulls: Hulls, block: Block, board: Board, points: Floats, label: int, state: Words, fillers: Fillers
) -> None:
    """Look for those who would save most by leaving a class, its hull staying as it is."""
    hulls, block, board, points, fillers = lent(hulls), lent(block), lent(board), lent(points), lent(fillers)
    many, price, last, entry = block.in_use[0], board.price, MOST_FILLERS - 1, block.head[label]
    change, atom = fillers.change[label], fillers.atom[label]
    forget_fillers(fillers, label)
    while entry >= 0:
        at, best = points[block.atom[entry]], np.inf
        begin = look(hulls, board, at, at, ZERO + 1, many, state)
        price[label] = np.inf
        for start in range(0, many, ABREAST):
            if is_any_below(price, start, best):
                for other in range(start, start + ABREAST):
                    if price[other] < best:
                        best = min(best, price[other] + climbed(hulls, board, at, at, ZERO + 1, other, begin))
        best -= block.losses[label]
        if best < change[last]:
            insert(change, atom, last, best, block.atom[entry])
        block.pricings[0] += SCAN + many // GLANCE
        entry = block.next[entry]
    fillers.first[label] = change[0]


@inlined
def next_filler(block: Block, fillers: Fillers, label: int) -> int:
    """The place of the first one who is still in a class; -1 if nobody is."""
    for place in range(MOST_FILLERS):
        if fillers.change[label, place] >= 0.0:
            break
        if amount_of(block, label, fillers.atom[label, place]) > 0:
            return place
    return -1


@inlined
def next_change(block: Block, fillers: Fillers, label: int) -> float:
    """By how much the loss changes if that one leaves; 0 if nobody is there."""
    place = next_filler(block, fillers, label)
    return fillers.change[label, place] if place >= 0 else 0.0
