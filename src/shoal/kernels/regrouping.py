# SPDX-License-Identifier: Apache-2.0
"""Large-neighbourhood search over a block of classes: pool a few neighbours, regroup them, keep what costs less.

Records that are alike are one *atom* with an amount; a class is a list of (atom, amount). One step takes a class that
carries much loss and the one to three classes that fit it best, pools their atoms, and makes classes of the pool anew,
greedily from random starts. Sizes and the number of classes may change. A worse result is accepted now and then, as in
simulated annealing, while ``heat`` is above 0.

Work is counted in *pricings*: one atom or class priced for one place. The result depends on the block and the seed
alone, so blocks may run on any number of threads.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import Hulls, term
from shoal.kernels.rules import Rules, obeyed_by, settled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Words = NDArray[np.uint64]

NEIGHBOURS = 3
"""Most classes that are pooled with the chosen one."""
STARTS = 2
"""How often a pool is regrouped; the best counts."""
NOISE = 0.3
"""Neighbours are ranked by the cost of a union, times a random factor of 1 to 1 + NOISE."""
LARGEST_POOL = 600
"""Most atoms in a pool: the work on a pool grows with their square."""
SLACK = 1e-12
OVERHEAD = 25
"""Pricings that the rest of the work on a record is worth."""
NONE = np.int64(0)
"""A zero that the compiler does not take for a constant: it would compile whatever it is passed to twice."""


class Block(NamedTuple):
    """The classes of a block; lists of atoms are chained through ``next``."""

    lo: Floats
    hi: Floats
    sizes: Ints
    losses: Floats
    """[class] loss per record."""
    head: Ints
    """[class] its first entry, -1 if it has none."""
    next: Ints
    """[entry] the next one, -1 at the end; unused entries are chained, too."""
    atom: Ints
    amount: Ints
    at: Ints
    """[classes in use, first unused entry, pricings]"""


class Pool(NamedTuple):
    """Atoms under regrouping, and one attempt at it."""

    points: Floats
    atom: Ints
    amount: Ints
    left: Ints
    """[item] not yet in a class."""
    row: Ints
    """[item] a row with its private values."""
    part: Floats
    """[item, attribute] term of the class in the making, with the item."""
    cost: Floats
    """[item] sum of its parts."""
    lo: Floats
    hi: Floats
    sizes: Ints
    losses: Floats
    item: Ints
    owner: Ints
    units: Ints
    """[entry] so many units of the item in the class ``owner``."""
    held_rows: Ints
    held_units: Ints
    """[i] rows, with their amounts, whose private values are looked at together."""


@kernel
def _random(state: Words) -> int:
    """The next of 2^53 numbers (xorshift64*)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return np.int64((x * np.uint64(2685821657736338717)) >> np.uint64(11))


@kernel
def _share(state: Words) -> float:
    """A random number, above 0 and at most 1."""
    return (_random(state) + 1) / 9007199254740992.0


@kernel
def _span(hulls: Hulls, block: Block, label: int) -> None:
    """Hull, size and loss of a class from its entries."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    total = 0.0
    for j in range(len(kind)):
        total += term(
            kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, block.lo[label, j], block.hi[label, j]
        )
    block.losses[label] = total


@kernel
def _empty(block: Block, label: int) -> None:
    """Take all entries out of a class."""
    entry = block.head[label]
    while entry >= 0:
        after = block.next[entry]
        block.next[entry] = block.at[1]
        block.at[1] = entry
        entry = after
    block.head[label] = -1
    block.sizes[label] = 0
    block.losses[label] = 0.0
    for j in range(block.lo.shape[1]):
        block.lo[label, j] = np.inf
        block.hi[label, j] = -np.inf


@kernel
def _put(block: Block, label: int, atom: int, amount: int, points: Floats, row: int) -> None:
    """Put an atom into a class; ``points[row]`` is where it lies."""
    entry = block.at[1]
    block.at[1] = block.next[entry]
    block.next[entry] = block.head[label]
    block.head[label] = entry
    block.atom[entry] = atom
    block.amount[entry] = amount
    block.sizes[label] += amount
    for j in range(points.shape[1]):
        at = points[row, j]
        block.lo[label, j] = min(block.lo[label, j], at)
        block.hi[label, j] = max(block.hi[label, j], at)


@kernel
def _open(hulls: Hulls, points: Floats, begin: Ints, atoms: Ints, amounts: Ints, size: int) -> Block:
    """The block of the classes ``begin[c] .. begin[c + 1]``."""
    n_classes, d, units = len(begin) - 1, points.shape[1], amounts.sum()
    most = max(n_classes, units // size) + NEIGHBOURS + 1
    block = Block(
        np.full((most, d), np.inf),
        np.full((most, d), -np.inf),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.full(most, -1, np.int64),
        np.arange(1, units + 1),
        np.empty(units, np.int64),
        np.empty(units, np.int64),
        np.array([n_classes, 0, 0]),
    )
    for label in range(n_classes):
        for i in range(begin[label], begin[label + 1]):
            _put(block, label, atoms[i], amounts[i], points, atoms[i])
        _span(hulls, block, label)
    return block


@kernel
def _lossy(block: Block, state: Words) -> int:
    """Of three random classes, the one that carries most loss."""
    chosen = _random(state) % block.at[0]
    for _ in range(2):
        other = _random(state) % block.at[0]
        if block.sizes[other] * block.losses[other] > block.sizes[chosen] * block.losses[chosen]:
            chosen = other
    return chosen


@kernel
def _neighbours(hulls: Hulls, block: Block, label: int, state: Words, chosen: Ints, value: Floats) -> None:
    """The classes whose union with ``label`` costs least, more or less, behind it in ``chosen``."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    lo, hi, sizes, losses = block.lo, block.hi, block.sizes, block.losses
    d, last = lo.shape[1], len(chosen) - 1
    for place in range(last + 1):
        chosen[place], value[place] = -1, np.inf
    chosen[0], value[0] = label, -np.inf
    mine = sizes[label]
    for other in range(block.at[0]):
        if other == label or sizes[other] == 0:
            continue
        factor = 1.0 + NOISE * _share(state)
        limit = (value[last] / factor + sizes[other] * losses[other]) / (mine + sizes[other])
        total = 0.0
        for j in range(d):
            low, high = min(lo[label, j], lo[other, j]), max(hi[label, j], hi[other, j])
            total += term(kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, low, high)
            if total >= limit:
                break
        if total >= limit:
            continue
        place = last
        found = ((mine + sizes[other]) * total - sizes[other] * losses[other]) * factor
        while value[place - 1] > found:
            value[place], chosen[place] = value[place - 1], chosen[place - 1]
            place -= 1
        value[place], chosen[place] = found, other
    block.at[2] += 3 * block.at[0]


@kernel
def _fill(block: Block, points: Floats, row_of: Ints, chosen: Ints, many: int, pool: Pool) -> int:
    """Collect the atoms of the chosen classes; how many different ones, -1 if too many."""
    items = 0
    for place in range(many):
        entry = block.head[chosen[place]]
        while entry >= 0:
            atom, at = block.atom[entry], 0
            while at < items and pool.atom[at] != atom:
                at += 1
            if at == items:
                if items == len(pool.atom):
                    return -1
                pool.atom[items] = atom
                pool.amount[items] = 0
                pool.row[items] = row_of[atom]
                for j in range(points.shape[1]):
                    pool.points[items, j] = points[atom, j]
                items += 1
            pool.amount[at] += block.amount[entry]
            entry = block.next[entry]
    return items


@kernel
def _pick(pool: Pool, items: int, units: int, state: Words) -> int:
    """A random unit's item."""
    at = _random(state) % units
    for i in range(items):
        at -= pool.left[i]
        if at < 0:
            return i
    return -1


@kernel
def _price(hulls: Hulls, pool: Pool, items: int, seed: int) -> None:
    """Cost of each item together with the seed."""
    kind, scale, cap, start, width, tables, ancestors = hulls
    points, part, cost = pool.points, pool.part, pool.cost
    for i in range(items):
        cost[i] = 0.0
    for j in range(points.shape[1]):
        at = points[seed, j]
        for i in range(items):
            low, high = min(at, points[i, j]), max(at, points[i, j])
            part[i, j] = term(kind[j], scale[j], cap[j], start[j], width[j], tables, ancestors, low, high)
            cost[i] += part[i, j]


@kernel
def _stretch(hulls: Hulls, pool: Pool, items: int, label: int, taken: int) -> int:
    """Stretch a hull to an item and price all items anew; on how many attributes it grew."""
    kind, scale, cap, start, width, tables, ancestors = hulls
    points, part, cost, lo, hi = pool.points, pool.part, pool.cost, pool.lo, pool.hi
    grown = 0
    for j in range(points.shape[1]):
        low, high = min(lo[label, j], points[taken, j]), max(hi[label, j], points[taken, j])
        if low == lo[label, j] and high == hi[label, j]:
            continue
        lo[label, j], hi[label, j] = low, high
        grown += 1
        one, by, most, first, leaves = kind[j], scale[j], cap[j], start[j], width[j]
        for i in range(items):
            at = points[i, j]
            now = term(one, by, most, first, leaves, tables, ancestors, min(low, at), max(high, at))
            cost[i] += now - part[i, j]
            part[i, j] = now
    return grown


@kernel
def _crowded(rules: Rules, rows: Ints, units: Ints, count: int) -> tuple[int, int]:
    """The first rule that some records break, and the value that stands most above its share in the whole table."""
    for rule in range(len(rules.kind)):
        codes, counts, met, target = rules.codes, rules.counts, rules.met, rules.target
        size, values, most, code = NONE, NONE, -np.inf, -1
        for i in range(count):
            one = codes[rule, rows[i]]
            if counts[one] == 0:
                met[values] = one
                values += 1
            counts[one] += units[i]
            size += units[i]
        for i in range(values):
            above = counts[met[i]] / size - target[rules.start[rule] + met[i]]
            if above > most:
                most, code = above, met[i]
        if not settled(rules, rule, values, size):
            return rule, code
    return -1, -1


@kernel
def _grow(
    hulls: Hulls, rules: Rules, pool: Pool, items: int, seed: int, label: int, size: int, absorb: bool, first: int
) -> tuple[int, int]:
    """One class from a seed: the cheapest next item until it may stand, then what costs nothing more.

    Entries used so far, and the work in pricings.
    """
    left, cost, row = pool.left, pool.cost, pool.row
    for j in range(pool.points.shape[1]):
        pool.lo[label, j] = pool.hi[label, j] = pool.points[seed, j]
    _price(hulls, pool, items, seed)
    held, loss, chosen, entries, work = 0, 0.0, seed, first, items * pool.points.shape[1]
    while chosen >= 0:
        units = left[chosen]
        if held < size and units < 2 * size and (not absorb or units >= 2 * size - held):
            units = min(units, size - held)
        left[chosen] -= units
        held += units
        pool.item[entries], pool.owner[entries], pool.units[entries] = chosen, label, units
        pool.held_rows[entries - first], pool.held_units[entries - first] = row[chosen], units
        entries += 1
        loss = max(loss, cost[chosen])
        work += OVERHEAD + items * (1 + _stretch(hulls, pool, items, label, chosen))
        stands, rule, code = held >= size, -1, -1
        if stands and len(rules.kind) > 0:
            rule, code = _crowded(rules, pool.held_rows, pool.held_units, entries - first)
            stands = rule < 0
        chosen, best = -1, loss + SLACK if stands else np.inf
        if stands and not absorb:
            break
        for i in range(items):
            if left[i] > 0 and cost[i] < best and (not stands or left[i] < size):
                if rule < 0 or rules.codes[rule, row[i]] != code:
                    chosen, best = i, cost[i]
    pool.sizes[label], pool.losses[label] = held, loss
    return entries, work


@kernel
def _hand_out(hulls: Hulls, pool: Pool, items: int, classes: int, entries: int) -> int:
    """Leftovers go where they cost least."""
    kind, scale, cap, start, width, tables, ancestors = hulls
    for i in range(items):
        units = pool.left[i]
        if units == 0:
            continue
        best, where, then = np.inf, 0, 0.0
        for label in range(classes):
            total = 0.0
            for j in range(pool.points.shape[1]):
                low, high = min(pool.lo[label, j], pool.points[i, j]), max(pool.hi[label, j], pool.points[i, j])
                total += term(kind[j], scale[j], cap[j], start[j], width[j], tables, ancestors, low, high)
            more = (pool.sizes[label] + units) * total - pool.sizes[label] * pool.losses[label]
            if more < best:
                best, where, then = more, label, total
        pool.item[entries], pool.owner[entries], pool.units[entries] = i, where, units
        entries += 1
        pool.left[i] = 0
        pool.sizes[where] += units
        pool.losses[where] = then
        for j in range(pool.points.shape[1]):
            pool.lo[where, j] = min(pool.lo[where, j], pool.points[i, j])
            pool.hi[where, j] = max(pool.hi[where, j], pool.points[i, j])
    return entries


@kernel
def _attempt(
    hulls: Hulls, rules: Rules, pool: Pool, items: int, size: int, state: Words, at: Ints
) -> tuple[float, int, int]:
    """Regroup a pool once; loss, classes, entries. The loss is infinite if a class breaks a rule."""
    units = NONE
    for i in range(items):
        pool.left[i] = pool.amount[i]
        units += pool.amount[i]
    classes, entries, absorb = NONE, NONE, _random(state) % 4 > 0
    while units >= size:
        seed = _pick(pool, items, units, state)
        entries, work = _grow(hulls, rules, pool, items, seed, classes, size, absorb, entries)
        at[2] += work + OVERHEAD
        units -= pool.sizes[classes]
        classes += 1
    entries = _hand_out(hulls, pool, items, classes, entries)
    if len(rules.kind) > 0 and not _all_obey(rules, pool, classes, entries):
        return np.inf, NONE, NONE
    total = 0.0
    for label in range(classes):
        total += pool.sizes[label] * pool.losses[label]
    return total, classes, entries


@kernel
def _all_obey(rules: Rules, pool: Pool, classes: int, entries: int) -> bool:
    """Whether every class of an attempt obeys the rules."""
    for label in range(classes):
        count = NONE
        for entry in range(entries):
            if pool.owner[entry] == label:
                pool.held_rows[count], pool.held_units[count] = pool.row[pool.item[entry]], pool.units[entry]
                count += 1
        if not obeyed_by(rules, pool.held_rows, pool.held_units, count):
            return False
    return True


@kernel
def _among(label: int, chosen: Ints, many: int) -> bool:
    """Whether a class is one of the first ``many`` chosen."""
    for place in range(many):
        if chosen[place] == label:
            return True
    return False


@kernel
def _replace(hulls: Hulls, block: Block, chosen: Ints, many: int, pool: Pool, best: Any) -> None:
    """Put the classes of the best attempt in the place of the chosen ones."""
    item, owner, units, entries, classes = best
    for place in range(many):
        _empty(block, chosen[place])
    labels, free = np.empty(classes, np.int64), NONE
    for place in range(classes):
        if place < many:
            labels[place] = chosen[place]
            continue
        while block.head[free] >= 0 or _among(free, chosen, many):
            free += 1
        labels[place] = free
        free += 1
    block.at[0] = max(block.at[0], free)
    for entry in range(entries):
        _put(block, labels[owner[entry]], pool.atom[item[entry]], units[entry], pool.points, item[entry])
    for place in range(classes):
        _span(hulls, block, labels[place])


@kernel
def _new_pool(largest: int, d: int) -> Pool:
    """Room for the largest pool."""
    return Pool(
        np.empty((largest, d)),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty((largest, d)),
        np.empty(largest),
        np.empty((2 * largest, d)),
        np.empty((2 * largest, d)),
        np.empty(2 * largest, np.int64),
        np.empty(2 * largest),
        np.empty(4 * largest, np.int64),
        np.empty(4 * largest, np.int64),
        np.empty(4 * largest, np.int64),
        np.empty(4 * largest, np.int64),
        np.empty(4 * largest, np.int64),
    )


@kernel
def regroup(
    hulls: Hulls,
    rules: Rules,
    points: Floats,
    row_of: Ints,
    begin: Ints,
    atoms: Ints,
    amounts: Ints,
    size: int,
    steps: int,
    heat: float,
    seed: int,
) -> tuple[Ints, Ints, Ints]:
    """Search one block for ``steps`` pricings; the classes found, as ``begin``, ``atoms``, ``amounts``."""
    block = _open(hulls, points, begin, atoms, amounts, size)
    pool = _new_pool(max(LARGEST_POOL, 8 * size), points.shape[1])
    state = np.array([seed], dtype=np.uint64) | np.uint64(1)
    chosen, value = np.empty(NEIGHBOURS + 1, np.int64), np.empty(NEIGHBOURS + 1)
    item, owner, units = np.empty_like(pool.item), np.empty_like(pool.item), np.empty_like(pool.item)
    while block.at[2] < steps:
        label = _lossy(block, state)
        block.at[2] += 3
        if block.losses[label] <= SLACK:
            continue
        _neighbours(hulls, block, label, state, chosen, value)
        many = 2 + _random(state) % NEIGHBOURS
        while chosen[many - 1] < 0:
            many -= 1
        items = _fill(block, points, row_of, chosen, many, pool)
        if items < 0:
            continue
        best, classes, entries = -SLACK - heat * math.log(_share(state)), NONE, NONE
        for place in range(many):
            best += block.sizes[chosen[place]] * block.losses[chosen[place]]
        for _ in range(STARTS):
            total, made, used = _attempt(hulls, rules, pool, items, size, state, block.at)
            if total < best:
                best, classes, entries = total, made, used
                for i in range(used):
                    item[i], owner[i], units[i] = pool.item[i], pool.owner[i], pool.units[i]
        if classes > 0:
            _replace(hulls, block, chosen, many, pool, (item, owner, units, entries, classes))
    return _close(block)


@kernel
def _close(block: Block) -> tuple[Ints, Ints, Ints]:
    """The classes of a block, end to end."""
    n_classes, n_entries = 0, 0
    for label in range(block.at[0]):
        entry = block.head[label]
        n_classes += entry >= 0
        while entry >= 0:
            n_entries += 1
            entry = block.next[entry]
    begin, atoms, amounts = np.zeros(n_classes + 1, np.int64), np.empty(n_entries, np.int64), np.empty(n_entries, np.int64)
    at, number = 0, 0
    for label in range(block.at[0]):
        entry = block.head[label]
        if entry < 0:
            continue
        while entry >= 0:
            atoms[at], amounts[at] = block.atom[entry], block.amount[entry]
            at += 1
            entry = block.next[entry]
        number += 1
        begin[number] = at
    return begin, atoms, amounts
