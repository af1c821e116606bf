# SPDX-License-Identifier: Apache-2.0
"""Classes as patterns: bitmaps tell what plain loops tell; the search loses no record, and nothing when it is cold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.search import opening
from shoal.engine.kernels.search.opening import open_patterns
from shoal.engine.kernels.search.passing_on import cheapest_first, pass_on, ways
from shoal.engine.kernels.search.patterns import GONE, UNUSED, Patterns, Traits, cheapest, fitting, lay_out
from shoal.engine.refining import blocks
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference import patterns as plain
from tests.strategies import random_column


def flat_case(seed: int, n: int = 120) -> tuple[Encoded, int]:
    """A random table of names without levels, and a k."""
    random = np.random.default_rng(seed)
    columns = [random_column(random, n, f"c{j}", 0.2, "flat") for j in range(int(random.integers(1, 7)))]
    return Encoded(tuple(columns), "lm").unitless, int(random.integers(2, 9))


def given(encoded: Encoded, k: int) -> HullState:
    """Some partition of it."""
    labels = np.arange(len(encoded)) * (len(encoded) // k) // len(encoded)
    return HullState.of(encoded, labels, Requirement(k))


def laid_out(seed: int, n: int = 150) -> tuple[Traits, Patterns, int]:
    """Random records in random classes."""
    random = np.random.default_rng(seed)
    d, k = 4, int(random.integers(2, 9))
    codes = np.minimum(random.geometric(0.4, (n, d)), 7) - 1 + 7 * np.arange(d)
    labels = random.permutation(np.arange(n) * (n // k) // n)
    traits, patterns = lay_out(codes, random.uniform(0.5, 2.0, d), labels, n // k + 1, k)
    return traits, patterns, k


def reached(traits: Traits, patterns: Patterns) -> dict[int, float]:
    """The cost of the cheapest class that each class reaches, by the plain twin."""
    given = traits.value.tolist(), patterns.label.tolist(), shown(patterns), traits.weight.tolist()
    return plain.reached(*given)


def shown(patterns: Patterns) -> dict[int, list[int]]:
    """The patterns of all classes in use."""
    return {label: one.tolist() for label, one in enumerate(patterns.kept) if one[0] != UNUSED}


@pytest.mark.parametrize("seed", repeats(5, 40))
def test_bitmaps_find_who_fits(seed: int) -> None:
    """The records of a pattern, and the cheapest class of a record, equal the plain twin's; on several words, too."""
    traits, patterns, _ = laid_out(seed, 4_200 if seed == 1 else 150)
    random, found = np.random.default_rng(seed), np.zeros(len(traits.value), dtype=np.int64)
    weights = traits.weight.tolist()
    for record in random.integers(0, len(traits.value), 20).tolist():
        pattern = np.where(random.random(len(weights)) < 0.5, traits.value[record], GONE)
        expected = [row for row, values in enumerate(traits.value.tolist()) if plain.fits(values, pattern.tolist())]
        assert found[: fitting(traits, pattern, found)].tolist() == expected
        but = int(patterns.label[record])
        best = plain.cheapest(traits.value[record].tolist(), shown(patterns), weights, but)
        assert cheapest(traits, patterns, record, but) == best


@pytest.mark.parametrize("seed", repeats(5, 40))
def test_ways_lead_to_the_cheapest_class(seed: int) -> None:
    """From each class to the cheapest that records reach, passed on from class to class; as the plain twin says."""
    traits, patterns, k = laid_out(seed)
    work, state = opening.new_opening(traits, patterns), np.array([7], np.uint64)
    opening._search(traits, patterns, work, k, 20_000, 3.0, 2.0, state)
    order = cheapest_first(patterns)
    onward, end = np.full(len(patterns.sizes), -1), np.full(len(patterns.sizes), -1)
    ways(traits, patterns, order, onward, end, np.zeros(len(traits.value), np.int64))
    known = reached(traits, patterns)
    for label in order.tolist():
        assert patterns.cost[end[label]] == pytest.approx(known[label])
        members = traits.value[patterns.label == label].tolist()
        assert any(plain.fits(one, patterns.kept[onward[label]].tolist()) for one in members)
        assert end[onward[label]] == end[label]


@pytest.mark.parametrize("seed", repeats(5, 40))
def test_records_are_passed_on_while_it_pays(seed: int) -> None:
    """Afterwards no class that can spare a record reaches a cheaper one; nobody is lost, classes stay large enough."""
    traits, patterns, k = laid_out(seed)
    work, state = opening.new_opening(traits, patterns), np.array([7], np.uint64)
    opening._search(traits, patterns, work, k, 20_000, 3.0, 2.0, state)
    before, classes = float(patterns.sizes @ patterns.cost), np.flatnonzero(patterns.sizes).tolist()
    pass_on(traits, patterns, k)
    assert float(patterns.sizes @ patterns.cost) <= before + 1e-9
    assert np.flatnonzero(patterns.sizes).tolist() == classes
    assert np.bincount(patterns.label, minlength=len(patterns.sizes)).tolist() == patterns.sizes.tolist()
    known = reached(traits, patterns)
    for label, pattern in shown(patterns).items():
        assert patterns.sizes[label] >= k
        assert patterns.sizes[label] == k or known[label] >= patterns.cost[label] - 1e-9
        assert pattern == plain.common(traits.value[patterns.label == label].tolist())


@pytest.mark.parametrize("seed", repeats(5, 40))
@pytest.mark.parametrize("heat", [0.0, 3.0])
def test_classes_show_what_they_have_in_common(seed: int, heat: float) -> None:
    """After many steps, kept and undone, patterns, costs, sizes and the lists of classes are those of the records."""
    traits, patterns, k = laid_out(seed)
    state = np.array([2 * seed + 1], dtype=np.uint64)
    work = opening.new_opening(traits, patterns)
    opening._search(traits, patterns, work, k, 60_000, heat, 2.0, state)
    assert set(shown(patterns)) == set(patterns.label.tolist())
    for label, pattern in shown(patterns).items():
        members = np.flatnonzero(patterns.label == label)
        assert len(members) == patterns.sizes[label] >= k
        assert pattern == plain.common(traits.value[members].tolist())
        assert patterns.cost[label] == pytest.approx(plain.cost(pattern, traits.weight.tolist()))
    spare = patterns.spare[: patterns.spares[0]].tolist()
    assert sorted([*spare, *shown(patterns)]) == list(range(len(patterns.sizes)))
    assert not any(scratch.any() for scratch in (work.fitting, work.leaving, work.closing, work.mark))


@pytest.mark.parametrize("heat", [0.0, 5.0])
@pytest.mark.parametrize("seed", repeats(10, 60))
def test_a_block_loses_no_record_and_keeps_its_word(seed: int, heat: float) -> None:
    """Every record stays, classes stay large enough, and a cold search never makes things worse."""
    encoded, k = flat_case(seed)
    state = given(encoded, k)
    losses = [state.loss()]
    for number in range(4):
        state = state.joined([state.search(state.holdings, 300, heat, 4 * seed + number + 1)])
        assert state.is_of_patterns
        assert state.holdings.sizes.min() >= k
        kept = np.bincount(state.holdings.atom, weights=state.holdings.amount, minlength=len(state.atoms.points))
        assert kept.tolist() == np.bincount(state.atoms.of_row).tolist()
        losses.append(state.loss())
    if heat == 0:
        assert all(after <= before + 1e-9 for before, after in pairwise(losses))


def test_what_is_too_large_for_bitmaps_is_regrouped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other search takes over, block by block."""
    encoded, k = flat_case(3)
    state = given(encoded, k)
    monkeypatch.setattr(opening, "MOST_WORDS", 0)
    held = state.holdings
    asked = state.hulls, state.atoms.points, held.begin, held.atom, held.amount, k, 1000, 0.0, 1
    assert open_patterns(*asked) is None
    found = refine(encoded, state.labels(), Requirement(k), Budget(200, round=100), 0, Progress())
    assert np.bincount(found.labels).min() >= k


def test_nothing_to_keep_is_left_as_it_is() -> None:
    """Where no value is shared by k records, or all records are alike, there is nothing to search."""
    encoded, k = flat_case(5, 40)
    points = np.random.default_rng(0).permuted(np.indices(encoded.points.shape, dtype=np.float64)[0], axis=0)
    held = given(encoded, k).holdings
    for at in (points, np.zeros_like(points)):
        found = open_patterns(encoded.hulls, at, held.begin, np.arange(40), np.ones(40, np.int64), 4, 1000, 0.0, 1)
        assert found is not None
        assert found[0] is held.begin


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several blocks of patterns, on one and on three threads: the same classes."""
    monkeypatch.setattr(blocks, "SMALL_BLOCK", 5)
    monkeypatch.setattr(blocks, "MOST_RECORDS", 50)
    encoded, k = flat_case(2, n=400)
    assert len(given(encoded, k).blocks(np.random.default_rng(0))) > 4
    found = []
    for many in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        begin = given(encoded, k).labels()
        found.append(refine(encoded, begin, Requirement(k), Budget(steps=1_000, round=250), 3, Progress()).labels)
    assert (found[0] == found[1]).all()
