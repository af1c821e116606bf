# SPDX-License-Identifier: Apache-2.0
"""A table that is one block is searched twice, and the better result counts."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.algorithms import k_members
from shoal.engine.encoding.encoded import Encoded, total_of
from shoal.engine.refining import search
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.learning import ONE_BLOCK
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.engine.refining.side_by_side import SideBySide
from shoal.ground.arrays import Ints
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement, Rule
from shoal.plan.effort import ROUND
from tests.strategies import random_encoded

ASKED = Requirement(5)
RULED = Requirement(5, (Rule("distinct", np.arange(300) % 2, 1),))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> tuple[Encoded, Ints]:
    """A table large enough for two tries, and where they begin."""
    monkeypatch.setattr(search, "MANY", 300)
    encoded = random_encoded(np.random.default_rng(4), 300, columns=3)
    made = k_members.cluster(encoded, ASKED, k_members.Parameters(), np.random.default_rng(0), Progress())
    return encoded, made.labels


def blocks_of(
    monkeypatch: pytest.MonkeyPatch, table: tuple[Encoded, Ints], budget: Budget, asked: Requirement = RULED
) -> int:
    """How many blocks are searched, the first one to have it compiled aside."""
    seen = []
    usual = HullState.search
    monkeypatch.setattr(HullState, "search", lambda self, *given: seen.append(given[1]) or usual(self, *given))
    refine(*table, asked, budget, 0, Progress())
    return sum(steps > 0 for steps in seen)


def test_two_tries_and_when(monkeypatch: pytest.MonkeyPatch, table: tuple[Encoded, Ints]) -> None:
    """Two blocks where one would do; one for small tables, and where steps are few because a table is large.

    There are more where tries can learn, which they cannot under rules.
    """
    asked = partial(blocks_of, monkeypatch, table)
    assert asked(Budget(steps=ROUND)) == 2
    assert asked(Budget(steps=ROUND), ASKED) == ONE_BLOCK[0]
    assert asked(Budget(steps=ROUND - 1, round=ROUND - 1)) == 1
    monkeypatch.setattr(search, "MANY", 301)
    assert asked(Budget(steps=ROUND)) == 1


def test_the_better_one_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch, table: tuple[Encoded, Ints]) -> None:
    """What is found is what the better of two partitions has, and never worse than the beginning."""
    encoded, labels = table
    found = []
    for many in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        found.append(refine(encoded, labels, ASKED, Budget(steps=4 * ROUND), 7, Progress()))
    assert (found[0].labels == found[1].labels).all()
    assert np.bincount(found[0].labels).min() >= 5
    least = min(loss for _, loss in found[0].losses)
    assert total_of(encoded, found[0].labels) == pytest.approx(least * len(encoded) * encoded.full)
    assert least <= found[0].losses[0][1]


def test_the_first_of_equal_ones(table: tuple[Encoded, Ints]) -> None:
    """Loss and labels are those of the best; blocks come back to whom they belong."""
    encoded, labels = table
    one, other = HullState.of(encoded, labels, ASKED), HullState.of(encoded, np.zeros_like(labels), ASKED)
    both = SideBySide((other, one))
    assert (both.loss(), both.cells) == (one.loss(), one.cells)
    assert (both.labels() == one.labels()).all()
    again = both.joined(both.blocks(np.random.default_rng(0)))
    assert [state.loss() for state in again.states] == [other.loss(), one.loss()]
    assert SideBySide((one, one)).best is one
