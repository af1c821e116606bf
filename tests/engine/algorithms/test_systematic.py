# SPDX-License-Identifier: Apache-2.0
"""Systematic clustering equals its slow plain twin under both ways of levelling, and the examples worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import _choosing, equal_combination, systematic
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference import choosing
from tests.reference.losses import ExactLoss
from tests.strategies import random_case, random_encoded

# Table 1 of He et al. (2012) and Table I of Bharath et al. (2017).
T7 = pl.DataFrame({"age": [20, 20, 30, 40, 50, 60, 60], "zip": [25, 30, 25, 30, 10, 5, 10]})
P6 = pl.DataFrame(
    {
        "age": [31, 35, 37, 26, 29, 23],
        "sex": ["male", "male", "female", "female", "female", "male"],
        "zip": [55441, 55440, 55442, 55440, 55440, 55443],
    }
)


def levelled(encoded: Encoded, k: int, rebalance: str, *offsets: int, seed: int = 0, **others: Any) -> list[int]:
    """Labels by the method systematic."""
    given = systematic.Parameters(rebalance=rebalance, offsets=offsets, **others)
    made = systematic.cluster(encoded, Requirement(k), given, np.random.default_rng(seed), Progress())
    return made.labels.tolist()


def case(seed: int, largest: int = 24) -> tuple[Encoded, int]:
    """A random table of at least 2k rows: the fewest that any method is asked to divide."""
    encoded, k = random_case(seed, largest)
    return (encoded, k) if len(encoded) >= 2 * k else case(seed + 1_000_000, largest)


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_systematic_equals_its_twin(seed: int) -> None:
    """The trees of classes and of records change nothing but the time, however the classes are levelled."""
    encoded, k = case(70_000 + seed, 70 if seed % 20 == 0 else 24)
    for rebalance in ("net", "arrival"):
        assert levelled(encoded, k, rebalance, seed % k) == choosing.systematic(encoded, k, [seed % k], rebalance)


@pytest.mark.parametrize("patience", [0, 3])
@pytest.mark.parametrize("seed", range(40))
def test_classes_that_look_for_themselves_find_the_same(
    seed: int, patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a class tells others of its offer or looks for the best record itself, the cheapest move is made."""
    monkeypatch.setattr(systematic, "PATIENCE", patience)
    encoded, k = case(80_000 + seed)
    assert levelled(encoded, k, "net", 0) == choosing.systematic(encoded, k, [0], "net")


@pytest.mark.parametrize("seed", range(5))
def test_new_trees_of_classes_answer_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a tree is built anew never shows in the classes."""
    encoded = random_encoded(np.random.default_rng(seed), 300)
    once = levelled(encoded, 40, "arrival", 0)
    monkeypatch.setattr(_choosing, "FEWEST_JOINED", 1)
    assert levelled(encoded, 40, "arrival", 0) == once


@pytest.mark.parametrize("rebalance", ["net", "arrival"])
@pytest.mark.parametrize("seed", range(20))
def test_classes_have_k_to_2k_less_one(seed: int, rebalance: str) -> None:
    """Levelling fills every class, so none keeps 2k records."""
    encoded, k = case(90_000 + seed, 300)
    sizes = np.bincount(levelled(encoded, k, rebalance, seed=seed))
    assert len(sizes) == len(encoded) // k
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("seed", repeats(30, 400))
def test_equal_nets_are_equal(seed: int) -> None:
    """Exact fractions choose the same moves of whole numbers: no net is rounded twice, no noise orders equal ones."""
    random = np.random.default_rng(seed)
    spans = random.choice([3, 7], 2)
    lines = [np.append([0, span], random.integers(0, span + 1, 28)).astype(float) for span in spans]
    encoded = Encoded(tuple(EncodedColumn(f"number {j}", line) for j, line in enumerate(lines)), "ncp")
    for rebalance in ("net", "arrival"):
        exact = choosing.systematic(encoded, 5, [seed % 5], rebalance, ExactLoss)
        assert levelled(encoded, 5, rebalance, seed % 5) == exact


def test_each_block_may_have_its_own_offset() -> None:
    """Independent places are drawn for each block; given ones are taken as they are."""
    encoded, k = random_encoded(np.random.default_rng(3), 60, missing=0.0), 5
    places = np.random.default_rng(8).integers(k, size=12)
    drawn = levelled(encoded, k, "net", seed=8, offset="independent")
    assert drawn == levelled(encoded, k, "net", *places) == choosing.systematic(encoded, k, places.tolist(), "net")
    assert len(set(places.tolist())) > 1


def test_one_offset_is_drawn_for_all_blocks() -> None:
    """The common place is the first draw of the run."""
    encoded = random_encoded(np.random.default_rng(4), 60, missing=0.0)
    place = int(np.random.default_rng(9).integers(5))
    assert levelled(encoded, 5, "net", seed=9) == levelled(encoded, 5, "net", place)


@pytest.mark.parametrize("offsets", [(5,), (-1,), (0, 1)])
def test_offsets_that_do_not_fit_are_refused(offsets: tuple[int, ...]) -> None:
    """Places outside the block, or not as many as blocks, are an error of the plan with all five parts."""
    encoded = random_encoded(np.random.default_rng(4), 60)
    with pytest.raises(PlanError) as raised:
        levelled(encoded, 5, "net", *offsets)
    assert len(raised.value.parts()) == 5


def test_names_without_a_tree_stay_quick() -> None:
    """Where every record is as good as any other, a move does not ask them all: a second, not hours."""
    names = Hierarchy.flat([f"town {number}" for number in range(10_000)])
    encoded = Encoded((EncodedColumn("town", np.arange(10_000.0), tree=names),))
    assert set(np.bincount(levelled(encoded, 10, "net", 0)).tolist()) == {10}


# -- worked by hand ----------------------------------------------------------------------------------------------


def classes_of(frame: pl.DataFrame, k: int, offset: int) -> tuple[list[list[int]], float]:
    """Classes of a release of all columns, as lists of rows, and the loss by height."""
    release = shoal.anonymize(
        frame,
        k=k,
        quasi_identifiers=frame.columns,
        method="systematic",
        loss="height",
        parameters={"offsets": [offset]},
    )
    labels = release.classes.tolist()
    classes = [[row for row, label in enumerate(labels) if label == one] for one in range(max(labels) + 1)]
    return classes, next(one.value for one in release.measurements if one.metric == "il")


@pytest.mark.parametrize(
    ("k", "offset", "expected", "il"),
    [
        (2, 0, [[0, 1], [2, 3], [4, 5, 6]], 2.65),
        (2, 1, [[0, 1], [2, 3], [4, 5, 6]], 2.65),
        (3, 0, [[0, 1, 2], [3, 4, 5, 6]], 7.35),
        (3, 1, [[0, 1, 2, 3], [4, 5, 6]], 4.15),
        (3, 2, [[0, 1, 2, 3], [4, 5, 6]], 4.15),
    ],
)
def test_seven_patients(k: int, offset: int, expected: list[list[int]], il: float) -> None:
    """Any offset of the seven patients."""
    assert classes_of(T7, k, offset) == (expected, pytest.approx(il))


def test_six_patients() -> None:
    """Two moves of the six patients end at the optimum."""
    assert classes_of(P6, 3, 0) == ([[0, 1, 5], [2, 3, 4]], pytest.approx(9.928571))


def numbers(frame: pl.DataFrame) -> Encoded:
    """The columns as coordinates; names in alphabetical order under a flat root."""
    columns = []
    for name in frame.columns:
        cells = frame.get_column(name)
        if cells.dtype == pl.String:
            names = sorted(set(cells))
            points, tree = [names.index(one) for one in cells], Hierarchy.flat(names)
        else:
            points, tree = cells.to_list(), None
        columns.append(EncodedColumn(name, np.array(points, dtype=float), tree=tree))
    return Encoded(tuple(columns), "height")


@pytest.mark.parametrize(
    ("frame", "passed", "moves"),
    [
        (T7, [[0, 1], [2, 3, 4, 5, 6]], [(2, -1.8)]),
        (P6, [[0, 1, 2, 3, 4], [5]], [(0, 0.023810), (1, -2.357143)]),
    ],
    ids=["T7", "P6"],
)
def test_the_pass_and_its_moves(frame: pl.DataFrame, passed: list[list[int]], moves: list[tuple[int, float]]) -> None:
    """What the specification says of the steps in between holds for the twin, and so for the method."""
    encoded = numbers(frame)
    classes = choosing.systematic_pass(encoded, 3, [0])
    assert sorted(sorted(members) for members in classes) == passed
    made = choosing.level_net(encoded, classes, 3)
    assert [(row, pytest.approx(net, abs=1e-6)) for row, _, net in made] == moves


def test_six_patients_column_by_column() -> None:
    """Equal combination runs systematic on each column alone; joined, the six patients fall apart."""
    given = equal_combination.Parameters(partition="systematic", offsets=(0,))
    made = equal_combination.cluster(numbers(P6), Requirement(3), given, np.random.default_rng(0), Progress())
    apart = [[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 1, 0]]
    assert [one.labels.tolist() for one in made.partitions] == apart
    assert [choosing.systematic(numbers(P6.select(name)), 3, [0], "net") for name in P6.columns] == apart
    joint: dict[tuple[int, ...], list[int]] = {}
    for row, key in enumerate(zip(*apart)):
        joint.setdefault(key, []).append(row)
    assert list(joint.values()) == [[0], [1], [2], [3, 4], [5]]
