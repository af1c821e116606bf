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
from shoal.engine.bounds.listed import ListedBoxes, Past
from shoal.engine.bounds.nearest import nearest_bound
from shoal.engine.bounds.prices import best_prices
from shoal.engine.bounds.regions import Regions
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.bounds.crowding import paid_by
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.bounds.pricing import Known, Tolls, cut_prices
from shoal.ground.progress import Progress
from tests.counts import count
from tests.reference import boxes
from tests.reference.losses import Loss
from tests.strategies import random_encoded, random_tree, thinned


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
        found = best_prices(lattice, listed, k, StepBudget(10**7))
        prices, regions = found.price[points.point_of], found.regions
        assert prices.min() >= 0
        assert prices.sum() - regions.owed >= sum(cheapest) - 1e-9
        paid = regions.region[points.point_of]
        assert boxes.most_broken_after_tolls(loss, encoded.points, prices, k, paid, regions.toll) <= 1e-9


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
            tolls = Regions.none(len(price)).tolls
            cut_prices(lattice, k, price, floor, unknown(lattice), tolls, reached, 10**9)
            assert boxes.most_broken(loss, encoded.points, price[points.point_of], k) <= 1e-9
            assert (price <= high).all()
            assert not is_valid or (price >= before * (1 - 1e-9)).all()
        spared += bool((price < cheapest * 0.9).any())
    assert spared


def unknown(lattice: Lattice) -> Known:
    """What is known before the first walk."""
    return Past(lattice).known(np.zeros(len(lattice.copies)), is_kept=False)


def crowd(seed: int) -> tuple[Encoded, int]:
    """A table of seven to nine records with equal ones among them, and a k of 2 or 3."""
    random = np.random.default_rng(seed)
    tree = random_tree(random, 4)
    columns = (
        EncodedColumn("a", random.integers(0, 5, n := int(random.integers(7, 10))).astype(float)),
        EncodedColumn("b", random.integers(0, 4, n).astype(float), tree=tree),
    )
    return counted(Encoded(columns)), int(random.integers(2, 4))


def test_tolls_are_all_that_breaks_a_class() -> None:
    """After a cut, whatever regions and tolls there are, no class of k to 2k - 1 costs more than its loss and toll."""
    needed = 0
    for seed in range(count(60, 400)):
        encoded, k = crowd(seed)
        if not encoded.columns:
            continue
        points, random = Points.of(encoded), np.random.default_rng(seed)
        plotted = LineAndBins.of(encoded, points)
        loss, lattice = Loss(encoded), build_lattice(encoded, points, plotted, k, Progress())
        cheapest, many = listed_boxes(lattice, k), int(random.integers(1, 4))
        price = cheapest * random.uniform(0.5, k, len(cheapest)) + random.uniform(0, 0.2, len(cheapest))
        tolls = Tolls(random.integers(-1, many, len(price)), random.uniform(0, 1, many) * random.integers(0, 2, many))
        cut_prices(lattice, k, price, 0 * price, unknown(lattice), tolls, np.zeros(2, dtype=np.int64), 10**9)
        each, paid = price[points.point_of], tolls.region[points.point_of]
        assert boxes.most_broken_after_tolls(loss, encoded.points, each, k, paid, tolls.toll) <= 1e-9, seed
        needed += boxes.most_broken(loss, encoded.points, each, k) > 0.01
    assert needed > 10


def test_what_is_known_changes_nothing() -> None:
    """Prices cut with what a list at other prices found out are the same as those cut without it."""
    left_out = 0
    for seed in range(20):
        encoded, k = crowd(seed)
        points = Points.of(encoded)
        lattice = build_lattice(encoded, points, LineAndBins.of(encoded, points), k, Progress())
        cheapest, random, past = listed_boxes(lattice, k), np.random.default_rng(seed), Past(lattice)
        none = Regions.none(len(cheapest))
        ListedBoxes(k, is_tolled=True).extend(lattice, cheapest, none, past, StepBudget(10**9))
        high, steps, cut = cheapest * random.uniform(0.9, 1.1, len(cheapest)), [], []
        for known in (unknown(lattice), past.known(high, is_kept=False)):
            price, reached = high.copy(), np.zeros(2, dtype=np.int64)
            steps.append(cut_prices(lattice, k, price, 0 * price, known, none.tolls, reached, 10**9))
            cut.append(price)
        assert (cut[0] == cut[1]).all()
        left_out += steps[1] < steps[0]
    assert left_out > 10


def test_crowded_windows() -> None:
    """Boxes of a pair each, used by halves in a window of three: half a class too many; two regions never meet."""
    encoded = Encoded((EncodedColumn("a", np.array([0.0, 1.0, 2.0, 7.0, 8.0, 9.0])),))
    points = Points.of(encoded)
    lattice = build_lattice(encoded, points, LineAndBins.of(encoded, points), 2, Progress())
    pairs = np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]])
    begin, use = np.arange(8) * 2, np.array([*[0.5] * 6, 0.2])
    found, steps = Regions.none(6).joined_by_crowded(lattice, 2, begin, pairs.ravel(), use)
    assert steps > 0
    assert found.limit.tolist() == [1, 1]
    assert sorted(map(set, (found.region[:3].tolist(), found.region[3:].tolist())), key=min) == [{0}, {1}]
    counts = np.ones(21, dtype=np.int64)
    paid = paid_by(np.arange(8) * 3, np.column_stack([pairs, np.zeros(7, np.int64)]).ravel(), counts, found.region, 2)
    assert paid.tolist() == [*found.region[[0, 0, 0, 3, 3, 3]], -1]
    assert found.charging(np.array([0.5, 0.0])).without_idle().region.tolist() in (
        [0] * 3 + [-1] * 3,
        [-1] * 3 + [0] * 3,
    )


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
    assert best_prices(lattice, cheapest, 50, scarce).price is cheapest
    assert scarce.left == 30_000
    assert 10_000 / 8 < walked < 10_000 / 2
