# SPDX-License-Identifier: Apache-2.0
"""Records join classes one after another, each the one that takes it at the least cost, which changes at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import RANGE, stretch, ticks
from shoal.engine.kernels.trees.class_tree import NO_CLASS, ClassTree, best_class, class_value, drop, mend
from shoal.ground.arrays import Floats, Ints


class MeanSums(NamedTuple):
    """What means are made of; unused where classes are hulls."""

    totals: Floats
    """[class, attribute] sum of the numbers present, in order of joining."""
    counts: Floats
    """[class, attribute] how many are present."""
    missing: Floats
    """[attribute] the number that stands for a missing cell; NaN if none is missing."""


@kernel
def widen(lo: Floats, hi: Floats, sizes: Ints, records: Floats, row: int, label: int) -> None:
    """The class's hull takes in a record."""
    stretch(lo[label], hi[label], records, row)
    sizes[label] += 1


@kernel
def shift(
    hulls: Any, lo: Floats, hi: Floats, sizes: Ints, sums: MeanSums, records: Floats, row: int, label: int
) -> None:
    """The class's centre takes in a record: mean of numbers, common ancestor of names.

    On a line, a class of missing cells stands where they stand, and one that mixes them with numbers reaches from
    its mean to there: whatever joins it costs the whole weight, as it does when the class is published.
    """
    totals, counts, missing = sums
    for j in range(records.shape[1]):
        x = records[row, j]
        if hulls.kind[j] != RANGE:
            lo[label, j], hi[label, j] = min(lo[label, j], x), max(hi[label, j], x)
            continue
        mixed = sizes[label] > counts[label, j] or x == missing[j]
        if x != missing[j]:
            totals[label, j] += x
            counts[label, j] += 1.0
        centre = totals[label, j] / counts[label, j] if counts[label, j] > 0 else missing[j]
        lo[label, j] = centre
        hi[label, j] = missing[j] if mixed else centre
    sizes[label] += 1


@kernel
def centres(hulls: Any, sums: MeanSums, records: Floats, labels: Ints, n_classes: int) -> tuple[Floats, Floats, Ints]:
    """Centre and size of each class, its records taken in row order; ``sums`` starts at zero and is filled."""
    lo = np.full((n_classes, records.shape[1]), np.inf)
    hi = np.full((n_classes, records.shape[1]), -np.inf)
    sizes = np.zeros(n_classes, np.int64)
    for row in range(len(labels)):
        if labels[row] >= 0:
            shift(hulls, lo, hi, sizes, sums, records, row, labels[row])
    return lo, hi, sizes


@kernel
def join(
    hulls: Any, tree: ClassTree, sums: MeanSums, records: Floats, order: Ints, at: int, until: int, by_growth: bool,
    full: int, labels: Ints,
) -> int:  # fmt: skip
    """Give the rows ``order[at:until]`` to classes of the tree, each as it is by then; returns where it stopped.

    A class that reaches ``full`` records leaves the tree (0: never); with no class left, the rest stays unplaced.
    """
    label = -1
    while at < until and tree.low_class[0] < NO_CLASS:
        row = order[at]
        label, _ = best_class(hulls, tree, records, row, by_growth, label)
        labels[row] = label
        if by_growth:
            widen(tree.lo, tree.hi, tree.sizes, records, row, label)
        else:
            shift(hulls, tree.lo, tree.hi, tree.sizes, sums, records, row, label)
        if tree.sizes[label] == full:
            drop(tree, label)
        else:
            mend(hulls, tree, label)
        at += 1
    return at


@kernel
def own_costs(hulls: Any, tree: ClassTree, by_growth: bool, records: Floats, labels: Ints) -> Floats:
    """What each record would cost the class that it is in, in ticks; all records have one."""
    found = np.empty(len(labels))
    for row in range(len(labels)):
        found[row] = ticks(class_value(hulls, tree, labels[row], records, row, by_growth))
    return found
