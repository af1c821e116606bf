# SPDX-License-Identifier: Apache-2.0
"""Regions grafted on: the best of all regions, nothing lost, classes large enough, also where there is no choice."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.refining.grafting import _owners, grafted, region
from shoal.engine.refining.hull_state import HullState
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.engine.refining.test_crossing import content, partition, two
from tests.reference.cuts import energy, least_energy
from tests.strategies import random_case


def states(encoded: Encoded, k: int, *partitions: np.ndarray) -> list[HullState]:
    """Partitions under search."""
    return [HullState.of(encoded, labels, Requirement(k)) for labels in partitions]


def assert_holds(found: HullState, like: HullState) -> None:
    """The same records, in classes of at least k, one entry for an atom in each."""
    held, atoms = found.holdings, len(like.atoms.points)
    assert held.sizes.min() >= like.size
    kept = np.bincount(held.atom, held.amount, atoms)
    assert kept.tolist() == np.bincount(like.atoms.of_row, minlength=atoms).tolist()
    owner = np.repeat(np.arange(len(held)), np.diff(held.begin))
    assert len(np.unique(owner * atoms + held.atom)) == len(owner)
    assert held.amount.min() > 0


@pytest.mark.parametrize("seed", repeats(40, 400))
def test_no_region_is_better(seed: int) -> None:
    """Of all choices of classes of two small partitions, the region costs least; nothing is changed for nothing."""
    random = np.random.default_rng(seed)
    mine, theirs = (random.integers(0, 9, random.integers(1, 6)) / 8 for _ in range(2))
    many = int(random.integers(1, 16))
    pairs = np.stack([np.arange(many), random.integers(0, len(mine), many), random.integers(0, len(theirs), many),
                      random.integers(1, 4, many)], axis=1)  # fmt: skip
    leak = float(random.integers(0, 5)) / 8
    given_up, taken = region(pairs, mine, theirs, leak)
    least = least_energy(pairs.tolist(), mine.tolist(), theirs.tolist(), leak)
    assert energy(pairs.tolist(), mine.tolist(), theirs.tolist(), leak, given_up.tolist(), taken.tolist()) == least
    nothing = energy(pairs.tolist(), mine.tolist(), theirs.tolist(), leak, [False] * len(mine), [False] * len(theirs))
    assert least < nothing or not (given_up.any() or taken.any())


@pytest.mark.parametrize("leak", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("seed", repeats(30, 300))
def test_nothing_is_lost_and_classes_are_large_enough(seed: int, leak: float) -> None:
    """Whatever is grafted on, all records stay, in classes of at least k; twice the same."""
    encoded, k, *both = two(seed)
    one, other = states(encoded, k, *both)
    found = grafted(one, other, leak)
    assert_holds(found, one)
    assert content(grafted(one, other, leak)) == content(found)


@pytest.mark.parametrize("seed", repeats(30, 300))
def test_all_classes_of_exactly_k(seed: int) -> None:
    """Where no class can spare a record, and all records differ, those cut off find a place all the same."""
    random = np.random.default_rng(seed)
    encoded, k = random_case(seed, largest=60)
    rows = np.unique(encoded.points, axis=0, return_index=True)[1]
    rows = rows[: len(rows) // k * k]
    if len(rows) < k:
        return
    encoded = Encoded(tuple(column.take(rows) for column in encoded.columns), encoded.loss)
    one, other = states(encoded, k, *(partition(random, len(rows), k) for _ in range(2)))
    for leak in (0.0, 0.1, 0.5):
        assert_holds(grafted(one, other, leak), one)


def test_one_class() -> None:
    """One class of all records takes in a better partition as a whole, and is not taken itself."""
    encoded, _ = random_case(3, largest=40)
    n = len(encoded)
    order = np.lexsort(encoded.points.T)
    halves = np.empty(n, dtype=np.int64)
    halves[order] = np.arange(n) * 2 // n
    whole, two_halves = states(encoded, n // 2, np.zeros(n, dtype=np.int64), halves)
    assert two_halves.loss() < whole.loss()
    assert content(grafted(whole, two_halves, 1.0)) == content(two_halves)
    assert content(grafted(two_halves, whole, 1.0)) == content(two_halves)
    only, same = states(encoded, n, np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
    assert content(grafted(only, same, 0.0)) == content(only)


@pytest.mark.parametrize("seed", repeats(10, 100))
def test_a_region_of_everything_and_of_nothing(seed: int) -> None:
    """Where the other loses less everywhere, it comes as a whole; where nothing is gained, nothing is changed."""
    encoded, k, labels, _ = two(seed)
    good, poor = states(encoded, k, np.unique(labels, return_inverse=True)[1], np.zeros(len(labels), dtype=np.int64))
    if good.loss() < poor.loss() - 1e-9:
        found = grafted(poor, good, 100.0)
        assert found.loss() == pytest.approx(good.loss())
        assert content(found) == content(good)
    assert content(grafted(good, poor, 100.0)) == content(good)
    assert content(grafted(good, good, 0.5)) == content(good)


def test_a_graft_brings_what_is_better_in_one_place() -> None:
    """Two groups far apart, each divided well by one partition: the better division of one is grafted on."""
    places = np.array([0, 1, 2, 3, 100, 101, 102, 103], dtype=float)
    encoded = Encoded((EncodedColumn("place", places, 1.0),), "ncp")
    one, other = states(encoded, 2, np.array([0, 1, 0, 1, 2, 2, 3, 3]), np.array([0, 0, 1, 1, 2, 3, 2, 3]))
    assert sorted(grafted(one, other, 0.5).labels().tolist()) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert grafted(one, other, 0.5).loss() == grafted(other, one, 0.5).loss() < min(one.loss(), other.loss())


def test_who_has_two_classes_stays_unless_the_other_needs_it_more() -> None:
    """And who has none is with the rest; those who come have classes behind those that there were."""
    given_up, taken = np.array([False, True]), np.array([False, True])
    certain = [[0, 0, 0, 5], [1, 1, 0, 1], [2, 1, 1, 2]]  # stays; has none; comes
    both = [[3, 0, 1, 1], [4, 0, 1, 1]]  # the other has 2 and 3 of the 3 that it needs
    owner, rest = _owners(np.array(certain + both), given_up, taken, 3)
    assert (owner.tolist(), rest) == ([0, 4, 3, 3, 0], 4)


def test_many_copies_of_one_record() -> None:
    """More ways to pair copies than are compared: all stay, and it does not take long."""
    encoded, _ = random_case(3, largest=20)
    rows = np.repeat(np.arange(len(encoded)), 400)
    many = Encoded(tuple(column.take(rows) for column in encoded.columns), encoded.loss)
    random = np.random.default_rng(0)
    one, other = states(many, 5, partition(random, len(rows), 5), partition(random, len(rows), 7))
    for leak in (0.0, 0.5):
        assert_holds(grafted(one, other, leak), one)
