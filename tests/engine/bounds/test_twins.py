# SPDX-License-Identifier: Apache-2.0
"""The kernels of the bounds, on tables small enough to look at every set of k records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shoal.engine.bounds import budget as budget_of_bounds
from shoal.engine.bounds import prices
from shoal.engine.bounds.boxes import listed_boxes, searched_boxes
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import LineAndBins, Points, build_lattice, counted
from shoal.engine.bounds.nearest import nearest_bound
from shoal.engine.bounds.prices import best_prices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.bounds.pricing import cut_prices
from shoal.ground.progress import Progress
from tests.reference import boxes
from tests.reference.losses import Loss
from tests.strategies import random_encoded, thinned


def case(seed: int) -> tuple[Encoded, int]:
    """A table of at most eight records, in the columns that can cost anything, and a k."""
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 5))
    encoded = random_encoded(random, int(random.integers(k + 1, 9)))
    return counted(thinned(random, encoded) if seed % 3 == 0 else encoded), k


CASES = [seed for seed in range(80) if case(seed)[0].columns]


@pytest.mark.parametrize("seed", CASES[::4])
def test_boxes_found_record_by_record(seed: int) -> None:
    """The hull with the (k-1)-th nearest record is the twin's; a searched box costs no more than the cheapest one."""
    encoded, k = case(seed)
    loss, points = Loss(encoded), encoded.points
    tree, nearest, slots = nearest_bound(encoded, k, StepBudget(10**9))
    rows = tree.rows[tree.row_start[tree.point]]
    assert slots == len(rows)
    assert nearest == pytest.approx([boxes.nearest_loss(loss, points, row, k) for row in rows], abs=1e-9)
    searched = searched_boxes(encoded, tree, k, nearest, StepBudget(10**9))
    cheapest = [boxes.cheapest_box(loss, points, row, k) for row in rows]
    assert (searched >= nearest - 1e-9).all()
    assert searched == pytest.approx(cheapest, abs=1e-9)


def test_listed_boxes_and_prices() -> None:
    """The cheapest window around a record is its cheapest box; no k records cost more than their hull allows."""
    for seed in CASES:
        encoded, k = case(seed)
        points = Points.of(encoded)
        plotted = LineAndBins.of(encoded, points)
        plotted = replace(plotted, bins=dict.fromkeys(plotted.bins, len(encoded)))  # every number told apart
        loss, lattice = Loss(encoded), build_lattice(encoded, points, plotted, k, Progress())
        listed = listed_boxes(lattice, k)
        cheapest = [boxes.cheapest_box(loss, encoded.points, row, k) for row in range(len(encoded))]
        assert listed[points.point_of] == pytest.approx(cheapest, abs=1e-9)
        prices = best_prices(lattice, listed, k, StepBudget(10**7))[points.point_of]
        assert prices.min() >= 0
        assert prices.sum() >= sum(cheapest) - 1e-9
        assert boxes.most_broken(loss, encoded.points, prices, k) <= 1e-9


def test_a_valid_floor_is_spared() -> None:
    """A cut above a floor leaves valid prices, nowhere below the floor; a floor that breaks boxes gives way."""
    spared = 0
    for seed in CASES:
        encoded, k = case(seed)
        points = Points.of(encoded)
        plotted = LineAndBins.of(encoded, points)
        plotted = replace(plotted, bins=dict.fromkeys(plotted.bins, len(encoded)))
        loss, lattice = Loss(encoded), build_lattice(encoded, points, plotted, k, Progress())
        cheapest, random = listed_boxes(lattice, k), np.random.default_rng(seed)
        high = cheapest * random.uniform(1, k, len(cheapest))
        for floor, is_valid in ((0.9 * cheapest, True), (high.copy(), False)):
            price, reached, before = high.copy(), np.zeros(2, dtype=np.int64), floor.copy()
            cut_prices(lattice, k, price, floor, reached, 10**9)
            assert boxes.most_broken(loss, encoded.points, price[points.point_of], k) <= 1e-9
            assert (price <= high).all()
            assert not is_valid or (price >= before * (1 - 1e-9)).all()
        spared += bool((price < cheapest * 0.9).any())
    assert spared


def test_a_walk_that_would_take_too_long_is_given_up_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its pace so far; what it might have taken counts as taken, so that nothing else changes."""
    walked = 0

    def counted_walk(*given: Any) -> int:
        nonlocal walked
        steps = int(cut_prices(*given))
        walked += steps
        return steps

    monkeypatch.setattr(budget_of_bounds, "SLICE", 100)
    monkeypatch.setattr(prices, "cut_prices", counted_walk)
    encoded = Encoded((EncodedColumn("a", np.random.default_rng(0).random(2_000)),))
    points = Points.of(encoded)
    lattice = build_lattice(encoded, points, LineAndBins.of(encoded, points), 50, Progress())
    cheapest, scarce = listed_boxes(lattice, 50), StepBudget(40_000)
    assert best_prices(lattice, cheapest, 50, scarce) is cheapest
    assert scarce.left == 30_000
    assert 10_000 / 8 < walked < 10_000 / 2
