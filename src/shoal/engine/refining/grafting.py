# SPDX-License-Identifier: Apache-2.0
"""A region of one partition in the place of what another has there.

Where two partitions have no parts of their own to exchange (``crossing.py``), a whole region of classes is taken from
the other one although a few records lie across its edge. These have to go elsewhere, which is taken to cost a *leak*
for each. The best region is then a cheapest cut: a record costs what it loses in the partition that is taken where it
lies; if only its own class is given up, what it loses in the dearer one, and a leak; if it has two classes now, what it
loses in the cheaper one, and a leak.

What really comes of it shows in the search that follows; crossing with the partition that was there before keeps the
places where it was worth it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.engine.kernels.flows import source_side
from shoal.engine.kernels.search.class_block import close_block, open_block
from shoal.engine.kernels.search.grafting import mend, pair_copies
from shoal.engine.refining.crossing import entries_by_atom, losses
from shoal.engine.refining.holdings import Holdings
from shoal.engine.refining.hull_state import HullState
from shoal.ground.arrays import Flags, Floats, Ints


def grafted(one: HullState, other: HullState, leak: float) -> HullState:
    """The first partition with the region of the other that promises most; ``leak`` is in mean weights."""
    pairs, points = _pairs(one, other), one.atoms.points
    mean_weight = one.cells / len(one.kept) / points.shape[1]
    given_up, taken = region(pairs, losses(one), losses(other), leak * mean_weight)
    owner, rest = _owners(pairs, given_up, taken, one.size)
    held = _gathered(owner, pairs[:, 0], pairs[:, 3], len(points))
    given = points, np.zeros(len(points)), held.begin, held.atom, held.amount
    block = open_block(one.hulls, *given, one.size, 1)
    mend(one.hulls, block, points, len(held) - 1 if (owner == rest).any() else -1, one.size)
    return replace(one, holdings=Holdings(*close_block(block)))


def _pairs(one: HullState, other: HullState) -> Ints:
    """[pair] an atom, the class of either partition, and how many records they have in common."""
    first, second, atoms = one.holdings, other.holdings, len(one.atoms.points)
    begin, middle, node, units = entries_by_atom(first, second, atoms)
    classes = len(first) + len(second)
    alone = np.flatnonzero((middle - begin[:-1] == 1) & (begin[1:] - middle == 1))
    keys, where = np.unique(node[begin[alone]] * classes + node[middle[alone]], return_inverse=True)
    weights = np.bincount(where, units[begin[alone]], len(keys)).astype(np.float64)
    pairs = np.empty((len(node), 4), np.int64)
    pairs = pairs[: pair_copies(begin, middle, node, np.abs(units), keys, weights, classes, pairs)]
    pairs[:, 2] -= len(first)
    return pairs


def region(pairs: Ints, mine: Floats, theirs: Floats, leak: float) -> tuple[Flags, Flags]:
    """[class of either] whether it is in the best region: given up in one partition, taken from the other."""
    keys, where = np.unique(pairs[:, 1] * len(theirs) + pairs[:, 2], return_inverse=True)
    units = np.bincount(where, pairs[:, 3], len(keys))
    a, b = keys // len(theirs), keys % len(theirs)
    kept, lost, came = units * mine[a], units * (np.maximum(mine[a], theirs[b]) + leak), units * theirs[b]
    twice = units * (np.minimum(mine[a], theirs[b]) + leak)
    many, n = len(mine), len(mine) + len(theirs)
    alone = np.bincount(a, lost - kept, n) + np.bincount(many + b, came - lost, n)
    ends = np.arange(n)
    tail = np.concatenate([np.where(alone > 0, ends, n), many + b])
    head = np.concatenate([np.where(alone > 0, n + 1, ends), a])
    room = np.concatenate([np.abs(alone), np.maximum(twice + lost - kept - came, 0.0)])
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


def _owners(pairs: Ints, given_up: Flags, taken: Flags, size: int) -> tuple[Ints, int]:
    """[pair] which class has it now, those taken numbered on; and the number behind, for pairs that lost theirs.

    What has two classes stays in its own, unless the other needs it more.
    """
    _, mine, theirs, units = pairs.T
    first = len(given_up)
    stays, comes = ~given_up[mine], taken[theirs]
    held = np.zeros(first + len(taken), np.int64)
    np.add.at(held, mine[stays & ~comes], units[stays & ~comes])
    np.add.at(held, first + theirs[comes & ~stays], units[comes & ~stays])
    rest = len(held)
    owner = np.where(comes, first + theirs, np.where(stays, mine, rest))
    for pair in np.flatnonzero(stays & comes):
        a, b = mine[pair], first + theirs[pair]
        owner[pair] = b if held[b] < min(size, held[a]) else a
        held[owner[pair]] += units[pair]
    return owner, rest


def _gathered(owner: Ints, atom: Ints, units: Ints, atoms: int) -> Holdings:
    """Classes from who holds what; those of nobody are left out, the others keep their order."""
    keys, where = np.unique(owner * atoms + atom, return_inverse=True)
    amount = np.bincount(where, units, len(keys)).astype(np.int64)
    label = np.unique(keys // atoms, return_inverse=True)[1]
    begin = np.searchsorted(label, np.arange(label.max() + 2))
    return Holdings(begin.astype(np.int64), keys % atoms, amount)
