# SPDX-License-Identifier: Apache-2.0
"""Squared errors of sets of records, and the best of all partitions, straight from the definition."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.reference.partitions import partitions


def squared_error(points: np.ndarray, rows: tuple[int, ...] | list[int]) -> float:
    """Squared distances of some records from their mean."""
    some = points[list(rows)]
    return float(((some - some.mean(axis=0)) ** 2).sum())


def optimum(points: np.ndarray, k: int) -> float:
    """The smallest squared error of all partitions into classes of at least k."""
    return min(
        sum(squared_error(points, members) for members in classes)
        for classes in partitions(list(range(len(points))), k)
    )


def most_broken(points: np.ndarray, prices: np.ndarray, k: int, row: int | None = None) -> float:
    """By how much the prices of k records (one of them this row) exceed their squared error; the most there is."""
    sets = [some for some in combinations(range(len(points)), k) if row is None or row in some]
    return max(float(prices[list(some)].sum()) - squared_error(points, some) for some in sets)
