# SPDX-License-Identifier: Apache-2.0
"""Large-neighbourhood search over a block of classes: pool a few neighbours, regroup them, keep what costs less.

Records that are alike are one *atom* with an amount; a class is a list of (atom, amount). One step takes a class that
carries much loss and the one to three classes that fit it best, pools their atoms, and makes classes of the pool anew,
greedily from random starts. Where prices tell what records must lose anyway, it is a class that loses much beyond
that. Sizes and the number of classes may change. Most of the time goes into smaller steps in
between (``trimming``). A worse result is accepted now and then, as in simulated annealing, while
``heat`` is above 0.

Work is counted in *pricings*: one atom or class priced for one place. The result depends on the block and the seed
alone, so blocks may run on any number of threads.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw, share
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import ZERO, Rules
from shoal.engine.kernels.search.board import ABREAST, GLANCE, SCAN, Board, climbed, is_any_below, look, new_board, show
from shoal.engine.kernels.search.class_block import Block, add, carried, close_block, empty, lossy, open_block, span
from shoal.engine.kernels.search.fillers import Fillers, forget_fillers
from shoal.engine.kernels.search.pools import ROUNDED_AWAY, Pool, attempt, new_pool
from shoal.engine.kernels.search.splitting import Knife, can_split, new_knife, split
from shoal.engine.kernels.search.swapping import Swapping, new_swapping, swap
from shoal.engine.kernels.search.trimming import Trimming, new_trimming, trim_once
from shoal.ground.arrays import Floats, Ints, Words

NEIGHBOURS = 3
"""Most classes that are pooled with the chosen one."""
STARTS = 2
"""How often a pool is regrouped; the best counts."""
GROWN = 10
"""So many pools of k are grown into classes, the others split, where there are numbers: growing takes k squared."""
TRIMS, TRIMS_UNDER_RULES = 0.5, 0.75
"""Share of the work that goes into trimming, and that where there are rules about private values."""
SWAPS = 0.5
"""Share of these steps that are swaps, where there are such rules."""
DRAWN, DRAWN_UNPRICED = 8, 3
"""Classes that are drawn to choose from: more where it is known what their records must lose anyway, for what a class
loses beyond that tells where something is left to find, and most classes lose nothing; the loss alone tells less."""
LARGEST_POOL = 600
"""Most atoms in a pool: the work on a pool grows with their square."""


class Best(NamedTuple):
    """The classes that are pooled, and the best attempt at them so far."""

    chosen: Ints
    value: Floats
    """[place] the classes, and by what they were chosen."""
    item: Ints
    owner: Ints
    units: Ints
    """[entry] as in the pool."""
    labels: Ints
    """[class of the attempt] its place in the block."""


def new_best(pool: Pool) -> Best:
    """Room for an attempt at a pool."""
    chosen, entry = np.empty(NEIGHBOURS + 1, np.int64), pool.item
    rest = np.empty_like(entry), np.empty_like(entry), np.empty_like(entry), np.empty_like(pool.sizes)
    return Best(chosen, np.empty(NEIGHBOURS + 1), *rest)


@kernel
def _neighbours(
    hulls: Hulls, block: Block, board: Board, label: int, state: Words, chosen: Ints, value: Floats
) -> None:
    """The classes whose union with ``label`` costs least, more or less, behind it in ``chosen``."""
    hulls, block, board, chosen, value = lent(hulls), lent(block), lent(board), lent(chosen), lent(value)
    lo, hi, mine, last = block.lo[label], block.hi[label], block.sizes[label], len(chosen) - 1
    many, price = block.in_use[0], board.price
    for place in range(last + 1):
        chosen[place], value[place] = -1, np.inf
    chosen[0], value[0] = label, -np.inf
    begin = look(hulls, board, lo, hi, mine, many, state)
    price[label] = np.inf
    for start in range(0, many, ABREAST):
        if not is_any_below(price, start, value[last]):
            continue
        for other in range(start, start + ABREAST):
            if price[other] < value[last]:
                found = price[other] + climbed(hulls, board, lo, hi, mine, other, begin)
                if found < value[last]:
                    insert(value, chosen, last, found, other)
    block.pricings[0] += SCAN + many // GLANCE


@kernel
def _fill(block: Block, points: Floats, row_of: Ints, chosen: Ints, many: int, pool: Pool, place_of: Ints) -> int:
    """Collect the atoms of the chosen classes; how many different ones, -1 if too many.

    ``place_of`` [atom] is scratch: where it is among the items, if it is there at all.
    """
    block, pool, points = lent(block), lent(pool), lent(points)
    items = ZERO
    for place in range(many):
        entry = block.head[chosen[place]]
        while entry >= 0:
            atom = block.atom[entry]
            at = place_of[atom]
            if at >= items or pool.atom[at] != atom:
                if items == len(pool.atom):
                    return -1
                at = place_of[atom] = items
                pool.atom[items] = atom
                pool.amount[items] = 0
                pool.row[items] = row_of[atom]
                for j in range(points.shape[1]):
                    pool.points[j, items] = points[atom, j]
                items += 1
            pool.amount[at] += block.amount[entry]
            entry = block.next[entry]
    return items


@inlined
def _is_among(chosen: Ints, many: int, label: int) -> bool:
    """Whether a class is one of the first ``many`` chosen ones."""
    among = False
    for place in range(many):
        among |= chosen[place] == label
    return among


@kernel
def _replace(
    hulls: Hulls, block: Block, board: Board, fillers: Fillers, points: Floats, many: int, pool: Pool, best: Best,
    entries: int, classes: int,
) -> None:  # fmt: skip
    """Put the classes of the best attempt in the place of the chosen ones."""
    chosen, labels, free = best.chosen, best.labels, ZERO
    for place in range(many):
        empty(block, chosen[place])
    for place in range(classes):
        if place < many:
            labels[place] = chosen[place]
            continue
        while block.head[free] >= 0 or _is_among(chosen, many, free):
            free += 1
        labels[place] = free
        free += 1
    block.in_use[0] = max(block.in_use[0], free)
    for entry in range(entries):
        atom = pool.atom[best.item[entry]]
        add(block, labels[best.owner[entry]], atom, best.units[entry], points, atom)
    for place in range(classes):
        span(hulls, block, labels[place])
        show(hulls, block, board, labels[place])
        forget_fillers(fillers, labels[place])
    for place in range(classes, many):
        show(hulls, block, board, chosen[place])


@kernel
def own_numbers(atoms: Ints, of: int) -> tuple[Ints, Ints]:
    """The different ones of some atoms in the order in which they come, and each one's place among them.

    A block that numbers its atoms so has those of a class side by side in memory, and all of them near each other.
    """
    place_of, held, own = np.empty(of, np.int32), np.empty_like(atoms), np.empty_like(atoms)
    many = 0
    for i in range(len(atoms)):
        at = place_of[atoms[i]]  # whatever stood there before: it counts only if the atom is found where it says
        if not (0 <= at < many and held[at] == atoms[i]):
            at = place_of[atoms[i]] = many
            held[many] = atoms[i]
            many += 1
        own[i] = at
    return held[:many].copy(), own


def regroup(
    hulls: Hulls, rules: Rules | None, points: Floats, worth: Floats, row_of: Ints, begin: Ints, atoms: Ints,
    amounts: Ints, size: int, steps: int, heat: float, is_hasty: bool, seed: int,
) -> tuple[Ints, Ints, Ints]:  # fmt: skip
    """Search one block for ``steps`` pricings; the classes found, as ``begin``, ``atoms``, ``amounts``.

    If it ``is_hasty``, steps of trimming that begin badly stop, where there are several columns of numbers and no
    rules: there they seldom end well. The classes given obey the rules, and so do those found. ``worth`` is what each
    atom must lose anyway, or all 0.
    """
    drawn, (held, atoms) = DRAWN if worth.any() else DRAWN_UNPRICED, own_numbers(atoms, len(points))
    points, worth, row_of = points[held], worth[held], row_of[held]
    block = open_block(hulls, points, worth, begin, atoms, amounts, size, NEIGHBOURS + 1)
    pool = new_pool(max(LARGEST_POOL, 8 * size), points.shape[1], rules)
    state = np.array([seed | 1], dtype=np.uint64)
    board, best = new_board(hulls, block, state), new_best(pool)
    trimming, swapping = new_trimming(block), new_swapping(points.shape[1])
    work, place_of = (trimming, swapping, new_knife(pool)), np.zeros(len(held), np.int64)
    _search(
        hulls, rules, block, board, pool, *work, best, points, row_of, place_of, size, drawn, steps, heat, is_hasty,
        state,
    )  # fmt: skip
    begin, atoms, amounts = close_block(block)
    return begin, held[atoms], amounts


@kernel
def _search(
    hulls: Hulls, rules: Rules | None, block: Block, board: Board, pool: Pool, trimming: Trimming, swapping: Swapping,
    knife: Knife, best: Best, points: Floats, row_of: Ints, place_of: Ints, size: int, drawn: int, steps: int,
    heat: float, is_hasty: bool, state: Words,
) -> None:  # fmt: skip
    chosen, trimmed, trims = best.chosen, ZERO, TRIMS if rules is None else TRIMS_UNDER_RULES
    has_lines = rules is None and can_split(hulls)
    splits, is_hasty = has_lines and size > GROWN, has_lines and is_hasty
    while block.pricings[0] < steps:
        label = lossy(block, drawn, state)
        block.pricings[0] += drawn
        if carried(block, label) <= ROUNDED_AWAY:
            continue
        if trimmed <= trims * block.pricings[0]:
            trimmed -= block.pricings[0]
            if rules is not None and share(state) < SWAPS:
                swap(hulls, rules, block, board, points, row_of, label, size, heat, state, trimming, swapping)
            else:
                trim_once(hulls, rules, block, board, points, row_of, label, size, heat, is_hasty, state, trimming)
            trimmed += block.pricings[0]
            continue
        _neighbours(hulls, block, board, label, state, chosen, best.value)
        many = 2 + draw(state) % NEIGHBOURS
        while chosen[many - 1] < 0:
            many -= 1
        items = _fill(block, points, row_of, chosen, many, pool, place_of)
        if items < 0:
            continue
        least, classes, entries = -ROUNDED_AWAY - heat * math.log(share(state)), ZERO, ZERO
        for place in range(many):
            least += carried(block, chosen[place])
        is_split = splits and share(state) * size > GROWN
        for _ in range(1 if is_split else STARTS):
            if is_split:
                total, made, used = split(hulls, pool, items, size, block.pricings, knife)
            else:
                total, made, used = attempt(hulls, rules, pool, items, size, state, block.pricings)
            if total < least:
                least, classes, entries = total, made, used
                for i in range(used):
                    best.item[i], best.owner[i], best.units[i] = pool.item[i], pool.owner[i], pool.units[i]
        if classes > 0:
            _replace(hulls, block, board, trimming.fillers, points, many, pool, best, entries, classes)
