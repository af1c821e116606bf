# SPDX-License-Identifier: Apache-2.0
"""Sets of k records that are priced above k times the loss of their hull, where boxes are too many to be listed.

Sets are searched for around one of their records, in terms of the sides of their box
(:mod:`shoal.engine.kernels.bounds.company`). A *branch* of the search is all boxes that reach at least as far as an
inner box; in it whoever joins loses at least the inner box grown to take it in. So one sweep over those who may join,
in the order of that loss, tells the most by which any set of the branch can be priced too high. A branch is split on
one side: either the box reaches a certain point there, or nobody who reaches it may join.

Only the most promising records are looked at one by one. The others are a *pool*: each is priced below the loss of its
hull with the record by so much at least, and the pool is taken to have any number of them. See docs/certificate.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.bounds.company import Company, Market, TreeWalk, gather, look_up, measure, room_for
from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE
from shoal.engine.kernels.queues import rise, sink
from shoal.ground.arrays import Floats, Ints

SETS = 16
"""Sets noted around one record."""


class BoxBranches(NamedTuple):
    """Branches of the search; [branch, place] unless it says otherwise."""

    who: Ints
    """Places of those who may join."""
    loss: Floats
    """Loss of the inner box with each."""
    many: Ints
    most: Floats
    """[branch] how many may join; by how much a set can be priced too high."""
    first: Ints
    """[branch] how many of them, in order, are looked at for that set."""
    last: Floats
    """[branch] the lowest price in that set; below 0 if it has too few records."""
    reach: Floats
    """[branch] no set that loses as much is priced too high."""
    inner: Floats
    hull: Floats
    """[branch, side] the inner box; the hull of the set that may be priced highest."""


class DearestFew(NamedTuple):
    """The k dearest records, the dearest first; single numbers stand in arrays of one."""

    price: Floats
    copies: Ints
    used: Ints
    held: Ints
    """How many different ones and how many records there are."""


class SetDesk(NamedTuple):
    """Room to work in."""

    company: Company
    walk: TreeWalk
    branches: BoxBranches
    top: DearestFew
    bound: Floats
    """[place] loss in a branch, in order."""
    who: Ints
    loss: Floats
    """[place] one of two runs to be merged."""
    members: Ints
    """Places of the set found last, and at the end how many."""
    found: Ints
    """[set, member] slots of the worst sets around a record, without itself; what follows is -1."""
    order: Ints
    """Branches, the highest first (a heap)."""
    above: Floats
    """[set] by how much it is priced too high; 0 if there is none."""


@kernel
def desk(attributes: int, size: int, most: int, branches: int) -> SetDesk:
    """Room for ``most`` who may join one record."""
    sides, one = 2 * attributes, np.zeros(1, np.int64)
    company, walk = room_for(attributes, most)
    table = BoxBranches(
        np.zeros((branches, most), np.int64), np.zeros((branches, most)), np.zeros(branches, np.int64),
        np.zeros(branches), np.zeros(branches, np.int64), np.zeros(branches), np.zeros(branches),
        np.zeros((branches, sides)), np.zeros((branches, sides)),
    )  # fmt: skip
    top = DearestFew(np.zeros(size + 2), np.zeros(size + 2, np.int64), one, one.copy())
    return SetDesk(
        company, walk, table, top, np.zeros(most), np.zeros(most, np.int64), np.zeros(most),
        np.zeros(size + 2, np.int64), np.zeros((SETS, size + 1), np.int64), np.zeros(branches, np.int64),
        np.zeros(SETS),
    )  # fmt: skip


# -- one branch --------------------------------------------------------------------------------------------------


@kernel
def _whole(desk_: SetDesk, many: int) -> None:
    """The first branch: all boxes around the record, those who may join it in the order of what they lose."""
    branches, company = lent(desk_.branches), lent(desk_.company)
    for side in range(branches.inner.shape[1]):
        branches.inner[0, side] = 0.0
    for place in range(many):
        branches.who[0, place], branches.loss[0, place] = place, company.alone[place]
    branches.many[0], branches.reach[0], desk_.order[0] = many, np.inf, 0
    _sort(branches.who[0], branches.loss[0], company.least, many)


@kernel
def _sort(who: Ints, loss: Floats, least: Floats, many: int) -> None:
    """In the order of what they lose (Shell's way)."""
    gap = 1
    while 9 * gap < 4 * many:
        gap = (9 * gap) // 4 + 1
    while gap > 0:
        for i in range(gap, many):
            place, whole, at = who[i], loss[i], i
            here = max(whole, least[place])
            while at >= gap and max(loss[at - gap], least[who[at - gap]]) > here:
                who[at], loss[at] = who[at - gap], loss[at - gap]
                at -= gap
            who[at], loss[at] = place, whole
        gap = (4 * gap) // 9


@inlined
def _begin(top: DearestFew, price: float, copies: int) -> None:
    """Only the record itself."""
    top.price[0], top.copies[0], top.used[0], top.held[0] = price, copies, 1, copies


@inlined
def _admit(top: DearestFew, price: float, copies: int, size: int) -> bool:
    """Take in some records if they are among the dearest; tells whether they are."""
    used, held = top.used[0], top.held[0]
    if held >= size and price <= top.price[used - 1]:
        return False
    at = used
    while at > 0 and top.price[at - 1] < price:
        top.price[at], top.copies[at] = top.price[at - 1], top.copies[at - 1]
        at -= 1
    top.price[at], top.copies[at] = price, copies
    held += copies
    while held - top.copies[used] >= size:
        held -= top.copies[used]
        used -= 1
    top.used[0], top.held[0] = used + 1, held
    return True


@inlined
def _too_high(top: DearestFew, size: int, loss: float, lacking: float) -> float:
    """By how much the dearest, and whoever of the pool is dearer, are priced above what so many lose."""
    total, left, pooled = 0.0, size, max(loss - lacking, 0.0)
    for i in range(top.used[0]):
        if top.price[i] <= pooled:
            break
        some = min(left, top.copies[i])
        total += some * (top.price[i] - loss)
        left -= some
    return total + left * (pooled - loss)


@inlined
def _reach(top: DearestFew, size: int, lacking: float, best: float) -> float:
    """No set that loses this much is priced too high by more than ``best``."""
    total, records, reach = -best, 0, 0.0
    for i in range(top.used[0]):
        some = min(size - records, top.copies[i])
        if records > 0 and lacking < np.inf and top.price[i] <= reach - lacking:
            break  # the pool has dearer ones
        total += some * top.price[i]
        records += some
        pooled = 0.0 if records == size else (size - records) * lacking
        reach = (total - pooled) / records
    return reach


@inlined
def _box_loss(company: Company, sides: Floats) -> float:
    total = 0.0
    for j in range(len(company.cap)):
        total += min(sides[2 * j] + sides[2 * j + 1], company.cap[j])
    return total


@inlined
def _narrow(desk_: SetDesk, branch: int, least: float) -> int:
    """Of a branch keep those who can be in a set of it priced too high, in the order of their loss; how many are."""
    company, branches, bound = desk_.company, desk_.branches, desk_.bound
    who, loss, reach, kept = branches.who[branch], branches.loss[branch], branches.reach[branch], 0
    for i in range(branches.many[branch]):
        one, whole = who[i], loss[i]
        here = max(whole, company.least[one], least)
        if here >= reach:
            continue
        at = kept
        while at > 0 and bound[at - 1] > here:  # they are nearly in order
            bound[at], who[at], loss[at] = bound[at - 1], who[at - 1], loss[at - 1]
            at -= 1
        bound[at], who[at], loss[at] = here, one, whole
        kept += 1
    return kept


@inlined
def _sweep(
    desk_: SetDesk, branch: int, own: float, copies: int, many: int, size: int, lacking: float, loss: float
) -> None:
    """Note the most by which a set of a branch can be priced too high, and what is needed to choose that set.

    From ``loss`` on. Between two who join, sets only lose more. All of them are among the dearest in the end.
    """
    company, top, bound, branches = desk_.company, desk_.top, desk_.bound, desk_.branches
    who, most, where, last, i, is_new = branches.who[branch], -np.inf, 0, np.inf, 0, True
    _begin(top, own, copies)
    while True:
        while i < many and bound[i] <= loss:
            is_new = _admit(top, company.price[who[i]], company.copies[who[i]], size) or is_new
            i += 1
        is_full = top.held[0] >= size
        if (is_full or loss >= lacking) and (is_new or not is_full):
            here, is_new = _too_high(top, size, loss, lacking), False
            if here > most:
                most, where, last = here, i, top.price[top.used[0] - 1] if is_full else -1.0
        following = bound[i] if i < many else np.inf
        if not is_full and loss < lacking:
            following = min(following, lacking)
        if following == np.inf:
            break
        loss = following
    branches.most[branch], branches.first[branch], branches.last[branch] = most, where, last


@kernel
def _choose(desk_: SetDesk, branch: int, own: float, copies: int, size: int) -> float:
    """Note the set of a branch that may be priced highest, and its hull; by how much it is too high, if it is whole."""
    company, branches, members = lent(desk_.company), lent(desk_.branches), lent(desk_.members)
    who, inner, hull = branches.who[branch], branches.inner[branch], branches.hull[branch]
    where, last, left, found, total = branches.first[branch], branches.last[branch], size - copies, 0, own * copies
    for i in range(where):
        left -= company.copies[who[i]] if company.price[who[i]] > last else 0
    for a in range(len(inner)):
        hull[a] = inner[a]
    for i in range(where):
        place = who[i]
        price, some = company.price[place], company.copies[place]
        if price < last or (price == last and left <= 0):
            continue
        if price == last:
            some = min(some, left)
            left -= some
        members[found] = place
        found += 1
        total += price * some
        for a in range(len(hull)):
            hull[a] = max(hull[a], company.side[a, place])
    members[len(members) - 1] = found
    return total - size * _box_loss(company, hull) if last >= 0.0 else -np.inf


@kernel
def _look_at(
    desk_: SetDesk, branch: int, own: float, copies: int, own_least: float, size: int, lacking: float, best: float
) -> None:
    """Set the bound of a branch, and leave out those who cannot be in a set priced too high by more than ``best``."""
    desk_ = lent(desk_)
    branches = desk_.branches
    desk_.walk.steps[0] += branches.many[branch] + 1
    branches.most[branch] = -np.inf
    least = max(own_least, _box_loss(desk_.company, branches.inner[branch]))
    if least >= branches.reach[branch]:
        return
    kept = _narrow(desk_, branch, least)
    _sweep(desk_, branch, own, copies, kept, size, lacking, least)
    branches.reach[branch] = min(branches.reach[branch], _reach(desk_.top, size, lacking, best))
    while kept > 0 and desk_.bound[kept - 1] >= branches.reach[branch]:
        kept -= 1
    branches.many[branch] = kept


# -- splitting ---------------------------------------------------------------------------------------------------


@kernel
def _widest_side(desk_: SetDesk, branch: int) -> int:
    """The side on which the hull of the highest set is furthest beyond the inner box; -1 if it is so nowhere."""
    side, widest = -1, 0.0
    for a in range(desk_.branches.inner.shape[1]):
        beyond = desk_.branches.hull[branch, a] - desk_.branches.inner[branch, a]
        if beyond > widest:
            side, widest = a, beyond
    return side


@inlined
def _is_dearer(desk_: SetDesk, moved: int, place: int, loss: float) -> bool:
    """Whether one who was moved loses at least as much as one who was not."""
    least = desk_.company.least
    return max(desk_.loss[moved], least[desk_.who[moved]]) >= max(loss, least[place])


@kernel
def _split(hulls: Any, desk_: SetDesk, branch: int, new: int, side: int) -> None:
    """A branch keeps the boxes that reach a point on a side; ``new`` gets those that do not."""
    company, branches = lent(desk_.company), lent(desk_.branches)
    reaches, inner, point = company.side[side], branches.inner[branch], branches.hull[branch, side]
    who, loss, many, before = branches.who[branch], branches.loss[branch], branches.many[branch], inner[side]
    if hulls.kind[side // 2] == RANGE:
        half = before + (point - before) / 2
        for i in range(many):  # the nearest point that is half way there
            point = min(point, reaches[who[i]]) if reaches[who[i]] >= half else point
    kept, same, cap, moved = 0, 0, company.cap[side // 2], 0
    for i in range(many):
        place, reach = who[i], reaches[who[i]]
        if reach < point:
            branches.who[new, kept], branches.loss[new, kept] = place, loss[i]
            kept += 1
        beyond = max(inner[side ^ 1], company.side[side ^ 1, place])
        more = min(max(point, reach) + beyond, cap) - min(max(before, reach) + beyond, cap)
        if more > 0.0:
            desk_.who[moved], desk_.loss[moved] = place, loss[i] + more
            moved += 1
        else:
            who[same], loss[same] = place, loss[i]
            same += 1
    branches.many[new], branches.reach[new] = kept, branches.reach[branch]
    for a in range(len(inner)):
        branches.inner[new, a] = inner[a]
    inner[side] = point
    for at in range(many - 1, -1, -1):  # merge, from the end
        if moved > 0 and (same == 0 or _is_dearer(desk_, moved - 1, who[same - 1], loss[same - 1])):
            moved -= 1
            who[at], loss[at] = desk_.who[moved], desk_.loss[moved]
        else:
            same -= 1
            who[at], loss[at] = who[same], loss[same]


@kernel
def _note(desk_: SetDesk, above: float) -> None:
    """Keep a set if it is among the worst around its record."""
    at = 0
    for one in range(SETS):
        at = one if desk_.above[one] < desk_.above[at] else at
    if above <= desk_.above[at]:
        return
    desk_.above[at] = above
    many = desk_.members[len(desk_.members) - 1]
    for i in range(desk_.found.shape[1]):
        desk_.found[at, i] = desk_.company.slot[desk_.members[i]] if i < many else -1


@kernel
def worst_set(
    market: Market, desk_: SetDesk, slot: int, size: int, most_branches: int, least: float
) -> tuple[float, float]:
    """By how much at most a set of ``slot`` and others, not settled and none dearer, is priced too high.

    Then by how much the worst set found is; it and others are left in ``desk_.found``. Sets that are so by no more than
    ``least`` do not count. When the branches are used up, what is left is not looked into, but counts with the most it
    could be.
    """
    branches, own_least, order = lent(desk_.branches), market.cheapest[slot], lent(desk_.order)
    own, copies = market.price[slot], min(market.tree.copies[slot], size)
    best, unseen, used = least, least, 1
    for one in range(SETS):
        desk_.above[one] = 0.0
    if own <= own_least:
        return least, least
    many, lacking = gather(market, desk_.company, desk_.walk, slot)
    look_up(market, desk_.company, many, size)
    _whole(desk_, many)
    _look_at(desk_, 0, own, copies, own_least, size, lacking, best)
    if branches.most[0] <= best:
        return best, best
    measure(market, desk_.company, slot, many)
    while branches.most[order[0]] > best and used < min(most_branches, len(order)):
        highest = order[0]
        here = _choose(desk_, highest, own, copies, size)
        if here > least:
            best = max(best, here)
            _note(desk_, here)
        side = _widest_side(desk_, highest)
        if side < 0:  # the set itself, or the pool alone makes it so
            unseen = max(unseen, branches.most[highest])
            branches.most[highest] = -np.inf
            sink(order, used, branches.most)
        else:
            _split(market.hulls, desk_, highest, used, side)
            _look_at(desk_, highest, own, copies, own_least, size, lacking, best)
            sink(order, used, branches.most)
            _look_at(desk_, used, own, copies, own_least, size, lacking, best)
            rise(order, used, branches.most)
            used += 1
    return max(best, unseen, branches.most[order[0]]), best
