# SPDX-License-Identifier: Apache-2.0
"""Of two partitions of the same records, each part as the better one has it.

Searches of the same table end with much in common, and each is ahead in other places. A part that both divide among
classes of their own (``kernels/search/crossing.py``) can be taken from either, as D. Whitley et al. do with
tours (2009): what comes of it loses no more than either.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from shoal.engine.kernels.search.crossing import link_parts
from shoal.engine.refining.holdings import Holdings
from shoal.engine.refining.hull_losses import hull_losses
from shoal.engine.refining.hull_state import HullState
from shoal.ground.arrays import Floats, Ints

LEAST_GAIN = 1e-9
"""Less is rounding, in shares of the loss."""


def crossed(one: HullState, other: HullState) -> HullState:
    """Each part as the partition has it that loses less there, the first if both lose the same."""
    first, second = one.holdings, other.holdings
    many = len(first)
    begin, _, node, units = entries_by_atom(first, second, len(one.atoms.points))
    parent = _equal_classes(first, second, len(one.atoms.points))
    link_parts(begin, node, units, parent)
    change = np.bincount(parent, np.concatenate([-_carried(one), _carried(other)]), minlength=len(parent))
    is_better = change[parent] < -LEAST_GAIN * one.loss()
    kept, taken = np.flatnonzero(~is_better[:many]), np.flatnonzero(is_better[many:])
    return replace(one, holdings=Holdings.joined([first.take(kept), second.take(taken)]))


def losses(state: HullState) -> Floats:
    """[class] loss per record."""
    return hull_losses(state.hulls, *state.ends)


def _carried(state: HullState) -> Floats:
    """[class] loss of all its records."""
    return losses(state) * state.holdings.sizes


def entries_by_atom(first: Holdings, second: Holdings, atoms: int) -> tuple[Ints, Ints, Ints, Ints]:
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
    sums = [
        np.add.reduceat(number[held.atom] * held.amount.astype(np.uint64), held.begin[:-1]) for held in (first, second)
    ]
    parent = np.arange(len(first) + len(second))
    order = np.argsort(sums[0], kind="stable")
    place = np.minimum(np.searchsorted(sums[0][order], sums[1]), len(order) - 1)
    found = order[place]
    equal = sums[0][found] == sums[1]
    _, once = np.unique(found[equal], return_index=True)  # several equal classes: one pair of them will do
    theirs = np.flatnonzero(equal)[once]
    parent[len(first) + theirs] = found[theirs]
    return parent
