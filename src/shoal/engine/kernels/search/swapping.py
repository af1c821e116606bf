# SPDX-License-Identifier: Apache-2.0
"""Swapping: the outermost records of a class change places with records of others.

Where rules look at private values, most classes have no room for one more record of a common value, nor can they spare
one of a rare one. But records with the same values can always change places, and many others can: no class changes its
size by it. One step does that with the outermost records of a class, one side of one attribute at a time, as trimming
does (``trimming``), and is kept or undone likewise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import share
from shoal.engine.kernels.hull import Hulls, loss, stretch, term, union_loss
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import Rules
from shoal.engine.kernels.search.block_moves import MOST_MOVES, Log, change, move, shrink, undo
from shoal.engine.kernels.search.board import GLANCE, SCAN, Board, climbed, look, show
from shoal.engine.kernels.search.class_block import Block, carried
from shoal.engine.kernels.search.class_rules import obeys_swapped
from shoal.engine.kernels.search.donors import LOOK
from shoal.engine.kernels.search.fillers import next_change
from shoal.engine.kernels.search.pools import OVERHEAD, ROUNDED_AWAY
from shoal.engine.kernels.search.trimming import Trimming, choose
from shoal.ground.arrays import Floats, Ints, Words

PARTNERS = 8
"""Classes in which a record to swap with is looked for."""
ALIKE = 0.3
"""Classes that differ by less than this share of what can be won are ranked by chance."""


class Swapping(NamedTuple):
    """Scratch of the steps."""

    lo: Floats
    hi: Floats
    """[attribute] what the class spans without its outermost records."""
    partner: Ints
    price: Floats
    """[place] the classes that seem cheapest."""
    edges: Floats
    """[end, attribute] of a class: smallest coordinate, the next one, largest, the one before."""
    crowd: Ints
    """[end, attribute] units at the smallest and at the largest coordinate."""


def new_swapping(d: int) -> Swapping:
    """Scratch for a table of ``d`` attributes."""
    places, two = (np.empty(PARTNERS, np.int64), np.empty(PARTNERS)), (np.empty((4, d)), np.empty((2, d), np.int64))
    return Swapping(np.empty(d), np.empty(d), *places, *two)


@inlined
def _is_alike(rules: Rules, row_of: Ints, one: int, other: int) -> bool:
    """Whether two atoms have the same private values."""
    alike = True
    for rule in range(len(rules.kind)):
        alike &= rules.codes[rule, row_of[one]] == rules.codes[rule, row_of[other]]
    return alike


@inlined
def _may_swap(
    rules: Rules, block: Block, row_of: Ints, atom: int, other_atom: int, units: int, label: int, other: int
) -> bool:
    """Whether two classes obey with these units of their atoms swapped; with the same values they do."""
    return _is_alike(rules, row_of, atom, other_atom) or (
        obeys_swapped(rules, block, row_of, other, other_atom, atom, units)
        and obeys_swapped(rules, block, row_of, label, atom, other_atom, units)
    )


@inlined
def _rest(block: Block, points: Floats, label: int, pieces: int, trimming: Trimming, work: Swapping) -> None:
    """What a class spans without the pieces."""
    for j in range(len(work.lo)):
        work.lo[j], work.hi[j] = np.inf, -np.inf
    entry = block.head[label]
    while entry >= 0:
        stays = True
        for i in range(pieces):
            stays = stays and trimming.atom[i] != block.atom[entry]
        if stays:
            stretch(work.lo, work.hi, points, block.atom[entry])
        entry = block.next[entry]


@inlined
def _find_partners(
    hulls: Hulls, block: Block, board: Board, points: Floats, atom: int, label: int, most: float, log: Log,
    state: Words, work: Swapping,
) -> None:  # fmt: skip
    """The classes that seem to lose least by a swap of this atom, less than ``most``: they grow to it, ours to them."""
    at, many, price, held = points[atom], block.in_use[0], board.price, block.sizes[label]
    begin = look(hulls, board, at, at, 0, many, state)
    price[label] = np.inf
    for i in range(log.touches[0]):
        other = log.touched[i]
        if other != label:
            grown = union_loss(hulls, block.lo[other], block.hi[other], at, at, np.inf)
            price[other] = block.sizes[other] * grown - carried(block, other)
    now = held * loss(hulls, work.lo, work.hi)
    for place in range(PARTNERS):
        work.partner[place], work.price[place] = -1, np.inf
    seen = SCAN + many // GLANCE
    for other in range(many):
        if price[other] >= most or block.sizes[other] == 0:
            continue
        grown = price[other] + climbed(hulls, board, at, at, 0, other, begin)
        if grown >= most:
            continue
        near = union_loss(hulls, work.lo, work.hi, block.hi[other], block.lo[other], (most - grown + now) / held)
        grown += held * near - now
        seen += 1
        if grown < most:
            found = (grown + ALIKE * most) * board.factors[begin + other]
            if found < work.price[PARTNERS - 1]:
                insert(work.price, work.partner, PARTNERS - 1, found, other)
    block.pricings[0] += seen


@inlined
def _find_edges(block: Block, points: Floats, label: int, edges: Floats, crowd: Ints) -> None:
    """What a class would span without one of its outermost atoms."""
    for j in range(points.shape[1]):
        edges[0, j] = edges[1, j] = np.inf
        edges[2, j] = edges[3, j] = -np.inf
        crowd[0, j] = crowd[1, j] = 0
    entry = block.head[label]
    while entry >= 0:
        atom, units = block.atom[entry], block.amount[entry]
        for j in range(points.shape[1]):
            at = points[atom, j]
            if at < edges[0, j]:
                edges[0, j], edges[1, j], crowd[0, j] = at, edges[0, j], units
            elif at == edges[0, j]:
                crowd[0, j] += units
            else:
                edges[1, j] = min(edges[1, j], at)
            if at > edges[2, j]:
                edges[2, j], edges[3, j], crowd[1, j] = at, edges[2, j], units
            elif at == edges[2, j]:
                crowd[1, j] += units
            else:
                edges[3, j] = max(edges[3, j], at)
        entry = block.next[entry]


@inlined
def _changed(hulls: Hulls, points: Floats, out: int, units: int, atom: int, work: Swapping) -> float:
    """Loss per record of a class with some units of one atom out and of another in."""
    edges, crowd, total = work.edges, work.crowd, 0.0
    for j in range(len(hulls.kind)):
        at, low, high = points[out, j], edges[0, j], edges[2, j]
        if at == low and crowd[0, j] == units:
            low = edges[1, j]
        if at == high and crowd[1, j] == units:
            high = edges[3, j]
        total += term(hulls, j, min(low, points[atom, j]), max(high, points[atom, j]))
    return total


@inlined
def _swap_one(
    hulls: Hulls, rules: Rules, block: Block, points: Floats, row_of: Ints, atom: int, units: int, label: int,
    limit: float, trimming: Trimming, work: Swapping,
) -> int:  # fmt: skip
    """Swap units of an atom for those that cost least in all, below a limit; how many, 0 if there are none such."""
    held, best, chosen, where, many = block.sizes[label], limit, -1, -1, 0
    for other in work.partner:
        if other < 0:
            break
        _find_edges(block, points, other, work.edges, work.crowd)
        entry = block.head[other]
        while entry >= 0:
            one, out = block.atom[entry], min(units, block.amount[entry])
            total = held * union_loss(hulls, work.lo, work.hi, points[one], points[one], np.inf)
            block.pricings[0] += LOOK // 2
            if total < best:
                after = _changed(hulls, points, one, out, atom, work)
                total += block.sizes[other] * after - carried(block, other)
                if total < best and _may_swap(rules, block, row_of, atom, one, out, label, other):
                    best, chosen, where, many = total, one, other, out
            entry = block.next[entry]
    if where < 0 or trimming.log.moves[0] + 2 > MOST_MOVES:
        return 0
    move(hulls, block, points, trimming.log, atom, many, label, where)
    move(hulls, block, points, trimming.log, chosen, many, where, label)
    shrink(hulls, block, points, where)
    stretch(work.lo, work.hi, points, chosen)
    return many


@kernel
def swap(
    hulls: Hulls, rules: Rules, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    heat: float, state: Words, trimming: Trimming, work: Swapping,
) -> None:  # fmt: skip
    """One step from the class ``label``; kept or undone."""
    hulls, rules, block, board = lent(hulls), lent(rules), lent(block), lent(board)
    points, row_of, state, trimming, work = lent(points), lent(row_of), lent(state), lent(trimming), lent(work)
    log = trimming.log
    log.moves[0], log.touches[0] = 0, 0
    block.pricings[0] += OVERHEAD + 2 * block.sizes[label]
    pieces = choose(hulls, block, points, label, size, state, trimming)
    if pieces == 0:
        return
    allowed = -ROUNDED_AWAY - heat * math.log(share(state))
    _rest(block, points, label, pieces, trimming, work)
    limit = carried(block, label) + allowed
    most = limit - block.sizes[label] * loss(hulls, work.lo, work.hi)
    done = most > 0
    for i in range(pieces):
        left = trimming.units[i]
        while done and left > 0:
            _find_partners(hulls, block, board, points, trimming.atom[i], label, most, log, state, work)
            many = _swap_one(hulls, rules, block, points, row_of, trimming.atom[i], left, label, limit, trimming, work)
            left -= many
            done = many > 0
    if done:
        shrink(hulls, block, points, label)
    if not (done and change(block, log) < allowed):
        undo(block, points, log)
        return
    for i in range(log.touches[0]):
        other = log.touched[i]
        show(hulls, block, board, other)
        trimming.fillers.first[other] = next_change(block, trimming.fillers, other)
