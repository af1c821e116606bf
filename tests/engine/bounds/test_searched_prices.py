# SPDX-License-Identifier: Apache-2.0
"""Prices where boxes are searched for: valid whatever the guess and however early the search ends."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.bounds import lattice, slots
from shoal.engine.bounds import searched_prices as searching
from shoal.engine.bounds.bound import _bound, lower_bound
from shoal.engine.bounds.boxes import searched_boxes
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import counted
from shoal.engine.bounds.nearest import nearest_bound
from shoal.engine.bounds.searched_prices import searched_prices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.bounds.company import Market, highest_below
from shoal.engine.kernels.bounds.dear_sets import desk, worst_set
from shoal.engine.kernels.bounds.settling import SetList, settle
from shoal.engine.kernels.trees.box_tree import BoxTree
from shoal.ground.arrays import Flags, Floats, Ints
from tests.counts import repeats
from tests.reference import boxes
from tests.reference.losses import Loss
from tests.reference.partitions import optimum
from tests.strategies import LOSSES, SHAPES, random_column, thinned

SCALES = (1.0, 1e-4, 1e4)


def several_numbers(seed: int, most: int = 9) -> tuple[Encoded, int]:
    """A small table with at least two columns of numbers, duplicates and missing cells among them; and a k."""
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 5))
    n = int(random.integers(k + 1, most + 1))
    numbers = [random_column(random, n, f"number {one}", 0.2, str(random.choice(["whole", "real"]))) for one in "ab"]
    others = [
        random_column(random, n, f"other {one}", 0.3, str(random.choice(SHAPES))) for one in range(random.integers(3))
    ]
    columns = [column.lighter(SCALES[seed % 3]) for column in (*numbers, *others)]
    encoded = Encoded(tuple(columns), LOSSES[seed % len(LOSSES)])
    return (thinned(random, encoded) if seed % 2 else encoded), k


def begun(seed: int) -> tuple[Encoded, int, BoxTree, Floats]:
    """Such a table in the columns that cost anything, its tree, and bound 2 for each slot."""
    encoded, k = several_numbers(seed, most=8)
    encoded = counted(encoded)
    tree, nearest, _ = nearest_bound(encoded, k, StepBudget(10**9))
    return encoded, k, tree, searched_boxes(encoded, tree, k, nearest, StepBudget(10**9))


def market_of(encoded: Encoded, tree: BoxTree, price: Floats, cheapest: Floats, settled: Flags) -> Market:
    """Records at these prices."""
    dearest = np.zeros(len(tree.left))
    highest_below(tree, price, dearest)
    return Market(encoded.hulls, tree, price, cheapest, settled, dearest)


def room_of_sets(k: int) -> SetList:
    """Room for more sets than there are."""
    return SetList(np.zeros((999, k), np.int64), np.zeros((999, k), np.int64), np.zeros(999), np.zeros(1, np.int64))


def slot_of(tree: BoxTree) -> Ints:
    """[row] its slot."""
    return tree.slot[tree.point_of]


CASES = [seed for seed in range(60) if counted(several_numbers(seed, most=8)[0]).columns]


@pytest.mark.parametrize("room", [(40, 400), (40, 1), (40, 3), (2, 400), (1, 2)])
def test_the_worst_set_around_a_record(room: tuple[int, int]) -> None:
    """Never less than what a look at all sets finds; just that if there is room for all; no set is made up."""
    company, branches = room
    exact = 0
    for seed in CASES:
        encoded, k, tree, cheapest = begun(seed)
        random, loss, at = np.random.default_rng(seed), Loss(encoded), slot_of(tree)
        price = cheapest * random.uniform(0.5, k, len(cheapest))
        settled = random.random(len(price)) < 0.2
        slot = int(np.argmax(np.where(settled, -1.0, price)))
        settled[slot] = False
        market = market_of(encoded, tree, price, cheapest, settled)
        room_for = desk(len(encoded.columns), k, company, branches)
        above, best = worst_set(market, room_for, slot, k, branches, 0.0)
        row = int(np.flatnonzero(at == slot)[0])
        others = [other for other in range(len(at)) if other != row and not settled[at[other]]]
        truth = boxes.most_broken_around(loss, encoded.points, price[at], k, row, others)
        assert above >= truth - 1e-12, seed
        assert best <= max(truth, 0.0) + 1e-12, seed
        if company == branches / 10:
            assert above == pytest.approx(max(truth, 0.0), abs=1e-12)
            exact += truth > 0
    assert company != branches / 10 or exact > 5


@pytest.mark.parametrize(
    ("company", "branches", "budget"), [(40, 400, 10**9), (3, 2, 10**9), (1, 1, 10**9), (40, 8, 40)]
)
def test_settled_prices_are_valid(company: int, branches: int, budget: int) -> None:
    """Whatever they were before; where the work ends early, all that were not settled are those of bound 2."""
    fell, kept = 0, 0
    for seed in CASES:
        encoded, k, tree, cheapest = begun(seed)
        loss, at, random = Loss(encoded), slot_of(tree), np.random.default_rng(seed)
        price = np.maximum(cheapest * random.uniform(0.5, k, len(cheapest)), cheapest)
        before, settled = price.copy(), np.zeros(len(price), dtype=bool)
        market, heap = market_of(encoded, tree, price, cheapest, settled), np.argsort(-price, kind="stable")
        tries, room_for = np.zeros(len(price), dtype=np.int64), desk(len(encoded.columns), k, company, branches)
        settle(market, room_for, k, branches, heap, len(heap), tries, room_of_sets(k), budget)
        price = np.where(settled, price, cheapest)
        assert (price <= before).all()
        assert (price >= cheapest).all()
        assert boxes.most_broken(loss, encoded.points, price[at], k) <= 1e-12, seed
        fell += bool((price < before).any())
        kept += bool((price > cheapest * (1 + 1e-6)).any())
    assert fell > 10
    assert kept > 5


@pytest.mark.parametrize("part", repeats(4, 25))
def test_never_above_the_optimum(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On tables with several columns of numbers, by a look at all partitions: weights small and large, duplicates."""
    monkeypatch.setattr(searching, "COMPANY", (128, 4)[part % 2])
    rose = 0
    for seed in range(20 * part, 20 * part + 20):
        encoded, k = several_numbers(seed)
        useful, (best, _) = counted(encoded), optimum(encoded, k)
        if not useful.columns:
            continue
        tree, nearest, _ = nearest_bound(useful, k, StepBudget(10**9))
        cheapest = searched_boxes(useful, tree, k, nearest, StepBudget(10**9))
        prices = searched_prices(useful, tree, cheapest, k, StepBudget(10 ** (3 + seed % 5)))
        found = _bound(encoded, prices, tree.copies, len(encoded), "prices")
        assert found.total <= best, seed
        assert lower_bound(encoded, k).total <= best, seed
        rose += float(np.dot(prices - cheapest, tree.copies)) > 1e-3 * float(np.dot(cheapest, tree.copies))
    assert rose > 2


def test_more_effort_never_lowers_it() -> None:
    """On tables whose boxes are not listed."""
    random = np.random.default_rng(1)
    encoded = Encoded(tuple(EncodedColumn(name, random.normal(size=400)) for name in "abcd"))
    useful = counted(encoded)
    tree, nearest, _ = nearest_bound(useful, 5, StepBudget(10**9))
    cheapest = searched_boxes(useful, tree, 5, nearest, StepBudget(10**9))
    sums = [
        float(np.dot(searched_prices(useful, tree, cheapest, 5, StepBudget(steps)), tree.copies))
        for steps in (0, 10_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
    ]
    assert sums == sorted(sums)
    assert sums[-1] > 1.2 * sums[0]


def test_large_tables_with_several_numbers_have_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no list of boxes has room, bound 3 is above bound 2, the same every time, whatever the unit of weights."""
    random = np.random.default_rng(5)
    columns = tuple(EncodedColumn(name, random.exponential(size=1_500).round(2)) for name in "abcd")
    encoded = Encoded(columns)
    monkeypatch.setattr(lattice, "LARGEST", 0)
    bound = lower_bound(encoded, 5, effort=3)
    assert bound.method == "prices"
    assert bound.total > 1.15 * lower_bound(encoded, 5, effort=3, method="boxes").total
    assert lower_bound(encoded, 5, effort=3).total == bound.total
    light = Encoded(tuple(column.lighter(1e4) for column in columns))
    assert lower_bound(light, 5, effort=3).per_cell == pytest.approx(bound.per_cell, rel=1e-6)


@pytest.mark.parametrize("steps", [20_000, 400_000, 40_000_000])
def test_the_same_on_any_number_of_cores(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However early the work ends, and how far ahead others are then."""
    random = np.random.default_rng(3)
    useful = counted(Encoded(tuple(EncodedColumn(name, random.normal(size=900).round(1)) for name in "abc")))
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(threads, "threads", lambda cores=cores: cores)
        monkeypatch.setattr(slots, "AT_ONCE", 50)
        monkeypatch.setattr(searching, "AT_ONCE", 50)
        tree, nearest, covered = nearest_bound(useful, 5, StepBudget(steps))
        cheapest = searched_boxes(useful, tree, 5, nearest, StepBudget(steps))
        found.append((covered, cheapest, searched_prices(useful, tree, cheapest, 5, StepBudget(steps))))
    for covered, cheapest, prices in found[1:]:
        assert covered == found[0][0]
        assert np.array_equal(cheapest, found[0][1])
        assert np.array_equal(prices, found[0][2])
    assert found[0][0] < 900 or steps > 20_000


def test_little_work_is_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no list of sets can be ended, prices are above bound 2 all the same."""
    random = np.random.default_rng(4)
    useful = counted(Encoded(tuple(EncodedColumn(name, random.normal(size=1_000)) for name in "abc")))
    tree, nearest, _ = nearest_bound(useful, 5, StepBudget(10**9))
    cheapest = searched_boxes(useful, tree, 5, nearest, StepBudget(10**9))
    monkeypatch.setattr(searching, "STAGES", ())
    prices = searched_prices(useful, tree, cheapest, 5, StepBudget(1_000_000))
    assert np.dot(prices, tree.copies) > 1.02 * np.dot(cheapest, tree.copies)
