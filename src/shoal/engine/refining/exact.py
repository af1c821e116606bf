# SPDX-License-Identifier: Apache-2.0
"""The best partition of a table of a few records, which needs no search: every set of them is priced."""

from __future__ import annotations

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import features
from shoal.engine.kernels.enforcing.lacking import broken_classes
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.search.sets import best_classes, losses_of
from shoal.ground.arrays import Floats, Ints
from shoal.ground.requirements import Requirement

FEW = 14
"""Most records of which all partitions are looked at: 3 to the power of 14 pairs of sets take a few milliseconds."""


def best_labels(encoded: Encoded, rows: Ints, requirement: Requirement) -> Ints:
    """Class of each of some records in their partition of least loss, which obeys as all of them together do."""
    sets = (np.arange(1 << len(rows))[:, None] >> np.arange(len(rows)) & 1).astype(np.bool_)
    sizes = sets.sum(axis=1)
    if encoded.loss == "sse":
        cost = _squared(features(encoded, "std")[rows], sizes)
    else:
        cost = sizes * _spanned(encoded.hulls, encoded.points[rows])
    rules = as_arrays(requirement.of(rows).rules, len(rows))
    cost[1:][broken_classes(rules, np.nonzero(sets)[1], np.cumsum(sizes[1:]), requirement.size)] = np.inf
    taken = best_classes(cost)
    labels, left, label = np.empty(len(rows), dtype=np.int64), len(cost) - 1, 0
    while left:
        labels[sets[taken[left]]] = label
        left, label = left ^ int(taken[left]), label + 1
    return labels


def _spanned(hulls: Hulls, points: Floats) -> Floats:
    """[set] loss per record of its hull; each set is an earlier one and its last record."""
    many = 1 << len(points)
    lo, hi = np.full((many, points.shape[1]), np.inf), np.full((many, points.shape[1]), -np.inf)
    lo[0] = hi[0] = points[0]  # stands in for the empty set
    for row, point in enumerate(points):
        half = 1 << row
        lo[half], hi[half] = point, point
        lo[half + 1 : 2 * half] = np.minimum(lo[1:half], point)
        hi[half + 1 : 2 * half] = np.maximum(hi[1:half], point)
    return losses_of(hulls, lo, hi)


def _squared(points: Floats, sizes: Ints) -> Floats:
    """[set] squared distances from its mean."""
    points = points - points.mean(axis=0)
    sums, squares = np.zeros((len(sizes), points.shape[1])), np.zeros(len(sizes))
    for row, point in enumerate(points):
        half = 1 << row
        sums[half : 2 * half] = sums[:half] + point
        squares[half : 2 * half] = squares[:half] + point @ point
    apart: Floats = squares - (sums**2).sum(axis=1) / np.maximum(sizes, 1)
    return np.maximum(apart, 0.0)
