# SPDX-License-Identifier: Apache-2.0
"""The boxes around records, all of them: every set of k records spans one."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.reference.losses import Loss, hull


def nearest_loss(loss: Loss, points: np.ndarray, row: int, size: int) -> float:
    """Loss of the hull of a record and the (k-1)-th nearest other."""
    losses = sorted(loss.of(*hull([points[row], points[other]])) for other in range(len(points)) if other != row)
    return losses[size - 2]


def cheapest_box(loss: Loss, points: np.ndarray, row: int, size: int) -> float:
    """Loss of the cheapest hull of a record and k - 1 others."""
    others = [other for other in range(len(points)) if other != row]
    return min(loss.of(*hull([points[each] for each in (row, *some)])) for some in combinations(others, size - 1))


def most_broken(loss: Loss, points: np.ndarray, prices: np.ndarray, size: int) -> float:
    """By how much the prices of some k records exceed k times the loss of their hull; at most 0 if prices are valid."""
    return max(
        float(prices[list(some)].sum()) - size * loss.of(*hull([points[each] for each in some]))
        for some in combinations(range(len(points)), size)
    )


def most_broken_after_tolls(
    loss: Loss, points: np.ndarray, prices: np.ndarray, size: int, region: np.ndarray, toll: np.ndarray
) -> float:
    """By how much the prices of a class of k to 2k - 1 records exceed what it loses and the tolls it pays, the most.

    A class pays the toll of each region that has k or more of its records.
    """
    worst = -np.inf
    for many in range(size, min(2 * size, len(points) + 1)):
        for some in map(list, combinations(range(len(points)), many)):
            paid = sum(toll[one] for one in range(len(toll)) if (region[some] == one).sum() >= size)
            worst = max(worst, prices[some].sum() - many * loss.of(*hull([points[each] for each in some])) - paid)
    return worst


def most_broken_class(
    loss: Loss, points: np.ndarray, prices: np.ndarray, size: int, codes: np.ndarray, shares: np.ndarray
) -> float:
    """By how much the prices of a class that obeys exceed what it loses, the most there is.

    A class obeys that holds ``size`` records, and of each value no more than its share.
    """
    worst = -np.inf
    for many in range(size, len(points) + 1):
        for some in combinations(range(len(points)), many):
            if obeys(codes[list(some)], shares):
                lost = many * loss.of(*hull([points[each] for each in some]))
                worst = max(worst, float(prices[list(some)].sum()) - lost)
    return worst


def obeys(codes: np.ndarray, shares: np.ndarray) -> bool:
    """Whether no value has more than its share."""
    return bool((np.bincount(codes, minlength=len(shares)) <= shares * len(codes) + 1e-9).all())


def most_broken_around(
    loss: Loss, points: np.ndarray, prices: np.ndarray, size: int, row: int, others: list[int]
) -> float:
    """By how much the prices of ``row`` and k - 1 of ``others`` exceed k times the loss of their hull, at most."""
    return max(
        (
            float(prices[[row, *some]].sum()) - size * loss.of(*hull([points[each] for each in (row, *some)]))
            for some in combinations(others, size - 1)
        ),
        default=-np.inf,
    )
