# SPDX-License-Identifier: Apache-2.0
"""Systematic clustering: seeds evenly spaced in the sorted table, every record to the cheapest class, then levelled.

Idea: sort the records by their quasi-identifiers and cut them into blocks of k; the record at the same, randomly
chosen place of every block (``offset="independent"``: at a place of its own) starts a class. All others, in sorted
order, join the class whose total loss grows least. Then records leave classes above k for classes below k until all
have k. ``rebalance="net"`` makes, each time, the one move that changes the total loss least; ``"arrival"`` takes out
whoever came after the k-th record of its class and lets each, in order, join the cheapest class below k, and once
there is none, the cheapest of all.

Paper: M. E. Kabir, H. Wang, E. Bertino, "Efficient systematic clustering method for k-anonymization", Acta
Informatica 2011, as told by Bharath, Poornima and Ashoka 2017. How the published method levels the classes is not
known to us: both rules are our reading of it, the first being our own.

Cost: O(n²/k) as published; here every record asks a tree of the classes, exactly, near-linear in practice.

When not to use it: when loss matters more than even spacing; ``k_member`` usually loses less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._choosing import MovingClasses, sorted_rows
from shoal.engine.algorithms._growing import Report, in_slices
from shoal.engine.encoding.losses import for_totals
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.methods.rebalancing import Moves, move_cheapest, new_moves
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.engine.kernels.trees.class_tree import ClassTree, build_classes
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError

CAPABILITIES = Capabilities(
    random=True, paper_loss="height", swayed_by={"column order": "records are sorted by their first column first"}
)

PATIENCE = 64
"""Records that a class tells of a better offer before it looks for the best one itself; never changes the result."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of systematic."""

    rebalance: str = choice(
        "level by the cheapest single move each time, or by placing late arrivals again", "net", "arrival"
    )
    offset: str = choice("the seed's place is drawn once for all blocks, or for each block", "common", "independent")
    offsets: tuple[int, ...] = parameter(
        (), "the seed's place, 0 to k - 1: one for all blocks, or one per block; drawn if not given", advanced=True
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    n, size = len(encoded), requirement.size
    order, n_classes = sorted_rows(encoded), n // size
    starts = np.arange(n_classes) * size + _offsets(parameters, size, n_classes, random)
    seeds, others = order[starts], np.delete(order, starts)
    labels = np.full(n, -1, dtype=np.int64)
    labels[seeds] = np.arange(n_classes)
    classes = MovingClasses.of(encoded, labels, n_classes, by_growth=True)
    classes.join(others, labels, lambda done, _: progress(done, 2 * n))

    def report(done: int, total: int) -> None:
        progress(n + done * n // total, 2 * n)

    if parameters.rebalance == "net":
        _move_cheapest(classes, labels, size, report)
    else:
        _place_again(classes, labels, np.concatenate([seeds, others]), size, report)
    return Partition.of(labels)


def _offsets(parameters: Parameters, size: int, n_classes: int, random: np.random.Generator) -> Ints:
    """Place of the seed in each block."""
    if not parameters.offsets:
        common = parameters.offset == "common"
        return np.full(n_classes, random.integers(size)) if common else random.integers(size, size=n_classes)
    given = np.array(parameters.offsets, dtype=np.int64)
    if len(given) not in (1, n_classes) or given.min() < 0 or given.max() >= size:
        raise PlanError(
            "The places of the seeds do not fit the table.",
            where="parameter 'offsets' of systematic clustering",
            allowed=f"one whole number from 0 to {size - 1} for all blocks of k records, or {n_classes} of them",
            received=f"{len(given)} numbers" + (", some out of range" if len(given) in (1, n_classes) else ""),
            todo="correct the list, or leave it out",
        )
    return np.broadcast_to(given, n_classes)


def _move_cheapest(classes: MovingClasses, labels: Ints, size: int, report: Report) -> None:
    """While some class is too small, the single move that changes the total loss least (``net``)."""
    short = classes.below(size)
    if not len(short):
        return
    hulls = for_totals(classes.encoded.hulls, 2 * size)
    tree = build_classes(hulls, classes.lo, classes.hi, classes.sizes, short)
    moves = _moves(hulls, classes, labels, size, tree)
    moved = 0

    def step(until: int) -> int:
        nonlocal moved
        moved = move_cheapest(hulls, tree, moves, size, PATIENCE, until, moved, labels)
        return moved

    in_slices(step, int((size - classes.sizes[short]).sum()), report)


def _moves(hulls: Hulls, classes: MovingClasses, labels: Ints, size: int, tree: ClassTree) -> Moves:
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
    return new_moves(hulls, tree, points[first], row_start, rows, of_class, classes.sizes)


def _place_again(classes: MovingClasses, labels: Ints, arrivals: Ints, size: int, report: Report) -> None:
    """Whoever came to a class after its k-th record joins another that is too small, then any (``arrival``)."""
    by_class = np.argsort(labels[arrivals], kind="stable")
    starts = np.concatenate([[0], np.cumsum(classes.sizes)])[:-1]
    rank = np.empty(len(labels), dtype=np.int64)
    rank[by_class] = np.arange(len(labels)) - np.repeat(starts, classes.sizes)
    extra = arrivals[rank >= size]
    labels[extra] = -1
    classes = MovingClasses.of(classes.encoded, labels, len(classes.sizes), by_growth=True)
    placed = classes.join(extra, labels, report, full=size)
    rest = extra[placed:]
    classes.join(rest, labels, lambda done, _: report(placed + done, len(extra)))
