# SPDX-License-Identifier: Apache-2.0
"""A block of neighbouring classes under search: who holds how many of which atom, with hulls, sizes and losses.

Records that are alike are one *atom* with an amount; a class is a chain of entries (atom, amount).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.hull import Hulls, term
from shoal.kernels.pools import draw

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


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


@kernel
def span(hulls: Hulls, block: Block, label: int) -> None:
    """Loss per record of a class from its hull."""
    kind, scale, cap, start, size, tables, ancestors = hulls
    total = 0.0
    for j in range(len(kind)):
        total += term(
            kind[j], scale[j], cap[j], start[j], size[j], tables, ancestors, block.lo[label, j], block.hi[label, j]
        )
    block.losses[label] = total


@kernel
def empty(block: Block, label: int) -> None:
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
def put(block: Block, label: int, atom: int, amount: int, points: Floats, row: int) -> None:
    """Put an atom into a class that holds none of it; ``points[row]`` is where it lies."""
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
def add(block: Block, label: int, atom: int, amount: int, points: Floats, row: int) -> None:
    """Put an atom into a class that may hold some of it already: every class has one entry for an atom at most."""
    entry = block.head[label]
    while entry >= 0 and block.atom[entry] != atom:
        entry = block.next[entry]
    if entry >= 0:
        block.amount[entry] += amount
        block.sizes[label] += amount
    else:
        put(block, label, atom, amount, points, row)


@kernel
def open_block(hulls: Hulls, points: Floats, begin: Ints, atoms: Ints, amounts: Ints, size: int, spare: int) -> Block:
    """The block of the classes ``begin[c] .. begin[c + 1]``."""
    n_classes, d, units = len(begin) - 1, points.shape[1], amounts.sum()
    most = max(n_classes, units // size) + spare
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
            put(block, label, atoms[i], amounts[i], points, atoms[i])
        span(hulls, block, label)
    return block


@kernel
def carried(block: Block, label: int) -> float:
    """Loss of all records of a class."""
    return block.sizes[label] * block.losses[label]


@kernel
def lossy(block: Block, state: Words) -> int:
    """Of three random classes, the one that carries most loss."""
    chosen = draw(state) % block.at[0]
    for _ in range(2):
        other = draw(state) % block.at[0]
        if carried(block, other) > carried(block, chosen):
            chosen = other
    return chosen


@kernel
def close_block(block: Block) -> tuple[Ints, Ints, Ints]:
    """The classes of a block, end to end."""
    n_classes, n_entries = 0, 0
    for label in range(block.at[0]):
        entry = block.head[label]
        n_classes += entry >= 0
        while entry >= 0:
            n_entries += 1
            entry = block.next[entry]
    begin = np.zeros(n_classes + 1, np.int64)
    atoms, amounts = np.empty(n_entries, np.int64), np.empty(n_entries, np.int64)
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
