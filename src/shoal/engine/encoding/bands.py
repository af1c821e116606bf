# SPDX-License-Identifier: Apache-2.0
"""Ways to cut a column into bands that all classes share: from one band of everything to many small ones.

On a line, the B bands of at least n / 2B records each that cost least: the sum over records of the width of their band,
on the scale that the column's loss is counted on, by dynamic programming over a few hundred places to cut. In a tree, a
cut through it: from the root down, a node is parted where each of its children that has records has at least n / 2B,
and at last where each has as many as a class.
Missing cells are a band of their own, except beside a root, which allows them, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.engine.encoding.encoded import EncodedColumn
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy

BANDS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
"""How many bands are tried."""
CUTS = 200
"""Most places on a line where it may be cut."""


def ladder(column: EncodedColumn, least: int) -> list[Ints]:
    """[record] its band, for each way to cut the column, the coarsest first; no band has fewer than ``least`` records.

    The coarsest way is always there, and so is the band of missing cells, however few they are.
    """
    absent = np.zeros(len(column.points), dtype=bool) if column.missing is None else column.points == column.missing
    cut = _cut_line if column.tree is None else _cut_tree
    found: list[Ints] = []
    for bands in cut(column, absent, least):
        if not found or bands.max() > found[-1].max():
            found.append(bands)
    return found


# -- lines -------------------------------------------------------------------------------------------------------


def _cut_line(column: EncodedColumn, absent: Flags, least: int) -> Iterator[Ints]:
    present = column.points[~absent]
    if not len(present):
        yield np.zeros(len(absent), dtype=np.int64)
        return
    starts = _pieces(present)
    piece = np.searchsorted(starts, present, "right") - 1
    rows = np.bincount(piece, minlength=len(starts))
    ends = np.maximum.reduceat(np.sort(present), np.concatenate([[0], np.cumsum(rows)[:-1]]))
    for many in BANDS:
        band_of = _cheapest(starts, ends, rows, many, max(least, len(present) // (2 * many)))
        if band_of is not None:
            bands = np.full(len(absent), int(band_of.max()) + 1, dtype=np.int64)
            bands[~absent] = band_of[piece]
            yield bands


def _pieces(present: Floats) -> Floats:
    """Where the pieces begin that bands are made of: at every value, or by even steps of rows and of range."""
    values = np.unique(present)
    if len(values) <= CUTS:
        return values
    by_rows = np.sort(present)[np.linspace(0, len(present) - 1, CUTS // 2).astype(np.int64)]
    by_range = values[np.searchsorted(values, np.linspace(values[0], values[-1], CUTS // 2))]
    return np.unique(np.concatenate([by_rows, by_range]))


def _cheapest(starts: Floats, ends: Floats, rows: Ints, many: int, least: int) -> Ints | None:
    """[piece] its band, of exactly ``many`` bands of at least ``least`` rows at the least cost; None if impossible."""
    if many == 1:
        return np.zeros(len(starts), dtype=np.int64)
    if many > len(starts):
        return None
    before = np.concatenate([[0], np.cumsum(rows)])
    held = before[None, 1:] - before[:-1, None]  # [first piece, last piece]
    cost = np.where(held >= least, held * (ends[None, :] - starts[:, None]), np.inf)
    best, back = cost[0], []
    for _ in range(many - 1):
        total = best[:-1, None] + cost[1:, :]
        back.append(total.argmin(axis=0))
        best = total.min(axis=0)
    if not np.isfinite(best[-1]):
        return None
    band_of, last = np.zeros(len(starts), dtype=np.int64), len(starts) - 1
    for band in range(many - 1, 0, -1):
        first = int(back[band - 1][last]) + 1
        band_of[first : last + 1] = band
        last = first - 1
    return band_of


# -- trees -------------------------------------------------------------------------------------------------------


def _cut_tree(column: EncodedColumn, absent: Flags, least: int) -> Iterator[Ints]:
    tree = column.tree
    assert tree is not None
    leaves = column.points.astype(np.int64)
    below = np.bincount(leaves[~absent], minlength=tree.n_leaves).cumsum()
    rows = below[tree.last] - np.where(tree.first > 0, below[tree.first - 1], 0)
    n = len(leaves)
    for few in [n + 1, *(max(least, n // (2 * many)) for many in BANDS), least]:
        nodes = _cut(tree, rows, few)
        band_of_leaf = np.searchsorted(tree.first[nodes], np.arange(tree.n_leaves), "right") - 1
        bands = band_of_leaf[leaves].astype(np.int64)
        yield bands if len(nodes) == 1 else np.where(absent, len(nodes), bands)


def _cut(tree: Hierarchy, rows: Ints, least: int) -> Ints:
    """The nodes of a cut, in the order of their leaves."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(tree.parents.tolist()):
        if parent >= 0 and rows[node]:
            children.setdefault(parent, []).append(node)
    todo, found = [0], []
    while todo:
        node = todo.pop()
        parts = children.get(node, [])
        if parts and all(rows[part] >= least for part in parts):
            todo += parts
        else:
            found.append(node)
    return np.array(sorted(found, key=lambda node: int(tree.first[node])), dtype=np.int64)
