# SPDX-License-Identifier: Apache-2.0
"""The search after any method: never worse, always valid, the same on any number of threads, and repeatable."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.methods import Capabilities
from shoal.engine.refining import blocks, search
from shoal.engine.refining.enforce import enforce, obeys
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.learning import ONE_BLOCK
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.scatter_state import ScatterState
from shoal.engine.refining.search import Refined, refine
from shoal.ground import catalog
from shoal.ground.errors import Interrupted
from shoal.ground.progress import Progress, Step
from shoal.ground.requirements import Requirement, Rule
from shoal.plan.effort import ROUND
from tests.counts import count
from tests.reference.partitions import optimum, partitions
from tests.strategies import random_case, random_encoded

TABLES = count(25, 100)
PARTITIONING = [
    name for name in catalog.names("algorithms") if catalog.load("algorithms", name).CAPABILITIES.releases == "classes"
]


def loss(encoded: Encoded, labels: np.ndarray) -> float:
    """Total loss of the records that are in a class."""
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes)


def clustered(name: str, encoded: Encoded, requirement: Requirement, seed: int) -> np.ndarray:
    """Labels by a method, made to obey."""
    method = catalog.load("algorithms", name)
    able: Capabilities = method.CAPABILITIES
    if len(encoded) < 2 * requirement.size or ("categorical" not in able.kinds and has_names(encoded)):
        return np.zeros(len(encoded), dtype=np.int64)
    made = method.cluster(encoded, requirement, method.Parameters(), np.random.default_rng(seed), Progress())
    labels: np.ndarray = made.labels
    return labels if obeys(labels, requirement) else enforce(encoded, labels, requirement, Progress())


def has_names(encoded: Encoded) -> bool:
    """Whether some column is not a number."""
    return any(column.tree is not None for column in encoded.columns)


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", PARTITIONING)
def test_never_worse_after_any_method(name: str) -> None:
    """Random tables: the loss does not rise, every record stays where it may be, diversity is kept where asked."""
    for seed in range(TABLES):
        encoded, k = random_case(seed, largest=40)
        codes = np.random.default_rng(seed).integers(0, 3, len(encoded))
        rules = (Rule("distinct", codes, 2),) if seed % 3 == 0 and len(set(codes.tolist())) > 1 else ()
        requirement = Requirement(k, rules)
        before = clustered(name, encoded, requirement, seed)
        after = refine(encoded, before, requirement, Budget(steps=ROUND), seed, Progress()).labels
        assert loss(encoded, after) <= loss(encoded, before) + 1e-9, seed
        assert ((after < 0) == (before < 0)).all(), seed
        assert np.bincount(after[after >= 0]).min() >= k, seed
        assert obeys(after, requirement), seed


@pytest.mark.parametrize("kind", ["share", "entropy", "distinct"])
@pytest.mark.parametrize("seed", range(10))
def test_rules_hold_all_the_time_with_many_equal_records(seed: int, kind: str) -> None:
    """From classes that obey, the search finds cheaper ones that do, large enough, with every record."""
    random = np.random.default_rng(seed)
    few, k = random_case(seed, largest=12)
    rows = random.integers(0, len(few), 400)
    encoded = Encoded(tuple(column.take(rows) for column in few.columns), few.loss)
    codes = random.choice(4, 400, p=[0.45, 0.3, 0.15, 0.1])
    requirement = Requirement(k + 3, (Rule(kind, codes, {"share": 0.5, "entropy": 2.0, "distinct": 3}[kind]),))
    before = enforce(encoded, np.arange(400) * (400 // (2 * k + 8)) // 400, requirement, Progress())
    after = refine(encoded, before, requirement, Budget(steps=8 * ROUND), seed, Progress()).labels
    assert loss(encoded, after) <= loss(encoded, before) + 1e-9
    assert np.bincount(after).min() >= k + 3
    assert obeys(after, requirement)


def test_it_finds_the_optimum_of_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 60 tables of up to 9 records it misses the best partition of all in no more than a tenth of them.

    Without the search, all partitions are looked at, and none is missed.
    """
    for few, most in ((0, 6), (9, 0)):
        monkeypatch.setattr(search, "FEW", few)
        missed = 0
        for seed in range(60):
            encoded = random_encoded(np.random.default_rng(seed), 5 + seed % 5)
            whole, budget = np.zeros(len(encoded), np.int64), Budget(steps=4 * ROUND)
            found = refine(encoded, whole, Requirement(2), budget, 0, Progress())
            missed += loss(encoded, found.labels) > optimum(encoded, 2)[0] + 1e-9
        assert missed <= most


@pytest.mark.parametrize("seed", range(4))
def test_few_records_under_rules_and_squared_errors(seed: int) -> None:
    """The best of all partitions that obey, and the one of least squared error, found by looking at all."""
    random = np.random.default_rng(seed)
    values = np.round(random.lognormal(3, 1, (8, 2)))
    codes = random.permutation([0, 0, 0, 1, 1, 1, 2, 2])
    requirement = Requirement(2, (Rule("distinct", codes, 2),))
    for measure, begin in (("ncp", HullState.of), ("sse", ScatterState.of)):
        encoded = Encoded(tuple(EncodedColumn(name, values[:, j]) for j, name in enumerate("ab")), measure)
        whole = np.zeros(8, np.int64)
        found = refine(encoded, whole, requirement, Budget(), 0, Progress())
        best = np.inf
        for classes in partitions(list(range(8)), 2):
            labels = np.empty(8, np.int64)
            for label, members in enumerate(classes):
                labels[members] = label
            if obeys(labels, requirement):
                best = min(best, begin(encoded, labels, requirement).loss())
        assert obeys(found.labels, requirement)
        assert begin(encoded, found.labels, requirement).loss() == pytest.approx(best)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> tuple[Encoded, np.ndarray]:
    """A table of many blocks, with poor classes."""
    monkeypatch.setattr(blocks, "LARGEST_BLOCK", 10)
    encoded = random_encoded(np.random.default_rng(5), 600, columns=4)
    return encoded, np.arange(600) // 4


def run(table: tuple[Encoded, np.ndarray], budget: Budget, progress: Progress | None = None, seed: int = 0) -> Refined:
    """A search of that table with k = 4."""
    encoded, labels = table
    return refine(encoded, labels, Requirement(4), budget, seed, progress or Progress())


def test_the_number_of_threads_changes_nothing(
    table: tuple[Encoded, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One, two and five threads find the same classes."""
    found = []
    for many in (1, 2, 5):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        found.append(run(table, Budget(steps=4 * ROUND)).labels.tolist())
    assert found[0] == found[1] == found[2]


def test_more_steps_lose_less(table: tuple[Encoded, np.ndarray]) -> None:
    """The budget is worth something, and the curve of losses says so."""
    found = run(table, Budget(steps=6 * ROUND))
    encoded, labels = table
    assert loss(encoded, found.labels) < 0.9 * loss(encoded, labels)
    assert found.losses[0][1] == pytest.approx(loss(encoded, labels) / _cells(encoded))
    assert min(one for _, one in found.losses) == pytest.approx(loss(encoded, found.labels) / _cells(encoded))


def _cells(encoded: Encoded) -> float:
    return len(encoded) * sum(column.weight for column in encoded.columns)


def test_a_time_budget_is_recorded_in_steps_and_replays(table: tuple[Encoded, np.ndarray]) -> None:
    """What a second could do can be done again from the number of steps."""
    found = run(table, Budget(seconds=0.5))
    assert run(table, Budget(found.steps, found.stop_after)).labels.tolist() == found.labels.tolist()


def test_finishing_early_keeps_the_best_and_replays(table: tuple[Encoded, np.ndarray]) -> None:
    """Whoever says "finish" gets the best so far, and a plan that finds it again."""

    def enough(step: Step) -> str | None:
        return "finish" if step.done > 3_200 else None

    found = run(table, Budget(steps=50 * ROUND), Progress(enough))
    assert (found.stop_after, found.steps) == (3 * ROUND, 50 * ROUND)
    assert run(table, Budget(found.steps, found.stop_after)).labels.tolist() == found.labels.tolist()
    assert found.losses[-1][1] < found.losses[0][1]


@pytest.mark.parametrize("steps", [1, 10, ROUND - 1, ROUND + 10])
def test_steps_mean_steps(table: tuple[Encoded, np.ndarray], monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    """A budget is not rounded up to whole rounds, of which tries have a share; it is told as given, and replays."""
    spent: list[int] = []
    real = search.HullState.search
    monkeypatch.setattr(
        search.HullState,
        "search",
        lambda self, block, some, *others: (spent.append(some), real(self, block, some, *others))[1],
    )
    found = run(table, Budget(steps=steps))
    whole, rest = divmod(steps, ROUND)
    assert sum(dict.fromkeys(spent)) == sum(math.ceil(ONE_BLOCK[1] * one) for one in [ROUND] * whole + [rest])
    assert steps == found.steps
    assert found.stop_after is None
    assert run(table, Budget(steps=found.steps)).labels.tolist() == found.labels.tolist()


def test_cancelling_stops_without_a_result(table: tuple[Encoded, np.ndarray]) -> None:
    """Whoever says "cancel" gets nothing."""
    with pytest.raises(Interrupted):
        run(table, Budget(steps=50 * ROUND), Progress(lambda step: "cancel" if step.done > 1_000 else None))


def test_progress_shows_the_loss_falling(table: tuple[Encoded, np.ndarray]) -> None:
    """Each report carries the best loss so far, and work moves on."""
    seen: list[Step] = []
    run(table, Budget(steps=5 * ROUND), Progress(seen.append))
    losses = [step.loss for step in seen if step.loss is not None]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]
    assert [step.done for step in seen] == sorted(step.done for step in seen)


def test_the_seed_leads_the_search(table: tuple[Encoded, np.ndarray]) -> None:
    """Another seed finds other classes; the same seed the same."""
    one, again, other = (run(table, Budget(steps=ROUND), seed=seed).labels.tolist() for seed in (0, 0, 1))
    assert one == again != other


def test_short_rounds_begin_cooler_the_more_is_lost() -> None:
    """Usual rounds begin with the same heat whatever is lost; shorter ones with less where much is lost."""
    assert [search._lowered(5.0, share, 0.5) for share in (2.0, 1.0)] == [5.0] * 2
    assert [search._lowered(5.0, 0.1, loss) for loss in (0.0, 0.001, 0.05, 0.1)] == [5.0, 5.0, 1.0, 0.5]


@pytest.mark.parametrize("lines", [1, 2])
def test_steps_are_hasty_in_short_rounds_of_tables_with_several_numbers(
    lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else haste changes nothing; and rounds of the usual length know none."""
    random, told = np.random.default_rng(0), []
    encoded = Encoded(tuple(EncodedColumn(str(j), random.random(300)) for j in range(lines)), "ncp")
    labels = np.arange(300) // 5
    states = [HullState.of(encoded, labels, Requirement(5), is_hasty=haste) for haste in (False, True)]
    found = [state.search(state.holdings, 500, 0.0, 7) for state in states]
    assert (found[0].atom.tolist() == found[1].atom.tolist()) == (lines == 1)

    def of(*given: object, is_hasty: bool = False) -> HullState:
        told.append(is_hasty)
        return states[is_hasty]

    monkeypatch.setattr(search.HullState, "of", of)
    for whole in (ROUND, ROUND - 1):
        refine(encoded, labels, Requirement(5), Budget(steps=1, round=whole), 0, Progress())
    assert told == [False, True]


def test_all_records_in_one_class_lose_everything() -> None:
    """The squared error is told as a share of that of one class of all records."""
    for seed in range(20):
        encoded, k = random_case(seed, largest=40)
        labels = np.zeros(len(encoded), dtype=np.int64)
        state = ScatterState.of(encoded, labels, Requirement(k))
        assert state.loss() == pytest.approx(0) or state.loss() / state.cells == pytest.approx(1)
