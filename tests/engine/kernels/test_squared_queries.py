# SPDX-License-Identifier: Apache-2.0
"""Squared-distance queries on the box tree answer what a scan would answer, while rows are taken out."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.algorithms._euclidean import tree_over
from shoal.engine.kernels.trees.box_tree import NO_ROW, delete
from shoal.engine.kernels.trees.squared_queries import (
    from_mean,
    furthest_from_mean,
    furthest_from_record,
    leave,
    mean_of,
    nearest,
    nearest_each,
)
from tests.reference.vectorised import ticks

NAMES = np.array([False, True, False, True])
WEIGHT = np.array([1.0, 0.5, 2.0, 1 / 3])


def random_points(seed: int, n: int = 150) -> np.ndarray:
    """Two lines and two columns of names, few and many; many records are equal."""
    random = np.random.default_rng(seed)
    lines = random.integers(0, 5, n) / 4, random.normal(0, 1, n).round(1)
    names = random.integers(0, 4, n), np.floor(random.exponential(12, n)).clip(0, 50)
    return np.column_stack([lines[0], names[0], lines[1], names[1]]) + 0.0


def squared(points: np.ndarray, record: np.ndarray) -> np.ndarray:
    """Squared distances of all points from one, in ticks, added in column order."""
    total = np.zeros(len(points))
    for j in range(len(record)):
        gap = points[:, j] - record[j]
        total += WEIGHT[j] * (gap != 0 if NAMES[j] else gap * gap)
    return ticks(total)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("outward", [False, True])
def test_queries_answer_like_a_scan(seed: int, outward: bool) -> None:
    """Nearest of any number, furthest from a record, furthest from the mean: with ties, until nothing is left."""
    points, random = random_points(seed), np.random.default_rng(seed)
    tree, mean = tree_over(points, NAMES, WEIGHT, outward), mean_of(points, NAMES)
    live = np.arange(len(points))
    while len(live):
        record, many = points[random.integers(len(points))], int(random.integers(1, 12))
        value = squared(points[live], record)
        values, rows = np.empty(many), np.empty(many, dtype=np.int64)
        found = nearest(tree, NAMES, WEIGHT, record, values, rows)
        wanted = np.lexsort((live, value))[:many]
        assert sorted(zip(values[:found], rows[:found])) == list(zip(value[wanted], live[wanted]))
        values, rows = np.array([np.inf]), np.array([NO_ROW])
        nearest_each(tree, NAMES, WEIGHT, record[None, :], np.array([0]), values, rows)
        assert (values[0], rows[0]) == (value.min(), live[value.argmin()])
        assert furthest_from_record(tree, NAMES, WEIGHT, record) == live[value.argmax()]
        apart = from_mean(mean, points[live], NAMES, WEIGHT)
        assert furthest_from_mean(tree, NAMES, WEIGHT, mean) == live[apart.argmax()]
        for row in random.permutation(live)[:7].tolist():
            delete(tree, row)
            leave(mean, points, NAMES, row)
            live = live[live != row]


def test_a_known_record_is_the_one_to_beat() -> None:
    """It stays unless a nearer one is found, or one as near with a lower row number."""
    points = np.array([[0.0, 0, 0, 0], [1.0, 0, 0, 0], [3.0, 0, 0, 0]])
    tree = tree_over(points, NAMES, WEIGHT)
    delete(tree, 0)
    for value, row, expected in [(4e12, 7, 1), (1e12, 7, 1), (1e12, 0, 0), (0.5e12, 7, 7)]:
        values, rows = np.array([value]), np.array([row])
        nearest_each(tree, NAMES, WEIGHT, points, np.array([0]), values, rows)
        assert rows[0] == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_mean_stays_exact_while_records_leave(seed: int) -> None:
    """Numbers of very different size leave no trace, so that the order of leaving does not matter."""
    random = np.random.default_rng(seed)
    points = np.column_stack(
        [10.0 ** random.integers(-6, 9, 200) * random.normal(0, 1, 200), random.integers(0, 5, 200)]
    )
    names = np.array([False, True])
    mean = mean_of(points, names)
    for row in random.permutation(200)[:190].tolist():
        leave(mean, points, names, row)
        points[row] = np.nan
    rest = points[~np.isnan(points[:, 0])]
    fresh = mean_of(rest, names)
    assert mean.high[0] == fresh.high[0]
    assert mean.squares[1] == fresh.squares[1]
