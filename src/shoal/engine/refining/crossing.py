# SPDX-License-Identifier: Apache-2.0
"""What is good about two partitions of the same records in one.

Searches of the same table end with much in common, and each is ahead in other places.

*Crossing* takes each part that both divide among classes of their own (``kernels/search/crossing.py``) as the cheaper
one has it, as D. Whitley et al. do with tours (2009): never worse than either.

*Grafting* goes on where such parts are too large: it takes a whole region of classes from the other partition although
a few records lie across its edge. These have to go elsewhere, which is taken to cost a *leak* for each. The best region is
then a cheapest cut: for each record the pair of its classes costs what the record loses in the partition that is
taken; if only its own class is given up, what it loses in the dearer one, and a leak; if it has two classes, what it
loses in the cheaper one, and a leak. What really comes of it says the search that follows; crossing with the partition
that was there before keeps the places where it was worth it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.engine.kernels.flows import source_side
from shoal.engine.kernels.hull import loss
from shoal.engine.kernels.search.class_block import close_block, open_block
from shoal.engine.kernels.search.crossing import link_parts
from shoal.engine.kernels.search.grafting import mend, pair_copies
from shoal.engine.refining.holdings import Holdings
from shoal.engine.refining.hull_state import HullState
from shoal.ground.arrays import Floats, Ints

LEAST_GAIN = 1e-9
"""Less is rounding, in shares of the loss."""


def crossed(one: HullState, other: HullState) -> HullState:
    """Each part as the partition has it that loses less there, the first if both lose the same."""
    first, second = one.holdings, other.holdings
    many = len(first)
    begin, _, node, units = _entries(first, second, len(one.atoms.points))
    parent = _equal_classes(first, second, len(one.atoms.points))
    link_parts(begin, node, units, parent)
    change = np.bincount(parent, np.concatenate([-_carried(one), _carried(other)]), minlength=len(parent))
    is_better = change[parent] < -LEAST_GAIN * one.loss()
    kept, taken = np.flatnonzero(~is_better[:many]), np.flatnonzero(is_better[many:])
    return replace(one, holdings=Holdings.joined([first.take(kept), second.take(taken)]))


def grafted(one: HullState, other: HullState, leak: float) -> HullState:
    """The first partition with the region of the other that promises most; ``leak`` is in mean weights."""
    many, pairs = len(one.holdings), _pairs(one, other)
    mean_weight = one.cells / len(one.kept) / one.atoms.points.shape[1]
    given_up, taken = _region(pairs, _losses(one), _losses(other), leak * mean_weight)
    atom, mine, theirs, units = pairs.T
    keeps, takes = ~given_up[mine], taken[theirs]
    # Where a record has two classes, it stays in its own, unless that one has enough without it and the other has not.
    lost, came, both = ~keeps & ~takes, ~keeps & takes, keeps & takes
    sizes = np.bincount(mine[keeps & ~takes], units[keeps & ~takes], many)
    wanted = np.bincount(theirs[came], units[came], len(taken))
    for place in np.flatnonzero(both):
        here, there = one.size - sizes[mine[place]], one.size - wanted[theirs[place]]
        if there > max(here, 0):
            wanted[theirs[place]] += units[place]
            came[place] = True
        else:
            sizes[mine[place]] += units[place]
    owner = np.where(lost, many + len(taken), np.where(came, many + theirs, mine))
    held = _gathered(owner, atom, units, len(one.atoms.points))
    rest = len(held) - 1 if lost.any() else -1
    given = one.atoms.points, np.zeros(len(one.atoms.points)), held.begin, held.atom, held.amount, one.size, 1
    block = open_block(one.hulls, *given)
    mend(one.hulls, block, one.atoms.points, rest if rest >= 0 else len(held), one.size)
    return replace(one, holdings=Holdings(*close_block(block)))


def _losses(state: HullState) -> Floats:
    """[class] loss per record."""
    lo, hi = state.ends
    return np.array([loss(state.hulls, lo[label], hi[label]) for label in range(len(lo))])


def _carried(state: HullState) -> Floats:
    """[class] loss of all its records."""
    return _losses(state) * state.holdings.sizes


def _entries(first: Holdings, second: Holdings, atoms: int) -> tuple[Ints, Ints, Ints, Ints]:
    """What both hold, by atom: where the entries of each begin and those of the second; class, and units.

    Classes of the second are numbered on, and their units are below 0.
    """
    owner = [np.repeat(np.arange(len(held)), np.diff(held.begin)) for held in (first, second)]
    node = np.concatenate([owner[0], owner[1] + len(first)])
    atom, units = np.concatenate([first.atom, second.atom]), np.concatenate([first.amount, -second.amount])
    order = np.argsort(atom, kind="stable")
    begin = np.searchsorted(atom[order], np.arange(atoms + 1))
    middle = begin[:-1] + np.bincount(first.atom, minlength=atoms)
    return begin, middle, node[order], units[order]


def _equal_classes(first: Holdings, second: Holdings, atoms: int) -> Ints:
    """[class of either] itself, or the class of the first that holds the same, by sums of random numbers of atoms.

    Should two sums be equal by chance, a part is larger than it could be, and nothing else.
    """
    number = np.random.default_rng(0).integers(1, 2**62, atoms, dtype=np.uint64)
    sums = [np.add.reduceat(number[held.atom] * held.amount.astype(np.uint64), held.begin[:-1]) for held in (first, second)]
    parent = np.arange(len(first) + len(second))
    order = np.argsort(sums[0], kind="stable")
    place = np.minimum(np.searchsorted(sums[0][order], sums[1]), len(order) - 1)
    found = order[place]
    equal = sums[0][found] == sums[1]
    _, once = np.unique(found[equal], return_index=True)  # several equal classes: one pair of them will do
    theirs = np.flatnonzero(equal)[once]
    parent[len(first) + theirs] = found[theirs]
    return parent


def _pairs(one: HullState, other: HullState) -> Ints:
    """[pair] an atom, the class of either partition, and how many records they have in common."""
    first, second, atoms = one.holdings, other.holdings, len(one.atoms.points)
    begin, middle, node, units = _entries(first, second, atoms)
    classes = len(first) + len(second)
    alone = np.flatnonzero((middle - begin[:-1] == 1) & (begin[1:] - middle == 1))
    keys, where = np.unique(node[begin[alone]] * classes + node[middle[alone]], return_inverse=True)
    weights = np.bincount(where, units[begin[alone]], len(keys)).astype(np.float64)
    pairs = np.empty((len(node), 4), np.int64)
    pairs = pairs[: pair_copies(begin, middle, node, np.abs(units), keys, weights, classes, pairs)]
    pairs[:, 2] -= len(first)
    return pairs


def _region(pairs: Ints, mine: Floats, theirs: Floats, leak: float) -> tuple[np.ndarray, np.ndarray]:
    """[class of either] whether it is in the best region: given up in one partition, taken from the other."""
    keys, where = np.unique(pairs[:, 1] * len(theirs) + pairs[:, 2], return_inverse=True)
    units = np.bincount(where, pairs[:, 3], len(keys))
    a, b = keys // len(theirs), keys % len(theirs)
    kept, lost, came = units * mine[a], units * (np.maximum(mine[a], theirs[b]) + leak), units * theirs[b]
    both = units * (np.minimum(mine[a], theirs[b]) + leak)
    many, n = len(mine), len(mine) + len(theirs)
    alone = np.bincount(a, lost - kept, n) + np.bincount(many + b, came - lost, n)
    ends = np.arange(n)
    tail = np.concatenate([np.where(alone > 0, ends, n), many + b])
    head = np.concatenate([np.where(alone > 0, n + 1, ends), a])
    room = np.concatenate([np.abs(alone), np.maximum(both + lost - kept - came, 0.0)])
    side = source_side(*_network(tail, head, room, n + 2), n, n + 1)
    return side[:many] > 0, side[many:n] > 0


def _network(tail: Ints, head: Ints, room: Floats, nodes: int) -> tuple[Ints, Ints, Floats, Ints]:
    """Arcs by where they begin, each with one that leads back: begin, head, room, twin."""
    tails = np.concatenate([tail, head])
    order = np.argsort(tails, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    twin = place[np.roll(np.arange(len(order)), len(tail))][order]
    begin = np.searchsorted(tails[order], np.arange(nodes + 1))
    rooms = np.concatenate([room, np.zeros(len(room))])
    return begin, np.concatenate([head, tail])[order], rooms[order], twin


def _gathered(owner: Ints, atom: Ints, units: Ints, atoms: int) -> Holdings:
    """Classes from who holds what; those of nobody are left out, the others keep their order."""
    keys, where = np.unique(owner * atoms + atom, return_inverse=True)
    amount = np.bincount(where, units, len(keys)).astype(np.int64)
    label = np.unique(keys // atoms, return_inverse=True)[1]
    begin = np.searchsorted(label, np.arange(label.max() + 2))
    return Holdings(begin.astype(np.int64), keys % atoms, amount)
