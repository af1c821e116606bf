# SPDX-License-Identifier: Apache-2.0
"""A region of one partition in the place of what another has there: which copies belong together, and mending.

Where the region ends, records are left without a class, and classes without enough records.
"""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.hull import Hulls, increase
from shoal.engine.kernels.rules import ZERO
from shoal.engine.kernels.search.block_moves import shrink, take
from shoal.engine.kernels.search.class_block import Block, add, empty, span
from shoal.ground.arrays import Floats, Ints

MOST_CHOICES = 4096
"""Ways to pair a class of one partition with one of the other that are compared; if an atom has more, none are."""


@inlined
def _shared(keys: Ints, weights: Floats, key: int) -> float:
    """How many records two classes share for certain; ``keys`` are in order."""
    at = np.searchsorted(keys, key)
    return weights[at] if at < len(keys) and keys[at] == key else 0.0


@inlined
def _best_pair(
    node: Ints, left: Ints, first: int, middle: int, last: int, keys: Ints, weights: Floats, classes: int
) -> tuple[int, int]:
    """An entry of each partition whose classes share most, of those that have something left; -1 if none have."""
    one, other, most = -1, -1, -1.0
    for i in range(first, middle):
        for j in range(middle if left[i] > 0 else last, last):
            if left[j] > 0:
                shared = _shared(keys, weights, node[i] * classes + node[j])
                if shared > most:
                    one, other, most = i, j, shared
                if (middle - first) * (last - middle) > MOST_CHOICES:
                    return i, j
    return one, other


@kernel
def pair_copies(
    begin: Ints, middle: Ints, node: Ints, units: Ints, keys: Ints, weights: Floats, classes: int, pairs: Ints
) -> int:
    """Pair what classes of one partition hold of each atom with what those of the other hold; how many pairs.

    An atom has the entries ``begin .. middle`` in one partition and ``middle .. begin`` of the next atom in the other.
    A pair is an atom, two classes and a number of records. Classes that share many records for certain, since each
    partition has the atom in one class only (``keys`` and ``weights``), go first.
    """
    left, found = units.copy(), ZERO
    for atom in range(len(begin) - 1):
        first, last = begin[atom], begin[atom + 1]
        while True:
            one, other = _best_pair(node, left, first, middle[atom], last, keys, weights, classes)
            if one < 0:
                break
            some = min(left[one], left[other])
            pairs[found, 0], pairs[found, 1], pairs[found, 2], pairs[found, 3] = atom, node[one], node[other], some
            left[one] -= some
            left[other] -= some
            found += 1
    return found


# -- mending -------------------------------------------------------------------------------------------------------


@inlined
def _cheapest(hulls: Hulls, block: Block, points: Floats, atom: int, units: int, source: int) -> int:
    """The other class whose loss grows least by some units."""
    best, chosen = np.inf, -1
    for label in range(block.in_use[0]):
        if label == source or block.sizes[label] == 0:
            continue
        cost = increase(hulls, block.lo[label], block.hi[label], block.sizes[label], points, atom, units)
        if cost < best:
            best, chosen = cost, label
    return chosen


@kernel
def dissolve(hulls: Hulls, block: Block, points: Floats, label: int) -> None:
    """Each atom of a class goes where it costs least; the class stays if there is no other."""
    hulls, points = lent(hulls), lent(points)
    while block.head[label] >= 0:
        atom, units = block.atom[block.head[label]], block.amount[block.head[label]]
        home = _cheapest(hulls, block, points, atom, units, label)
        if home < 0:
            return
        take(block, atom, units, label)  # first: there are no more entries than records
        add(block, home, atom, units, points, atom)
        span(hulls, block, home)
    empty(block, label)


@kernel
def _fetch_one(hulls: Hulls, block: Block, points: Floats, label: int, size: int) -> bool:
    """The atom that costs a class least comes from one that has more records than it needs; False if none has."""
    hulls, points = lent(hulls), lent(points)
    best, source, atom, held = np.inf, -1, -1, block.sizes[label]
    for other in range(block.in_use[0]):
        entry = block.head[other] if other != label and block.sizes[other] > size else -1
        while entry >= 0:
            cost = increase(hulls, block.lo[label], block.hi[label], held, points, block.atom[entry], 1)
            cost -= block.losses[other]
            if cost < best:
                best, source, atom = cost, other, block.atom[entry]
            entry = block.next[entry]
    if source < 0:
        return False
    entry = block.head[source]
    while block.atom[entry] != atom:
        entry = block.next[entry]
    units = min(block.amount[entry], block.sizes[source] - size, size - held)
    if take(block, atom, units, source):
        shrink(hulls, block, points, source)
    add(block, label, atom, units, points, atom)
    span(hulls, block, label)
    return True


@kernel
def mend(hulls: Hulls, block: Block, points: Floats, rest: int, size: int) -> None:
    """The records of the class ``rest``, if it is one, find others; classes too small are filled up, or dissolved."""
    if rest >= 0:
        dissolve(hulls, block, points, rest)
    for label in range(block.in_use[0]):
        while 0 < block.sizes[label] < size:
            if not _fetch_one(hulls, block, points, label, size):
                dissolve(hulls, block, points, label)
