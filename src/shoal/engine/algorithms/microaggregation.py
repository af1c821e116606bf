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
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement
from shoal.ground.arrays import Floats, Ints

CAPABILITIES = Capabilities(losses=(), order_free=True, render="mean")
REPORTED = 4_096
"""Records between two reports."""
ROUNDING = 1e-12
"""As a share of all squares, costs that differ by less are equal: then the last run is the shortest."""


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
    sums = np.vstack([np.zeros(points.shape[1]), np.cumsum(points, axis=0)])
    squares = np.append(0.0, np.cumsum((points**2).sum(axis=1)))
    best, back = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
    best[0] = 0.0
    for end in range(size, n + 1):
        begins = np.arange(end - size, max(end - 2 * size, -1), -1)
        spread = ((sums[end] - sums[begins]) ** 2).sum(axis=1) / (end - begins)
        cost = best[begins] + (squares[end] - squares[begins] - spread)
        least = cost.min()
        chosen = int((cost <= least + ROUNDING * squares[-1]).argmax())
        best[end], back[end] = cost[chosen], begins[chosen]
        if end % REPORTED == 0:
            progress(end, n)
    progress(n, n)
    return _numbered(back)


def _numbered(back: Ints) -> Ints:
    """[place] its run, followed back from the end."""
    runs, end = np.empty(len(back) - 1, dtype=np.int64), len(back) - 1
    while end > 0:
        runs[back[end] : end] = end
        end = int(back[end])
    return runs
