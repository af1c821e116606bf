# SPDX-License-Identifier: Apache-2.0
"""hilbert equals its slow plain twin in every order, is optimal where it says so, and its curve is a curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import hilbert
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.kernels.methods.hilbert import cells, hilbert_keys, hilbert_order
from shoal.engine.kernels.methods.runs import best_runs
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from tests.counts import repeats
from tests.reference import hilbert as twin
from tests.reference.losses import Loss, hull
from tests.reference.partitions import optimum
from tests.strategies import LOSSES, random_case, random_column, random_encoded

T7 = pl.DataFrame({"age": [20, 20, 30, 40, 50, 60, 60], "zip": [25, 30, 25, 30, 10, 5, 10]})
TABLE_2 = [0, 0, 1, 1, 2, 2, 2]
HALVES = [0, 0, 0, 0, 1, 1, 1]
ORDERS = ("hilbert", "lexicographic", "idistance")


def clustered(encoded: Encoded, k: int, **given: Any) -> list[int]:
    """Labels by the method hilbert."""
    parameters = hilbert.Parameters(**given)
    return hilbert.cluster(encoded, Requirement(k), parameters, np.random.default_rng(0), Progress()).labels.tolist()


def loss_of(encoded: Encoded, labels: list[int]) -> float:
    """Loss of a partition on the engine's coordinates."""
    lo, hi, sizes = class_hulls(encoded.points, np.array(labels), max(labels) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes)


def tree_table(seed: int, largest: int, most: int = 5) -> tuple[Encoded, int]:
    """A table whose only column is a tree, flat or ragged, and a k."""
    random = np.random.default_rng(seed)
    k = int(random.integers(1, most + 1))
    n = int(random.integers(2 * k, max(largest, 2 * k) + 1))
    shape = str(random.choice(["flat", "tree", "deep tree"]))
    column = random_column(random, n, "name", 0.3, shape)
    return Encoded((column,), str(random.choice(LOSSES))), k


# -- twins -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_every_order_equals_its_twin(seed: int) -> None:
    """The same order and the same runs as trying every cut of every prefix."""
    encoded, k = random_case(60_000 + seed, largest=200 if seed < 10 else 50)
    bits, references = 1 + seed % 12, 1 + seed % 7
    for order in ORDERS:
        rows = twin.order_of(encoded, order, bits, references)
        found = clustered(encoded, k, order=order, bits=bits, references=references, partition="contiguous")
        assert found == twin.runs(encoded, k, rows), order


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_the_tree_program_equals_its_twin(seed: int) -> None:
    """Tables folded into arrays choose what a plain recursion over the tree chooses."""
    encoded, k = tree_table(seed, 60)
    assert clustered(encoded, k) == twin.tree_classes(encoded, k)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_the_tree_program_is_optimal(seed: int) -> None:
    """On a single tree no partition at all costs less."""
    encoded, k = tree_table(1_000 + seed, 9, most=4)
    best, _ = optimum(encoded, k)
    assert loss_of(encoded, clustered(encoded, k)) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("seed", range(30))
def test_runs_are_optimal_among_contiguous_partitions(seed: int) -> None:
    """No other way to cut the same order costs less."""
    encoded, k = random_case(70_000 + seed, largest=12)
    order = hilbert_order(encoded.points)
    loss, points = Loss(encoded), encoded.points.tolist()

    def least(begin: int) -> float:
        if begin == len(order):
            return 0.0
        costs = [
            (end - begin) * loss.of(*hull([points[row] for row in order[begin:end]])) + least(end)
            for end in range(begin + k, len(order) + 1)
            if end == len(order) or end <= len(order) - k
        ]
        return min(costs)

    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = best_runs(encoded.hulls, encoded.points, order, k)
    assert loss_of(encoded, labels.tolist()) == pytest.approx(least(0), abs=1e-9)


# -- the curve ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("attributes", "bits"), [(1, 5), (2, 1), (2, 5), (3, 3), (4, 2), (5, 2)])
def test_consecutive_cells_differ_by_one_step(attributes: int, bits: int) -> None:
    """Keys number the cells of the grid without gap, and neighbours on the curve are neighbours in the grid."""
    grid = np.stack(np.meshgrid(*[np.arange(2**bits)] * attributes, indexing="ij"), axis=-1).reshape(-1, attributes)
    keys = hilbert_keys(grid.astype(np.uint64), bits)[:, 0]
    assert sorted(keys.tolist()) == list(range(len(grid)))
    walk = grid[np.argsort(keys)]
    assert walk[0].tolist() == [0] * attributes
    assert (np.abs(np.diff(walk, axis=0)).sum(axis=1) == 1).all()


@pytest.mark.parametrize(("attributes", "bits"), [(2, 32), (9, 8), (30, 8), (13, 5), (40, 31)])
def test_long_keys_are_exact(attributes: int, bits: int) -> None:
    """Keys of several words are the whole numbers of the definition."""
    grid = np.random.default_rng(bits).integers(0, 2**bits, (25, attributes))
    words = hilbert_keys(grid.astype(np.uint64), bits).tolist()
    keys = [sum(word << 64 * (len(row) - 1 - place) for place, word in enumerate(row)) for row in words]
    assert keys == [twin.key(one, bits) for one in grid.tolist()]


def test_the_square() -> None:
    """Two attributes, one bit each."""
    square = np.array([[0, 0], [0, 1], [1, 1], [1, 0]], dtype=np.uint64)
    assert hilbert_keys(square, 1).ravel().tolist() == [0, 1, 2, 3]


# -- worked examples ---------------------------------------------------------------------------------------------


def released(frame: pl.DataFrame, k: int, **parameters: Any) -> shoal.Release:
    """A release of a table, all columns quasi-identifiers."""
    return shoal.anonymize(
        frame, k=k, quasi_identifiers=frame.columns, method="hilbert", parameters=parameters, keep_order=True
    )


def ncp(release: shoal.Release) -> float:
    """The measured loss."""
    return next(one.value for one in release.measurements if one.metric == "ncp")


def test_keys_of_seven_patients() -> None:
    """Cells and keys of the specification, four bits."""
    points = T7.to_numpy().astype(float)
    cell = cells(points, 4)
    assert cell.tolist() == [[0, 12], [0, 15], [4, 12], [8, 15], [11, 3], [15, 0], [15, 3]]
    assert hilbert_keys(cell, 4).ravel().tolist() == [80, 85, 96, 149, 224, 255, 250]
    assert hilbert_order(points, 4).tolist() == [0, 1, 2, 3, 4, 6, 5]


@pytest.mark.parametrize(("k", "expected", "loss"), [(2, TABLE_2, 2.65), (3, HALVES, 4.15)])
def test_seven_patients(k: int, expected: list[int], loss: float) -> None:
    """Four bits, both columns."""
    release = released(T7, k, bits=4)
    assert release.classes.tolist() == expected
    assert ncp(release) == pytest.approx(loss)


def test_ages_of_seven_patients() -> None:
    """One column of numbers; here the runs are the optimum of all partitions."""
    release = released(T7.select("age"), 2)
    assert release.classes.tolist() == TABLE_2
    assert ncp(release) == pytest.approx(1.25)


@pytest.mark.parametrize("order", ["hilbert", "lexicographic"])
def test_the_limit_of_contiguous_runs(order: str) -> None:
    """A nested class would be cheaper (2.03) than any run (2.49): the method finds the best runs, not more."""
    encoded = Encoded((EncodedColumn("x", np.array([0, 0.99, 1, 1.01, 2])),))
    found = clustered(encoded, 2, order=order)
    assert found == [0, 0, 1, 1, 1]
    assert loss_of(encoded, found) == pytest.approx(2.49)
    best, classes = optimum(encoded, 2)
    assert (round(best, 9), classes) == (2.03, [[0, 4], [1, 2, 3]])


# -- the rest ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_class_sizes(seed: int) -> None:
    """Every class has k to 2k - 1 records, in every order and from the tree program."""
    encoded, k = random_case(80_000 + seed, largest=300)
    tree, size = tree_table(2_000 + seed, 300)
    found = [(k, clustered(encoded, k, order=order)) for order in ORDERS]
    for least, labels in [*found, (size, clustered(tree, size))]:
        sizes = np.bincount(labels)
        assert least <= sizes.min()
        assert sizes.max() <= 2 * least - 1


@pytest.mark.parametrize("columns", [1, 4])
def test_slices_do_not_change_the_result(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often progress is reported never shows in the classes."""
    encoded = random_encoded(np.random.default_rng(8), 120, columns=columns)
    tree, k = tree_table(3_000, 120)
    whole = clustered(encoded, 4), clustered(tree, k)

    def one_by_one(step: Any, total: int, progress: Progress) -> int:
        return [step(goal) for goal in range(1, total + 1)][-1]

    monkeypatch.setattr(hilbert, "in_slices", one_by_one)
    assert (clustered(encoded, 4), clustered(tree, k)) == whole


def test_huge_numbers_stay_in_order() -> None:
    """Columns whose range overflows still get cells."""
    assert cells(np.array([[-1.7e308], [0.0], [1.7e308]]), 2).ravel().tolist() == [0, 2, 3]
