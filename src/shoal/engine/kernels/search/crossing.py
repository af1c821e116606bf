# SPDX-License-Identifier: Apache-2.0
"""Which classes of two partitions hold the same records together, so that either may take the place of the other.

A class of one partition and one of the other that share records are linked; what is linked, directly or through others,
is a *part*. Both partitions have the same records in a part, so each part may be taken from either of them. Records
that are alike can stand in for each other: if a part has as many of an atom from one partition as from the other, this
atom links it to no other. There are many ways to pair copies, and as few links as possible are wanted: equal classes
are paired first, then what has no choice, then equal amounts, then the largest.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.engine.kernels.rules import ZERO
from shoal.ground.arrays import Ints


@inlined
def _part(parent: Ints, node: int) -> int:
    """The part of a class: its lowest class."""
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@inlined
def _link(parent: Ints, one: int, other: int) -> None:
    """Two parts become one."""
    one, other = _part(parent, one), _part(parent, other)
    parent[max(one, other)] = min(one, other)


@inlined
def _nets(begin: Ints, node: Ints, units: Ints, parent: Ints, atom: int, part: Ints, net: Ints, place: Ints) -> int:
    """The parts that do not have as many of an atom from one partition as from the other, and how many more.

    ``place`` is -1 for every class, before and after.
    """
    many = ZERO
    for entry in range(begin[atom], begin[atom + 1]):
        here = _part(parent, node[entry])
        if place[here] < 0:
            place[here], part[many], net[many] = many, here, 0
            many += 1
        net[place[here]] += units[entry]
    left = ZERO
    for at in range(many):
        place[part[at]] = -1
        if net[at] != 0:
            part[left], net[left] = part[at], net[at]
            left += 1
    return left


@inlined
def _largest_pair(net: Ints, many: int, first: Ints) -> tuple[int, int]:
    """A part with more from one partition and one with more from the other: equal amounts if there are, else most.

    ``first`` is -1 for every amount, before and after.
    """
    more, less, equal = ZERO, ZERO, ZERO - 1
    for j in range(many - 1, -1, -1):
        if net[j] < 0:
            first[-net[j]] = j
        if net[j] <= net[less]:
            less = j
    for i in range(many - 1, -1, -1):
        if net[i] > 0 and first[net[i]] >= 0:
            equal = i
        if net[i] >= net[more]:
            more = i
    if equal >= 0:
        more, less = equal, first[net[equal]]
    for j in range(many):
        if net[j] < 0:
            first[-net[j]] = -1
    return more, less


@kernel
def link_parts(begin: Ints, node: Ints, units: Ints, parent: Ints) -> None:
    """Link classes until every part has as many of each atom from one partition as from the other.

    ``begin[atom] .. begin[atom + 1]`` are its entries: a class, and how many it holds, below 0 in the other partition.
    ``parent`` is a forest of classes, linked where that is known beforehand.
    """
    most, amount = ZERO, ZERO
    for atom in range(len(begin) - 1):
        most, here = max(most, begin[atom + 1] - begin[atom]), ZERO
        for entry in range(begin[atom], begin[atom + 1]):
            here += max(units[entry], 0)
        amount = max(amount, here)
    place, first = np.full(len(parent), -1, np.int64), np.full(amount + 1, -1, np.int64)
    part, net, open_atoms = np.empty(most, np.int64), np.empty(most, np.int64), np.arange(len(begin) - 1)
    left, choosing = len(open_atoms), 0
    while left > 0:
        kept, fewest = ZERO, most + 1
        for at in range(left):
            atom = open_atoms[at]
            many = _nets(begin, node, units, parent, atom, part, net, place)
            more = ZERO
            for i in range(many):
                more += net[i] > 0
            if many == 0:
                continue
            if more == 1 or many - more == 1:
                for i in range(1, many):
                    _link(parent, part[0], part[i])
                continue
            if many <= choosing:
                i, j = _largest_pair(net, many, first)
                _link(parent, part[i], part[j])
            fewest = min(fewest, many)
            open_atoms[kept] = atom
            kept += 1
        choosing = 0 if kept < left else fewest
        left = kept
    for label in range(len(parent)):
        parent[label] = _part(parent, label)
