# SPDX-License-Identifier: Apache-2.0
"""Classes around moving centres: records to their nearest centre, centres to the means of their records."""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import ticks
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.engine.kernels.trees.squared_queries import nearest_each
from shoal.ground.arrays import Flags, Floats, Ints


@kernel
def assign(
    tree: BoxTree, lines: Flags, weight: Floats, points: Floats, begin: int, end: int, centres: Floats, labels: Ints
) -> int:
    """Give points ``begin .. end-1`` to their nearest centres, ties to the lowest class; returns how many changed.

    ``tree`` holds the centres, its row numbers are classes. The class a point has is the one to beat.
    """
    asked, values, found = np.arange(begin, end), np.full(end - begin, np.inf), labels[begin:end].copy()
    for i in range(begin, end):
        if labels[i] >= 0:
            values[i - begin] = squared(points, i, centres, labels[i], weight)
    nearest_each(tree, lines, weight, points, asked, values, found)
    changed = 0
    for i in range(begin, end):
        if found[i - begin] != labels[i]:
            labels[i] = found[i - begin]
            changed += 1
    return changed


@kernel
def squared(some: Floats, i: int, others: Floats, o: int, weight: Floats) -> float:
    """Weighted squared distance of two points, in ticks."""
    total = 0.0
    for j in range(some.shape[1]):
        gap = some[i, j] - others[o, j]
        total += weight[j] * (gap * gap)
    return ticks(total)


@kernel
def squared_from(centres: Floats, classes: Ints, one: int, weight: Floats) -> Floats:
    """Weighted squared distances of some centres from one, in ticks."""
    found = np.empty(len(classes))
    for i in range(len(classes)):
        found[i] = squared(centres, classes[i], centres, one, weight)
    return found


@kernel
def move(points: Floats, point_of: Ints, labels: Ints, centres: Floats) -> Ints:
    """Move centres to the means of their records, added in row order; empty classes stay. Returns the sizes."""
    sums = np.zeros_like(centres)
    sizes = np.zeros(len(centres), np.int64)
    for row in range(len(point_of)):
        label = labels[point_of[row]]
        sizes[label] += 1
        for j in range(points.shape[1]):
            sums[label, j] += points[point_of[row], j]
    for label in range(len(centres)):
        if sizes[label] > 0:
            for j in range(points.shape[1]):
                centres[label, j] = sums[label, j] / sizes[label]
    return sizes


@kernel
def spreads(points: Floats, point_of: Ints, labels: Ints, centres: Floats) -> Floats:
    """Per feature, the sum over records of the squared distance from the centre of their class."""
    within = np.zeros(points.shape[1])
    for row in range(len(point_of)):
        point = point_of[row]
        for j in range(points.shape[1]):
            gap = points[point, j] - centres[labels[point], j]
            within[j] += gap * gap
    return within


@kernel
def spreads_between(centres: Floats, sizes: Ints, middle: Floats) -> Floats:
    """Per feature, the sum over classes of size times the squared distance of the centre from the middle."""
    between = np.zeros(centres.shape[1])
    for label in range(len(centres)):
        for j in range(centres.shape[1]):
            gap = centres[label, j] - middle[j]
            between[j] += sizes[label] * (gap * gap)
    return between
