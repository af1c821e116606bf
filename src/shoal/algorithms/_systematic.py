# SPDX-License-Identifier: Apache-2.0
"""Systematic clustering as a function, for the method and for those that run it column by column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._choosing import Classes, Report, sorted_rows
from shoal.algorithms._growing import in_slices
from shoal.encoding.encoded import Encoded
from shoal.errors import PlanError
from shoal.kernels.box_tree import distinct
from shoal.kernels.class_tree import ClassTree
from shoal.kernels.rebalancing import Moves, move_cheapest, new_moves
from shoal.progress import Progress

Ints = NDArray[np.int64]

PATIENCE = 64
"""Records that a class tells of a better offer before it looks for the best one itself; never changes the result."""


def systematic_labels(
    encoded: Encoded,
    size: int,
    offset: str | Sequence[int],
    rebalance: str,
    random: np.random.Generator,
    progress: Progress,
) -> Ints:
    """Class of each record, in classes of ``size`` to ``2 * size - 1``.

    ``offset`` is ``common`` (one place in all blocks, drawn), ``independent`` (one per block, drawn), or the places
    themselves: one for all blocks, or one per block. ``rebalance`` is ``net`` or ``arrival``.
    """
    n = len(encoded)
    order, n_classes = sorted_rows(encoded), n // size
    starts = np.arange(n_classes) * size + _offsets(offset, size, n_classes, random)
    seeds, others = order[starts], np.delete(order, starts)
    labels = np.full(n, -1, dtype=np.int64)
    labels[seeds] = np.arange(n_classes)
    classes = Classes.of(encoded, labels, n_classes, by_growth=True)
    classes.join(others, labels, lambda done, _: progress(done, 2 * n))

    def report(done: int, total: int) -> None:
        progress(n + done * n // total, 2 * n)

    if rebalance == "net":
        _move_cheapest(classes, labels, size, report)
        return labels
    return _place_again(classes, labels, np.concatenate([seeds, others]), size, report)


def _offsets(offset: str | Sequence[int], size: int, n_classes: int, random: np.random.Generator) -> Ints:
    """Place of the seed in each block."""
    if offset == "common":
        return np.full(n_classes, random.integers(size))
    if offset == "independent":
        return random.integers(size, size=n_classes)
    given = np.array(offset, dtype=np.int64)
    if len(given) not in (1, n_classes) or given.min() < 0 or given.max() >= size:
        raise PlanError(
            "The places of the seeds do not fit the table.",
            where="parameter 'offsets' of systematic clustering",
            allowed=f"one whole number from 0 to {size - 1} for all blocks of k records, or {n_classes} of them",
            received=f"{len(given)} numbers" + (", some out of range" if len(given) in (1, n_classes) else ""),
            todo="correct the list, or leave it out",
        )
    return np.broadcast_to(given, n_classes)


def _move_cheapest(classes: Classes, labels: Ints, size: int, report: Report) -> None:
    """While some class is too small, the single move that changes the total loss least (``net``)."""
    short = classes.below(size)
    if not len(short):
        return
    hulls, tree = classes.encoded.hulls, classes.tree(short)
    moves = _moves(classes, labels, size, tree)
    moved = 0

    def step(until: int) -> int:
        nonlocal moved
        moved = move_cheapest(hulls, tree, moves, size, PATIENCE, until, moved, labels)
        return moved

    in_slices(step, int((size - classes.sizes[short]).sum()), report)


def _moves(classes: Classes, labels: Ints, size: int, tree: ClassTree) -> Moves:
    """Lots of equal records, for all classes that are too large."""
    points = classes.encoded.points
    kinds, _, _ = distinct(points)
    rows = np.flatnonzero(classes.sizes[labels] > size)
    rows = rows[np.lexsort([rows, kinds[rows], labels[rows]])]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (np.diff(labels[rows]) != 0) | (np.diff(kinds[rows]) != 0)
    starts = np.flatnonzero(new)
    first = rows[starts]
    of_class = np.searchsorted(labels[first], np.arange(len(classes.sizes) + 1))
    row_start = np.append(starts, len(rows))
    return new_moves(classes.encoded.hulls, tree, points[first], row_start, rows, of_class, classes.sizes)


def _place_again(classes: Classes, labels: Ints, arrivals: Ints, size: int, report: Report) -> Ints:
    """Whoever came to a class after its k-th record joins another that is too small, then any (``arrival``)."""
    by_class = np.argsort(labels[arrivals], kind="stable")
    starts = np.concatenate([[0], np.cumsum(classes.sizes)])[:-1]
    rank = np.empty(len(labels), dtype=np.int64)
    rank[by_class] = np.arange(len(labels)) - np.repeat(starts, classes.sizes)
    extra = arrivals[rank >= size]
    labels[extra] = -1
    classes = Classes.of(classes.encoded, labels, len(classes.sizes), by_growth=True)
    placed = classes.join(extra, labels, report, full=size)
    rest = extra[placed:]
    classes.join(rest, labels, lambda done, _: report(placed + done, len(extra)))
    return labels
