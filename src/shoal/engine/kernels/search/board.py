# SPDX-License-Identifier: Apache-2.0
"""The classes of a block side by side, so that a record, or a class, is priced for all of them at once.

Attribute by attribute, what each class would cost is added up in loops over classes that lie next to each other in
memory, without branches: the processor does four or eight of them in one go. Numbers and flat names are reckoned from
the ends of the hulls. Of a small tree the board keeps what every class costs with every leaf, one row per leaf;
large trees are climbed in the end, and only for classes that are cheap enough up to there.

The board shows what was kept; classes changed by moves on trial are priced by whoever tries them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw, share
from shoal.engine.kernels.hull import FLAT, RANGE, TABLE, Hulls, term
from shoal.engine.kernels.search.class_block import Block
from shoal.ground.arrays import Floats, Ints, Words

NOISE = 0.3
"""Places, and neighbours to pool with, are ranked by what they cost, times a random factor of 1 to 1 + NOISE."""
FACTORS = 1024
"""Random factors that are drawn for a block; each look at the board begins somewhere else among them."""
MOST_LEAVES = 64
"""Leaves of a tree that has rows on the board."""
SCAN, GLANCE = 20, 2
"""Pricings that a look at the board is worth, and classes seen there in one more."""
CLIMBED, RECKONED = -2, -1
"""Instead of the first row of an attribute: it has none."""


class Board(NamedTuple):
    """What is known of each class, attribute by attribute."""

    lo: Floats
    hi: Floats
    """[attribute, class] its hull."""
    held: Floats
    carried: Floats
    """[class] its records and their loss; minus infinity if it is empty: nothing goes there."""
    first: Ints
    """[attribute] its first row, or ``CLIMBED`` or ``RECKONED``."""
    rows: Floats
    """[leaf, class] the attribute's cost of the class with a record of that leaf."""
    factors: Floats
    price: Floats
    """[class] scratch: the result of a look at the board."""
    near: Floats
    """[leaf] scratch: an attribute's cost of a hull with a record of that leaf."""


def new_board(hulls: Hulls, block: Block, state: Words) -> Board:
    """The board of a block."""
    d, most = len(hulls.kind), len(block.head)
    listed = (hulls.kind == TABLE) & (hulls.size <= MOST_LEAVES)
    ends = np.cumsum(np.where(listed, hulls.size, 0))
    without = np.where((hulls.kind == RANGE) | (hulls.kind == FLAT), RECKONED, CLIMBED)
    board = Board(
        np.zeros((d, most)),
        np.zeros((d, most)),
        np.zeros(most),
        np.full(most, -np.inf),
        np.where(listed, ends - hulls.size, without).astype(np.int64),
        np.zeros((int(ends[-1]) if d else 0, most)),
        np.empty(FACTORS + most),
        np.empty(most),
        np.empty(MOST_LEAVES),
    )
    _fill(hulls, block, board, state)
    return board


@kernel
def _fill(hulls: Hulls, block: Block, board: Board, state: Words) -> None:
    """Draw the factors and show all classes."""
    for i in range(len(board.factors)):
        board.factors[i] = 1.0 + NOISE * share(state)
    for label in range(block.in_use[0]):
        show(hulls, block, board, label)


@kernel
def show(hulls: Hulls, block: Block, board: Board, label: int) -> None:
    """Show a class as it is now."""
    hulls, block, board = lent(hulls), lent(block), lent(board)
    board.held[label] = block.sizes[label]
    board.carried[label] = block.sizes[label] * block.losses[label]
    if block.sizes[label] == 0:
        board.carried[label] = -np.inf
        return
    for j in range(len(hulls.kind)):
        low, high = block.lo[label, j], block.hi[label, j]
        board.lo[j, label], board.hi[j, label] = low, high
        first = board.first[j]
        if first >= 0:
            size, start = hulls.size[j], hulls.start[j]
            for leaf in range(size):
                at = start + np.int64(min(low, leaf)) * size + np.int64(max(high, leaf))
                board.rows[first + leaf, label] = hulls.tables[at]


@inlined
def _add_ends(hulls: Hulls, price: Floats, lo: Floats, hi: Floats, j: int, low: float, high: float, many: int) -> None:
    """Numbers and flat names, reckoned from the ends of hulls."""
    scale, cap = hulls.scale[j], hulls.cap[j]
    if hulls.kind[j] == RANGE:
        for c in range(many):
            price[c] += min((max(hi[c], high) - min(lo[c], low)) * scale, cap)
    elif hulls.kind[j] == FLAT:
        for c in range(many):
            price[c] += cap if max(hi[c], high) > min(lo[c], low) else 0.0


@inlined
def _add_rows(board: Board, one: int, two: int, many: int) -> None:
    """Of a hull the end that lies higher up in the tree counts."""
    price, left, right = board.price, board.rows[one], board.rows[two]
    for c in range(many):
        price[c] += max(left[c], right[c])


@kernel
def look(hulls: Hulls, board: Board, lo: Floats, hi: Floats, units: int, many: int, state: Words) -> int:
    """Price the first classes with so many records of a hull: what they would lose more, times a random factor.

    Climbed trees are left out (:func:`climbed`). Where in the list of factors it began.
    """
    hulls, board = lent(hulls), lent(board)
    price, factors = board.price, board.factors
    for c in range(many):
        price[c] = 0.0
    for j in range(len(hulls.kind)):
        low, high, first = lo[j], hi[j], board.first[j]
        if first >= 0:
            _add_rows(board, first + np.int64(low), first + np.int64(high), many)
        else:
            _add_ends(hulls, price, board.lo[j], board.hi[j], j, low, high, many)
    begin = draw(state) % FACTORS
    held, carried = board.held, board.carried
    for c in range(many):
        price[c] = ((held[c] + units) * price[c] - carried[c]) * factors[begin + c]
    return begin


@inlined
def climbed(hulls: Hulls, board: Board, lo: Floats, hi: Floats, units: int, label: int, begin: int) -> float:
    """What a look that began there has left out: the trees without rows."""
    total = 0.0
    for j in range(len(hulls.kind)):
        if board.first[j] == CLIMBED:
            total += term(hulls, j, min(board.lo[j, label], lo[j]), max(board.hi[j, label], hi[j]))
    return (board.held[label] + units) * total * board.factors[begin + label]


# -- the near side of each class -----------------------------------------------------------------------------------


@inlined
def _add_near(hulls: Hulls, board: Board, j: int, low: float, high: float, many: int) -> None:
    price, lo, hi, near = board.price, board.lo[j], board.hi[j], board.near
    size, start = hulls.size[j], hulls.start[j]
    for leaf in range(size):
        near[leaf] = hulls.tables[start + np.int64(min(low, leaf)) * size + np.int64(max(high, leaf))]
    for c in range(many):
        price[c] += near[np.int64(min(max(low, lo[c]), hi[c]))]


@kernel
def look_around(hulls: Hulls, board: Board, lo: Floats, hi: Floats, many: int, state: Words) -> int:
    """Price the first classes as neighbours of a hull: what it loses once it reaches each, times a random factor.

    The near end of a class is the one that a look takes for its far end. Climbed trees are left out
    (:func:`climbed_around`). Where in the list of factors it began.
    """
    hulls, board = lent(hulls), lent(board)
    price, factors = board.price, board.factors
    for c in range(many):
        price[c] = 0.0
    for j in range(len(hulls.kind)):
        low, high = lo[j], hi[j]
        if board.first[j] >= 0:
            _add_near(hulls, board, j, low, high, many)
        else:
            _add_ends(hulls, price, board.hi[j], board.lo[j], j, low, high, many)
    begin = draw(state) % FACTORS
    for c in range(many):
        price[c] *= factors[begin + c]
    return begin


@inlined
def climbed_around(hulls: Hulls, board: Board, lo: Floats, hi: Floats, label: int, begin: int) -> float:
    """What a look around that began there has left out."""
    total = 0.0
    for j in range(len(hulls.kind)):
        if board.first[j] == CLIMBED:
            total += term(hulls, j, min(board.hi[j, label], lo[j]), max(board.lo[j, label], hi[j]))
    return total * board.factors[begin + label]
