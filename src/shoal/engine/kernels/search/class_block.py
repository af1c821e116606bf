# SPDX-License-Identifier: Apache-2.0
"""A block of neighbouring classes under search: who holds how many of which atom, with hulls, sizes and losses.

Records that are alike are one *atom* with an amount; a class is a chain of entries (atom, amount).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import draw
from shoal.engine.kernels.hull import Hulls, loss, stretch
from shoal.engine.kernels.rules import ZERO
from shoal.ground.arrays import Floats, Ints, Words


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
    worth: Floats
    """[atom] what a record must lose anyway, by the prices of a bound; 0 if that is not known."""
    paid: Floats
    """[class] the worth of all its records."""
    in_use: Ints
    unused: Ints
    pricings: Ints
    """[0] classes in use, the first unused entry, and the work so far."""


@inlined
def span(hulls: Hulls, block: Block, label: int) -> None:
    """Loss per record of a class from its hull."""
    block.losses[label] = loss(hulls, lent(block.lo)[label], lent(block.hi)[label])


@inlined
def close_hull(block: Block, label: int) -> None:
    """The hull of a class that holds nothing."""
    for j in range(block.lo.shape[1]):
        block.lo[label, j], block.hi[label, j] = np.inf, -np.inf


@kernel
def empty(block: Block, label: int) -> None:
    """Take all entries out of a class."""
    entry = block.head[label]
    while entry >= 0:
        after = block.next[entry]
        block.next[entry] = block.unused[0]
        block.unused[0] = entry
        entry = after
    block.head[label] = -1
    block.sizes[label] = 0
    block.losses[label] = 0.0
    block.paid[label] = 0.0
    close_hull(block, label)


@inlined
def put(block: Block, label: int, atom: int, amount: int, points: Floats, row: int) -> None:
    """Put an atom into a class that holds none of it; ``points[row]`` is where it lies."""
    entry = block.unused[0]
    block.unused[0] = block.next[entry]
    block.next[entry] = block.head[label]
    block.head[label] = entry
    block.atom[entry] = atom
    block.amount[entry] = amount
    block.sizes[label] += amount
    block.paid[label] += amount * block.worth[atom]
    stretch(lent(block.lo)[label], lent(block.hi)[label], lent(points), row)


@inlined
def add(block: Block, label: int, atom: int, amount: int, points: Floats, row: int) -> None:
    """Put an atom into a class that may hold some of it already: every class has one entry for an atom at most."""
    entry = block.head[label]
    while entry >= 0 and block.atom[entry] != atom:
        entry = block.next[entry]
    if entry >= 0:
        block.amount[entry] += amount
        block.sizes[label] += amount
        block.paid[label] += amount * block.worth[atom]
    else:
        put(block, label, atom, amount, points, row)


@inlined
def amount_of(block: Block, label: int, atom: int) -> int:
    """Units of an atom in a class."""
    entry = block.head[label]
    while entry >= 0 and block.atom[entry] != atom:
        entry = block.next[entry]
    return block.amount[entry] if entry >= 0 else ZERO


def open_block(
    hulls: Hulls, points: Floats, worth: Floats, begin: Ints, atoms: Ints, amounts: Ints, size: int, spare: int
) -> Block:
    """The block of the classes ``begin[c] .. begin[c + 1]``."""
    n_classes, d, units = len(begin) - 1, points.shape[1], int(amounts.sum())
    most = max(n_classes, units // size) + spare
    block = Block(
        np.full((most, d), np.inf), np.full((most, d), -np.inf), np.zeros(most, np.int64), np.zeros(most),
        np.full(most, -1, np.int64), np.arange(1, units + 1), np.empty(units, np.int64), np.empty(units, np.int64),
        worth, np.zeros(most),
        np.full(1, n_classes), np.zeros(1, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip
    _put_all(hulls, block, points, begin, atoms, amounts)
    return block


@kernel
def _put_all(hulls: Hulls, block: Block, points: Floats, begin: Ints, atoms: Ints, amounts: Ints) -> None:
    """Fill the classes of a new block."""
    for label in range(len(begin) - 1):
        for i in range(begin[label], begin[label + 1]):
            put(block, label, atoms[i], amounts[i], points, atoms[i])
        span(hulls, block, label)


@inlined
def carried(block: Block, label: int) -> float:
    """Loss of all records of a class."""
    return block.sizes[label] * block.losses[label]


@inlined
def wasted(block: Block, label: int) -> float:
    """Loss of all records of a class beyond what they must lose anyway."""
    return carried(block, label) - block.paid[label]


@kernel
def lossy(block: Block, drawn: int, state: Words) -> int:
    """Of some random classes, the one that loses most beyond what its records must lose anyway."""
    chosen = draw(state) % block.in_use[0]
    for _ in range(drawn - 1):
        other = draw(state) % block.in_use[0]
        if wasted(block, other) > wasted(block, chosen):
            chosen = other
    return chosen


def close_block(block: Block) -> tuple[Ints, Ints, Ints]:
    """The classes of a block, end to end."""
    begin = np.zeros(len(block.head) + 1, np.int64)
    atoms, amounts = np.empty_like(block.atom), np.empty_like(block.amount)
    classes = _list_all(block, begin, atoms, amounts)
    entries = begin[classes]
    return begin[: classes + 1], atoms[:entries], amounts[:entries]


@kernel
def _list_all(block: Block, begin: Ints, atoms: Ints, amounts: Ints) -> int:
    """List the entries of all classes that have any; how many have."""
    at, number = 0, 0
    for label in range(block.in_use[0]):
        entry = block.head[label]
        if entry < 0:
            continue
        while entry >= 0:
            atoms[at], amounts[at] = block.atom[entry], block.amount[entry]
            at += 1
            entry = block.next[entry]
        number += 1
        begin[number] = at
    return number
