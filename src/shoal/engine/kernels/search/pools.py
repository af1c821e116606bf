# SPDX-License-Identifier: Apache-2.0
"""A pool of records made into classes anew, greedily from random seeds.

A class grows from a random record by the cheapest next item until it holds enough records and obeys the rules; then it
takes what costs nothing more (three times out of four), except items that could make a class of their own. What is left
in the end goes where it costs least.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw
from shoal.engine.kernels.hull import FLAT, RANGE, TABLE, Hulls, term
from shoal.engine.kernels.ranking import first_least
from shoal.engine.kernels.rules import BOUNDS, DISTINCT, OWN_SIZE, SHARE, ZERO, Rules, count_in, obeyed_by, settled
from shoal.ground.arrays import Floats, Ints, Words

OVERHEAD = 25
"""Pricings that the rest of the work on a record is worth."""
ROUNDED_AWAY = 1e-12
"""What rounding may do to a loss."""


class Pool(NamedTuple):
    """Atoms under regrouping, and one attempt at it."""

    points: Floats
    """[attribute, item] where it lies: what is done to all items is done many at a time."""
    axes: Ints
    """[axis] an attribute on which the items differ."""
    atom: Ints
    amount: Ints
    left: Ints
    """[item] not yet in a class."""
    row: Ints
    """[item] a row with its private values."""
    part: Floats
    """[attribute, item] term of the class in the making, with the item."""
    cost: Floats
    """[item] sum of its parts; infinite if nothing is left of it."""
    cost_bits: Ints
    """[item] the same memory, seen as whole numbers."""
    lo: Floats
    hi: Floats
    """[class, attribute] its hull, where the items differ."""
    sizes: Ints
    losses: Floats
    item: Ints
    owner: Ints
    units: Ints
    """[entry] so many units of the item in the class ``owner``."""
    held_rows: Ints
    held_units: Ints
    """[i] rows, with their amounts, whose private values are looked at together."""
    tally: Ints
    """[rule, value] records of that value in the class in the making; the last value counts the different ones."""


def new_pool(largest: int, d: int, rules: Rules | None) -> Pool:
    """Room for the largest pool."""
    most, more = 2 * largest, 4 * largest
    ruled, values = (0, 0) if rules is None else (len(rules.kind), len(rules.counts))
    cost = np.empty(largest)
    return Pool(
        np.empty((d, largest)), np.empty(d, np.int64), np.empty(largest, np.int64), np.empty(largest, np.int64),
        np.empty(largest, np.int64), np.empty(largest, np.int64), np.empty((d, largest)), cost, cost.view(np.int64),
        np.empty((most, d)), np.empty((most, d)), np.empty(most, np.int64), np.empty(most), np.empty(more, np.int64),
        np.empty(more, np.int64), np.empty(more, np.int64), np.empty(more, np.int64), np.empty(more, np.int64),
        np.zeros((ruled, values + 1), np.int64),
    )  # fmt: skip


@inlined
def _pick(pool: Pool, items: int, units: int, state: Words) -> int:
    """A random unit's item."""
    at = draw(state) % units
    for i in range(items):
        at -= pool.left[i]
        if at < 0:
            return i
    return -1


@kernel
def find_axes(hulls: Hulls, pool: Pool, items: int) -> int:
    """On how many attributes the items differ, or cost something although they do not."""
    hulls, pool = lent(hulls), lent(pool)
    axes = ZERO
    for j in range(len(hulls.kind)):
        row, first, differ = pool.points[j], pool.points[j, 0], False
        for i in range(items):
            differ |= row[i] != first
        if differ or term(hulls, j, first, first) > 0:
            pool.axes[axes] = j
            axes += 1
    return axes


@inlined
def _price_along(hulls: Hulls, pool: Pool, items: int, j: int, low: float, high: float) -> None:
    """Price all items on one attribute anew, for the hull ``low .. high``; each kind has a loop without branches."""
    row, part, cost = pool.points[j], pool.part[j], pool.cost
    kind, scale, cap, start, size = hulls.kind[j], hulls.scale[j], hulls.cap[j], hulls.start[j], hulls.size[j]
    if kind == RANGE:
        for i in range(items):
            now = min((max(high, row[i]) - min(low, row[i])) * scale, cap)
            cost[i] += now - part[i]
            part[i] = now
    elif kind == FLAT:
        for i in range(items):
            now = cap if max(high, row[i]) > min(low, row[i]) else 0.0
            cost[i] += now - part[i]
            part[i] = now
    elif kind == TABLE:
        for i in range(items):
            now = hulls.tables[start + np.int64(min(low, row[i])) * size + np.int64(max(high, row[i]))]
            cost[i] += now - part[i]
            part[i] = now
    else:
        for i in range(items):
            now = term(hulls, j, min(low, row[i]), max(high, row[i]))
            cost[i] += now - part[i]
            part[i] = now


@inlined
def _price(hulls: Hulls, pool: Pool, axes: int, items: int, seed: int, label: int) -> None:
    """A class begins with a seed: its hull, and the cost of each item together with it."""
    left, cost = pool.left, pool.cost
    for i in range(items):
        cost[i] = 0.0 if left[i] > 0 else np.inf
    for a in range(axes):
        j = pool.axes[a]
        at, part = pool.points[j, seed], pool.part[j]
        pool.lo[label, j] = pool.hi[label, j] = at
        for i in range(items):
            part[i] = 0.0
        _price_along(hulls, pool, items, j, at, at)


@inlined
def _stretch(hulls: Hulls, pool: Pool, axes: int, items: int, label: int, taken: int) -> int:
    """Stretch a hull to an item and price all items anew; on how many attributes it grew."""
    lo, hi = pool.lo[label], pool.hi[label]
    grown = ZERO
    for a in range(axes):
        j = pool.axes[a]
        at, low, high = pool.points[j, taken], lo[j], hi[j]
        if low <= at <= high:
            continue
        lo[j], hi[j] = min(low, at), max(high, at)
        grown += 1
        _price_along(hulls, pool, items, j, lo[j], hi[j])
    return grown


@kernel
def _crowded(rules: Rules, rows: Ints, units: Ints, count: int) -> tuple[int, int]:
    """The first rule that some records break, and the value that stands most above its share in the whole table."""
    for rule in range(len(rules.kind)):
        codes, counts, met, target = rules.codes, rules.counts, rules.met, rules.target
        size, values, most, code = ZERO, ZERO, -np.inf, -1
        for i in range(count):
            values = count_in(counts, met, values, codes[rule, rows[i]], units[i])
            size += units[i]
        for i in range(values):
            above = counts[met[i]] / size - target[rules.start[rule] + met[i]]
            if above > most:
                most, code = above, met[i]
        if not settled(rules, rule, values, size):
            return rule, -1 if rules.kind[rule] == OWN_SIZE else code
    return -1, -1


@kernel
def _room(rules: Rules, pool: Pool, item: int, held: int, size: int) -> int:
    """How many units of an item may join a class of ``held`` records on its way to ``size``, as far as one can tell."""
    most, tally = pool.left[item], pool.tally
    variety = tally.shape[1] - 1
    for rule in range(len(rules.kind)):
        code, limit = rules.codes[rule, pool.row[item]], rules.limit[rule]
        if rules.kind[rule] == OWN_SIZE:
            if held > 0:  # the seed says how large the class becomes: it takes in nobody who asks for more
                begin, seed = rules.start[rule], rules.codes[rule, pool.held_rows[0]]
                if rules.sizes[begin + code] > max(rules.sizes[begin + seed], size):
                    return 0
            continue
        if rules.kind[rule] == DISTINCT:
            if tally[rule, code] > 0 and limit - tally[rule, variety] >= size - held > 0:
                return 0
            continue
        if rules.kind[rule] == BOUNDS:
            limit = rules.upper[rules.start[rule] + code]
        elif rules.kind[rule] != SHARE:
            continue
        most = min(most, np.int64(limit * max(size, held + 1) + 1e-9) - tally[rule, code])
    return most


@kernel
def _count(rules: Rules, pool: Pool, item: int, units: int) -> None:
    """Count units of an item in or out of the class in the making."""
    tally = pool.tally
    for rule in range(len(rules.kind)):
        code = rules.codes[rule, pool.row[item]]
        before = tally[rule, code]
        tally[rule, code] += units
        tally[rule, tally.shape[1] - 1] += int(tally[rule, code] > 0) - int(before > 0)


@inlined
def _next(
    rules: Rules | None, pool: Pool, items: int, held: int, size: int, best: float, stands: bool, broken: Any
) -> int:
    """The cheapest item that costs less than ``best`` and may join; -1 if there is none."""
    left, cost, row = pool.left, pool.cost, pool.row
    rule, code = broken
    if rules is None:
        cheapest = first_least(pool.cost_bits, items)
        if cost[cheapest] >= best:
            return -1
        if not stands or left[cheapest] < size:
            return cheapest
    chosen = -1
    for i in range(items):
        if cost[i] >= best or (stands and left[i] >= size):
            continue
        if rules is not None and (
            _room(rules, pool, i, held, size) <= 0 or (rule >= 0 and rules.codes[rule, row[i]] == code)
        ):
            continue
        chosen, best = i, cost[i]
    return chosen


@inlined
def _grow(
    hulls: Hulls,
    rules: Rules | None,
    pool: Pool,
    axes: int,
    items: int,
    seed: int,
    label: int,
    size: int,
    absorb: bool,
    first: int,
) -> tuple[int, int]:
    """One class from a seed: the cheapest next item until it may stand, then what costs nothing more.

    Entries used so far, and the work in pricings. A class that may not stand gives its items back and has size 0.
    """
    left, cost = pool.left, pool.cost
    _price(hulls, pool, axes, items, seed, label)
    held, loss, chosen, entries, work = ZERO, 0.0, seed, first, items * len(pool.points)
    stands = False
    while chosen >= 0:
        units = left[chosen]
        if held < size and units < 2 * size and (not absorb or units >= 2 * size - held):
            units = min(units, size - held)
        if rules is not None:
            units = max(1, min(units, _room(rules, pool, chosen, held, size)))
            _count(rules, pool, chosen, units)
        left[chosen] -= units
        held += units
        pool.item[entries], pool.owner[entries], pool.units[entries] = chosen, label, units
        pool.held_rows[entries - first], pool.held_units[entries - first] = pool.row[chosen], units
        entries += 1
        loss = max(loss, cost[chosen])
        work += OVERHEAD + items * (1 + _stretch(hulls, pool, axes, items, label, chosen))
        if left[chosen] == 0:
            cost[chosen] = np.inf
        stands, broken = held >= size, (-1, -1)
        if rules is not None and stands:
            broken = _crowded(rules, pool.held_rows, pool.held_units, entries - first)
            stands = broken[0] < 0
        if stands and not absorb:
            break
        chosen = _next(rules, pool, items, held, size, loss + ROUNDED_AWAY if stands else np.inf, stands, broken)
    if rules is not None:
        for entry in range(first, entries):
            _count(rules, pool, pool.item[entry], -pool.units[entry])
    if not stands:
        for entry in range(first, entries):
            left[pool.item[entry]] += pool.units[entry]
        entries, held = first, ZERO
    pool.sizes[label], pool.losses[label] = held, loss
    return entries, work


@inlined
def _cost_in(hulls: Hulls, pool: Pool, axes: int, item: int, label: int) -> float:
    """Loss per record of a class with one more item."""
    total = 0.0
    for a in range(axes):
        j = pool.axes[a]
        at = pool.points[j, item]
        total += term(hulls, j, min(pool.lo[label, j], at), max(pool.hi[label, j], at))
    return total


@inlined
def _take_in(pool: Pool, axes: int, item: int, label: int) -> None:
    """The hull of a class takes in an item."""
    for a in range(axes):
        j = pool.axes[a]
        at = pool.points[j, item]
        pool.lo[label, j], pool.hi[label, j] = min(pool.lo[label, j], at), max(pool.hi[label, j], at)


@inlined
def _hand_out(hulls: Hulls, rules: Rules | None, pool: Pool, axes: int, items: int, classes: int, entries: int) -> int:
    """Leftovers go where they cost least, if rules allow; -1 if they go nowhere."""
    for i in range(items):
        units = pool.left[i]
        if units == 0:
            continue
        best, where, then = np.inf, -1, 0.0
        for label in range(classes):
            total = _cost_in(hulls, pool, axes, i, label)
            more = (pool.sizes[label] + units) * total - pool.sizes[label] * pool.losses[label]
            if more < best - ROUNDED_AWAY * pool.sizes[label] and _obeys(rules, pool, label, entries, i):
                best, where, then = more, label, total
        if where < 0:
            return where
        pool.item[entries], pool.owner[entries], pool.units[entries] = i, where, units
        entries += 1
        pool.left[i] = 0
        pool.sizes[where] += units
        pool.losses[where] = then
        _take_in(pool, axes, i, where)
    return entries


@kernel
def _obeys(rules: Rules | None, pool: Pool, label: int, entries: int, item: int) -> bool:
    """Whether a class obeys the rules with what is left of one more item."""
    if rules is None:
        return True
    pool.held_rows[0], pool.held_units[0], count = pool.row[item], pool.left[item], 1
    for entry in range(entries):
        if pool.owner[entry] == label:
            pool.held_rows[count], pool.held_units[count] = pool.row[pool.item[entry]], pool.units[entry]
            count += 1
    return obeyed_by(rules, pool.held_rows, pool.held_units, count)


@kernel
def attempt(
    hulls: Hulls, rules: Rules | None, pool: Pool, items: int, size: int, state: Words, pricings: Ints
) -> tuple[float, int, int]:
    """Regroup a pool once; loss, classes, entries. The loss is infinite if a class breaks a rule."""
    hulls, pool = lent(hulls), lent(pool)
    units, axes = ZERO, find_axes(hulls, pool, items)
    for i in range(items):
        pool.left[i] = pool.amount[i]
        units += pool.amount[i]
    classes, entries, absorb = ZERO, ZERO, draw(state) % 4 > 0
    while units >= size:
        seed = _pick(pool, items, units, state)
        entries, work = _grow(hulls, rules, pool, axes, items, seed, classes, size, absorb, entries)
        pricings[0] += work + OVERHEAD
        if pool.sizes[classes] == 0:
            break
        units -= pool.sizes[classes]
        classes += 1
    if classes == 0:
        return np.inf, ZERO, ZERO
    entries = _hand_out(hulls, rules, pool, axes, items, classes, entries)
    if entries < 0:
        return np.inf, ZERO, ZERO
    total = 0.0
    for label in range(classes):
        total += pool.sizes[label] * pool.losses[label]
    return total, classes, entries
