# SPDX-License-Identifier: Apache-2.0
"""Donors: the neighbours of a class that can spare records, and who of them costs least to fetch.

Their atoms are laid out side by side, once, so that all of them are priced in loops that the compiler turns into vector
instructions. What a fetch changes is brought up to date: a donor without the atom, or a class grown to hold it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined
from shoal.engine.kernels.dice import share
from shoal.engine.kernels.hull import FLAT, RANGE, TABLE, Hulls, term, union_loss
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import ZERO, Rules
from shoal.engine.kernels.search.block_moves import MOST_MOVES, Log, move
from shoal.engine.kernels.search.board import (
    ABREAST,
    GLANCE,
    MOST_LEAVES,
    NOISE,
    SCAN,
    Board,
    climbed_around,
    is_any_below,
    look_around,
)
from shoal.engine.kernels.search.class_block import Block, carried, span
from shoal.engine.kernels.search.class_rules import leaves_room, obeys_with
from shoal.ground.arrays import Floats, Ints, Words

DONORS = 3
"""Neighbours that are asked for what costs least."""
LOOK = 12
"""Pricings that an atom of a donor is worth."""
DOUBT = 1e-9
"""More than the share of a sum that rounding may take from it."""
GROUP = 16
"""Atoms are looked through so many at a time."""


class Donors(NamedTuple):
    """The donors and all that they hold."""

    label: Ints
    price: Floats
    """[place] the nearest first; -1 if there are no more."""
    begin: Ints
    """[place] where its atoms begin; and one past the last."""
    present: Ints
    """[place] how many of them are still there."""
    atom: Ints
    units: Ints
    at: Floats
    """[i]; [i]; [attribute, i] an atom, how much there is of it and where it lies."""
    total: Floats
    """[i] loss per record of the class that fetches, with it."""
    saved: Floats
    value: Floats
    """[i] scratch: by how much the loss of the donor falls without it, and what it costs per record at least."""
    alone: Ints
    """[place, end, attribute] the atom that lies outermost all alone, -1 if there is none."""
    inner: Floats
    """[place, end, attribute] the end without it."""
    lo: Floats
    hi: Floats
    """[attribute] hull of the class that fetches, as it was priced."""
    near: Floats
    """[leaf] scratch: an attribute's cost of that hull with a record of that leaf."""


def new_donors(d: int, units: int) -> Donors:
    """Room for the donors of a block of so many records."""
    return Donors(
        np.full(DONORS, -1, np.int64), np.empty(DONORS), np.zeros(DONORS + 1, np.int64), np.zeros(DONORS, np.int64),
        np.empty(units, np.int64), np.empty(units, np.int64), np.empty((d, units)), np.empty(units), np.empty(units),
        np.empty(units), np.empty((DONORS, 2, d), np.int64), np.empty((DONORS, 2, d)), np.empty(d), np.empty(d),
        np.empty(MOST_LEAVES),
    )  # fmt: skip


# -- who they are, and what they hold ----------------------------------------------------------------------------------


@inlined
def find_donors(
    hulls: Hulls, block: Block, board: Board, points: Floats, label: int, least: int, state: Words, log: Log,
    donors: Donors,
) -> None:  # fmt: skip
    """The classes that can spare something and are nearest, more or less; what they hold is laid out."""
    lo, hi, sizes, donor, ranks = block.lo, block.hi, block.sizes, donors.label, donors.price
    many, price = block.in_use[0], board.price
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
    _lay_out(block, points, donors)


@inlined
def _lay_out(block: Block, points: Floats, donors: Donors) -> None:
    """Lay out what the donors hold."""
    i = ZERO
    for place in range(DONORS):
        donors.begin[place] = i
        entry = block.head[donors.label[place]] if donors.label[place] >= 0 else -1
        while entry >= 0:
            atom = block.atom[entry]
            donors.atom[i], donors.units[i] = atom, block.amount[entry]
            for j in range(points.shape[1]):
                donors.at[j, i] = points[atom, j]
            i += 1
            entry = block.next[entry]
        donors.begin[place + 1], donors.present[place] = i, i - donors.begin[place]
        if donors.label[place] >= 0:
            _find_ends(block, donors, place)
    donors.lo[0] = np.nan  # nothing is priced yet


@inlined
def _find_ends(block: Block, donors: Donors, place: int) -> None:
    """Which atoms lie outermost all alone, and the ends without them."""
    donor = donors.label[place]
    for j in range(donors.at.shape[0]):
        low, high = block.lo[donor, j], block.hi[donor, j]
        donors.alone[place, 0, j] = donors.alone[place, 1, j] = -1
        if low < high:
            first, last = donors.begin[place], donors.begin[place + 1]
            at, units = donors.at[j, first:last], donors.units[first:last]
            _find_end(at, units, low, True, donors.alone[place, 0], donors.inner[place, 0], j, first)
            _find_end(at, units, high, False, donors.alone[place, 1], donors.inner[place, 1], j, first)


@inlined
def _find_end(
    at: Floats, units: Ints, end: float, is_low: bool, alone: Ints, inner: Floats, j: int, first: int
) -> None:
    """Which atom lies alone at one end, and how near to it the others come."""
    many, where, nearest = ZERO, ZERO, np.inf if is_low else -np.inf
    for i in range(len(at)):
        there = np.int64(at[i] == end) & np.int64(units[i] > 0)
        many += there
        where += there * i
    if many != 1:
        return
    for i in range(len(at)):
        if units[i] > 0 and (end < at[i] < nearest if is_low else nearest < at[i] < end):
            nearest = at[i]
    alone[j], inner[j] = first + where, nearest


# -- what costs least --------------------------------------------------------------------------------------------------


@inlined
def _price(hulls: Hulls, donors: Donors, lo: Floats, hi: Floats) -> None:
    """What a class would lose per record with each atom, unless that is known."""
    known = True
    for j in range(len(lo)):
        known = known and donors.lo[j] == lo[j] and donors.hi[j] == hi[j]
    if known:
        return
    last = donors.begin[DONORS]
    total = donors.total[:last]
    for i in range(last):
        total[i] = 0.0
    for j in range(len(lo)):
        low, high, at = lo[j], hi[j], donors.at[j, :last]
        donors.lo[j], donors.hi[j] = low, high
        if hulls.kind[j] == RANGE:
            scale, cap = hulls.scale[j], hulls.cap[j]
            for i in range(len(total)):
                total[i] += min((max(high, at[i]) - min(low, at[i])) * scale, cap)
        elif hulls.kind[j] == FLAT:
            cap = hulls.cap[j]
            for i in range(len(total)):
                total[i] += cap if max(high, at[i]) > min(low, at[i]) else 0.0
        elif hulls.kind[j] == TABLE and hulls.size[j] <= min(MOST_LEAVES, last // 4):
            near = donors.near
            for leaf in range(hulls.size[j]):
                near[leaf] = term(hulls, j, min(low, leaf), max(high, leaf))
            for i in range(len(total)):
                total[i] += near[np.int64(at[i])]
        else:
            for i in range(len(total)):
                total[i] += term(hulls, j, min(low, at[i]), max(high, at[i]))


@inlined
def _weigh(hulls: Hulls, block: Block, donors: Donors, place: int, held: int, now: float, most: int) -> None:
    """What each atom of a donor saves it, and costs the class that fetches, per record."""
    first, last, donor = donors.begin[place], donors.begin[place + 1], donors.label[place]
    saved, value, units, total = donors.saved[first:last], donors.value[first:last], donors.units, donors.total
    units, total = units[first:last], total[first:last]
    for i in range(len(saved)):
        saved[i] = block.losses[donor]
    for j in range(len(hulls.kind)):
        low, high = block.lo[donor, j], block.hi[donor, j]
        for end in range(2):
            i = donors.alone[place, end, j]
            if i >= 0 and donors.units[i] <= most:
                inner = donors.inner[place, end, j]
                donors.saved[i] -= term(hulls, j, low, high)
                donors.saved[i] += term(hulls, j, inner, high) if end == 0 else term(hulls, j, low, inner)
    all_lost, size = carried(block, donor), block.sizes[donor]
    for i in range(len(saved)):
        go = min(units[i], most)
        relief = all_lost - (size - go) * saved[i]
        after = (held + go) * total[i]
        saved[i] = relief
        value[i] = (after - now - relief - DOUBT * (after + now + all_lost)) / max(go, 1)


@inlined
def _is_any_cheaper(value: Floats, first: int, last: int, limit: float) -> bool:
    """Whether an atom may cost less than so much per record."""
    group, below = value[first:last], ZERO
    for i in range(len(group)):
        below += np.int64(group[i] <= limit)
    return below > 0


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
def fetch(
    hulls: Hulls, rules: Rules | None, block: Block, points: Floats, row_of: Ints, label: int, least: int, log: Log,
    donors: Donors,
) -> bool:  # fmt: skip
    """Fetch what costs least per record, the donor's relief counted; False if nobody has anything to spare."""
    now, held, total, saved = carried(block, label), block.sizes[label], donors.total, donors.saved
    _price(hulls, donors, block.lo[label], block.hi[label])
    best, many, chosen, place = np.inf, ZERO, -1, -1
    for one in range(DONORS):
        other = donors.label[one]
        if other < 0 or block.sizes[other] <= least:
            continue
        most = min(least - held, block.sizes[other] - least)
        _weigh(hulls, block, donors, one, held, now, most)
        block.pricings[0] += LOOK * donors.present[one]
        for start in range(donors.begin[one], donors.begin[one + 1], GROUP):
            stop = min(start + GROUP, donors.begin[one + 1])
            if not _is_any_cheaper(donors.value, start, stop, best):
                continue
            for i in range(start, stop):
                units = min(donors.units[i], most)
                if units == 0 or total[i] >= (best * units + saved[i] + now) / (held + units):
                    continue
                if _may_go(rules, block, row_of, donors.atom[i], units, other, label, least):
                    best = ((held + units) * total[i] - now - saved[i]) / units
                    many, chosen, place = units, i, one
    if chosen < 0 or log.moves[0] == MOST_MOVES:
        return False
    move(hulls, block, points, log, donors.atom[chosen], many, donors.label[place], label)
    _take(hulls, block, donors, place, chosen, many)
    return True


@inlined
def _take(hulls: Hulls, block: Block, donors: Donors, place: int, i: int, many: int) -> None:
    """A donor without some units of an atom."""
    donor = donors.label[place]
    donors.units[i] -= many
    if donors.units[i] == 0:
        donors.present[place] -= 1
        for j in range(len(hulls.kind)):
            if donors.alone[place, 0, j] == i:
                block.lo[donor, j] = donors.inner[place, 0, j]
            if donors.alone[place, 1, j] == i:
                block.hi[donor, j] = donors.inner[place, 1, j]
        _find_ends(block, donors, place)
    span(hulls, block, donor)
