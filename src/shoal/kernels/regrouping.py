# SPDX-License-Identifier: Apache-2.0
"""Large-neighbourhood search over a block of classes: pool a few neighbours, regroup them, keep what costs less.

Records that are alike are one *atom* with an amount; a class is a list of (atom, amount). One step takes a class that
carries much loss and the one to three classes that fit it best, pools their atoms, and makes classes of the pool anew,
greedily from random starts. Sizes and the number of classes may change. Most of the time goes into smaller steps in
between (:mod:`shoal.kernels.trimming`). A worse result is accepted now and then, as in simulated annealing, while
``heat`` is above 0.

Work is counted in *pricings*: one atom or class priced for one place. The result depends on the block and the seed
alone, so blocks may run on any number of threads.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.class_block import Block, add, carried, close_block, empty, lossy, open_block, span
from shoal.kernels.compile import kernel
from shoal.kernels.hull import Hulls, term
from shoal.kernels.pools import SLACK, Pool, attempt, draw, new_pool, share
from shoal.kernels.rules import NONE, Rules
from shoal.kernels.trimming import NOISE, new_trimming, trim

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

NEIGHBOURS = 3
"""Most classes that are pooled with the chosen one."""
STARTS = 2
"""How often a pool is regrouped; the best counts."""
TRIMS = 0.75
"""Share of the work that goes into trimming."""
LARGEST_POOL = 600
"""Most atoms in a pool: the work on a pool grows with their square."""


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
        factor = 1.0 + NOISE * share(state)
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
def _among(label: int, chosen: Ints, many: int) -> bool:
    """Whether a class is one of the first ``many`` chosen."""
    found = False
    for place in range(many):
        found |= chosen[place] == label
    return found


@kernel
def _replace(hulls: Hulls, block: Block, chosen: Ints, many: int, pool: Pool, best: Any) -> None:
    """Put the classes of the best attempt in the place of the chosen ones."""
    item, owner, units, entries, classes = best
    for place in range(many):
        empty(block, chosen[place])
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
        add(block, labels[owner[entry]], pool.atom[item[entry]], units[entry], pool.points, item[entry])
    for place in range(classes):
        span(hulls, block, labels[place])


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
    """Search one block for ``steps`` pricings; the classes found, as ``begin``, ``atoms``, ``amounts``.

    The classes given obey the rules, and so do those found.
    """
    block = open_block(hulls, points, begin, atoms, amounts, size, NEIGHBOURS + 1)
    pool = new_pool(max(LARGEST_POOL, 8 * size), points.shape[1], rules)
    state = np.array([seed], dtype=np.uint64) | np.uint64(1)
    chosen, value = np.empty(NEIGHBOURS + 1, np.int64), np.empty(NEIGHBOURS + 1)
    item, owner, units = np.empty_like(pool.item), np.empty_like(pool.item), np.empty_like(pool.item)
    trimming, trimmed = new_trimming(points.shape[1]), NONE
    while block.at[2] < steps:
        label = lossy(block, state)
        block.at[2] += 3
        if carried(block, label) <= SLACK:
            continue
        if trimmed <= TRIMS * block.at[2]:
            trimmed -= block.at[2]
            trim(hulls, rules, block, points, row_of, label, size, heat, state, trimming)
            trimmed += block.at[2]
            continue
        _neighbours(hulls, block, label, state, chosen, value)
        many = 2 + draw(state) % NEIGHBOURS
        while chosen[many - 1] < 0:
            many -= 1
        items = _fill(block, points, row_of, chosen, many, pool)
        if items < 0:
            continue
        best, classes, entries = -SLACK - heat * math.log(share(state)), NONE, NONE
        for place in range(many):
            best += carried(block, chosen[place])
        for _ in range(STARTS):
            total, made, used = attempt(hulls, rules, pool, items, size, state, block.at)
            if total < best:
                best, classes, entries = total, made, used
                for i in range(used):
                    item[i], owner[i], units[i] = pool.item[i], pool.owner[i], pool.units[i]
        if classes > 0:
            _replace(hulls, block, chosen, many, pool, (item, owner, units, entries, classes))
    return close_block(block)
