# SPDX-License-Identifier: Apache-2.0
"""The GAA-CP style method equals its slow plain twin and keeps its class sizes."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.algorithms import gaa_cp
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference import grouping
from tests.strategies import random_case, random_encoded, thinned


def made(encoded: Encoded, k: int, order: tuple[int, ...] = (), seed: int = 0) -> list[int]:
    """Labels by the method gaa_cp."""
    given = gaa_cp.Parameters(order=order)
    return gaa_cp.cluster(encoded, Requirement(k), given, np.random.default_rng(seed), Progress()).labels.tolist()


def case(seed: int, largest: int) -> tuple[Encoded, int]:
    """A random table of at least 2k rows."""
    encoded, k = random_case(seed, largest)
    return (encoded, k) if len(encoded) >= 2 * k else case(seed + 1_000_000, largest)


@pytest.mark.parametrize("seed", repeats(15, 240))
def test_gaa_cp_equals_its_twin(seed: int) -> None:
    """The box tree over groups changes nothing but the time."""
    encoded, k = case(120_000 + seed, 200 if seed % 20 == 0 else 50)
    order = np.random.default_rng(seed).permutation(len(encoded)).tolist()
    assert made(encoded, k, tuple(order)) == grouping.gaa_cp(encoded, k, order)


def test_the_tables_have_groups_of_all_sizes() -> None:
    """The comparison covers classes of equal records, groups that share a price, and groups left over."""
    sizes = [
        (np.unique(encoded.points, axis=0, return_counts=True)[1], k)
        for encoded, k in (case(120_000 + seed, 50) for seed in range(240))
    ]
    assert sum((counts >= k).any() and (counts < k).any() for counts, k in sizes) > 40
    assert sum(((counts > 1) & (counts < k)).any() for counts, k in sizes) > 40


@pytest.mark.parametrize("seed", range(20))
def test_only_equal_records_and_leftovers_make_classes_large(seed: int) -> None:
    """Every class has k; without leftovers, those above 2k - 2 hold a single group of k and more."""
    random = np.random.default_rng(seed)
    encoded = thinned(random, random_encoded(random, 120))
    k = int(random.integers(2, 9))
    labels = np.array(made(encoded, k, seed=seed))
    groups = np.unique(encoded.points, axis=0, return_inverse=True)[1].ravel()
    counts = np.bincount(groups)
    assert np.bincount(labels).min() >= k
    for label in range(labels.max() + 1):
        inside = counts[np.unique(groups[labels == label])]
        assert inside.sum() == np.count_nonzero(labels == label), "a group is never divided"
        assert inside[inside < k].sum() <= 3 * k - 3


def test_groups_are_drawn_and_not_rows() -> None:
    """Each group is as likely a seed as any other: the draw is a permutation of the groups below k."""
    encoded = Encoded((EncodedColumn("x", np.array([0.0, 0, 0, 1, 5, 6, 6, 9])),))
    first = np.array([3, 4, 5, 7])
    for seed in range(6):
        order = first[np.random.default_rng(seed).permutation(4)]
        assert made(encoded, 3, seed=seed) == made(encoded, 3, tuple(order.tolist()))


@pytest.mark.parametrize(("single", "expected"), [(2.5, [0, 1, 0, 0, 1, 1]), (2.0, [0, 0, 0, 0, 0, 0])])
def test_what_a_group_costs_is_shared_by_its_records(single: float, expected: list[int]) -> None:
    """From 0, two records at 3 cost 3 + 3 / 2 each: less than one at 2.5, which costs 5, and more than one at 2."""
    encoded = Encoded((EncodedColumn("x", np.array([0.0, single, 3.0, 3.0, 20.0, 20.0])),))
    assert made(encoded, 3, (0,)) == grouping.gaa_cp(encoded, 3, range(6)) == expected


@pytest.mark.parametrize("order", [(0, 0), (7,), (-1,)])
def test_an_order_that_does_not_fit_is_refused(order: tuple[int, ...]) -> None:
    """Rows that are repeated or not there are an error of the plan with all five parts."""
    with pytest.raises(PlanError) as raised:
        made(random_encoded(np.random.default_rng(1), 7, missing=0.0), 2, order)
    assert len(raised.value.parts()) == 5
