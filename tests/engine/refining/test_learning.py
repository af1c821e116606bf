# SPDX-License-Identifier: Apache-2.0
"""Tries that learn: none gets worse, long searches do, and all can be done again."""

from __future__ import annotations

import time

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.refining import blocks, search
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.learning import BLOCKS, LEAKS, ONE_BLOCK, Learners
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import Refined, refine
from shoal.ground.progress import Progress, Step
from shoal.ground.requirements import Requirement, Rule
from shoal.hierarchies.hierarchy import Hierarchy
from tests.strategies import random_encoded

ASKED, ROWS = Requirement(3), 80
SHORT = 25
"""Steps per record in a round of these tests."""
LONG = Budget(steps=20 * SHORT, round=SHORT)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Encoded:
    """A small table that is searched as if it were larger."""
    monkeypatch.setattr(search, "MANY", ROWS)
    monkeypatch.setattr(search, "ROUND", SHORT)  # what counts as a usual round
    return random_encoded(np.random.default_rng(5), ROWS, columns=3)


def run(encoded: Encoded, budget: Budget, progress: Progress | None = None, asked: Requirement = ASKED) -> Refined:
    """A search of classes as the rows come."""
    return refine(encoded, np.arange(len(encoded)) // 4, asked, budget, 0, progress or Progress())


def learned(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The turns in which tries had something grafted on, as they come."""
    turns: list[int] = []
    usual = Learners.with_grafts
    monkeypatch.setattr(Learners, "with_grafts", lambda self, turn: (turns.append(turn), usual(self, turn))[1])
    return turns


def test_long_searches_learn_in_the_end(monkeypatch: pytest.MonkeyPatch, table: Encoded) -> None:
    """In the last two fifths of the rounds; where rounds are short, or rows few, there are no tries at all."""
    turns = learned(monkeypatch)
    found = run(table, LONG)
    rounds = len(found.losses) - 2
    assert rounds == 20
    assert turns == list(range(-(-rounds * 3 // 5), rounds))
    assert found.losses[-1][1] <= min(loss for _, loss in found.losses) + 1e-9
    assert np.bincount(found.labels).min() >= 3
    turns.clear()
    run(table, Budget(steps=LONG.steps, round=SHORT - 1))
    monkeypatch.setattr(search, "MANY", ROWS + 1)
    run(table, LONG)
    assert not turns


def test_rules_and_patterns_do_not_learn(monkeypatch: pytest.MonkeyPatch, table: Encoded) -> None:
    """Grafting would break rules, and patterns have a search of their own."""
    turns = learned(monkeypatch)
    codes = np.arange(ROWS) % 2
    run(table, LONG, asked=Requirement(3, (Rule("distinct", codes, 2),)))
    flat = Hierarchy.flat(["a", "b", "c"])
    values = np.random.default_rng(0).integers(0, 3, (4, ROWS)).astype(float)
    patterns = Encoded(tuple(EncodedColumn(str(j), one, 1.0, flat) for j, one in enumerate(values)), "ncp")
    assert HullState.of(patterns, np.arange(ROWS) // 4, ASKED).is_of_patterns
    run(patterns, LONG)
    squares = Encoded((EncodedColumn("x", values[0] + np.arange(ROWS) / 7),), "sse")
    run(squares, LONG)
    assert not turns


def test_as_many_tries_as_there_are_blocks_for(table: Encoded) -> None:
    """More tries, with more of the steps each, where all classes are one block."""
    state = HullState.of(table, np.arange(ROWS) // 4, ASKED)
    for is_one, (tries, share) in ((True, ONE_BLOCK), (False, BLOCKS)):
        made = Learners.of(state, is_one_block=is_one)
        assert (len(made.states), made.share) == (tries, share)
        assert all(one is state for one in made.states)
    assert isinstance(search._at_length(state, LONG)[0], Learners)


def tries(encoded: Encoded, many: int) -> Learners:
    """So many random partitions."""
    random = np.random.default_rng(1)
    labels = [random.permutation(np.arange(ROWS) // 4) for _ in range(many)]
    return Learners(tuple(HullState.of(encoded, one, ASKED) for one in labels), 1.0)


def test_nobody_gets_worse_by_learning(table: Encoded) -> None:
    """Round after round, each try loses no more than before; in the end all together lose no more than the best."""
    now, random = tries(table, 3), np.random.default_rng(0)
    begun = now.loss()
    for turn in range(4):
        children = now.with_grafts(turn)
        searched = [children.search(one, 100 * (turn % 2), 0.01, turn + 1) for one in children.blocks(random)]
        after = now.learned_from(children.joined(searched))
        for one, before in zip(after.states, now.states, strict=True):
            assert one.loss() <= before.loss() + 1e-7
            assert one.holdings.sizes.min() >= 3
        now = after
    poorer = now.learned_from(tries(table, 3))  # children who are worse everywhere
    assert [one.loss() for one in poorer.states] == pytest.approx([one.loss() for one in now.states])
    whole = now.all_in_one()
    assert whole.loss() <= now.loss() + 1e-7 < begun
    assert np.bincount(whole.labels()).min() >= 3


@pytest.mark.parametrize("many", [2, 3, 4])
def test_each_has_a_region_of_each_other_by_turns(monkeypatch: pytest.MonkeyPatch, table: Encoded, many: int) -> None:
    """Nobody learns from itself; in as many turns as there are others, from each once; then at the other leak."""
    seen: list[tuple[HullState, HullState, float]] = []
    monkeypatch.setattr("shoal.engine.refining.learning.grafted", lambda *given: (seen.append(given), given[0])[1])
    monkeypatch.setattr(threads, "threads", lambda: 1)
    now = tries(table, many)
    for turn in range(2 * (many - 1)):
        now.with_grafts(turn)
    met = {(now.states.index(one), now.states.index(other), leak) for one, other, leak in seen}
    assert met == {(a, b, leak) for a in range(many) for b in range(many) if a != b for leak in LEAKS}


@pytest.mark.parametrize("largest", [10, 1_000])
def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch, table: Encoded, largest: int) -> None:
    """One and three threads find the same, in one block and in several."""
    monkeypatch.setattr(blocks, "LARGEST_BLOCK", largest)
    turns, found = learned(monkeypatch), []
    for many in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        found.append(run(table, LONG))
    assert turns
    assert (found[0].labels == found[1].labels).all()
    assert [loss for _, loss in found[0].losses] == [loss for _, loss in found[1].losses]


@pytest.mark.parametrize("rounds", [1, 5, 13, 16])
def test_stopped_while_learning_or_before_it_replays(table: Encoded, rounds: int) -> None:
    """Whoever stops it gets the best so far, crossed, and a budget that finds it again."""

    def enough(step: Step) -> str | None:
        return "finish" if step.done > 1_000 * rounds else None

    found = run(table, LONG, Progress(enough))
    assert (found.stop_after, found.steps) == (rounds * SHORT, LONG.steps)
    assert run(table, Budget(found.steps, found.stop_after, round=SHORT)).labels.tolist() == found.labels.tolist()
    assert found.losses[-1][1] <= min(loss for _, loss in found.losses) + 1e-9
    assert found.losses[-1][1] * len(table) * table.full == pytest.approx(
        HullState.of(table, found.labels, ASKED).loss()
    )


def test_seconds_end_and_replay(table: Encoded) -> None:
    """A budget in seconds is kept to, and the steps that it became find the same."""
    run(table, LONG)  # compiled
    for seconds in (0.02, 0.05, 0.5):
        started = time.perf_counter()
        found = run(table, Budget(steps=LONG.steps, seconds=seconds, round=SHORT))
        assert time.perf_counter() - started < seconds + 2
        again = run(table, Budget(found.steps, found.stop_after, round=SHORT))
        assert again.labels.tolist() == found.labels.tolist()
