# SPDX-License-Identifier: Apache-2.0
"""Classes made of a linear programme over patterns: all rows once, k or more in each, near the bound."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.bounds.bound import lower_bound
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.encoding.encoded import Encoded, EncodedColumn, total_of
from shoal.engine.kernels.bounds.pattern_walk import RARE, Names, cheapest_fit
from shoal.engine.refining import rounds, search
from shoal.engine.refining.rounding import rounded
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import Refined, refine
from shoal.ground.errors import Interrupted
from shoal.ground.progress import Progress, Step
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.effort import ROUND
from tests.counts import repeats
from tests.reference import patterns

PLENTY = 10**9


def suppressed(seed: int, n: int, columns: int = 9) -> Encoded:
    """People of some kinds, whose answers differ now and then."""
    random = np.random.default_rng(seed)
    tree = Hierarchy.flat([f"name {one}" for one in range(5)])
    kinds = random.integers(0, 5, (12, columns))[random.integers(0, 12, n)]
    answers = np.where(random.random((n, columns)) < 0.25, random.integers(0, 5, (n, columns)), kinds)
    weights = random.choice([1.0, 1.0, 0.5, 3.0], columns)
    made = [EncodedColumn(f"{place}", one.astype(float), weights[place], tree) for place, one in enumerate(answers.T)]
    return Encoded(tuple(made), "lm")


@pytest.mark.parametrize("seed", repeats(6, 60))
def test_classes_hold_k_and_lose_little(seed: int) -> None:
    """Whatever n and k are, also where hardly anybody fits anywhere."""
    random = np.random.default_rng(seed)
    n, k = int(random.integers(30, 700)), int(random.integers(2, 13))
    encoded = suppressed(seed, n)
    labels = rounded(encoded.points, encoded.hulls, k, StepBudget(PLENTY))
    assert labels is not None
    sizes = np.bincount(labels)
    assert len(labels) == n
    assert sizes.min() >= k
    bound = lower_bound(encoded, k).total
    assert bound <= total_of(encoded, labels) <= 1.25 * bound


def test_equal_rows_lose_nothing() -> None:
    """Nor do rows whose only difference is a column that all classes must lose."""
    encoded = suppressed(1, 60, columns=4)
    copies = Encoded(
        tuple(EncodedColumn(one.name, np.repeat(one.points, 5), one.weight, one.tree) for one in encoded.columns), "lm"
    )
    labels = rounded(copies.points, copies.hulls, 5, StepBudget(PLENTY))
    assert labels is not None
    assert total_of(copies, labels) == 0


def test_too_little_work_leads_to_nothing() -> None:
    """And is over soon."""
    encoded = suppressed(2, 400)
    some = 0
    for steps in (0, 400, 4_000, 40_000, 400_000, 1_000_000, 1_400_000, 2_000_000, 3_000_000):
        budget = StepBudget(steps)
        some += rounded(encoded.points, encoded.hulls, 5, budget) is None
        assert budget.left > -rounds.PROGRAMME, steps
    assert 2 < some < 9


@pytest.mark.parametrize("seed", range(20))
def test_the_cheapest_pattern_that_fits(seed: int) -> None:
    """As plain loops find it; who fits none cheaper keeps what he had."""
    random = np.random.default_rng(seed)
    value, weight = random.integers(RARE, 3, (4, 30)), random.random(4)
    kept = np.where(random.random((8, 4)) < 0.5, RARE, random.integers(0, 3, (8, 4)))
    cost, records = (kept == RARE) @ weight, random.permutation(30)[:20]
    least, chosen = random.choice([0.3, np.inf], 20), np.full(20, -1)
    before = least.copy()
    cheapest_fit(Names(value, weight), records, kept, cost, least, chosen)
    shown = {one: pattern.tolist() for one, pattern in enumerate(kept)}
    for i, record in enumerate(records):
        best = patterns.cheapest(value[:, record].tolist(), shown, weight.tolist(), -1)
        if best >= 0 and cost[best] < before[i]:
            assert least[i] == pytest.approx(cost[best])
            assert patterns.fits(value[:, record].tolist(), shown[int(chosen[i])])
        else:
            assert (least[i], chosen[i]) == (before[i], -1)


@pytest.fixture(scope="module")
def table() -> tuple[Encoded, np.ndarray]:
    """A table that is long searched, and a poor beginning."""
    return suppressed(3, 1_000), np.arange(1_000) // 5


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches of ten rounds are long enough for a programme, which takes the place of four."""
    monkeypatch.setattr(rounds, "PROGRAMME", 4 * ROUND)


def run(table: tuple[Encoded, np.ndarray], budget: Budget, progress: Progress | None = None) -> Refined:
    """A search with k = 5."""
    return refine(*table, Requirement(5), budget, 0, progress or Progress())


def test_it_takes_the_place_of_rounds(table: tuple[Encoded, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    """A long search loses less by it and has fewer rounds; its reports move on; a short search has none."""
    seen: list[Step] = []
    found = run(table, Budget(10 * ROUND), Progress(seen.append))
    assert (len(found.losses), found.steps, found.stop_after) == (1 + 6, 10 * ROUND, None)
    assert [step.done for step in seen] == sorted(step.done for step in seen)
    assert seen[-1].done == seen[-1].total == 10_000
    assert run(table, Budget(10 * ROUND)).labels.tolist() == found.labels.tolist()
    monkeypatch.setattr(search, "_solved", lambda state, *_: state)
    without = run(table, Budget(10 * ROUND))
    assert min(one for _, one in found.losses) < min(one for _, one in without.losses)
    assert len(run(table, Budget(3 * ROUND)).losses) == 1 + 3


def test_a_budget_in_seconds_replays(table: tuple[Encoded, np.ndarray]) -> None:
    """With the programme if there was time for it, else without."""
    for seconds in (0.01, 1.5):
        seen: list[Step] = []
        found = run(table, Budget(seconds=seconds), Progress(seen.append))
        assert all(step.done <= step.total for step in seen)
        assert run(table, Budget(found.steps, found.stop_after)).labels.tolist() == found.labels.tolist()


def test_a_programme_that_takes_too_long_is_given_up(
    table: tuple[Encoded, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a time, what is left of it is searched in, with fewer steps than a programme asks for; that replays."""
    monkeypatch.setattr(rounds, "AT_MOST", 0.0)
    found = run(table, Budget(seconds=30.0))  # three rounds need a second of it
    assert found.steps < rounds.PROGRAMME
    assert len(found.losses) > 3
    assert run(table, Budget(found.steps, found.stop_after)).labels.tolist() == found.labels.tolist()


def test_without_a_result_it_spares_no_rounds(
    table: tuple[Encoded, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are done, as if there were none."""
    monkeypatch.setattr(search.HullState, "of_programme", lambda *_: None)
    found = run(table, Budget(10 * ROUND))
    assert len(found.losses) == 1 + 10
    monkeypatch.setattr(rounds, "PROGRAMME", 100 * ROUND)
    assert run(table, Budget(10 * ROUND)).labels.tolist() == found.labels.tolist()


def test_who_stops_it_gets_what_was_there_before(table: tuple[Encoded, np.ndarray]) -> None:
    """And a plan that finds that again."""

    def during(step: Step) -> bool:
        return 2_000 < step.done < 6_000

    found = run(table, Budget(10 * ROUND), Progress(lambda step: "finish" if during(step) else None))
    assert found.stop_after == 2 * ROUND
    assert run(table, Budget(found.steps, found.stop_after)).labels.tolist() == found.labels.tolist()
    with pytest.raises(Interrupted):
        run(table, Budget(10 * ROUND), Progress(lambda step: "cancel" if during(step) else None))
