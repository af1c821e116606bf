# SPDX-License-Identifier: Apache-2.0
"""Prices by walks over patterns: what a walk finds is what all sets of records show, and prices are valid."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.bounds import lattice
from shoal.engine.bounds.bound import lower_bound
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import counted
from shoal.engine.bounds.patterns import TRIFLE, PatternProgramme, names_of, pattern_prices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.bounds.pattern_walk import DearSets, begin, new_branch, walk
from shoal.ground.arrays import Floats
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import count, repeats
from tests.reference import boxes, patterns
from tests.reference.losses import Loss
from tests.reference.partitions import optimum
from tests.strategies import LOSSES

PLENTY = 10**9


def suppressed(seed: int, n: int | None = None, columns: int = 4) -> tuple[Encoded, int]:
    """A table of names without levels, duplicates among them, with weights of any size; and a k."""
    random = np.random.default_rng(seed)
    k, most = int(random.integers(2, 5)), int(random.integers(2, 5))
    rows = n or int(random.integers(k + 1, 10))
    unit = (1.0, 1e-4, 1e4)[seed % 3]
    made = tuple(
        EncodedColumn(
            f"column {place}",
            random.integers(0, random.integers(1, most + 1), rows).astype(float),
            unit * float(random.choice([1.0, 1.0, 0.5, 1 / 3, 2.0])),
            Hierarchy.flat([f"name {one}" for one in range(most)]),
        )
        for place in range(random.integers(1, columns + 1))
    )
    return counted(Encoded(made, LOSSES[seed % len(LOSSES)])), k


def walked(encoded: Encoded, k: int, price: Floats, looks: int = PLENTY, own: int = 0, walkers: int = 1) -> DearSets:
    """What a walk finds, so many looks at a time; or what one of several walkers does."""
    n = len(encoded)
    names = names_of(encoded.points, encoded.hulls.cap, k)
    branch = new_branch(names, own, walkers)
    sets = DearSets(np.empty((999, k), np.int64), np.empty(999), np.zeros(n), np.full(n, np.inf), np.zeros(2, np.int64))
    begin(branch, np.argsort(-price, kind="stable"))
    while branch.at[0] >= 0:
        walk(names, branch, sets, price, k, 0.0, looks)
    return sets


CASES = [(seed, *suppressed(seed)) for seed in range(60)]
SHOWING = [(seed, encoded, k) for seed, encoded, k in CASES if encoded.columns]


def test_a_walk_finds_what_all_sets_of_records_show() -> None:
    """The sets priced too high, by how much, and down to which price records have to be lowered."""
    found = 0
    for seed, encoded, k in SHOWING:
        price = np.random.default_rng(seed).random(len(encoded))
        sets = walked(encoded, k, price)
        rows, weights = encoded.points.astype(int).tolist(), encoded.hulls.cap.tolist()
        truth = patterns.too_dear(rows, weights, price.tolist(), k)
        above, cap = np.zeros(len(encoded)), np.full(len(encoded), np.inf)
        for pattern, (who, over) in truth.items():
            level = patterns.level(price[who[:k]].tolist(), k * patterns.cost(pattern, weights))
            above[who[:k]] = np.maximum(above[who[:k]], over)
            dear = [row for row in who if price[row] > level + 1e-9]
            cap[dear] = np.minimum(cap[dear], level)
        assert sets.above == pytest.approx(above, abs=1e-9), seed
        assert np.minimum(price, sets.cap) == pytest.approx(np.minimum(price, cap), abs=1e-9), seed
        dearest = {(*who[:k], round(price[who[:k]].sum() - over, 6)) for who, over in truth.values()}
        for one in range(sets.many[0]):
            assert (*sets.records[one], round(sets.allowed[one], 6)) in dearest, seed
        found += len(truth)
    assert found > 100


def test_prices_lowered_to_their_caps_are_valid() -> None:
    """After one walk, whatever they were before; and most of what was valid stays."""
    kept = 0.0
    for seed, encoded, k in SHOWING:
        loss, price = Loss(encoded), np.random.default_rng(seed).random(len(encoded))
        valid = np.minimum(price, walked(encoded, k, price).cap)
        assert boxes.most_broken(loss, encoded.points, valid, k) <= 1e-12, seed
        kept += float(valid.sum() / price.sum()) / len(SHOWING)
    assert kept > 0.3


def test_a_walk_can_be_interrupted() -> None:
    """It goes on where it was and finds the same."""
    for seed, encoded, k in SHOWING[:20]:
        price = np.random.default_rng(seed).random(len(encoded))
        whole, parts = walked(encoded, k, price), walked(encoded, k, price, looks=1)
        many = whole.many[0]
        assert np.array_equal(whole.many, parts.many)
        assert np.array_equal(whole.records[:many], parts.records[:many])
        assert np.array_equal(whole.cap, parts.cap)


def test_walkers_find_together_what_one_finds() -> None:
    """Whatever is below an attribute is looked at by one of them, and by no other."""
    shared = 0
    for seed, encoded, k in SHOWING:
        price = np.random.default_rng(seed).random(len(encoded))
        one = walked(encoded, k, price)
        each = [walked(encoded, k, price, own=own, walkers=3) for own in range(3)]
        assert np.array_equal(one.above, np.max([sets.above for sets in each], axis=0)), seed
        assert np.array_equal(one.cap, np.min([sets.cap for sets in each], axis=0)), seed
        shared += sum(sets.many[0] > 0 for sets in each) > 1
    assert shared > 5


def test_a_programme_lists_the_worst_sets_of_each_record() -> None:
    """Those that no record has a worse one than, and all of these."""
    some = 0
    for seed, encoded, k in SHOWING:
        programme = PatternProgramme(encoded.points, encoded.hulls, k, StepBudget(PLENTY))
        programme.price = programme.most * np.random.default_rng(seed).random(len(encoded))
        found = programme.walk(PLENTY)
        assert found is not None
        least = TRIFLE * programme.most
        above = walked(encoded, k, programme.price).above
        assert found.above == pytest.approx(np.where(above > least, above, 0.0)), seed
        over = programme.price[found.records].sum(axis=1) - found.allowed
        worst = np.zeros(len(encoded))
        np.maximum.at(worst, found.records.ravel(), np.repeat(over, k))
        assert worst[found.above > 0] == pytest.approx(found.above[found.above > 0]), seed
        assert all((value >= worst[who] - 1e-9).any() for value, who in zip(over, found.records, strict=True)), seed
        some += len(over)
    assert some > 50


@pytest.mark.parametrize("part", repeats(5, 25))
def test_never_above_the_optimum(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a look at all partitions; some are near it, as far as classes that may be used in part can be."""
    monkeypatch.setattr(lattice, "LARGEST", 0)
    close, some = 0, 0
    for seed in range(20 * part, 20 * part + 20):
        encoded, k = suppressed(seed)
        if not encoded.columns:
            continue
        best, _ = optimum(encoded, k)
        for steps in (PLENTY, 50_000):
            prices, _ = pattern_prices(encoded, k, StepBudget(steps))
            assert prices is None or prices.sum() <= best + 1e-12, seed
        bound = lower_bound(encoded, k)
        assert bound.total <= best, seed
        assert bound.method == "prices"
        close, some = close + (bound.total >= 0.8 * best > 0), some + (best > 0)
    assert close > some / 5


def test_it_agrees_with_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where boxes are few enough to be listed, prices without tolls come to the same sum."""
    monkeypatch.setattr("shoal.engine.bounds.prices.CHOICES", 0)
    for seed in range(count(4, 20)):
        encoded, k = suppressed(seed, n=150, columns=5)
        if not encoded.columns:
            continue
        listed = lower_bound(encoded, k, effort=20).total
        prices, is_whole = pattern_prices(encoded, k, StepBudget(PLENTY))
        assert prices is not None
        assert is_whole
        assert prices.sum() == pytest.approx(listed, rel=0.01), seed


def many_columns(n: int, columns: int) -> Encoded:
    """Names in more columns than boxes can be listed for."""
    random = np.random.default_rng(n)
    tree = Hierarchy.flat([f"name {one}" for one in range(6)])
    kinds = random.integers(0, 6, (n, 1)) * (random.random((n, columns)) < 0.7)
    made = (EncodedColumn(f"{place}", one.astype(float), 1.0, tree) for place, one in enumerate(kinds.T))
    return counted(Encoded(tuple(made)))


def test_where_boxes_are_too_many_to_list() -> None:
    """The bound is well above that of single boxes; more effort never lowers it; the same every time."""
    encoded = many_columns(800, 14)
    bound = lower_bound(encoded, 5)
    assert bound.method == "prices"
    assert bound.total > 1.2 * lower_bound(encoded, 5, method="boxes").total
    assert lower_bound(encoded, 5) == bound
    totals = [lower_bound(encoded, 5, effort=effort).total for effort in (0.05, 0.2, 1.0, 3.0)]
    assert totals == sorted(totals)


def test_a_walk_passes_by_most_patterns() -> None:
    """At prices that are valid it looks at a part of what it would look at if all patterns were too dear."""
    encoded = many_columns(800, 14)
    prices, _ = pattern_prices(encoded, 5, StepBudget(PLENTY))
    assert prices is not None
    programme = PatternProgramme(encoded.points, encoded.hulls, 5, StepBudget(PLENTY))
    looks = []
    for price in (prices, np.full(len(prices), 100.0)):
        programme.price = price
        found = programme.walk(PLENTY)
        assert found is not None
        looks.append(int(found.many[1]))
    assert 3 * looks[0] < looks[1]


def test_too_many_patterns_are_left_alone() -> None:
    """Where the first walk takes too long, there are no such prices, and the other bounds are asked."""
    encoded = many_columns(300, 40)
    assert pattern_prices(encoded, 5, StepBudget(1_000)) == (None, False)
    bound = lower_bound(encoded, 5, effort=0.01)
    assert bound.total >= lower_bound(encoded, 5, effort=0.01, method="nearest").total > 0


def test_records_that_were_decided_on_have_no_price() -> None:
    """The programme of the others: nobody else is in its sets, and prices do not exceed what they can always lose."""
    encoded = many_columns(400, 10)
    programme = PatternProgramme(encoded.points, encoded.hulls, 5, StepBudget(PLENTY))
    for _ in range(8):
        found = programme.walk(PLENTY)
        assert found is not None
        programme.fit(found)
    gone = np.arange(0, 400, 3)
    programme.leave_out(gone)
    programme.ceiling[1] = 0.01
    found = programme.walk(PLENTY)
    assert found is not None
    programme.fit(found)
    assert (programme.price[gone] == 0).all()
    assert programme.price[1] <= 0.01 + 1e-12
    assert not np.isin(programme.sets, gone).any()
    assert len(programme.sets) > 10
