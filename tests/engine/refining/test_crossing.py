# SPDX-License-Identifier: Apache-2.0
"""Two partitions crossed: as the plain twin where records differ, never worse than either, always valid."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.refining import crossing
from shoal.engine.refining.crossing import crossed
from shoal.engine.refining.hull_state import HullState
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference.crossing import best_of_each_part, parts
from tests.strategies import random_case


def partition(random: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Random classes of k or more."""
    labels = np.minimum(np.arange(n) // k, max(n // k - 1, 0))
    return labels[random.permutation(n)]


def partly_changed(random: np.random.Generator, labels: np.ndarray) -> np.ndarray:
    """Some neighbouring classes exchange their records."""
    changed, first = labels.copy(), 0
    while first <= labels.max():
        some = np.flatnonzero((labels >= first) & (labels < first + random.integers(1, 4)))
        if random.random() < 0.5:
            changed[some] = random.permutation(labels[some])
        first = int(labels[some].max()) + 1
    return changed


def two(seed: int, largest: int = 60) -> tuple[Encoded, int, np.ndarray, np.ndarray]:
    """A table, k, and two partitions of it that have something in common."""
    encoded, k = random_case(seed, largest)
    random = np.random.default_rng(seed)
    one = partition(random, len(encoded), k)
    return encoded, k, one, partly_changed(random, one) if seed % 4 else partition(random, len(encoded), k)


def content(state: HullState) -> list[list[tuple[int, int]]]:
    """What each class holds."""
    held = state.holdings
    runs = zip(held.begin[:-1], held.begin[1:], strict=True)
    return sorted(sorted(zip(held.atom[a:b].tolist(), held.amount[a:b].tolist(), strict=True)) for a, b in runs)


@pytest.mark.parametrize("seed", repeats(30, 300))
def test_each_part_as_the_better_one_has_it(seed: int) -> None:
    """Where records differ, the loss is that of the best choice for each part; parts are those of the definition."""
    encoded, k, one, other = two(seed)
    rows = np.unique(encoded.points, axis=0, return_index=True)[1]
    encoded, k = Encoded(tuple(column.take(rows) for column in encoded.columns), encoded.loss), 1
    labels = [np.unique(each[rows], return_inverse=True)[1] for each in (one, other)]
    first, second = (HullState.of(encoded, each, Requirement(k)) for each in labels)
    plain = best_of_each_part(encoded, *(each.tolist() for each in labels))
    assert crossed(first, second).loss() == pytest.approx(plain, abs=1e-7)
    assert len(parts(*(each.tolist() for each in labels))) <= len(first.holdings)


@pytest.mark.parametrize("seed", repeats(60, 600))
def test_never_worse_than_either_and_nothing_lost(seed: int) -> None:
    """With copies or without: no more loss than either has, the same records, classes of at least k."""
    encoded, k, one, other = two(seed)
    first, second = (HullState.of(encoded, labels, Requirement(k)) for labels in (one, other))
    for a, b in ((first, second), (second, first)):
        found = crossed(a, b)
        assert found.loss() <= min(a.loss(), b.loss()) + 1e-7
        assert found.holdings.sizes.min() >= k
        labels = found.labels()
        assert labels.min() == 0
        assert np.bincount(labels).tolist() == found.holdings.sizes.tolist()
        assert HullState.of(encoded, labels, Requirement(k)).loss() == pytest.approx(found.loss())


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_with_itself_it_comes_back(seed: int) -> None:
    """Whichever way its classes are numbered; also where several hold the same."""
    encoded, k, one, _ = two(seed)
    state = HullState.of(encoded, one, Requirement(k))
    again = HullState.of(encoded, one.max() - one, Requirement(k))
    assert content(crossed(state, state)) == content(crossed(state, again)) == content(state)


def test_both_are_ahead_somewhere() -> None:
    """What either does better in a place of its own is put together."""
    encoded = Encoded((EncodedColumn("place", np.array([0, 1, 2, 3, 100, 101, 102, 103], dtype=float)),), "ncp")
    one, other = ([0, 1, 0, 1, 2, 2, 3, 3], [0, 0, 1, 1, 2, 3, 2, 3])
    first, second = (HullState.of(encoded, np.array(labels), Requirement(2)) for labels in (one, other))
    best = HullState.of(encoded, np.arange(8) // 2, Requirement(2))
    assert content(crossed(first, second)) == content(crossed(second, first)) == content(best)
    assert best.loss() < min(first.loss(), second.loss())


def test_equal_classes_are_kept_apart() -> None:
    """Copies of one record in equal classes of both link nothing: each is a part of its own."""
    encoded = two(3)[0]
    rows = np.zeros(12, dtype=np.int64)
    alike = Encoded(tuple(column.take(rows) for column in encoded.columns), encoded.loss)
    of = partial(HullState.of, alike, requirement=Requirement(2))
    one, other = of(np.arange(12) // 3), of(np.repeat([0, 1, 2, 3], [3, 3, 2, 4]))
    parent = crossing._equal_classes(one.holdings, other.holdings, 1)
    assert parent.tolist() == [0, 1, 2, 3, 0, 5, 6, 7]
    assert content(crossed(one, other)) == content(one)  # both lose nothing: the first stays
