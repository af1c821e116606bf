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
def _nets(begin: Ints, node: Ints, units: Ints, parent: Ints, atom: int, part: Ints, net: Ints) -> int:
    """The parts that do not have as many of an atom from one partition as from the other, and how many more."""
    many = ZERO
    for entry in range(begin[atom], begin[atom + 1]):
        here, at = _part(parent, node[entry]), 0
        while at < many and part[at] != here:
            at += 1
        if at == many:
            part[at], net[at] = here, 0
            many += 1
        net[at] += units[entry]
    left = ZERO
    for at in range(many):
        if net[at] != 0:
            part[left], net[left] = part[at], net[at]
            left += 1
    return left


@inlined
def _largest_pair(net: Ints, many: int) -> tuple[int, int]:
    """A part with more from one partition and one with more from the other: equal amounts if there are, else most."""
    more, less = 0, 0
    for i in range(many):
        for j in range(many):
            if net[i] > 0 and net[j] == -net[i]:
                return i, j
        if net[i] > net[more]:
            more = i
        if net[i] < net[less]:
            less = i
    return more, less


@kernel
def link_parts(begin: Ints, node: Ints, units: Ints, parent: Ints) -> None:
    """Link classes until every part has as many of each atom from one partition as from the other.

    ``begin[atom] .. begin[atom + 1]`` are its entries: a class, and how many it holds, below 0 in the other partition.
    ``parent`` is a forest of classes, linked where that is known beforehand.
    """
    most = ZERO
    for atom in range(len(begin) - 1):
        most = max(most, begin[atom + 1] - begin[atom])
    part, net, open_atoms = np.empty(most, np.int64), np.empty(most, np.int64), np.arange(len(begin) - 1)
    left, choosing = len(open_atoms), 0
    while left > 0:
        kept, fewest = ZERO, most + 1
        for place in range(left):
            atom = open_atoms[place]
            many = _nets(begin, node, units, parent, atom, part, net)
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
                i, j = _largest_pair(net, many)
                _link(parent, part[i], part[j])
            fewest = min(fewest, many)
            open_atoms[kept] = atom
            kept += 1
        choosing = 0 if kept < left else fewest
        left = kept
    for label in range(len(parent)):
        parent[label] = _part(parent, label)
