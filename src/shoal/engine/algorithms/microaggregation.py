# SPDX-License-Identifier: Apache-2.0
"""Microaggregation along a line: the runs of k to 2k - 1 neighbours with the least squared error, exact for one number.

Idea: the records are brought into the order of their first principal component, which for one column of numbers is the
order of the numbers. The cheapest way to cut that order into runs of k to 2k - 1 records is found by dynamic
programming: the best cut of the first i records ends with some run, and before it stands the best cut of the rest. Of
one column of numbers no classes of at least k records have a smaller squared error; of several columns none that are
runs of this order.

Paper: S. L. Hansen, S. Mukherjee, A polynomial algorithm for optimal univariate microaggregation, IEEE TKDE 15(4),
2003; for several columns projected on one line, J. Domingo-Ferrer, J. M. Mateo-Sanz, Practical data-oriented
microaggregation for statistical disclosure control, IEEE TKDE 14(1), 2002.

Cost: O(n log n + kn).

When not to use it: for several columns that are not alike; then ``mdav``, or ``shoal`` with ``--loss sse``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._euclidean import scale_parameter
from shoal.engine.encoding.features import features
from shoal.engine.kernels.methods.runs import runs_of
from shoal.engine.kernels.methods.squared_runs import extend_cuts, prefix_sums
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement
from shoal.ground.arrays import Floats, Ints

CAPABILITIES = Capabilities(losses=(), order_free=True, render="mean")
REPORTED = 100_000
"""Records between two reports."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of microaggregation."""

    scale: str = scale_parameter("std")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    points = features(encoded, parameters.scale)
    points = points - points.mean(axis=0)
    order = _along_a_line(points)
    labels = np.empty(len(points), dtype=np.int64)
    labels[order] = _best_runs(points[order], requirement.size, progress)
    return Partition.of(labels)


def _along_a_line(points: Floats) -> Ints:
    """Records in the order of their first principal component, equal ones by row."""
    if points.shape[1] == 1:
        return np.argsort(points[:, 0], kind="stable")
    _, axes = np.linalg.eigh(points.T @ points)
    axis = axes[:, -1]
    axis = axis * np.sign(axis[np.abs(axis).argmax()])
    along = points @ axis
    return np.argsort(np.round(along, 9), kind="stable")


def _best_runs(points: Floats, size: int, progress: Progress) -> Ints:
    """[place] number of its run in the cut of least squared error."""
    n = len(points)
    sums, squares = prefix_sums(points)
    best, back = np.zeros(n + 1), np.zeros(n + 1, dtype=np.int64)
    best[1:] = np.inf
    for begin in range(1, n + 1, REPORTED):
        extend_cuts(sums, squares, size, best, back, begin, min(begin + REPORTED - 1, n))
        progress(min(begin + REPORTED - 1, n), n)
    return runs_of(back)
