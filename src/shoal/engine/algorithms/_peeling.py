# SPDX-License-Identifier: Apache-2.0
"""Peel: close the cheapest cells of at least k records first, then ever dearer ones, until all records have a class.

A cell holds the records that are equal on every attribute at some level of it (``kernels/methods/peeling.py``). The
threshold on what a cell may cost rises from nothing step by step; at each step, all cells that still hold k records are
closed. So dense regions keep their exact values, and outliers pay at the end. The classes cost what their hulls cost,
which is less than their cells would.

Levels: those of a tree; bins of numbers, each level twice as wide as the one before, and once more shifted by half a
bin. The most varied column of numbers needs none: its windows fit the records.

The work is bounded: so many visits of each different record. The steps become larger when they cost too many of these;
what is left when all are used up grows classes around its records, as k-members does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.engine.algorithms._growing import finish, grown_in_order, in_slices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import TICKS, ticks
from shoal.engine.kernels.methods.peeling import AtomTable, Levels, close_cells, new_walk, rise_to
from shoal.engine.kernels.rules import as_arrays, if_any
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.engine.methods import Partition, Progress, Requirement
from shoal.ground.arrays import Floats, Ints

VISITS_PER_RECORD = 3000
"""Most visits of each different record (one more to end with): about 5 s per 100,000 records."""
MOST_VISITS = 300_000_000
"""Most visits in all, unless said otherwise: about 15 s."""
SHARE = 0.01
"""Each step of the threshold should close this share of the records, or more if the visits would not last."""
PRUDENCE = 4
"""How many times dearer steps may become: they do as long as ever more cells are allowed."""
FIRST_RISE = 1e-4
"""First step of the threshold, as a share of the largest loss."""
GEAR = 1.5
"""Most by which a step may be larger or smaller than the one before."""
FINEST_BINS = 64
MOST_EXACT = 128
"""Numbers of no more than so many values have these as their finest level."""
WIDENINGS = (1, 2, 4, 8)
"""How much wider bins become from level to level; 1: twice, with shifted bins in between."""
MOST_COMBINATIONS = 1_000_000
"""The first widening with no more combinations of levels is taken, else the last."""


def peel(encoded: Encoded, requirement: Requirement, progress: Progress, visits: int | None = None) -> Ints:
    """Classes of at least k records; most obey the rules about private values, the others are left to be enforced.

    So many ``visits`` of records are made at most, or the usual number.
    """
    counted = _in_order(encoded)
    labels, classes = np.full(len(encoded), -1, dtype=np.int64), 0
    if counted.columns:
        labels, classes = _peeled(counted, requirement, progress, visits)
    rest = np.flatnonzero(labels < 0)
    if len(rest) >= requirement.size:
        classes += _grown(encoded, rest, requirement.size, labels, classes, progress)
    numbered = Partition.of(labels).labels  # which class takes a leftover must not hang on the order of closing
    return finish(encoded, numbered, classes, np.arange(len(labels))).labels


def _in_order(encoded: Encoded) -> Encoded:
    """The columns that can cost anything: trees, then numbers; each the least varied first.

    Among cells within the threshold, those come first that are coarse on the last columns only; numbers lose least by
    being coarse.
    """
    counted = [column for column in encoded.columns if column.weight > 0 and column.points.min() < column.points.max()]
    return Encoded(tuple(sorted(counted, key=lambda column: (column.tree is None, _variety(column)))), encoded.loss)


def _variety(column: EncodedColumn) -> float:
    """Entropy of the leaves, or of the finest bins; rounded, for the order must not hang on the last bit."""
    values, counts = np.unique(column.points, return_counts=True)
    if column.tree is None:
        counts = np.bincount(_bins(column, values, FINEST_BINS, 0.0), weights=counts)
    shares = counts / counts.sum()
    return round(float(-(shares * np.log(shares)).sum()), 9)


# -- levels --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Scale:
    """The levels of one attribute."""

    values: Floats
    """[rank] the coordinates that occur."""
    ranks: NDArray[np.int32]
    """[record]"""
    codes: list[Ints]
    """[level][rank] part of the level."""
    finer: list[int]
    """[level] the level whose parts it joins; -1 for the first."""


def _scales(encoded: Encoded, windows: bool) -> list[_Scale]:
    """The levels of all attributes, coarser ones if there are too many combinations."""
    scales: list[_Scale] = []
    for widening in WIDENINGS:
        scales = [_scale(column, widening) for column in encoded.columns]
        if windows:
            scales[-1] = _exact(encoded.columns[-1])
        if math.prod(len(scale.codes) for scale in scales) <= MOST_COMBINATIONS:
            break
    return scales


def _exact(column: EncodedColumn) -> _Scale:
    values, ranks = np.unique(column.points, return_inverse=True)
    return _Scale(values, ranks.astype(np.int32), [np.arange(len(values))], [-1])


def _scale(column: EncodedColumn, widening: int) -> _Scale:
    values, ranks = np.unique(column.points, return_inverse=True)
    codes, finer = _tree_levels(column, values) if column.tree else _number_levels(column, values, widening)
    return _Scale(values, ranks.astype(np.int32), codes, finer)


def _tree_levels(column: EncodedColumn, values: Floats) -> tuple[list[Ints], list[int]]:
    """Levels of the tree that join anything, leaves first, the root last."""
    assert column.tree is not None
    codes: list[Ints] = []
    for nodes in column.tree.ancestors[:, values.astype(np.int64)]:
        level = np.unique(nodes, return_inverse=True)[1].astype(np.int64)
        if not codes or level.max() < codes[-1].max():
            codes.append(level)
    return codes, list(range(-1, len(codes) - 1))


def _number_levels(column: EncodedColumn, values: Floats, widening: int) -> tuple[list[Ints], list[int]]:
    """Exact values if they are few, bins that are fewer by a third at least, and the whole."""
    codes, finer, last = [], [], -1
    if len(values) <= MOST_EXACT:
        codes, finer, last = [np.arange(len(values))], [-1], 0
    bins = FINEST_BINS
    while bins > 1:
        level = _bins(column, values, bins, 0.0)
        if last < 0 or 3 * level.max() < 2 * codes[last].max():
            codes.append(level)
            finer.append(last)
            if widening == 1 and last >= 0:  # half a bin aside it joins bins of the same finer level
                codes.append(_bins(column, values, bins, 0.5))
                finer.append(last)
            last = len(codes) - (2 if widening == 1 and last >= 0 else 1)
        bins //= max(widening, 2)
    codes.append(np.zeros(len(values), dtype=np.int64))
    return codes, [*finer, last]


def _bins(column: EncodedColumn, values: Floats, bins: int, shift: float) -> Ints:
    """Bin of each number, numbered without gaps; missing is a bin of its own."""
    missing = values == column.missing
    at = np.zeros(len(values))
    if column.span > 0:
        share = np.minimum((values - values[0]) / column.span, 1.0)
        at = np.floor(share * bins + shift)
        if shift == 0:
            at = np.minimum(at, bins - 1)  # the largest number
    return np.unique(np.where(missing, bins + 1, at), return_inverse=True)[1].astype(np.int64)


def _laid_out(scales: Sequence[_Scale]) -> Levels:
    """The levels of all attributes end to end."""
    shape = len(scales), max(len(scale.codes) for scale in scales)
    parts, finer = np.ones(shape, dtype=np.int64), np.full(shape, -1, dtype=np.int64)
    for place, scale in enumerate(scales):
        parts[place, : len(scale.codes)] = [level.max() + 1 for level in scale.codes]
        finer[place, : len(scale.codes)] = scale.finer
    size = np.array([len(scale.codes[0]) for scale in scales], dtype=np.int64)
    count = np.array([len(scale.codes) for scale in scales], dtype=np.int64)
    codes = np.concatenate([level for scale in scales for level in scale.codes]).astype(np.int32)
    values = np.concatenate([scale.values for scale in scales])
    return Levels(
        codes, np.cumsum(size * count) - size * count, size, count, parts, finer, values, np.cumsum(size) - size
    )


# -- peeling -------------------------------------------------------------------------------------------------


def _atoms(encoded: Encoded, ranks: NDArray[np.int32], requirement: Requirement) -> tuple[AtomTable, Ints]:
    """Records alike in everything that matters are one, neighbours stand side by side; and the atom of each record."""
    private = [rule.codes.astype(np.float64)[:, None] for rule in requirement.rules]
    atom_of, first, count = distinct(np.ascontiguousarray(np.hstack([encoded.points, *private])))
    order = np.lexsort(ranks[first].T[::-1])
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    first, atom_of = first[order], place[atom_of]
    return AtomTable(ranks[first], np.bincount(atom_of, minlength=count), first), atom_of


def _peeled(encoded: Encoded, requirement: Requirement, progress: Progress, visits: int | None) -> tuple[Ints, int]:
    """Label of each record, -1 if it is left, and the number of classes."""
    n, hulls, rules = len(encoded), encoded.hulls, if_any(as_arrays(requirement.rules, len(encoded)))
    windows = encoded.columns[-1].tree is None
    scales = _scales(encoded, windows)
    atoms, atom_of = _atoms(encoded, np.column_stack([scale.ranks for scale in scales]), requirement)
    levels = _laid_out(scales)
    walk = new_walk(len(atoms.copies), len(scales), int(levels.parts.max()))
    budget = min(VISITS_PER_RECORD * len(atoms.copies), MOST_VISITS) if visits is None else visits
    dearest = encoded.full
    left, spent, threshold, rise = n, 0, 0.0, float(ticks(dearest * FIRST_RISE))
    while True:
        rise_to(walk, threshold)

        def step(until: int, spent: int = spent) -> int:
            return close_cells(hulls, rules, atoms, levels, walk, requirement.size, spent + until, windows) - spent

        in_slices(step, budget - spent, lambda *_, closed=n - left: progress(closed, n))
        before, left = left, int(atoms.copies[walk.label < 0].sum())
        cost, spent = int(walk.visits[0]) - spent, int(walk.visits[0])
        if left < requirement.size or spent >= budget or not np.isfinite(walk.next_cost[0]):
            return walk.label[atom_of], int(walk.classes[0])
        wanted = max(n * SHARE, left * PRUDENCE * cost / (budget - spent))
        rise *= min(max(wanted / max(before - left, 1), 1 / GEAR), GEAR)
        threshold = max(float(walk.next_cost[0]), ticks((threshold + rise) / TICKS))


def _grown(encoded: Encoded, rest: Ints, size: int, labels: Ints, label: int, progress: Progress) -> int:
    """Classes from ``label`` on, grown around the records that are left, in row order; returns their number."""
    n, closed = len(labels), len(labels) - len(rest)
    records = np.ascontiguousarray(encoded.points[rest])
    grown, made = grown_in_order(
        encoded.hulls, records, np.arange(len(rest)), size, lambda done, _: progress(closed + done * size, n)
    )
    labels[rest] = np.where(grown < 0, -1, grown + label)
    return made
