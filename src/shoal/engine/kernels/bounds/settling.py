# SPDX-License-Identifier: Apache-2.0
"""Prices of records where boxes are too many to be listed: sets that are priced too high, and prices lowered for good.

Records are *settled* one by one, the dearest first. Its price is lowered until no set of it and of records not yet
settled is priced too high. So every set is looked at when the first of its records is settled, and prices only fall.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.engine.kernels.bounds.company import Market
from shoal.engine.kernels.bounds.dear_sets import SETS, SetDesk, worst_set
from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import term
from shoal.engine.kernels.queues import sink
from shoal.ground.arrays import Floats, Ints

TRIES = 3
"""Times that a record is looked at before it is lowered by all that a set could be priced too high."""
BESIDE = 0.1
"""Beside the worst set around a record those are listed that are priced too high by so much of what it is."""


class SetList(NamedTuple):
    """Room for sets that are priced too high; what they may cost is what their records lose."""

    points: Ints
    counts: Ints
    """[set, place] records, and how many of each; a count of 0 ends them."""
    allowed: Floats
    many: Ints
    """[0] how many there are."""


@kernel
def settle(
    market: Market, desk: SetDesk, size: int, most_branches: int, heap: Ints, many: int, tries: Ints, sets: SetList,
    budget: int,
) -> int:  # fmt: skip
    """Lower prices in place until none is left to settle, or the work is done; returns how many of the heap are left.

    ``heap`` holds those not settled, the dearest first. A price is never below the loss of the cheapest box around its
    record: a record lowered to it, or by a part of what it may be too dear, waits for its new turn. Sets that were
    priced too high are listed; it ends early if there is no more room for them.
    """
    price, cheapest, copies = market.price, market.cheapest, market.tree.copies
    while many > 0 and desk.walk.steps[0] <= budget and sets.many[0] + SETS <= len(sets.allowed):
        slot = heap[0]
        above, found = worst_set(market, desk, slot, size, most_branches, 0.0)
        _list(market, desk, size, slot, found, sets)
        tries[slot] += 1
        lower = above
        if tries[slot] < TRIES:  # what was found is so by all copies of the record; what was not may be less
            lower = above / min(copies[slot], size) if above <= found else above / 2
        floor = min(price[slot], cheapest[slot])
        waits = price[slot] - lower < floor or lower < above
        price[slot] = max(price[slot] - lower, floor)
        if not waits:
            market.settled[slot] = True
            many -= 1
            heap[0] = heap[many]
        sink(heap, many, price)
    return many


@kernel
def _hull_loss(market: Market, points: Ints) -> float:
    hulls, at, total = lent(market.hulls), lent(market.tree.at), 0.0
    for j in range(at.shape[1]):
        low, high = at[points[0], j], at[points[0], j]
        for point in points:
            low, high = min(low, at[point, j]), max(high, at[point, j])
        total += term(hulls, j, low, high)
    return total


@kernel
def _list(market: Market, desk: SetDesk, size: int, slot: int, best: float, sets: SetList) -> None:
    """List the sets found last around a record."""
    for one in range(SETS):
        if desk.above[one] > BESIDE * best:
            many = sets.many[0]
            used = _write(market, size, slot, desk.found[one], sets.points[many], sets.counts[many])
            sets.allowed[many] = size * _hull_loss(market, sets.points[many, :used])
            sets.many[0] = many + 1


@kernel
def list_dear_sets(
    market: Market, desk: SetDesk, size: int, most_branches: int, least: float, slots: Ints, sets: SetList
) -> None:
    """List sets around each of ``slots`` that are priced too high; there is room for all."""
    for slot in slots:
        _, best = worst_set(market, desk, slot, size, most_branches, least)
        _list(market, desk, size, slot, best, sets)


@kernel
def _write(market: Market, size: int, slot: int, others: Ints, points: Ints, counts: Ints) -> int:
    """A record and those who join it, as many as a set has; returns how many different ones. A count of 0 ends them."""
    copies = market.tree.copies
    points[0], counts[0] = slot, min(copies[slot], size)
    held, used = counts[0], 1
    for other in others:
        if other >= 0 and held < size:
            points[used], counts[used] = other, min(copies[other], size - held)
            held += counts[used]
            used += 1
    if used < len(counts):
        counts[used] = 0
    return used
