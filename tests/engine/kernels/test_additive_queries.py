# SPDX-License-Identifier: Apache-2.0
"""Additive queries answer what a scan over all live rows would answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.engine.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.engine.kernels.hull import FLAT, RANGE
from shoal.engine.kernels.trees.additive_queries import (
    LINE,
    STEP,
    VECTOR,
    Additive,
    fill_minima,
    furthest_row,
    nearest_rows,
)
from shoal.engine.kernels.trees.box_tree import build, delete
from tests.counts import repeats

CODES = 7


def scenario(seed: int, shapes: int):
    """Random records with ties and duplicates, random costs of the first shapes, and a plain function for them."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 120))
    numbers = rng.integers(0, 12, (n, 2)) / 4
    codes = rng.integers(0, CODES, (n, 2)).astype(float)
    records = np.ascontiguousarray(np.column_stack([numbers, codes])[:, :shapes])
    vector = rng.integers(0, 5, CODES) / 8
    low = np.concatenate([np.full(3, np.nan), vector, np.full(2 * CODES, np.nan)])
    fill_minima(low, 3, CODES)
    costs = Additive(
        shape=np.array([LINE, LINE, STEP, VECTOR]),
        centre=np.array([1.25, 0.5, float(rng.integers(CODES)), 0.0]),
        scale=np.array([0.5, 1.0, 0.0, 0.0]),
        cap=np.array([1.0, 4.0, 0.75, 0.0]),
        squared=np.array([False, True, False, False]),
        start=np.array([0, 0, 0, 3]),
        size=np.array([0, 0, 0, CODES]),
        low=low,
    )

    def plain(row: int) -> float:
        a, b, step = records[row, :3]
        terms = [
            min(abs(a - 1.25) * 0.5, 1.0),
            min((b - 0.5) ** 2, 4.0),
            0.0 if step == costs.centre[2] else 0.75,
            *(vector[int(code)] for code in records[row, 3:]),
        ]
        return math.floor(sum(terms) * 1e12 + 0.5)

    terms = [HullTerm(RANGE, scale=0.3, cap=1.0)] * 2 + [HullTerm(FLAT, cap=1.0)] * (shapes - 2)
    tree = build(hull_kernel_arrays(terms), records, bool(rng.integers(2)))
    gone = rng.choice(n, int(rng.integers(0, n)), replace=False)
    for row in gone:
        delete(tree, row)
    live = np.setdiff1d(np.arange(n), gone)
    return rng, tree, costs, plain, live


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_nearest_equal_a_scan(seed: int) -> None:
    """The m best rows, in order, ties to the lowest row, whatever was deleted before."""
    rng, tree, costs, plain, live = scenario(seed, 4)
    many = int(rng.integers(0, len(live) + 3))
    expected = sorted(live, key=lambda row: (plain(row), row))[:many]
    assert nearest_rows(costs, tree, many).tolist() == expected


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_furthest_equals_a_scan(seed: int) -> None:
    """The record of greatest cost, the lowest of equals."""
    _, tree, costs, plain, live = scenario(seed, 3)
    assert furthest_row(costs, tree) == min(live, key=lambda row: (-plain(row), row))
