# SPDX-License-Identifier: Apache-2.0
"""kaca equals its slow plain twin; its distance and class sizes are those of its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shoal.engine.algorithms import kaca
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import joining
from tests.strategies import random_case, random_encoded, thinned

BETAS = (0.0, 1.0, 0.5, 2.0)


def joined(encoded: Encoded, k: int, seed: int = 0, **given: Any) -> list[int]:
    """Labels by the method kaca."""
    parameters = kaca.Parameters(**given)
    return kaca.cluster(encoded, Requirement(k), parameters, np.random.default_rng(seed), Progress()).labels.tolist()


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_kaca_equals_its_twin(seed: int) -> None:
    """Bounded looks and linked lists choose what plain lists choose, smallest class first."""
    encoded, k = random_case(110_000 + seed, largest=90 if seed < 10 else 35)
    beta = BETAS[seed % 4]
    assert joined(encoded, k, beta=beta) == joining.kaca(encoded, k, beta)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_kaca_equals_its_twin_in_any_order(seed: int) -> None:
    """The same with the classes of given rows, or of random ones, joined first."""
    encoded, k = random_case(120_000 + seed, largest=30)
    order = np.random.default_rng(seed).permutation(len(encoded)).tolist()
    expected = joining.kaca(encoded, k, 1.0, order)
    assert joined(encoded, k, beta=1.0, order=tuple(order)) == expected
    assert joined(encoded, k, seed, beta=1.0, pick="random") == expected


@pytest.mark.parametrize("seed", range(40))
def test_class_sizes(seed: int) -> None:
    """At least k records; 2k and more only where all of them are equal."""
    encoded, k = random_case(130_000 + seed, largest=300)
    for labels in (joined(encoded, k), joined(encoded, k, seed, pick="random")):
        sizes = np.bincount(labels)
        assert sizes.min() >= k
        for label in np.flatnonzero(sizes >= 2 * k):
            assert len(np.unique(encoded.points[np.array(labels) == label], axis=0)) == 1


def tree_of(levels: int) -> Hierarchy:
    """A binary tree of so many levels."""
    bits = [f"{number:0{levels - 1}b}" for number in range(2 ** (levels - 1))]
    return Hierarchy.from_rows(
        [[name[:end] + "*" * (end < levels - 1) for end in range(levels - 1, -1, -1)] for name in bits]
    )


@pytest.mark.parametrize(
    ("levels", "beta", "expected"),
    [
        (3, 0.0, [0, 1 / 2, 1]),
        (3, 1.0, [0, 1 / 3, 1]),
        (4, 1.0, [0, 0.181818, 0.454545, 1]),
    ],
)
def test_weighted_hierarchical_distance(levels: int, beta: float, expected: list[float]) -> None:
    """From a leaf up to the root, as worked out in the literature."""
    tree = tree_of(levels)
    assert kaca.whd(tree, beta)[tree.ancestors[:, 0]] == pytest.approx(expected, abs=1e-6)


def test_short_branches_climb_the_whole_way() -> None:
    """A leaf right under the root is padded downwards: to the root it is as far as for any other."""
    tree = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "*"]])
    assert kaca.whd(tree, 0.0).tolist() == [1.0, 0.5, 0.0, 0.0, 0.0]


def test_a_class_takes_only_what_it_lacks() -> None:
    """Six equal records and one other, k = 3: the lowest two rows move, the other four stay as they were."""
    encoded = Encoded((EncodedColumn("x", np.array([0.0, 0, 5, 0, 0, 0, 0])),))
    assert joined(encoded, 3) == [0, 0, 0, 1, 1, 1, 1]


def test_beta_matters() -> None:
    """Some table is partitioned otherwise when steps near the root cost more."""
    encoded = thinned(np.random.default_rng(3), random_encoded(np.random.default_rng(3), 60, columns=4))
    assert len({tuple(joined(encoded, 6, beta=beta)) for beta in BETAS}) > 1


@pytest.mark.parametrize("order", [(0, 0), (9,), (-1,)])
def test_an_order_that_does_not_fit_is_refused(order: tuple[int, ...]) -> None:
    """Rows that are repeated or not there are an error of the plan, with all five parts."""
    encoded = Encoded((EncodedColumn("x", np.arange(9.0)),))
    with pytest.raises(PlanError) as raised:
        joined(encoded, 2, order=order)
    assert len(raised.value.parts()) == 5
