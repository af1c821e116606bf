# SPDX-License-Identifier: Apache-2.0
"""The classes of a block side by side, so that a record, or a class, is priced for all of them at once.

Attribute by attribute, what each class would cost is added up in loops over classes that lie next to each other in
memory, without branches: the processor does four or eight of them in one go. Numbers and many flat names are reckoned
from the ends of the hulls. Of few names and of a small tree the board keeps what every class costs with every leaf, one
row per leaf, and adds up several rows in one go;
large trees are climbed in the end, and only for classes that are cheap enough up to there.

The board shows what was kept; classes changed by moves on trial are priced by whoever tries them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw, share
from shoal.engine.kernels.hull import FLAT, RANGE, TABLE, Hulls, term
from shoal.engine.kernels.rules import ZERO
from shoal.engine.kernels.search.class_block import Block
from shoal.ground.arrays import Floats, Ints, Words

NOISE = 0.3
"""Places, and neighbours to pool with, are ranked by what they cost, times a random factor of 1 to 1 + NOISE."""
FACTORS = 1024
"""Random factors that are drawn for a block; each look at the board begins somewhere else among them."""
MOST_LEAVES, MOST_NAMES = 64, 16
"""Leaves of a tree, and flat names, that have rows on the board."""
TOGETHER = 4
"""Rows that are added up in one go."""
ABREAST = 32
"""Classes are priced, and looked through, so many at a time; there is room for whole groups of them."""
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
    """[class] its records and their loss; minus infinity if there is none, or it is empty: nothing goes there."""
    first: Ints
    """[attribute] its first row, or ``CLIMBED`` or ``RECKONED``."""
    leaves: Ints
    """[attribute] how many rows it has."""
    rows: Floats
    near: Floats
    """[leaf, class] the attribute's cost of the class with a record of that leaf, and of its near end with one; the
    last row is 0."""
    picked: Ints
    """[i] scratch: rows to be added up."""
    factors: Floats
    price: Floats
    """[class] scratch: the result of a look at the board."""


@inlined
def _in_groups(many: int) -> int:
    """So many classes, filled up to whole groups."""
    return (many + ABREAST - 1) // ABREAST * ABREAST


def new_board(hulls: Hulls, block: Block, state: Words) -> Board:
    """The board of a block."""
    d, most = len(hulls.kind), (len(block.head) // ABREAST + 1) * ABREAST
    names = np.where(hulls.kind == FLAT, block.hi.max(axis=0, initial=0.0) + 1, np.inf)
    leaves = np.where(names <= MOST_NAMES, names, 0.0).astype(np.int64)
    listed = (hulls.kind == TABLE) & (hulls.size <= MOST_LEAVES)
    leaves[listed] = hulls.size[listed]
    ends = np.cumsum(leaves)
    without = np.where((hulls.kind == RANGE) | (hulls.kind == FLAT), RECKONED, CLIMBED)
    rows = int(leaves.sum())
    board = Board(
        np.zeros((d, most)),
        np.zeros((d, most)),
        np.zeros(most),
        np.full(most, -np.inf),
        np.where(leaves > 0, ends - leaves, without).astype(np.int64),
        leaves,
        np.zeros((rows + 1, most)),
        np.zeros((rows + 1, most)),
        np.full(TOGETHER, rows),
        np.empty(FACTORS + most),
        np.empty(most),
    )
    _fill(hulls, block, board, state)
    return board


@kernel
def _fill(hulls: Hulls, block: Block, board: Board, state: Words) -> None:
    """Draw the factors and show all classes."""
    for i in range(FACTORS + len(block.head)):
        board.factors[i] = 1.0 + NOISE * share(state)
    for i in range(FACTORS + len(block.head), len(board.factors)):
        board.factors[i] = 1.0
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
        for leaf in range(board.leaves[j]):
            board.rows[board.first[j] + leaf, label] = term(hulls, j, min(low, leaf), max(high, leaf))
            end = min(max(low, leaf), high)
            board.near[board.first[j] + leaf, label] = term(hulls, j, min(end, leaf), max(end, leaf))


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
def _add_two(board: Board, left: Floats, right: Floats, least: float, many: int) -> None:
    """Of a hull the end that lies higher up in the tree counts."""
    price = board.price
    for c in range(many):
        price[c] += max(left[c], right[c], least)


@inlined
def _add_picked(board: Board, rows: Floats, many: int) -> None:
    """The rows that were picked, from the first to the last; then none is."""
    price, picked = board.price, board.picked
    one, two, three, four = rows[picked[0]], rows[picked[1]], rows[picked[2]], rows[picked[3]]
    for c in range(many):
        price[c] = price[c] + one[c] + two[c] + three[c] + four[c]
    for i in range(TOGETHER):
        picked[i] = rows.shape[0] - 1


@inlined
def _add_up(
    hulls: Hulls, board: Board, rows: Floats, board_lo: Floats, board_hi: Floats, lo: Floats, hi: Floats, many: int
) -> None:
    """Add up what a hull costs each class; what is in the rows picked last is still to be added."""
    price, picked = board.price, 0
    for c in range(many):
        price[c] = 0.0
    for j in range(len(hulls.kind)):
        low, high, first = lo[j], hi[j], board.first[j]
        is_row = first >= 0 and low == high
        if picked == TOGETHER or (picked > 0 and not is_row and first != CLIMBED):
            _add_picked(board, rows, many)
            picked = 0
        if is_row:
            board.picked[picked] = first + np.int64(low)
            picked += 1
        elif first >= 0:
            left, right = rows[first + np.int64(low)], rows[first + np.int64(high)]
            _add_two(board, left, right, term(hulls, j, low, high), many)
        elif first == RECKONED:
            _add_ends(hulls, price, board_lo[j], board_hi[j], j, low, high, many)


@kernel
def look(hulls: Hulls, board: Board, lo: Floats, hi: Floats, units: int, many: int, state: Words) -> int:
    """Price the first classes with so many records of a hull: what they would lose more, times a random factor.

    Climbed trees are left out (:func:`climbed`). Where in the list of factors it began. What fills up the last group
    costs infinitely much.
    """
    hulls, board = lent(hulls), lent(board)
    wide, price, held, carried, rows, picked = (
        _in_groups(many), board.price, board.held, board.carried, board.rows, board.picked,
    )  # fmt: skip
    _add_up(hulls, board, rows, board.lo, board.hi, lo, hi, wide)
    begin = draw(state) % FACTORS
    factors = board.factors[begin : begin + wide]
    one, two, three, four = rows[picked[0]], rows[picked[1]], rows[picked[2]], rows[picked[3]]
    for c in range(wide):
        each = price[c] + one[c] + two[c] + three[c] + four[c]
        price[c] = ((held[c] + units) * each - carried[c]) * factors[c]
    for i in range(TOGETHER):
        picked[i] = rows.shape[0] - 1
    return begin


@inlined
def climbed(hulls: Hulls, board: Board, lo: Floats, hi: Floats, units: int, label: int, begin: int) -> float:
    """What a look that began there has left out: the trees without rows."""
    total = 0.0
    for j in range(len(hulls.kind)):
        if board.first[j] == CLIMBED:
            total += term(hulls, j, min(board.lo[j, label], lo[j]), max(board.hi[j, label], hi[j]))
    return (board.held[label] + units) * total * board.factors[begin + label]


@inlined
def is_any_below(price: Floats, start: int, limit: float) -> bool:
    """Whether a class of the group that begins there costs less than so much.

    Most groups hold none, and to find that out takes a few instructions: all are compared at once, if they are counted
    in a slice whose length is not told beforehand; else the compiler asks one after the other.
    """
    group, below = price[start : start + ABREAST], ZERO
    for c in range(len(group)):
        below += np.int64(group[c] < limit)
    return below > 0


# -- the near side of each class -----------------------------------------------------------------------------------


@kernel
def look_around(hulls: Hulls, board: Board, lo: Floats, hi: Floats, least: int, many: int, state: Words) -> int:
    """Price the first classes as neighbours of a hull: what it loses once it reaches each, times a random factor.

    The near end of a class is the one that a look takes for its far end. Climbed trees are left out
    (:func:`climbed_around`). Classes of at most so many records cost infinitely much. Where in the list of factors it
    began.
    """
    hulls, board = lent(hulls), lent(board)
    wide, price, held, rows, picked = _in_groups(many), board.price, board.held, board.near, board.picked
    _add_up(hulls, board, rows, board.hi, board.lo, lo, hi, wide)
    begin = draw(state) % FACTORS
    factors = board.factors[begin : begin + wide]
    one, two, three, four = rows[picked[0]], rows[picked[1]], rows[picked[2]], rows[picked[3]]
    for c in range(wide):
        each = price[c] + one[c] + two[c] + three[c] + four[c]
        price[c] = each * factors[c] if held[c] > least else np.inf
    for i in range(TOGETHER):
        picked[i] = rows.shape[0] - 1
    return begin


@inlined
def climbed_around(hulls: Hulls, board: Board, lo: Floats, hi: Floats, label: int, begin: int) -> float:
    """What a look around that began there has left out."""
    total = 0.0
    for j in range(len(hulls.kind)):
        if board.first[j] == CLIMBED:
            total += term(hulls, j, min(board.hi[j, label], lo[j]), max(board.lo[j, label], hi[j]))
    return total * board.factors[begin + label]
