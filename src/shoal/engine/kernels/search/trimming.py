# SPDX-License-Identifier: Apache-2.0
"""Trimming: the outermost records of a class go where they cost least, and others fill the gap.

A class is as wide as its outermost records. One step takes those on one side of one attribute out of a class, puts
each into the class that it costs least, which lets a filler go in return if it has any, and, if too few are left,
fetches what costs least from neighbours that can spare it; best of all is what lies outermost there. Fetching seldom
wins back what was lost before it, so a hasty step stops there, most of the time. Where rules look
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
from shoal.engine.kernels.hull import RANGE, Hulls, loss, stretch, term, union_loss
from shoal.engine.kernels.rules import ZERO, Rules
from shoal.engine.kernels.search.block_moves import MOST_MOVES, Log, change, move, new_log, shrink, undo
from shoal.engine.kernels.search.board import ABREAST, GLANCE, NOISE, SCAN, Board, climbed, is_any_below, look, show
from shoal.engine.kernels.search.class_block import Block, amount_of, carried
from shoal.engine.kernels.search.class_rules import obeys_with
from shoal.engine.kernels.search.donors import Donors, fetch, find_donors, new_donors
from shoal.engine.kernels.search.fillers import Fillers, find_fillers, new_fillers, next_change, next_filler
from shoal.engine.kernels.search.pools import OVERHEAD, ROUNDED_AWAY
from shoal.ground.arrays import Floats, Ints, Words

MOST_PIECES = 30
"""Most different atoms that leave a class in one step."""
MOST_VALUES = 3
"""Most different values that leave on one side."""
SELDOM = 16
"""In one of so many steps the fillers of the class are looked for."""
PATIENT = 16
"""A hasty step goes on as long as it has cost no more than the heat; one in so many goes on anyway."""


class Trimming(NamedTuple):
    """Scratch of the steps."""

    log: Log
    atom: Ints
    units: Ints
    """[piece] what leaves the class."""
    donors: Donors
    fillers: Fillers
    lo: Floats
    hi: Floats
    """[attribute] hull of what stays."""


def new_trimming(block: Block) -> Trimming:
    """Scratch for a block."""
    d = block.lo.shape[1]
    return Trimming(
        new_log(d),
        np.empty(MOST_PIECES, np.int64),
        np.empty(MOST_PIECES, np.int64),
        new_donors(d, len(block.atom)),
        new_fillers(len(block.head)),
        np.empty(d),
        np.empty(d),
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
    for a in range(len(work.lo)):
        work.lo[a], work.hi[a] = np.inf, -np.inf
    while entry >= 0:
        atom, units = block.atom[entry], block.amount[entry]
        if points[atom, j] < lo or points[atom, j] > hi:
            if pieces == MOST_PIECES or 2 * (leaving + units) > size:
                return ZERO
            work.atom[pieces], work.units[pieces] = atom, units
            leaving += units
            pieces += 1
        else:
            stretch(work.lo, work.hi, points, atom)
        entry = block.next[entry]
    return pieces


# -- where it goes -------------------------------------------------------------------------------------------------


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
def _send_away(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int,
    pieces: int, patience: float, state: Words, work: Trimming,
) -> bool:  # fmt: skip
    """Move the pieces to their homes; False if one has none, or all cost more than they save and patience allows."""
    rest, stay = loss(hulls, work.lo, work.hi), block.sizes[label]
    for i in range(pieces):
        stay -= work.units[i]
    left = carried(block, label) - stay * rest + patience
    for i in range(pieces):
        atom, units = work.atom[i], work.units[i]
        home = _home(hulls, rules, block, board, points, row_of, atom, units, label, True, state, work)
        if home < 0:
            return False
        left += carried(block, home) - units * next_change(block, work.fillers, home)
        move(hulls, block, points, work.log, atom, units, label, home)
        left -= carried(block, home)
        if left < -ROUNDED_AWAY:
            return False
    for j in range(len(work.lo)):
        block.lo[label, j], block.hi[label, j] = work.lo[j], work.hi[j]
    block.losses[label] = rest
    return True


@inlined
def _exchange(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    pieces: int, patience: float, state: Words, work: Trimming,
) -> bool:  # fmt: skip
    """Move the pieces out and others in; False if some go nowhere, cost more than patience allows, or too few come."""
    if not _send_away(hulls, rules, block, board, points, row_of, label, pieces, patience, state, work):
        return False
    for i in range(pieces):
        home, atom, units = work.log.target[i], work.atom[i], work.units[i]
        _let_go(hulls, rules, block, board, points, row_of, home, atom, units, state, work)
    if block.sizes[label] < size:
        if change(block, work.log) > patience + ROUNDED_AWAY:
            return False
        find_donors(hulls, block, board, points, label, size, state, work.log, work.donors)
    while block.sizes[label] < size:
        if not fetch(hulls, rules, block, points, row_of, label, size, work.log, work.donors):
            return False
    return True


@inlined
def trim_once(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    heat: float, is_hasty: bool, state: Words, work: Trimming,
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
    patience = heat if is_hasty and draw(state) % PATIENT != 0 else np.inf
    done = _exchange(hulls, rules, block, board, points, row_of, label, size, pieces, patience, state, work)
    allowed = -ROUNDED_AWAY - heat * math.log(share(state))
    if not (done and change(block, work.log) < allowed and _obeyed(rules, block, row_of, work.log)):
        undo(block, points, work.log)
        return
    for i in range(work.log.touches[0]):
        other = work.log.touched[i]
        show(hulls, block, board, other)
        work.fillers.first[other] = next_change(block, work.fillers, other)


@kernel
def trim(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, points: Floats, row_of: Ints, label: int, size: int,
    heat: float, is_hasty: bool, state: Words, work: Trimming,
) -> None:  # fmt: skip
    """The same by itself; the search has it built in, for handing over its arrays takes as long as a short step."""
    trim_once(hulls, rules, block, board, points, row_of, label, size, heat, is_hasty, state, work)
