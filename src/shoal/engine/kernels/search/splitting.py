# SPDX-License-Identifier: Apache-2.0
"""A pool of records cut in two again and again, each time where it leaves least loss, until no part holds two classes.

All cuts along all attributes are looked at. Classes made so fit each other like bricks; of those grown one after the
other around random records (``pools``) the last ones have to take what is left. A part that will be cut again counts
with less than its hull loses, since its classes will be narrower.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import RANGE, Hulls, term
from shoal.engine.kernels.rules import ZERO
from shoal.engine.kernels.search.pools import ROUNDED_AWAY, Pool
from shoal.ground.arrays import Floats, Ints

NARROWER = 0.33
"""A part of c classes counts as if it lost what its hull does over c to this power."""
SWEEP = 20
"""Pricings that sorting an entry along an attribute and sweeping over it are worth."""


class Knife(NamedTuple):
    """Scratch of the cuts."""

    begin: Ints
    """[part] of those still to be cut, the first entry; the last part ends where the classes begin."""
    order: Ints
    """[place] the entries of a part, sorted along an attribute."""
    after: Floats
    """[place] loss per record of the hull of all entries from here on."""
    axes: Ints
    """[axis] an attribute on which the part varies."""
    lo: Floats
    hi: Floats
    cost: Floats
    """[axis] a hull in the making, and what it costs there."""
    kept: Ints
    """[place] scratch for putting entries in order."""


def new_knife(pool: Pool) -> Knife:
    """Scratch for any pool of that room."""
    most, d = len(pool.item), pool.points.shape[1]
    order = np.empty(most, np.int64)
    sides = np.empty(d), np.empty(d), np.empty(d)
    return Knife(order.copy(), order, np.empty(most), np.empty(d, np.int64), *sides, order.copy())


@kernel
def can_split(hulls: Hulls) -> bool:
    """Whether a table has several columns of numbers, which are what cuts are good for."""
    lines = 0
    for kind in hulls.kind:
        lines += kind == RANGE
    return lines > 1


@inlined
def _find_axes(hulls: Hulls, pool: Pool, first: int, last: int, work: Knife) -> tuple[int, int, float]:
    """On how many attributes a part varies; how many records it holds, and what each loses."""
    points, many, total, records = pool.points, 0, 0.0, ZERO
    for j in range(points.shape[1]):
        low = high = points[pool.item[first], j]
        for i in range(first + 1, last):
            low, high = min(low, points[pool.item[i], j]), max(high, points[pool.item[i], j])
        if low < high:
            work.axes[many] = j
            many += 1
            total += term(hulls, j, low, high)
    for i in range(first, last):
        records += pool.units[i]
    return many, records, total


@inlined
def _sort(pool: Pool, j: int, first: int, last: int, order: Ints) -> None:
    """The entries of a part in the order of an attribute (Shell's way); of equals the first comes first."""
    points, item, many, gap = pool.points, pool.item, last - first, 1
    for i in range(many):
        order[i] = first + i
    while 9 * gap < 4 * many:
        gap = (9 * gap) // 4 + 1
    while gap > 0:
        for i in range(gap, many):
            entry, at = order[i], i
            here = points[item[entry], j]
            while at >= gap:
                other = order[at - gap]
                there = points[item[other], j]
                if there < here or (there == here and other < entry):
                    break
                order[at] = other
                at -= gap
            order[at] = entry
        gap = (4 * gap) // 9


@inlined
def _open_hull(work: Knife, axes: int) -> None:
    for a in range(axes):
        work.lo[a], work.hi[a], work.cost[a] = np.inf, -np.inf, 0.0


@inlined
def _taken_in(hulls: Hulls, pool: Pool, entry: int, axes: int, now: float, work: Knife) -> float:
    """Loss per record of the hull in the making with one more entry."""
    item, grown = pool.item[entry], False
    for a in range(axes):
        at = pool.points[item, work.axes[a]]
        if at < work.lo[a] or at > work.hi[a]:
            work.lo[a], work.hi[a] = min(work.lo[a], at), max(work.hi[a], at)
            work.cost[a] = term(hulls, work.axes[a], work.lo[a], work.hi[a])
            grown = True
    if grown:
        now = 0.0
        for a in range(axes):
            now += work.cost[a]
    return now


@inlined
def _worth(records: int, size: int, loss: float) -> float:
    """What a part is likely to lose in the end."""
    classes = records // size
    return records * loss if classes <= 1 else records * loss * classes**-NARROWER


@inlined
def _best_along(
    hulls: Hulls, pool: Pool, many: int, axes: int, records: int, size: int, best: float, work: Knife
) -> tuple[float, int, int]:
    """The best cut in an order: what is left, the place in front of which it is, and units of that place before it."""
    units, order, after = pool.units, work.order, work.after
    _open_hull(work, axes)
    now = 0.0
    for i in range(many - 1, -1, -1):
        after[i] = now = _taken_in(hulls, pool, order[i], axes, now, work)
    _open_hull(work, axes)
    held, now, where, inside = ZERO, 0.0, -1, ZERO
    for i in range(many):
        some = units[order[i]]
        if held >= size and records - held >= size:
            found = _worth(held, size, now) + _worth(records - held, size, after[i])
            if found < best - ROUNDED_AWAY:
                best, where, inside = found, i, ZERO
        now = _taken_in(hulls, pool, order[i], axes, now, work)
        cut = size if held < size else records - size
        if held < cut < held + some and records - cut >= size:
            found = _worth(cut, size, now) + _worth(records - cut, size, after[i])
            if found < best - ROUNDED_AWAY:
                best, where, inside = found, i, cut - held
        held += some
        if records - held < size:
            break
    return best, where, inside


@inlined
def _cut(pool: Pool, first: int, many: int, used: int, where: int, inside: int, work: Knife) -> int:
    """Put a part in its order, and cut the entry that lies across in two; how many entries there are then."""
    item, units, owner, order = pool.item, pool.units, pool.owner, work.order
    for i in range(many):
        work.kept[i], owner[first + i] = item[order[i]], units[order[i]]
    for i in range(many):
        item[first + i], units[first + i] = work.kept[i], owner[first + i]
    if inside == 0:
        return used
    for i in range(used, first + where, -1):
        item[i], units[i], owner[i] = item[i - 1], units[i - 1], owner[i - 1]
    units[first + where] = inside
    units[first + where + 1] -= inside
    return used + 1


@kernel
def split(hulls: Hulls, pool: Pool, items: int, size: int, pricings: Ints, work: Knife) -> tuple[float, int, int]:
    """Cut a pool into classes; loss, classes, entries, as an attempt at it does."""
    hulls, pool, work = lent(hulls), lent(pool), lent(work)
    for i in range(items):
        pool.item[i], pool.units[i] = i, pool.amount[i]
    begin, used, parts, classes, total = work.begin, items, 1, ZERO, 0.0
    begin[0], last = 0, items
    while parts > 0:
        first = begin[parts - 1]
        many = last - first
        axes, records, loss = _find_axes(hulls, pool, first, last, work)
        best, axis, where, inside = records * loss, -1, -1, ZERO
        for a in range(axes if records >= 2 * size else 0):
            _sort(pool, work.axes[a], first, last, work.order)
            found, at, some = _best_along(hulls, pool, many, axes, records, size, best, work)
            if at >= 0:
                best, axis, where, inside = found, a, at, some
        pricings[0] += many * (4 + SWEEP * axes)
        if axis < 0:
            for i in range(first, last):
                pool.owner[i] = classes
            total += records * loss
            classes += 1
            parts -= 1
            last = first
            continue
        _sort(pool, work.axes[axis], first, last, work.order)
        before = used
        used = _cut(pool, first, many, used, where, inside, work)
        last += used - before
        begin[parts] = first + where + (1 if inside > 0 else 0)
        parts += 1
    return total, classes, used
