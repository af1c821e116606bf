# SPDX-License-Identifier: Apache-2.0
"""Where a table is cut: borders on the curve between cells of about equal size, none smaller than it may be.

A border is a key: a cell holds the records whose keys lie from one border up to the next. So which cell a record is in
depends on its quasi-identifiers alone, and can be told record by record, wherever it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shoal.engine.kernels.enforcing.lacking import lack_of
from shoal.engine.kernels.rules import as_arrays
from shoal.ground.arrays import Ints, SmallCodes, Words
from shoal.ground.requirements import Requirement

LARGER = 20
"""How many times the size of a class a cell holds at least: the borders of smaller ones cost too much."""


def borders(keys: Words, rows: Ints, size: int, least: int) -> Words:
    """The first key of each cell but the first; ``rows`` records have each of the ascending ``keys``.

    Cells hold about ``size`` records, and at least ``least`` if all records together do; those of equal keys stay
    together. Keys may be rounded down, all in the same way.

    >>> borders(np.array([1, 2, 3, 4], dtype=np.uint64), np.array([5, 5, 5, 5]), 10, 4)
    array([3], dtype=uint64)
    """
    up_to = np.cumsum(rows)
    total = int(up_to[-1]) if len(up_to) else 0
    many = max(-(-total // size), 1)
    wanted = np.arange(1, many) * total / many
    after = np.unique(np.searchsorted(up_to, wanted))  # the last key of a cell
    chosen, begun = [], 0
    for place in after[after < len(keys) - 1].tolist():
        if up_to[place] - begun >= least and total - up_to[place] >= least:
            chosen.append(place + 1)
            begun = int(up_to[place])
    return keys[chosen]


def cell_of(keys: Words, cuts: Words) -> Ints:
    """[record] the number of its cell."""
    return np.searchsorted(cuts, keys, side="right").astype(np.int64)


def joined(counts: Sequence[Ints], sizes: Ints, requirement: Requirement) -> Ints:
    """[cell] the first of the cells that are worked on together, so that their records can obey all rules.

    ``counts`` tells for each rule how many records of each cell have each of its values, [cell, value]. A cell that
    cannot obey even as one class takes in the next one, and so on; the last ones join those before them. What the whole
    table cannot obey is refused before it comes to this.
    """
    starts, begun = [0], 0
    for cell in range(1, len(sizes) + 1):
        if _obeys([one[begun:cell].sum(axis=0) for one in counts], requirement):
            starts.append(cell)
            begun = cell
    if begun < len(sizes):
        starts.append(len(sizes))
        while len(starts) > 2 and not _obeys([one[starts[-2] :].sum(axis=0) for one in counts], requirement):
            del starts[-2]
    return np.repeat(starts[:-1], np.diff(starts))


def _obeys(held: Sequence[Ints], requirement: Requirement) -> bool:
    """Whether records that have each value of each rule so many times obey all rules as one class."""
    codes = [np.repeat(np.arange(len(sums)), sums) for sums in held]
    rows = np.arange(len(codes[0]))
    rules = requirement.with_codes(codes).rules
    return len(rows) >= requirement.size and bool(lack_of(as_arrays(rules, len(rows)), rows, requirement.size) <= 0)


def halves(keys: Words, labels: Ints) -> Ints:
    """[record] 1 if its class lies in the upper half of its cell, else 0: cells shifted by half are made of these.

    A class lies where its record of the smallest key does; equal keys stand in the order of the records.
    """
    order = np.argsort(keys, kind="stable")
    place = np.empty(len(keys), dtype=np.int64)
    place[order] = np.arange(len(keys))
    lowest = np.full(int(labels.max(initial=-1)) + 1, len(keys), dtype=np.int64)
    np.minimum.at(lowest, labels, place)
    upper: Ints = (2 * lowest >= len(keys)).astype(np.int64)
    return upper[labels]


def parts(keys: Words, codes: Sequence[SmallCodes], size: int) -> list[Ints]:
    """The records of a cell in parts of at most ``size`` or a little more, where too many have the same key.

    In the order of the key, then of the codes, then of the records.
    """
    many = -(-len(keys) // max(size + size // 2, 1))
    if many <= 1:
        return [np.arange(len(keys))]
    return np.array_split(np.lexsort((*reversed([*codes]), keys)), many)
