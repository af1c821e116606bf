# SPDX-License-Identifier: Apache-2.0
"""One-pass k-means equals its slow plain twin, and the examples worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.algorithms import one_pass_k_means
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import choosing
from tests.reference.partitions import total_loss
from tests.strategies import random_case, random_encoded


def made(encoded: Encoded, k: int, init: tuple[int, ...] = (), order: str = "row", seed: int = 0) -> list[int]:
    """Labels by the method one_pass_k_means."""
    given = one_pass_k_means.Parameters(init=init, order=order)
    return one_pass_k_means.cluster(
        encoded, Requirement(k), given, np.random.default_rng(seed), Progress()
    ).labels.tolist()


def case(seed: int, largest: int = 30) -> tuple[Encoded, int, tuple[int, ...]]:
    """A random table of at least 2k rows, and random seeds of its classes."""
    encoded, k = random_case(seed, largest)
    if len(encoded) < 2 * k:
        return case(seed + 1_000_000, largest)
    init = np.random.default_rng(seed).permutation(len(encoded))[: len(encoded) // k]
    return encoded, k, tuple(init.tolist())


@pytest.mark.parametrize("seed", repeats(15, 220))
def test_one_pass_k_means_equals_its_twin(seed: int) -> None:
    """The tree of moving centres changes nothing but the time."""
    encoded, k, init = case(100_000 + seed, 150 if seed % 20 == 0 else 30)
    assert made(encoded, k, init) == choosing.one_pass_k_means(encoded, k, init)


@pytest.mark.parametrize("order", ["random", "row"])
@pytest.mark.parametrize("seed", range(20))
def test_classes_have_k_to_2k_less_one(seed: int, order: str) -> None:
    """Whatever is drawn, every class reaches k, so none keeps 2k records."""
    encoded, k, _ = case(110_000 + seed, 300)
    sizes = np.bincount(made(encoded, k, order=order, seed=seed))
    assert len(sizes) == len(encoded) // k
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1


def test_draws_come_in_the_documented_order() -> None:
    """First the seeds of all classes, then the order of the records that are given away."""
    encoded = random_encoded(np.random.default_rng(2), 60, columns=3, missing=0.0)
    init = np.random.default_rng(5).choice(60, 12, replace=False)
    assert made(encoded, 5, seed=5) == made(encoded, 5, tuple(init.tolist()))
    orders = {tuple(made(encoded, 5, tuple(init.tolist()), "random", seed)) for seed in range(10)}
    assert len(orders) > 1


@pytest.mark.parametrize("init", [(0, 1), (0, 0, 1), (0, 1, 9), (0, 1, -1)])
def test_seeds_that_do_not_fit_are_refused(init: tuple[int, ...]) -> None:
    """Too few rows, repeated rows and rows that are not there are an error of the plan with all five parts."""
    encoded = random_encoded(np.random.default_rng(1), 9)
    with pytest.raises(PlanError) as raised:
        made(encoded, 3, init)
    assert len(raised.value.parts()) == 5


# -- worked by hand ----------------------------------------------------------------------------------------------

WORK = Hierarchy.from_rows(
    [
        ["Private", "Any"],
        ["Self-emp-not-inc", "Self-emp", "Any"],
        ["Self-emp-inc", "Self-emp", "Any"],
        ["Federal-gov", "Gov", "Any"],
        ["Local-gov", "Gov", "Any"],
        ["State-gov", "Gov", "Any"],
        ["Without-pay", "Any"],
    ]
)


def column(name: str, points: list[float], tree: Hierarchy | None = None) -> EncodedColumn:
    """A column of plain coordinates."""
    return EncodedColumn(name, np.array(points, dtype=float), tree=tree)


T7 = Encoded(
    (column("age", [20, 20, 30, 40, 50, 60, 60]), column("zip", [25, 30, 25, 30, 10, 5, 10])),
    "height",
)
M8 = Encoded(
    (
        column("age", [25, 27, 31, 33, 45, 47, 52, 60]),
        column("workclass", [0, 0, 4, 5, 2, 1, 3, 6], WORK),
        column("sex", [0, 1, 1, 0, 0, 0, 1, 1], Hierarchy.flat(["Male", "Female"])),
    ),
    "height",
)


def classes_of(labels: list[int]) -> list[list[int]]:
    """Rows of each class."""
    return [[row for row, label in enumerate(labels) if label == one] for one in range(max(labels) + 1)]


@pytest.mark.parametrize(
    ("encoded", "k", "init", "passed", "expected", "loss"),
    [
        (T7, 2, (0, 3, 5), [[0, 1, 2], [3], [4, 5, 6]], [[0, 1], [2, 3], [4, 5, 6]], 2.65),
        (T7, 2, (4, 5, 6), [[0, 1, 2, 3, 4], [5], [6]], [[0, 2], [1, 6], [3, 4, 5]], 8.6),
        (M8, 2, (0, 2, 4, 6), [[0, 1], [2], [3, 4, 5], [6, 7]], [[0, 1], [2, 3], [4, 5], [6, 7]], 8.8),
        (M8, 3, (0, 7), None, [[0, 1, 2, 3], [4, 5, 6, 7]], None),
    ],
)
def test_worked_examples(
    encoded: Encoded,
    k: int,
    init: tuple[int, ...],
    passed: list[list[int]] | None,
    expected: list[list[int]],
    loss: float | None,
) -> None:
    """The pass and the classes after adjustment, for good and for bad seeds."""
    found = classes_of(made(encoded, k, init))
    assert found == expected
    if passed is not None:
        assert sorted(sorted(one) for one in choosing.one_pass_pass(encoded, init)) == passed
    if loss is not None:
        assert total_loss(encoded, found) == pytest.approx(loss)
