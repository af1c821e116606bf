# SPDX-License-Identifier: Apache-2.0
"""Sets of k records that are priced above k times the loss of their hull, where boxes are too many to be listed.

Seen from one of its records, a box has *sides*: how far it reaches to the left and to the right of that record on a
line, and how high above it in a tree. Whoever joins the record reaches so far on each side, and the loss of a box is
the sum of its sides. A *branch* of the search is all boxes that reach at least an inner box; in it whoever joins loses
at least the inner box grown to take it in. So one sweep over those who may join, in the order of that loss, tells the
most by which any set of the branch can be priced too high. A branch is split on one side: either the box reaches a
certain point there, or nobody who reaches it may join.

Only the most promising records are looked at one by one. The others are a *pool*: each is priced below the loss of its
hull with the record by so much at least, and the pool is taken to have any number of them. See docs/certificate.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE, Hulls, term
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.kernels.trees.walks import STACK
from shoal.ground.arrays import Flags, Floats, Ints


class Market(NamedTuple):
    """Records and their prices; [slot] unless it says otherwise."""

    hulls: Hulls
    tree: BoxTree
    price: Floats
    cheapest: Floats
    """No box around a record that holds k records loses less than this."""
    settled: Flags
    """Whether no set with this record is to be looked at any more."""
    dearest: Floats
    """[node] no price below it is higher."""


class Company(NamedTuple):
    """Who may join a record; [place] unless it says otherwise."""

    slot: Ints
    price: Floats
    copies: Ints
    least: Floats
    """What any box around it loses."""
    alone: Floats
    """Loss of its hull with the record."""
    lack: Floats
    """What its price is below its loss; while they are gathered the largest comes first (a heap)."""
    side: Floats
    """[side, place] how far it reaches from the record: left and right of each attribute, a tree has the first alone."""
    cap: Floats
    """[attribute] most that both of its sides cost."""


class Branches(NamedTuple):
    """Branches of the search; [branch, place] unless it says otherwise."""

    who: Ints
    """Places of those who may join."""
    loss: Floats
    """Loss of the inner box with each."""
    many: Ints
    most: Floats
    """[branch] how many may join; by how much a set can be priced too high."""
    inner: Floats
    hull: Floats
    """[branch, side] the inner box; the hull of the set that may be priced highest."""


class Top(NamedTuple):
    """The k dearest records, the dearest first; single numbers stand in arrays of one."""

    price: Floats
    copies: Ints
    used: Ints
    held: Ints
    """How many different ones and how many records there are."""


class Desk(NamedTuple):
    """Room to work in."""

    company: Company
    branches: Branches
    top: Top
    bound: Floats
    """[place] loss in a branch, in order."""
    who: Ints
    loss: Floats
    """[place] one of two runs to be merged."""
    stack: Ints
    far: Floats
    members: Ints
    """Places of the set found last, and at the end how many."""
    steps: Ints
    """[0] the work in all."""


@kernel
def desk(attributes: int, size: int, most: int, branches: int) -> Desk:
    """Room for ``most`` who may join one record."""
    sides, one = 2 * attributes, np.zeros(1, np.int64)
    place, spot = np.zeros(most, np.int64), np.zeros(most)
    company = Company(
        place, spot, place.copy(), spot.copy(), spot.copy(), spot.copy(), np.zeros((sides, most)), np.zeros(attributes)
    )
    table = Branches(
        np.zeros((branches, most), np.int64), np.zeros((branches, most)), np.zeros(branches, np.int64),
        np.zeros(branches), np.zeros((branches, sides)), np.zeros((branches, sides)),
    )  # fmt: skip
    top = Top(np.zeros(size + 2), np.zeros(size + 2, np.int64), one, one.copy())
    return Desk(
        company, table, top, spot.copy(), place.copy(), spot.copy(), np.zeros(STACK, np.int64), np.zeros(STACK),
        np.zeros(size + 2, np.int64), one.copy(),
    )  # fmt: skip


@kernel
def highest_below(tree: BoxTree, price: Floats, dearest: Floats) -> None:
    """Fill ``dearest`` for each node of the tree."""
    for node in range(len(tree.left) - 1, -1, -1):
        below = tree.left[node]
        dearest[node] = 0.0
        if below >= 0:
            dearest[node] = max(dearest[below], dearest[below + 1])
        else:
            for slot in range(tree.begin[node], tree.end[node]):
                dearest[node] = max(dearest[node], price[slot])


# -- who may join ------------------------------------------------------------------------------------------------


@inlined
def _apart(hulls: Hulls, here: Floats, lo: Floats, hi: Floats, limit: float) -> float:
    """Loss of the hull of a record and the nearest corner of a box; adding up ends at the limit."""
    total = 0.0
    for j in range(len(here)):
        if lo[j] > here[j]:
            total += term(hulls, j, here[j], lo[j])
        elif hi[j] < here[j]:
            total += term(hulls, j, hi[j], here[j])
        if total >= limit:
            break
    return total


@inlined
def _put(company: Company, many: int, lack: float, slot: int, alone: float) -> int:
    """Take in one more, or if there is no room instead of the one that lacks most; returns how many there are."""
    at, room = 0, len(company.slot)
    if many < room:
        at = many
        many += 1
        while at > 0 and company.lack[(at - 1) // 2] < lack:
            up = (at - 1) // 2
            _move(company, up, at)
            at = up
    else:
        while 2 * at + 1 < room:
            down = 2 * at + 1
            if down + 1 < room and company.lack[down + 1] > company.lack[down]:
                down += 1
            if company.lack[down] <= lack:
                break
            _move(company, down, at)
            at = down
    company.lack[at], company.slot[at], company.alone[at] = lack, slot, alone
    return many


@inlined
def _move(company: Company, source: int, to: int) -> None:
    company.lack[to], company.slot[to] = company.lack[source], company.slot[source]
    company.alone[to] = company.alone[source]


@kernel
def _gather(market: Market, desk_: Desk, slot: int) -> tuple[int, float]:
    """Those who may join a record, or the most promising of them; and what all others lack at least, if there are any.

    No set in which the record is dearest is priced too high if it loses as much as the record is priced.
    """
    hulls, tree, company = lent(market.hulls), lent(market.tree), lent(desk_.company)
    price, cheapest, stack, far = lent(market.price), lent(market.cheapest), lent(desk_.stack), lent(desk_.far)
    here, limit, own = tree.at[slot], price[slot], cheapest[slot]
    many, lacking, room = 0, np.inf, len(company.slot)
    stack[0], far[0], depth = 0, 0.0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if max(far[depth], own) - market.dearest[node] >= lacking:
            continue
        a = tree.left[node]
        if a >= 0:
            desk_.steps[0] += 2
            near, other = a, a + 1
            x = _apart(hulls, here, tree.lo[a], tree.hi[a], limit)
            y = _apart(hulls, here, tree.lo[a + 1], tree.hi[a + 1], limit)
            if x > y:
                near, other, x, y = a + 1, a, y, x
            if y < limit:
                stack[depth], far[depth] = other, y
                depth += 1
            if x < limit:
                stack[depth], far[depth] = near, x
                depth += 1
            continue
        for one in range(tree.begin[node], tree.end[node]):
            least = max(own, cheapest[one])
            if one == slot or market.settled[one] or least >= limit or least - price[one] >= lacking:
                continue
            desk_.steps[0] += 1
            alone = _apart(hulls, here, tree.at[one], tree.at[one], limit)
            lack = max(alone, least) - price[one]
            if alone < limit and lack < lacking:
                many = _put(company, many, lack, one, alone)
                lacking = company.lack[0] if many == room else np.inf
    return many, lacking


@kernel
def _measure(market: Market, desk_: Desk, slot: int, many: int, size: int) -> None:
    """How far each of those who may join reaches on each side; the first branch is all boxes around the record."""
    hulls, at, company, branches = lent(market.hulls), lent(market.tree.at), lent(desk_.company), lent(desk_.branches)
    for j in range(at.shape[1]):
        is_range = hulls.kind[j] == RANGE
        company.cap[j] = hulls.cap[j] if is_range else np.inf
        branches.inner[0, 2 * j] = branches.inner[0, 2 * j + 1] = 0.0
        here = at[slot, j]
        for place in range(many):
            there = at[company.slot[place], j]
            left, right = 0.0, 0.0
            if is_range:
                left, right = max(here - there, 0.0) * hulls.scale[j], max(there - here, 0.0) * hulls.scale[j]
            elif there != here:
                left = term(hulls, j, min(here, there), max(here, there))
            company.side[2 * j, place], company.side[2 * j + 1, place] = left, right
    for place in range(many):
        one = company.slot[place]
        company.price[place], company.copies[place] = market.price[one], min(market.tree.copies[one], size)
        company.least[place] = market.cheapest[one]
        branches.who[0, place], branches.loss[0, place] = place, company.alone[place]
    branches.many[0] = many
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


# -- one branch --------------------------------------------------------------------------------------------------


@inlined
def _begin(top: Top, price: float, copies: int) -> None:
    """Only the record itself."""
    top.price[0], top.copies[0], top.used[0], top.held[0] = price, copies, 1, copies


@inlined
def _admit(top: Top, price: float, copies: int, size: int) -> bool:
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
def _too_high(top: Top, size: int, loss: float, lacking: float) -> float:
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
def _reach(top: Top, size: int, lacking: float, best: float) -> float:
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


@kernel
def _narrow(desk_: Desk, branch: int, size: int, lacking: float, least: float, best: float) -> int:
    """Of a branch keep those who can be in a set priced too high by more than ``best``, in the order of their loss."""
    company, branches, top, bound = lent(desk_.company), lent(desk_.branches), lent(desk_.top), lent(desk_.bound)
    who, loss, many = branches.who[branch], branches.loss[branch], branches.many[branch]
    for i in range(many):
        _admit(top, company.price[who[i]], company.copies[who[i]], size)
    if top.held[0] < size and lacking == np.inf:
        return -1
    reach, kept = _reach(top, size, lacking, best), 0
    if reach <= least:
        return -1
    for i in range(many):
        here = max(loss[i], max(company.least[who[i]], least))
        if here >= reach:
            continue
        one, whole, at = who[i], loss[i], kept
        while at > 0 and bound[at - 1] > here:  # they are nearly in order
            bound[at], who[at], loss[at] = bound[at - 1], who[at - 1], loss[at - 1]
            at -= 1
        bound[at], who[at], loss[at] = here, one, whole
        kept += 1
    return kept


@kernel
def _sweep(
    desk_: Desk, branch: int, own: float, copies: int, many: int, size: int, lacking: float, loss: float
) -> tuple[float, int]:
    """The most by which a set of a branch can be priced too high, and how many of those in order are looked at for it.

    From ``loss`` on. Between two who join, sets only lose more.
    """
    company, top, bound = lent(desk_.company), lent(desk_.top), lent(desk_.bound)
    who, most, where, i, is_new = desk_.branches.who[branch], -np.inf, 0, 0, True
    _begin(top, own, copies)
    while True:
        while i < many and bound[i] <= loss:
            is_new = _admit(top, company.price[who[i]], company.copies[who[i]], size) or is_new
            i += 1
        is_full = top.held[0] >= size
        if (is_full or loss >= lacking) and (is_new or not is_full):
            here, is_new = _too_high(top, size, loss, lacking), False
            if here > most:
                most, where = here, i
        following = bound[i] if i < many else np.inf
        if not is_full and loss < lacking:
            following = min(following, lacking)
        if following == np.inf:
            return most, where
        loss = following


@kernel
def _choose(desk_: Desk, branch: int, own: float, copies: int, where: int, size: int) -> float:
    """Note the dearest of the first ``where`` and their hull; by how much they are priced too high, if they are enough."""
    company, top, members = lent(desk_.company), lent(desk_.top), lent(desk_.members)
    who, inner, hull = desk_.branches.who[branch], desk_.branches.inner[branch], desk_.branches.hull[branch]
    _begin(top, own, copies)
    for i in range(where):
        _admit(top, company.price[who[i]], company.copies[who[i]], size)
    last, left, found = top.price[top.used[0] - 1], size - copies, 0
    is_full = top.held[0] >= size
    for i in range(where):
        left -= company.copies[who[i]] if company.price[who[i]] > last else 0
    for a in range(len(inner)):
        hull[a] = inner[a]
    for i in range(where):
        place = who[i]
        if company.price[place] < last or (company.price[place] == last and is_full and left <= 0):
            continue
        left -= company.copies[place] if company.price[place] == last else 0
        members[found] = place
        found += 1
        for a in range(len(hull)):
            hull[a] = max(hull[a], company.side[a, place])
    members[len(members) - 1] = found
    return _too_high(top, size, _box_loss(company, hull), np.inf) if is_full else -np.inf


@inlined
def _look_at(desk_: Desk, branch: int, own: float, copies: int, own_least: float, size: int, lacking: float, best: float) -> float:  # fmt: skip
    """Set the bound of a branch; returns by how much a set of it is priced too high, which is left in ``members``."""
    branches = desk_.branches
    desk_.steps[0] += branches.many[branch] + 1
    branches.most[branch] = -np.inf
    least = max(own_least, _box_loss(desk_.company, branches.inner[branch]))
    _begin(desk_.top, own, copies)
    kept = _narrow(desk_, branch, size, lacking, least, best)
    if kept < 0:
        return -np.inf
    most, where = _sweep(desk_, branch, own, copies, kept, size, lacking, least)
    if most <= best:
        return -np.inf
    branches.most[branch], branches.many[branch] = most, kept
    return _choose(desk_, branch, own, copies, where, size)


# -- splitting ---------------------------------------------------------------------------------------------------


@kernel
def _widest_side(desk_: Desk, branch: int) -> int:
    """The side on which the hull of the highest set is furthest beyond the inner box; -1 if it is so nowhere."""
    side, widest = -1, 0.0
    for a in range(desk_.branches.inner.shape[1]):
        beyond = desk_.branches.hull[branch, a] - desk_.branches.inner[branch, a]
        if beyond > widest:
            side, widest = a, beyond
    return side


@inlined
def _is_dearer(desk_: Desk, moved: int, place: int, loss: float) -> bool:
    """Whether one who was moved loses at least as much as one who was not."""
    least = desk_.company.least
    return max(desk_.loss[moved], least[desk_.who[moved]]) >= max(loss, least[place])


@kernel
def _split(hulls: Any, desk_: Desk, branch: int, new: int, side: int) -> None:
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
    branches.many[new] = kept
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
def worst_set(
    market: Market, desk_: Desk, slot: int, size: int, most_branches: int, least: float, found: Ints
) -> tuple[float, float, int]:
    """By how much at most a set of ``slot`` and others, not settled and none dearer, is priced too high.

    Then by how much the worst set found is; it is left in ``found``, without ``slot``; and how many are in it. Sets that
    are so by no more than ``least`` do not count. When the branches are used up, what is left is not looked into, but
    counts with the most it could be.
    """
    branches, company, own_least = lent(desk_.branches), lent(desk_.company), market.cheapest[slot]
    own, copies = market.price[slot], min(market.tree.copies[slot], size)
    best, unseen, members, used, looked = least, least, 0, 1, 0
    if own <= own_least:
        return least, least, 0
    many, lacking = _gather(market, desk_, slot)
    _measure(market, desk_, slot, many, size)
    first, second = 0, 0
    while True:
        for branch in range(first, second + 1, max(second - first, 1)):
            here = _look_at(desk_, branch, own, copies, own_least, size, lacking, best)
            if here > best:
                best, members = here, desk_.members[len(desk_.members) - 1]
                for i in range(members):
                    found[i] = company.slot[desk_.members[i]]
        highest = 0
        for branch in range(used):
            highest = branch if branches.most[branch] > branches.most[highest] else highest
        if branches.most[highest] <= best or used == min(most_branches, len(branches.most)):
            return max(best, max(unseen, branches.most[highest])), best, members
        side = _widest_side(desk_, highest)
        if side < 0:  # the pool alone makes it so
            unseen = max(unseen, branches.most[highest])
            branches.most[highest] = -np.inf
            first, second = 1, 0
            continue
        _split(market.hulls, desk_, highest, used, side)
        first, second = highest, used
        used += 1
