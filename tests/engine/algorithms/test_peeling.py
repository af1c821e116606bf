# SPDX-License-Identifier: Apache-2.0
"""Peeling equals its slow plain twin, keeps its promises, and does no more work than it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shoal.engine.algorithms import _peeling, k_members
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.ground.errors import Interrupted
from shoal.ground.progress import Progress
from shoal.ground.requirements import RULES, Requirement, Rule, Spans
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import peeling as twin
from tests.reference.rules import obeys, random_rule
from tests.strategies import random_case, random_encoded


def peeled(encoded: Encoded, k: int, *rules: Any) -> np.ndarray:
    """Labels by peeling."""
    return _peeling.peel(encoded, Requirement(k, rules), Progress())


def loss_of(encoded: Encoded, labels: np.ndarray) -> float:
    """Loss of a partition."""
    return total_loss(encoded.hulls, *class_hulls(encoded.points, labels, int(labels.max()) + 1))


def wide_table(n: int, attributes: int, seed: int = 0) -> Encoded:
    """Names, trees and numbers that hang together a little, many of them."""
    random = np.random.default_rng(seed)
    hidden = random.integers(0, 4, n)
    columns = []
    for place in range(attributes):
        if place % 3 == 0:
            numbers = np.round(hidden * 10 + random.normal(0, 8, n), 1 if place % 2 else 6)
            columns.append(EncodedColumn(f"number {place}", numbers))
        else:
            leaves = np.where(random.random(n) < 0.8, (hidden * place) % 7, random.integers(0, 7, n))
            columns.append(EncodedColumn(f"name {place}", leaves.astype(float), tree=Hierarchy.flat("abcdefg")))
    return Encoded(tuple(columns))


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The walks that were begun, to be read afterwards."""
    begun: list[Any] = []
    begin = _peeling.new_walk

    def remembered(*given: int) -> Any:
        begun.append(begin(*given))
        return begun[-1]

    monkeypatch.setattr(_peeling, "new_walk", remembered)
    return begun


# -- twins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_it_equals_its_twin(seed: int) -> None:
    """Runs of sorted atoms close the same cells, threshold by threshold, as lists and dictionaries do."""
    encoded, k = random_case(90_000 + seed, largest=150 if seed < 8 else 45)
    assert peeled(encoded, k).tolist() == twin.peel(encoded, Requirement(k))


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", range(12))
def test_it_equals_its_twin_under_rules(seed: int, kind: str) -> None:
    """Cells and windows that break a rule stay open in both."""
    encoded, k = random_case(91_000 + seed, largest=40)
    rule = random_rule(np.random.default_rng(seed), kind, len(encoded))
    assert peeled(encoded, k, rule).tolist() == twin.peel(encoded, Requirement(k, (rule,)))


@pytest.mark.parametrize("widening", _peeling.WIDENINGS)
def test_coarser_levels_equal_the_twin(widening: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way of widening bins makes the levels it says."""
    monkeypatch.setattr(_peeling, "WIDENINGS", (widening,))
    for seed in range(5):
        random = np.random.default_rng(seed)
        numbers = [np.round(random.gamma(1 + place, 10, 80), place) for place in range(3)]
        encoded = Encoded(tuple(EncodedColumn(f"number {place}", one) for place, one in enumerate(numbers)))
        assert peeled(encoded, 3).tolist() == twin.peel(encoded, Requirement(3))


# -- promises ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_every_class_is_large_enough(seed: int) -> None:
    """Each record has one class, and each class at least k records."""
    encoded, k = random_case(92_000 + seed, largest=400)
    assert np.bincount(peeled(encoded, k)).min() >= k


def test_records_that_are_alike_in_enough_numbers_cost_nothing() -> None:
    """Equal records, k of them, are a class of their own before anything is generalised."""
    encoded = random_encoded(np.random.default_rng(1), 40, columns=4)
    repeated = Encoded(tuple(one.take(np.repeat(np.arange(40), 5)) for one in encoded.columns), encoded.loss)
    assert loss_of(repeated, peeled(repeated, 5)) == 0


def test_nothing_to_lose_is_no_trouble() -> None:
    """Constant columns and columns of no weight leave nothing to divide by."""
    columns = EncodedColumn("same", np.full(9, 3.0)), EncodedColumn("free", np.arange(9.0), weight=0.0)
    assert np.bincount(peeled(Encoded(columns), 2)).min() >= 2


@pytest.mark.parametrize(("kind", "limit"), [("distinct", 2), ("share", 0.7), ("entropy", 2.0), ("closeness", 0.25)])
def test_classes_obey_rules_that_leave_room(kind: str, limit: float) -> None:
    """With private values that do not hang on the others, few records are left to the enforcing step."""
    encoded = wide_table(1500, 3)
    values = np.random.default_rng(5).integers(0, 4, 1500)
    spans = Spans(np.arange(4), np.arange(4) + 1, np.full(4, 0.5))
    rule = Rule(kind, values, limit, target=np.bincount(values) / 1500, spans=spans)
    labels = peeled(encoded, 8, rule)
    broken = [one for one in range(labels.max() + 1) if not obeys(rule, values[labels == one])]
    assert np.isin(labels, broken).mean() < 0.03
    assert loss_of(encoded, labels) < 2 * loss_of(encoded, peeled(encoded, 8))


def test_the_order_of_rows_does_not_matter() -> None:
    """Shuffled rows get the same classes."""
    encoded, order = wide_table(600, 5), np.random.default_rng(2).permutation(600)
    shuffled = Encoded(tuple(column.take(order) for column in encoded.columns), encoded.loss)
    assert loss_of(shuffled, peeled(shuffled, 4)) == pytest.approx(loss_of(encoded, peeled(encoded, 4)), rel=0.01)


def test_it_can_be_cancelled() -> None:
    """A callback that answers cancel stops it."""
    with pytest.raises(Interrupted):
        _peeling.peel(wide_table(500, 4), Requirement(5), Progress(lambda step: "cancel"))


# -- work --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [5, 50])
def test_the_work_is_bounded(k: int, walks: list[Any]) -> None:
    """With 15 attributes no different record is visited more often than stated, however many combinations there are."""
    encoded = wide_table(4000, 15)
    assert np.bincount(peeled(encoded, k)).min() >= k
    assert walks[0].visits[0] <= (_peeling.VISITS_PER_RECORD + 1) * len(walks[0].atoms)


def test_what_the_budget_leaves_over_is_grown(monkeypatch: pytest.MonkeyPatch, walks: list[Any]) -> None:
    """Cut off early, it still gives classes of k records each, and stays within its visits."""
    monkeypatch.setattr(_peeling, "VISITS_PER_RECORD", 20)
    labels = peeled(wide_table(3000, 15), 10)
    assert np.bincount(labels).min() >= 10
    assert (walks[0].label < 0).sum() > 300
    assert walks[0].visits[0] <= 21 * len(walks[0].atoms)


@pytest.mark.parametrize(("attributes", "k"), [(4, 10), (15, 5), (15, 20)])
def test_it_loses_less_than_growing(attributes: int, k: int) -> None:
    """Classes cost less than those of k-members on narrow and on wide tables."""
    encoded = wide_table(4000, attributes)
    grown = k_members.cluster(
        encoded, Requirement(k), k_members.Parameters(), np.random.default_rng(0), Progress()
    ).labels
    assert loss_of(encoded, peeled(encoded, k)) < 0.95 * loss_of(encoded, grown)
