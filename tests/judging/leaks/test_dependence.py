# SPDX-License-Identifier: Apache-2.0
"""The chances that are told of an order are never smaller than they are."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from shoal.judging.leaks._dependence import Sequence, _moments, statistics
from tests.counts import count


def chances(values: np.ndarray, strata: np.ndarray | None = None, lags: int = 8) -> list[float]:
    """All chances of one order."""
    nothing = np.zeros(len(values), dtype=np.int64)
    return Sequence.of(nothing if strata is None else strata, nothing).chances(values.astype(np.float64), lags)


@pytest.mark.parametrize("values", [[1, 2, 3, 4, 5], [1, 1, 1, 2, 5], [0, 0, 0, 1, 0, 1]])
def test_mean_and_variance_of_neighbours_are_exact(values: list[float]) -> None:
    """Over all orders of a few numbers, counted one by one."""
    standard = (np.array(values) - np.mean(values)) / np.std(values)
    sums = [float((np.array(one)[1:] * np.array(one)[:-1]).sum()) for one in itertools.permutations(standard)]
    n = len(values)
    mean, variance = _moments(
        np.array([float(n)]), np.array([(standard**4).mean()]), np.array([n - 1]), np.array([n - 2])
    )
    assert (mean, variance) == (pytest.approx(np.mean(sums)), pytest.approx(np.var(sums)))


@pytest.mark.thin(3)
@pytest.mark.parametrize("rows", [20, 40, 100, 300])
@pytest.mark.parametrize("share", [None, 0.5, 0.1, 0.02], ids=["all different", "half", "a tenth", "few"])
def test_shuffled_numbers_reach_no_chance_more_often_than_it_says(rows: int, share: float | None) -> None:
    """The least of all chances of one order, corrected for their number, is below 1 % in at most 1 % of orders."""
    random = np.random.default_rng(rows)
    values = np.arange(rows) if share is None else (np.arange(rows) < max(1, share * rows)).astype(np.int64)
    tried = count(150, 3000)
    least = np.array([min(chances(random.permutation(values))) for _ in range(tried)])
    assert (least < math.log(0.01 / statistics(8))).sum() <= 0.01 * tried + 3 * math.sqrt(0.01 * tried)
    assert least.min() > math.log(1e-6)


@pytest.mark.parametrize("size", [2, 3, 5, 9])
def test_shuffled_classes_reach_no_chance_more_often_than_it_says(size: int) -> None:
    """The same within classes, whose rows stand anywhere."""
    random, tried = np.random.default_rng(size), count(150, 3000)
    strata = random.permutation(np.repeat(np.arange(40), size))
    least = np.array([min(chances(random.normal(size=len(strata)), strata, 2)) for _ in range(tried)])
    assert (least < math.log(0.01 / statistics(2))).sum() <= 0.01 * tried + 3 * math.sqrt(0.01 * tried)
    assert least.min() > math.log(1e-6)


def test_sorted_and_rotated_numbers_are_beyond_chance() -> None:
    """From some fifty rows on."""
    for rows in (60, 200):
        for values in (np.arange(rows), np.roll(np.arange(rows), rows // 3), np.arange(rows) ^ 1):
            assert min(chances(values)) < math.log(1e-9)


def test_constant_numbers_tell_nothing() -> None:
    """Equal values have no order."""
    assert min(chances(np.ones(50))) >= 0.0
