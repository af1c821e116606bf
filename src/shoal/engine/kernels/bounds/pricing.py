# SPDX-License-Identifier: Apache-2.0
"""Prices of records: which boxes they are too high for, and prices that fit a list of boxes.

Prices are *valid* if any k records inside any box sum to at most k times the loss of the box. Only the k dearest
records of a box need to be looked at, and a box is *broken* by how much they exceed what it allows. Where a private
value may have no more than a share of a class, only k records in which it has no more are looked at; then each record
counts as many parts (``lattice.unit``), so that a share of k of them is a whole number. See docs/certificate.md; cells
and windows are those of :mod:`shoal.engine.kernels.bounds.lattice`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.ground.arrays import Floats, Ints

NOTHING = 1e-12
"""A box broken by less than this per record is whole, where a record loses 1 at most; the bound is lowered by it."""
DEEPER = 1 - 1e-10
"""A broken box is cut at least by this, or what rounding alone breaks would be cut for ever."""
CLEARLY = 0.03
"""Windows that cost so much more than their dearest records are not looked at further."""
ROUNDED = 1e-12
"""Windows that are whole by no more than this per record are looked at, whatever is known of them."""
FIRM = 1 + 1e-9
"""Prices that are above their floor by no more than this are at it."""


class Known(NamedTuple):
    """What an earlier walk found out about windows, at other prices."""

    most: Floats
    """[place] by how much the windows that begin with this member of a cell were broken at most."""
    rise: Floats
    """[point] by how much its price has risen since."""
    is_kept: bool
    """Whether this walk notes what it finds out; not if prices change while it goes on."""


class Tolls(NamedTuple):
    """What a class of fewer than 2k records pays beside its loss if a region holds k or more of them."""

    region: Ints
    """[point] the region that it is in; -1 for none."""
    toll: Floats
    """[region]"""


class Dearest(NamedTuple):
    """The dearest records of a box as a heap, the cheapest first; single numbers stand in arrays of one."""

    price: Floats
    point: Ints
    copies: Ints
    """[place] points, and how many copies of each are among the dearest."""
    used: Ints
    records: Ints
    """How many points and how many records there are."""
    held: Ints
    """[value] how many of these records have it."""
    steps: Ints
    """The work in all."""
    ahead: Floats
    """[bin] mean of the dearest records of a cell from this bin on; 0 if there are too few."""
    rises: Floats
    """[bin] by how much any records of a cell from this bin on became dearer together since they were looked at."""


@kernel
def _nobody(lattice: Lattice, size: int) -> Dearest:
    one = np.zeros(1, np.int64)
    place = np.zeros(2 * size + 2, np.int64)
    held, ahead = np.zeros(len(lattice.most), np.int64), np.empty(len(lattice.left))
    return Dearest(np.empty(len(place)), place, place.copy(), one, one.copy(), held, one.copy(), ahead, ahead.copy())


@kernel
def places(lattice: Lattice, size: int) -> int:
    """How many points are among the dearest, ties aside: of each value at most one with a part of a record."""
    return size // lattice.unit + len(lattice.most) + 2


@inlined
def _clear(dearest: Dearest) -> None:
    dearest.used[0], dearest.records[0] = 0, 0
    for value in range(len(dearest.held)):
        dearest.held[value] = 0


@inlined
def _sink(dearest: Dearest, place: int, price: float, point: int, copies: int) -> None:
    """Put a point in a place and let it sink to its own."""
    used = dearest.used[0]
    while 2 * place + 1 < used:
        below = 2 * place + 1
        if below + 1 < used and dearest.price[below + 1] < dearest.price[below]:
            below += 1
        if dearest.price[below] >= price:
            break
        dearest.price[place] = dearest.price[below]
        dearest.point[place], dearest.copies[place] = dearest.point[below], dearest.copies[below]
        place = below
    dearest.price[place], dearest.point[place], dearest.copies[place] = price, point, copies


@inlined
def _rise(dearest: Dearest, place: int, price: float, point: int, copies: int) -> int:
    """Make room for a point above a place, as far up as it belongs; returns where it does."""
    while place > 0 and dearest.price[(place - 1) // 2] > price:
        above = (place - 1) // 2
        dearest.price[place] = dearest.price[above]
        dearest.point[place], dearest.copies[place] = dearest.point[above], dearest.copies[above]
        place = above
    dearest.price[place], dearest.point[place], dearest.copies[place] = price, point, copies
    return place


@inlined
def _take_out(lattice: Lattice, dearest: Dearest, place: int, out: int) -> float:
    """Take records of a place out; returns by how much the sum changes."""
    change = -out * dearest.price[place]
    dearest.copies[place] -= out
    dearest.records[0] -= out
    dearest.held[lattice.value[dearest.point[place]]] -= out
    if dearest.copies[place] == 0:
        last = dearest.used[0] - 1
        dearest.used[0] = last
        if place < last:
            price, point, copies = dearest.price[last], dearest.point[last], dearest.copies[last]
            _sink(dearest, _rise(dearest, place, price, point, copies), price, point, copies)
    return change


@kernel
def _cheapest_of(lattice: Lattice, dearest: Dearest, value: int) -> int:
    """The place of the cheapest point with a value; there is one."""
    best = -1
    for place in range(dearest.used[0]):
        if lattice.value[dearest.point[place]] == value and (best < 0 or dearest.price[place] < dearest.price[best]):
            best = place
    dearest.steps[0] += dearest.used[0]
    return best


@inlined
def _add(lattice: Lattice, dearest: Dearest, price: float, point: int, size: int) -> float:
    """Take a point among the ``size`` dearest records; returns by how much their sum grows."""
    value = lattice.value[point]
    copies, grown = min(lattice.copies[point], size, lattice.most[value]), 0.0
    while dearest.held[value] + copies > lattice.most[value]:
        over, place = dearest.held[value] + copies - lattice.most[value], _cheapest_of(lattice, dearest, value)
        if dearest.price[place] >= price:
            copies -= over
        else:
            grown += _take_out(lattice, dearest, place, min(over, dearest.copies[place]))
    if copies > 0:
        dearest.used[0] += 1
        _rise(dearest, dearest.used[0] - 1, price, point, copies)
        dearest.held[value] += copies
        dearest.records[0] += copies
        grown += price * copies
    while dearest.records[0] > size:
        grown += _take_out(lattice, dearest, 0, min(dearest.records[0] - size, dearest.copies[0]))
    dearest.steps[0] += 2
    return grown


@inlined
def _offer(lattice: Lattice, dearest: Dearest, price: Floats, point: int, size: int) -> float:
    """The same if the point is dear enough for that."""
    if dearest.records[0] == size and price[point] <= dearest.price[0]:
        return 0.0
    return _add(lattice, dearest, price[point], point, size)


@kernel
def _look_ahead(lattice: Lattice, dearest: Dearest, begin: int, end: int, price: Floats, size: int) -> None:
    """Fill ``dearest.ahead`` for the bins of a cell."""
    lattice, dearest, price = lent(lattice), lent(dearest), lent(price)
    _clear(dearest)
    total = 0.0
    for i in range(end - 1, begin - 1, -1):
        point = lattice.members[i]
        total += _offer(lattice, dearest, price, point, size)
        dearest.ahead[lattice.bins[point]] = total / size if dearest.records[0] == size else 0.0
    dearest.steps[0] += end - begin


@kernel
def _look_at_rises(lattice: Lattice, dearest: Dearest, begin: int, end: int, rise: Floats, size: int) -> None:
    """Fill ``dearest.rises`` for the bins of a cell; most prices did not rise."""
    lattice, dearest, rise = lent(lattice), lent(dearest), lent(rise)
    _clear(dearest)
    total = 0.0
    for i in range(end - 1, begin - 1, -1):
        point = lattice.members[i]
        if rise[point] > 0.0:
            total += _offer(lattice, dearest, rise, point, size)
        dearest.rises[lattice.bins[point]] = total
    dearest.steps[0] += (end - begin) // 2


@kernel
def _take_in(lattice: Lattice, dearest: Dearest, begin: int, end: int, price: Floats, size: int) -> None:
    """Find the dearest of some members."""
    lattice, dearest, price = lent(lattice), lent(dearest), lent(price)
    _clear(dearest)
    for i in range(begin, end):
        _offer(lattice, dearest, price, lattice.members[i], size)
    dearest.steps[0] += end - begin


@inlined
def _region_of(dearest: Dearest, tolls: Tolls) -> int:
    """The region that all the dearest are in, if there is a toll; else -1."""
    region = tolls.region[dearest.point[0]]
    for place in range(dearest.used[0]):
        if tolls.region[dearest.point[place]] != region:
            return -1
    return region if region >= 0 and tolls.toll[region] > 0.0 else -1


@inlined
def _outsider(lattice: Lattice, begin: int, end: int, price: Floats, tolls: Tolls, region: int) -> int:
    """The dearest of some members that is not in a region; -1 if there is none."""
    found = -1
    for i in range(begin, end):
        point = lattice.members[i]
        if tolls.region[point] != region and (found < 0 or price[point] > price[found]):
            found = point
    return found


@kernel
def _after_toll(
    lattice: Lattice, dearest: Dearest, wider: Dearest, tolls: Tolls, begin: int, end: int, price: Floats, size: int,
    loss: float,
) -> tuple[float, float]:  # fmt: skip
    """By how much some members are broken, whose dearest stand in ``dearest``; and what the worst set may cost.

    It is left in ``dearest``. If the dearest pay a toll, the worst set is they, with all others that are dearer than
    what they lose; or it is all but one of them and an outsider, who pay none.
    """
    lattice, dearest, wider, tolls, price = lent(lattice), lent(dearest), lent(wider), lent(tolls), lent(price)
    total, region = 0.0, _region_of(dearest, tolls)
    for place in range(dearest.used[0]):
        total += dearest.price[place] * dearest.copies[place]
    if region < 0:
        return total - size * loss, size * loss
    outsider = _outsider(lattice, begin, end, price, tolls, region)
    dearest.steps[0] += end - begin
    beside = -np.inf if outsider < 0 else total - dearest.price[0] + price[outsider] - size * loss
    many = size
    if dearest.price[0] > loss:
        _clear(wider)
        total, many = 0.0, 2 * size - 1
        for i in range(begin, end):
            if price[lattice.members[i]] > loss:
                total += _offer(lattice, wider, price, lattice.members[i], many)
        many = wider.records[0]
        dearest.steps[0] += end - begin
    within = total - many * loss - tolls.toll[region]
    if beside > within:
        dearest.copies[0] -= 1
        if dearest.copies[0] == 0:
            last = dearest.used[0] - 1
            dearest.price[0], dearest.point[0] = dearest.price[last], dearest.point[last]
            dearest.copies[0], dearest.used[0] = dearest.copies[last], last
        _put(dearest, price[outsider], outsider, 1)
        return beside, size * loss
    if many > size:
        dearest.used[0] = 0
        for place in range(wider.used[0]):
            _put(dearest, wider.price[place], wider.point[place], wider.copies[place])
    return within, many * loss + tolls.toll[region]


@inlined
def _put(dearest: Dearest, price: float, point: int, copies: int) -> None:
    """Note one more point, in no order."""
    place = dearest.used[0]
    dearest.price[place], dearest.point[place], dearest.copies[place] = price, point, copies
    dearest.used[0] += 1


@kernel
def _worst_window(
    lattice: Lattice, dearest: Dearest, wider: Dearest, tolls: Tolls, begin: int, end: int, price: Floats, size: int,
    base: float, slack: float,
) -> tuple[float, float, float]:  # fmt: skip
    """The most broken window of a cell that starts where ``members[begin]`` stands: by how much, and what it allows.

    If one is broken, its worst set of records is left in ``dearest``. Then the most by which any is, if it were not for
    tolls, which is below 0 if none is; but where all others cost more than the mean of all dearest ahead, by a share of
    ``slack``, they are not looked at.
    """
    lattice, dearest, price = lent(lattice), lent(dearest), lent(price)
    members, bins = lattice.members, lattice.bins
    _clear(dearest)
    total = 0.0
    highest = dearest.ahead[bins[members[begin]]]
    enough, most = -slack * size * highest, -np.inf
    broken, cost, worst, edge, i = NOTHING * size, 0.0, begin, lattice.right[bins[members[begin]]], begin
    while i < end:
        here = bins[members[i]]
        loss = base + (min(lattice.left[here] - edge, lattice.cap) if i > begin else 0.0)
        if size * (highest - loss) <= max(min(most, broken), enough):
            most = max(most, size * (highest - loss))
            break
        while i < end and bins[members[i]] == here:
            total += _offer(lattice, dearest, price, members[i], size)
            i += 1
        if dearest.records[0] == size:
            over = total - size * loss
            most = max(most, over)
            if over > broken and _region_of(dearest, tolls) >= 0:
                over, _ = _after_toll(lattice, dearest, wider, tolls, begin, i, price, size, loss)
                _take_in(lattice, dearest, begin, i, price, size)
            if over > broken:
                broken, cost, worst = over, loss, i
    dearest.steps[0] += i - begin
    if worst == begin:
        return broken, 0.0, most
    if worst < i:
        _take_in(lattice, dearest, begin, worst, price, size)
    return broken, _after_toll(lattice, dearest, wider, tolls, begin, worst, price, size, cost)[1], most


@inlined
def _each_window(
    act: Any, notes: Any, lattice: Lattice, dearest: Dearest, size: int, price: Floats, known: Known, tolls: Tolls,
    reached: Ints, budget: int,
) -> None:  # fmt: skip
    """Show ``act`` the worst window from each bin of each cell on, until the budget is used up or it has no more room.

    Windows that are known to be whole are left out. ``reached`` is the cell to begin with and how many of its members
    are done. ``act`` answers whether to look again from the same bin, and whether it has room for more.
    """
    lattice, notes, known = lent(lattice), lent(notes), lent(known)
    slack = CLEARLY if known.is_kept else 0.0
    bins, members, room, wider = lattice.bins, lattice.members, True, _nobody(lattice, size)
    while reached[0] < len(lattice.base):
        cell = reached[0]
        begin, end, base = lattice.start[cell], lattice.start[cell + 1], lattice.base[cell]
        _look_at_rises(lattice, dearest, begin, end, known.rise, size)
        at, looked = begin + reached[1], False
        while at < end:
            if dearest.steps[0] > budget or not room:
                reached[1] = at - begin
                return
            here, again = bins[members[at]], False
            most = known.most[at] + dearest.rises[here]
            if most > -ROUNDED * size:
                if not looked:
                    _look_ahead(lattice, dearest, begin, end, price, size)
                    looked = True
                broken, allowed, most = _worst_window(lattice, dearest, wider, tolls, at, end, price, size, base, slack)
                again, room = act(notes, dearest, price, size, broken, allowed)
            if known.is_kept:
                known.most[at] = most
            while not again and at < end and bins[members[at]] == here:
                at += 1
        reached[0], reached[1] = cell + 1, 0


@inlined
def _cut(floor: Floats, dearest: Dearest, price: Floats, size: int, broken: float, allowed: float) -> tuple[bool, bool]:
    """Lower the prices in a broken box until it is whole, each by the same part of what it is above its floor.

    Where next to nothing is above, only rounding breaks the box, and the floor gives way.
    """
    if broken <= NOTHING * size:
        return False, True
    total, kept = 0.0, 0.0
    for place in range(dearest.used[0]):
        total += dearest.price[place] * dearest.copies[place]
        kept += floor[dearest.point[place]] * dearest.copies[place]
    firm = 1.0 if kept * FIRM < total else 0.0
    kept *= firm
    factor = max(min((allowed - kept) / (total - kept), DEEPER), 0.0)
    for place in range(dearest.used[0]):
        point = dearest.point[place]
        least = firm * floor[point]
        price[point] = least + factor * (price[point] - least)
        floor[point] = min(floor[point], price[point])
    return True, True


@kernel
def cut_prices(
    lattice: Lattice, size: int, price: Floats, floor: Floats, known: Known, tolls: Tolls, reached: Ints, budget: int
) -> int:  # fmt: skip
    """Lower prices in place until no box is broken, or ``budget`` steps are taken; returns how many were.

    ``reached`` tells where to begin. Prices only fall, so a box once whole stays whole. ``floor`` are lower prices that
    break no box.
    """
    dearest = _nobody(lattice, size)
    _each_window(_cut, floor, lattice, dearest, size, price, known, tolls, reached, budget)
    return dearest.steps[0]


class BrokenBoxes(NamedTuple):
    """Boxes listed by their dearest records."""

    most: Floats
    """[point] by how much the worst box around it was broken."""
    points: Ints
    counts: Ints
    """[box, place]"""
    allowed: Floats
    """[box] what its records may cost."""
    found: Ints
    """[0] how many."""


@inlined
def _list(
    boxes: BrokenBoxes, dearest: Dearest, _price: Floats, size: int, broken: float, allowed: float
) -> tuple[bool, bool]:  # fmt: skip
    """List a box that is the worst so far for one of its points."""
    news, used, found = False, dearest.used[0], boxes.found[0]
    if broken <= NOTHING * size or used > boxes.counts.shape[1]:
        return False, True
    for place in range(used):
        point = dearest.point[place]
        if broken > boxes.most[point]:
            boxes.most[point], news = broken, True
    if news:
        for place in range(used):
            boxes.points[found, place], boxes.counts[found, place] = dearest.point[place], dearest.copies[place]
        if used < boxes.counts.shape[1]:
            boxes.counts[found, used] = 0
        boxes.allowed[found] = allowed
        boxes.found[0] += 1
    return False, boxes.found[0] < len(boxes.allowed)


@kernel
def broken_boxes(
    lattice: Lattice, size: int, price: Floats, known: Known, tolls: Tolls, reached: Ints, budget: int, most: Floats,
    points: Ints, counts: Ints, allowed: Floats,
) -> tuple[int, int]:  # fmt: skip
    """List broken boxes by their dearest records: those boxes that are the worst so far for one of their points.

    ``most[point]`` remembers by how much. Begins and goes on as :func:`cut_prices` does, until there is no more room;
    returns how many boxes were found, and the steps taken.
    """
    dearest, boxes = _nobody(lattice, size), BrokenBoxes(most, points, counts, allowed, np.zeros(1, np.int64))
    _each_window(_list, boxes, lattice, dearest, size, price, known, tolls, reached, budget)
    return boxes.found[0], dearest.steps[0]


@kernel
def fit_prices(
    begin: Ints, points: Ints, counts: Ints, allowed: Floats, copies: Ints, ceiling: Floats, pace: float, rounds: int,
    price: Floats, use: Floats,
) -> None:  # fmt: skip
    """Towards the largest sum of prices, each from 0 to its ceiling, that breaks none of the listed boxes.

    A linear programme, solved by steps of the primal-dual hybrid gradient with the diagonal step sizes of T. Pock and
    A. Chambolle (ICCV 2011): ``use`` is how often each box is used as a class; prices rise where records are used less
    often than they occur. The means over all rounds are left in ``price`` and ``use``.
    """
    n, boxes = len(copies), len(allowed)
    degree = np.zeros(n)
    for i in range(len(points)):
        degree[points[i]] += abs(counts[i])
    used, ahead = np.empty(n), np.empty(n)
    price_sum, use_sum, reach = np.zeros(n), np.zeros(boxes), np.zeros(boxes)
    for box in range(boxes):
        for i in range(begin[box], begin[box + 1]):
            reach[box] += abs(counts[i])
    for _ in range(rounds):
        for i in range(n):
            used[i] = 0.0
        for box in range(boxes):
            if use[box] > 0.0:
                for i in range(begin[box], begin[box + 1]):
                    used[points[i]] += use[box] * counts[i]
        for point in range(n):
            step = pace / max(degree[point], 1.0) * (copies[point] - used[point])
            new = min(max(price[point] + step, 0.0), ceiling[point])
            ahead[point] = 2.0 * new - price[point]
            price[point] = new
            price_sum[point] += new
        for box in range(boxes):
            total = 0.0
            for i in range(begin[box], begin[box + 1]):
                total += ahead[points[i]] * counts[i]
            use[box] = max(0.0, use[box] + (total - allowed[box]) / (reach[box] * pace))
            use_sum[box] += use[box]
    for point in range(n):
        price[point] = price_sum[point] / rounds
    for box in range(boxes):
        use[box] = use_sum[box] / rounds
