# SPDX-License-Identifier: Apache-2.0
"""Trimming: the outermost records of a class go where they cost least, and others fill the gap.

A class is as wide as its outermost records. One step takes those on one side of one attribute out of a class, puts
each into the class that it costs least, which lets a filler go in return if it has any, and, if too few are left,
fetches what costs least from neighbours that can spare it; best of all is what lies outermost there. Where rules look
at private values, records go only where these leave room for theirs, and away only where others remain enough: few
steps would be kept otherwise. The step is undone unless the total loss falls (or, while ``heat`` is above 0, rises but
little). It is far cheaper than regrouping a pool, the more so the larger classes are.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw, share
from shoal.engine.kernels.hull import RANGE, Hulls, term, union_loss
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import ZERO, Rules
from shoal.engine.kernels.search.block_moves import MOST_MOVES, Log, change, move, new_log, shrink, undo
from shoal.engine.kernels.search.board import (
    ABREAST,
    GLANCE,
    NOISE,
    SCAN,
    Board,
    climbed,
    climbed_around,
    is_any_below,
    look,
    look_around,
    show,
)
from shoal.engine.kernels.search.class_block import Block, amount_of, carried
from shoal.engine.kernels.search.class_rules import leaves_room, obeys_with
from shoal.engine.kernels.search.fillers import Fillers, find_fillers, new_fillers, next_change, next_filler
from shoal.engine.kernels.search.pools import OVERHEAD, ROUNDED_AWAY
from shoal.ground.arrays import Floats, Ints, Words

MOST_PIECES = 30
"""Most different atoms that leave a class in one step."""
MOST_VALUES = 3
"""Most different values that leave on one side."""
DONORS = 3
"""Neighbours that are asked for what costs least."""
SELDOM = 16
"""In one of so many steps the fillers of the class are looked for."""
LOOK = 12
"""Pricings that an atom of a donor is worth."""


class Trimming(NamedTuple):
    """Scratch of the steps."""

    log: Log
    atom: Ints
    units: Ints
    """[piece] what leaves the class."""
    donor: Ints
    price: Floats
    """[donor] the nearest first."""
    edges: Floats
    """[donor, end, attribute] smallest coordinate, the next one, largest, the one before."""
    crowd: Ints
    """[donor, end, attribute] units at the smallest and at the largest coordinate."""
    fillers: Fillers


def new_trimming(d: int, classes: int) -> Trimming:
    """Scratch for a table of ``d`` attributes in so many classes at most."""
    return Trimming(
        new_log(d),
        np.empty(MOST_PIECES, np.int64),
        np.empty(MOST_PIECES, np.int64),
        np.empty(DONORS, np.int64),
        np.empty(DONORS),
        np.empty((DONORS, 4, d)),
        np.empty((DONORS, 2, d), np.int64),
        new_fillers(classes),
    )


# -- what leaves -------------------------------------------------------------------------------------------------


@inlined
def _costly(hulls: Hulls, block: Block, label: int, state: Words) -> int:
    """An attribute that costs the class much, more or less; -1 if none costs anything."""
    lo, hi = block.lo, block.hi
    most, chosen = 0.0, -1
    for j in range(len(hulls.kind)):
        cost = term(hulls, j, lo[label, j], hi[label, j])
        cost *= share(state)
        if cost > most:
            most, chosen = cost, j
    return chosen


@inlined
def _within(block: Block, points: Floats, label: int, j: int, low: bool, depth: int) -> tuple[float, float]:
    """The rest of an attribute without its ``depth`` outermost values on one side."""
    lo, hi = block.lo[label, j], block.hi[label, j]
    for _ in range(depth):
        entry, edge = block.head[label], np.inf if low else -np.inf
        while entry >= 0:
            at = points[block.atom[entry], j]
            if low and at > lo:
                edge = min(edge, at)
            if not low and at < hi:
                edge = max(edge, at)
            entry = block.next[entry]
        if low:
            lo = edge
        else:
            hi = edge
        if lo >= hi:
            break
    return lo, hi


@inlined
def _one_value(block: Block, points: Floats, label: int, j: int, state: Words) -> float:
    """The value of a random record."""
    entry, at = block.head[label], draw(state) % block.sizes[label]
    while at >= block.amount[entry]:
        at -= block.amount[entry]
        entry = block.next[entry]
    value: float = points[block.atom[entry], j]
    return value


@inlined
def choose(hulls: Hulls, block: Block, points: Floats, label: int, size: int, state: Words, work: Trimming) -> int:
    """Choose what leaves: the pieces, 0 if they would be too many. Of names all but one leave, most of the time."""
    j = _costly(hulls, block, label, state)
    if j < 0:
        return 0
    if hulls.kind[j] == RANGE or draw(state) % 4 == 0:
        lo, hi = _within(block, points, label, j, draw(state) % 2 == 0, 1 + draw(state) % MOST_VALUES)
    else:
        lo = hi = _one_value(block, points, label, j, state)
    pieces, leaving, entry = ZERO, ZERO, block.head[label]
    while entry >= 0:
        atom, units = block.atom[entry], block.amount[entry]
        if points[atom, j] < lo or points[atom, j] > hi:
            if pieces == MOST_PIECES or 2 * (leaving + units) > size:
                return ZERO
            work.atom[pieces], work.units[pieces] = atom, units
            leaving += units
            pieces += 1
        entry = block.next[entry]
    return pieces


# -- where it goes, and what comes instead -------------------------------------------------------------------------


@inlined
def _home(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, atom: int, units: int,
    label: int, swaps: bool, state: Words, work: Trimming,
) -> int:  # fmt: skip
    """The other class that some units cost least, more or less, and that obeys with them; -1 if there is none.

    If it ``swaps``, it lets fillers go, and what that saves counts.
    """
    at, many, price, log, fillers = points[atom], block.in_use[0], board.price, work.log, work.fillers
    begin = look(hulls, board, at, at, units, many, state)
    block.pricings[0] += SCAN + many // GLANCE
    for other in range(many if swaps else 0):
        price[other] += units * fillers.first[other]
    price[label] = np.inf
    for i in range(log.touches[0]):
        price[log.touched[i]] = np.inf
    best, chosen = np.inf, -1
    for start in range(0, many, ABREAST):
        if not is_any_below(price, start, best):
            continue
        for other in range(start, start + ABREAST):
            if price[other] < best:
                found = price[other] + climbed(hulls, board, at, at, units, other, begin)
                if found < best and obeys_with(rules, block, row_of, other, atom, units):
                    best, chosen = found, other
    for i in range(log.touches[0]):
        other = log.touched[i]
        if other == label:
            continue
        held = block.sizes[other]
        found = (held + units) * union_loss(hulls, block.lo[other], block.hi[other], at, at, np.inf)
        found = (found - carried(block, other)) * (1.0 + NOISE * share(state))
        found += units * next_change(block, fillers, other) if swaps else 0.0
        if found < best and obeys_with(rules, block, row_of, other, atom, units):
            best, chosen = found, other
    return chosen


@inlined
def find_edges(block: Block, points: Floats, label: int, edges: Floats, crowd: Ints) -> None:
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
def _find_donors(
    hulls: Hulls, block: Block, board: Board, points: Floats, label: int, least: int, state: Words, work: Trimming
) -> None:
    """The classes that can spare something and are nearest, more or less, with their edges."""
    lo, hi, sizes, donor, ranks = block.lo, block.hi, block.sizes, work.donor, work.price
    many, price, log = block.in_use[0], board.price, work.log
    for place in range(DONORS):
        donor[place], ranks[place] = -1, np.inf
    begin = look_around(hulls, board, lo[label], hi[label], least, many, state)
    block.pricings[0] += SCAN + many // GLANCE
    price[label] = np.inf
    for i in range(log.touches[0]):
        price[log.touched[i]] = np.inf
    for start in range(0, many, ABREAST):
        if not is_any_below(price, start, ranks[DONORS - 1]):
            continue
        for other in range(start, start + ABREAST):
            if price[other] < ranks[DONORS - 1]:
                total = price[other] + climbed_around(hulls, board, lo[label], hi[label], other, begin)
                if total < ranks[DONORS - 1]:
                    insert(ranks, donor, DONORS - 1, total, other)
    for i in range(log.touches[0]):
        other = log.touched[i]
        if other == label or sizes[other] <= least:
            continue
        factor = 1.0 + NOISE * share(state)
        total = factor * union_loss(hulls, lo[label], hi[label], hi[other], lo[other], np.inf)
        if total < ranks[DONORS - 1]:
            insert(ranks, donor, DONORS - 1, total, other)
    for place in range(DONORS):
        if donor[place] >= 0:
            find_edges(block, points, donor[place], work.edges[place], work.crowd[place])


@inlined
def _relief(
    hulls: Hulls, block: Block, points: Floats, donor: int, atom: int, units: int, edges: Floats, crowd: Ints
) -> float:
    """By how much the loss of the donor falls without some units of an atom."""
    total = block.losses[donor]
    for j in range(len(hulls.kind)):
        at, low, high = points[atom, j], edges[0, j], edges[2, j]
        if low == high:
            continue
        if at == low and crowd[0, j] == units:
            low = edges[1, j]
        elif at == high and crowd[1, j] == units:
            high = edges[3, j]
        else:
            continue
        total -= term(hulls, j, edges[0, j], edges[2, j])
        total += term(hulls, j, low, high)
    return carried(block, donor) - (block.sizes[donor] - units) * total


@inlined
def _may_go(
    rules: Rules | None, block: Block, row_of: Ints, atom: int, units: int, source: int, target: int, least: int
) -> bool:
    """Whether some units may go to a class on its way to ``least`` records, as far as one can tell."""
    if rules is None:
        return True
    if block.sizes[target] + units >= least:
        fits = obeys_with(rules, block, row_of, target, atom, units)
    else:
        fits = leaves_room(rules, block, row_of, target, atom, units, least)
    return fits and obeys_with(rules, block, row_of, source, atom, -units)


@inlined
def _fetch(
    hulls: Hulls, rules: Rules | None, block: Block, points: Floats, row_of: Ints, label: int, least: int,
    work: Trimming,
) -> bool:  # fmt: skip
    """Fetch what costs least per record, the donor's relief counted; False if nobody has anything to spare."""
    lo, hi, now, held = block.lo, block.hi, carried(block, label), block.sizes[label]
    best, atom, many, chosen = np.inf, -1, ZERO, -1
    for place in range(DONORS):
        other, edges, crowd = work.donor[place], work.edges[place], work.crowd[place]
        if other < 0 or block.sizes[other] <= least:
            continue
        entry, most = block.head[other], min(least - held, block.sizes[other] - least)
        while entry >= 0:
            one, units = block.atom[entry], min(block.amount[entry], most)
            relief = _relief(hulls, block, points, other, one, units, edges, crowd)
            limit = (best * units + relief + now) / (held + units)
            total = union_loss(hulls, lo[label], hi[label], points[one], points[one], limit)
            if total < limit and _may_go(rules, block, row_of, one, units, other, label, least):
                best, atom, many, chosen = ((held + units) * total - now - relief) / units, one, units, place
            entry = block.next[entry]
            block.pricings[0] += LOOK
    if chosen < 0 or work.log.moves[0] == MOST_MOVES:
        return False
    donor = work.donor[chosen]
    move(hulls, block, points, work.log, atom, many, donor, label)
    shrink(hulls, block, points, donor)
    find_edges(block, points, donor, work.edges[chosen], work.crowd[chosen])
    return True


# -- one step ----------------------------------------------------------------------------------------------------


@inlined
def _obeyed(rules: Rules | None, block: Block, row_of: Ints, log: Log) -> bool:
    """Whether all classes touched obey the rules."""
    kept = True
    for i in range(log.touches[0]):
        kept = kept and obeys_with(rules, block, row_of, log.touched[i], -1, ZERO)
    return kept


@inlined
def _let_go(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int,
    joined: int, units: int, state: Words, work: Trimming,
) -> None:  # fmt: skip
    """As many fillers leave a class as have joined it, while there are any."""
    place, left = next_filler(block, work.fillers, label), units
    while place >= 0 and units > 0 and work.log.moves[0] < MOST_MOVES:
        atom = work.fillers.atom[label, place]
        many = min(amount_of(block, label, atom), units)
        if atom == joined or not obeys_with(rules, block, row_of, label, atom, -many):
            break
        home = _home(hulls, rules, block, board, points, row_of, atom, many, label, False, state, work)
        if home < 0:
            break
        move(hulls, block, points, work.log, atom, many, label, home)
        units -= many
        place = next_filler(block, work.fillers, label)
    if units < left:
        shrink(hulls, block, points, label)


@inlined
def _exchange(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    pieces: int, state: Words, work: Trimming,
) -> bool:  # fmt: skip
    """Move the pieces out and others in; False if some go nowhere or too few come."""
    for i in range(pieces):
        atom, units = work.atom[i], work.units[i]
        home = _home(hulls, rules, block, board, points, row_of, atom, units, label, True, state, work)
        if home < 0:
            return False
        move(hulls, block, points, work.log, atom, units, label, home)
    shrink(hulls, block, points, label)
    for i in range(pieces):
        home, atom, units = work.log.target[i], work.atom[i], work.units[i]
        _let_go(hulls, rules, block, board, points, row_of, home, atom, units, state, work)
    if block.sizes[label] < size:
        _find_donors(hulls, block, board, points, label, size, state, work)
    while block.sizes[label] < size:
        if not _fetch(hulls, rules, block, points, row_of, label, size, work):
            return False
    return True


@kernel
def trim(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    heat: float, state: Words, work: Trimming,
) -> None:  # fmt: skip
    """One step from the class ``label``, which obeys the rules; kept or undone."""
    hulls, rules, block, board = lent(hulls), lent(rules), lent(block), lent(board)
    points, row_of, state, work = lent(points), lent(row_of), lent(state), lent(work)
    work.log.moves[0], work.log.touches[0] = 0, 0
    block.pricings[0] += OVERHEAD + 2 * block.sizes[label]
    if draw(state) % SELDOM == 0:
        find_fillers(hulls, block, board, points, label, state, work.fillers)
    pieces = choose(hulls, block, points, label, size, state, work)
    if pieces == 0:
        return
    done = _exchange(hulls, rules, block, board, points, row_of, label, size, pieces, state, work)
    allowed = -ROUNDED_AWAY - heat * math.log(share(state))
    if not (done and change(block, work.log) < allowed and _obeyed(rules, block, row_of, work.log)):
        undo(block, points, work.log)
        return
    for i in range(work.log.touches[0]):
        other = work.log.touched[i]
        show(hulls, block, board, other)
        work.fillers.first[other] = next_change(block, work.fillers, other)
