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
from shoal.engine.kernels.search.pools import ROUNDED_AWAY, Pool, find_axes
from shoal.ground.arrays import Floats, Ints

NARROWER = 0.33
"""A part of c classes counts as if it lost what its hull does over c to this power."""
FEW = 64
"""Parts of fewer classes find this power in a table."""
SWEEP = 2
"""Pricings that sorting an entry along an attribute and sweeping over it are worth."""


class Knife(NamedTuple):
    """Scratch of the cuts."""

    begin: Ints
    """[part] of those still to be cut, the first entry; the last part ends where the classes begin."""
    order: Ints
    """[place] the entries of a part, sorted along an attribute."""
    item: Ints
    """[place] their items."""
    bin: Ints
    """[entry of the part] where it lies between the ends of the part, roughly."""
    bins: Ints
    """[bin] so many entries lie before it."""
    before: Floats
    after: Floats
    """[place] loss per record of the hull of all entries up to here, and of all from here on."""
    axes: Ints
    """[axis] an attribute on which the part varies."""
    lo: Floats
    hi: Floats
    """[axis] its hull there."""
    kept: Ints
    """[place] scratch for putting entries in order."""
    narrower: Floats
    """[classes] what a part of so many counts with, of what its hull loses."""


def new_knife(pool: Pool) -> Knife:
    """Scratch for any pool of that room."""
    most, d = len(pool.item), len(pool.points)
    begin, order, item, into, kept = (np.empty(most, np.int64) for _ in range(5))
    narrower = np.array([max(classes, 1.0) ** -NARROWER for classes in range(FEW)])
    sides = np.empty(most), np.empty(most), np.empty(d, np.int64), np.empty(d), np.empty(d)
    return Knife(begin, order, item, into, np.empty(most + 2, np.int64), *sides, kept, narrower)


@kernel
def can_split(hulls: Hulls) -> bool:
    """Whether a table has several columns of numbers, which are what cuts are good for."""
    lines = 0
    for kind in hulls.kind:
        lines += kind == RANGE
    return lines > 1


@inlined
def _hull(hulls: Hulls, pool: Pool, varied: int, first: int, last: int, work: Knife) -> tuple[int, int, float]:
    """The hull of a part; on how many attributes it varies, how many records it holds, and what each loses."""
    item, many, total, records = pool.item, ZERO, 0.0, ZERO
    for a in range(varied):
        j = pool.axes[a]
        row = pool.points[j]
        low, high = np.inf, -np.inf
        for i in range(first, last):
            low, high = min(low, row[item[i]]), max(high, row[item[i]])
        if low < high:
            work.axes[many], work.lo[many], work.hi[many] = j, low, high
            many += 1
            total += term(hulls, j, low, high)
    for i in range(first, last):
        records += pool.units[i]
    return many, records, total


@inlined
def _sort(pool: Pool, axis: int, first: int, last: int, work: Knife) -> None:
    """The entries of a part in the order of an attribute; of equals the first comes first.

    They go into as many bins as there are entries, of equal width; few are still in the wrong place then.
    """
    row, item, many = pool.points[work.axes[axis]], pool.item, last - first
    order, into, bins = work.order, work.bin, work.bins
    low, width = work.lo[axis], work.hi[axis] - work.lo[axis]
    for at in range(many + 2):
        bins[at] = 0
    for i in range(many):
        share = (row[item[first + i]] - low) / width
        into[i] = np.int64(min(1.0, max(0.0, share)) * many)  # whatever the numbers are, there is such a bin
        bins[into[i] + 1] += 1
    for at in range(many):
        bins[at + 1] += bins[at]
    for i in range(many):
        order[bins[into[i]]] = first + i
        bins[into[i]] += 1
    for i in range(1, many):
        entry, at = order[i], i
        here = row[item[entry]]
        while at > 0 and row[item[order[at - 1]]] > here:
            order[at] = order[at - 1]
            at -= 1
        order[at] = entry


@inlined
def _add_hulls(
    hulls: Hulls, row: Floats, j: int, begin: int, step: int, end: int, useful: int, items: Ints, loss: Floats
) -> None:
    """Add what an attribute costs the hull of all places from ``begin`` to each one that is useful."""
    low, high = np.inf, -np.inf
    for place in range(begin, useful, step):
        low, high = min(low, row[items[place]]), max(high, row[items[place]])
    if hulls.kind[j] == RANGE:
        scale, cap = hulls.scale[j], hulls.cap[j]
        for place in range(useful, end, step):
            low, high = min(low, row[items[place]]), max(high, row[items[place]])
            loss[place] += min((high - low) * scale, cap)
        return
    now = term(hulls, j, low, high) if low <= high else 0.0
    for place in range(useful, end, step):
        at = row[items[place]]
        if at < low or at > high:
            low, high = min(low, at), max(high, at)
            now = term(hulls, j, low, high)
        loss[place] += now


@inlined
def _useful(units: Ints, order: Ints, many: int, size: int) -> tuple[int, int]:
    """The first place that a cut may lie in or before, and the last."""
    held, first, last = ZERO, ZERO, many - 1
    while held + units[order[first]] < size:
        held += units[order[first]]
        first += 1
    held = ZERO
    while held + units[order[last]] < size:
        held += units[order[last]]
        last -= 1
    return first, last


@inlined
def _sweep(hulls: Hulls, pool: Pool, axes: int, many: int, first: int, last: int, work: Knife) -> None:
    """What is lost on either side of the cuts in an order; they are between two places."""
    order, item, before, after = work.order, work.item, work.before, work.after
    for place in range(many):
        item[place] = pool.item[order[place]]
        before[place] = after[place] = 0.0
    for a in range(axes):
        j = work.axes[a]
        row = pool.points[j]
        _add_hulls(hulls, row, j, 0, 1, last + 1, first, item, before)
        _add_hulls(hulls, row, j, many - 1, -1, first - 1, last, item, after)


@inlined
def _worth(records: int, size: int, loss: float, narrower: Floats) -> float:
    """What a part is likely to lose in the end."""
    classes = records // size
    return records * loss * (narrower[classes] if classes < FEW else classes**-NARROWER)


@inlined
def _best_along(
    hulls: Hulls, pool: Pool, many: int, axes: int, records: int, size: int, best: float, work: Knife
) -> tuple[float, int, int]:
    """The best cut in an order: what is left, the place in front of which it is, and units of that place before it."""
    units, order, before, after, narrower = pool.units, work.order, work.before, work.after, work.narrower
    first, last = _useful(units, order, many, size)
    _sweep(hulls, pool, axes, many, first, last, work)
    held, where, inside = ZERO, -1, ZERO
    for place in range(first):
        held += units[order[place]]
    for place in range(first, last + 1):
        some = units[order[place]]
        if held >= size and records - held >= size:
            found = _worth(held, size, before[place - 1], narrower)
            found += _worth(records - held, size, after[place], narrower)
            if found < best - ROUNDED_AWAY:
                best, where, inside = found, place, ZERO
        cut = size if held < size else records - size
        if held < cut < held + some and records - cut >= size:
            found = _worth(cut, size, before[place], narrower) + _worth(records - cut, size, after[place], narrower)
            if found < best - ROUNDED_AWAY:
                best, where, inside = found, place, cut - held
        held += some
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
    varied = find_axes(hulls, pool, items)
    begin[0], last = 0, items
    while parts > 0:
        first = begin[parts - 1]
        many = last - first
        axes, records, loss = _hull(hulls, pool, varied, first, last, work)
        best, axis, where, inside = records * loss, -1, -1, ZERO
        for a in range(axes if records >= 2 * size else 0):
            _sort(pool, a, first, last, work)
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
        _sort(pool, axis, first, last, work)
        before = used
        used = _cut(pool, first, many, used, where, inside, work)
        last += used - before
        begin[parts] = first + where + (1 if inside > 0 else 0)
        parts += 1
    return total, classes, used
