# SPDX-License-Identifier: Apache-2.0
"""kacpc and ikac equal their slow plain twins label for label, and the worked examples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import ikac, kacpc
from shoal.engine.algorithms._centroids import Axis, LeafDistance, _trees, around_centroids
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods import centroid_sums
from shoal.engine.kernels.methods.centroids import fill_row
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.counts import repeats
from tests.engine.algorithms.test_greedy_twins import ADULT_COLUMNS, ADULT_TREES
from tests.engine.algorithms.test_worked_examples import (
    HALVES,
    M8,
    PAIRS,
    T7,
    TABLE_2,
    TREES,
    classes_of,
    released,
    value,
)
from tests.reference import centroids as twin
from tests.strategies import random_case, random_tree

WORK = Hierarchy.from_rows(TREES["workclass"])
SCALES = ("paper", "unit")


def by_kacpc(encoded: Encoded, k: int, scale: str = "paper") -> list[int]:
    """Labels by the method kacpc."""
    given = kacpc.Parameters(scale=scale)
    return kacpc.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress()).labels.tolist()


def by_ikac(encoded: Encoded, k: int, first: int) -> list[int]:
    """Labels by the method ikac."""
    given = ikac.Parameters(first=first)
    return ikac.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress()).labels.tolist()


def encoded_of(frame: pl.DataFrame) -> Encoded:
    """One of the small tables as the methods see it."""
    table = Table.of(frame)
    trees = {name: rows for name, rows in TREES.items() if name in frame.columns}
    return encode(table, complete(Plan.of(2, quasi_identifiers=frame.columns, hierarchies=trees), table))


# -- twins -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", repeats(15, 300))
def test_kacpc_equals_its_twin(seed: int) -> None:
    """Box trees and running sums change nothing but the time, with either scale."""
    encoded, k = random_case(200_000 + seed)
    scale = SCALES[seed % 2]
    assert by_kacpc(encoded, k, scale) == twin.kacpc(encoded, k, scale)[0]


@pytest.mark.parametrize("seed", repeats(15, 300))
def test_ikac_equals_its_twin(seed: int) -> None:
    """The same with the greatest means and a given first centroid."""
    encoded, k = random_case(210_000 + seed)
    first = seed % len(encoded)
    assert by_ikac(encoded, k, first) == twin.ikac(encoded, k, first)[0]


@pytest.mark.parametrize("seed", range(10))
def test_twins_agree_on_larger_tables(seed: int) -> None:
    """Trees of several levels, and many centroids, answer like a scan."""
    encoded, k = random_case(220_000 + seed, largest=500)
    assert by_kacpc(encoded, k) == twin.kacpc(encoded, k)[0]
    assert by_ikac(encoded, k, 0) == twin.ikac(encoded, k, 0)[0]


@pytest.mark.parametrize("seed", range(4))
def test_numbers_of_many_blocks_are_summed_alike(seed: int) -> None:
    """Columns with more different numbers than one block counts, some missing."""
    random = np.random.default_rng(seed)
    n = 3 << centroid_sums.BLOCK_BITS
    numbers = random.lognormal(0.0, 1.0, n)
    points = np.where(random.random(n) < 0.1, numbers.max() * 3, numbers)
    far = EncodedColumn("far", points, missing=float(numbers.max() * 3))
    encoded = Encoded((far, EncodedColumn("tenths", random.integers(0, 30, n) / 10, 0.5)))
    k = 40
    assert by_kacpc(encoded, k) == twin.kacpc(encoded, k)[0]
    assert by_ikac(encoded, k, 1) == twin.ikac(encoded, k, 1)[0]


# -- distances of leaves ---------------------------------------------------------------------------------------


def row_of(distance: LeafDistance, tree: Hierarchy, leaf: int, present: np.ndarray) -> list[float]:
    """Distances of one leaf to all that occur, by the kernel."""
    column = EncodedColumn("column", np.sort(present).astype(float), tree=tree)
    axis = Axis.of(column, lambda _: distance)
    row = np.empty(len(axis.values))
    fill_row(_trees([axis]), 0, int(np.searchsorted(axis.values, leaf)), row, 0)
    return row.tolist()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Private", "Local-gov", 18.0),
        ("State-gov", "Local-gov", 0.462828),
        ("Private", "Without-pay", 9.0),
        ("Local-gov", "Self-emp-inc", 36.0),
        ("Self-emp-inc", "Self-emp-not-inc", 0.205701),
        ("Private", "Private", 0.0),
    ],
)
def test_distances_of_the_paper(one: str, other: str, expected: float) -> None:
    """DistC on the seven leaves of workclass: 18 and 0.4628 are printed in the paper."""
    a, b = WORK.leaf_numbers[one], WORK.leaf_numbers[other]
    distance = LeafDistance.by_rise(WORK)
    assert row_of(distance, WORK, a, np.arange(7))[b] == pytest.approx(expected, abs=5e-7)
    assert row_of(distance, WORK, b, np.arange(7))[a] == pytest.approx(expected, abs=5e-7)
    assert row_of(distance.to_unit(WORK), WORK, a, np.arange(7))[b] == pytest.approx(expected / 36, abs=5e-7)


@pytest.mark.parametrize("seed", repeats(10, 60))
def test_rows_of_distances_follow_the_definition(seed: int) -> None:
    """On ragged trees of which not every leaf occurs, for all three distances, and the greatest of each node."""
    random = np.random.default_rng(seed)
    tree = next(tree for _ in range(99) if not (tree := random_tree(random, int(random.integers(3, 14)))).is_flat)
    present = np.unique(random.integers(0, tree.n_leaves, tree.n_leaves))
    leaf = int(random.choice(present))
    rise, leaves = LeafDistance.by_rise(tree), LeafDistance.by_leaves(tree)
    pairs = [(rise, twin.dist_c), (rise.to_unit(tree), twin.unit_dist_c), (leaves, twin.shared_leaves)]
    for distance, plain in pairs:
        expected = [plain(tree, leaf, int(other)) for other in present]
        assert row_of(distance, tree, leaf, present) == pytest.approx(expected, rel=1e-14)
    every = range(tree.n_leaves)
    reach = np.zeros(len(tree.labels))
    for a in every:
        for b in every:
            node = tree.lca(min(a, b), max(a, b))
            reach[node] = max(reach[node], twin.dist_c(tree, a, b))
    assert rise.reach(tree) == pytest.approx(reach)


def test_names_without_a_tree_are_4_apart_as_published() -> None:
    """Two leaves right under the root; 1 in unit scale and by shares of leaves; one leaf alone costs nothing."""
    flat = Hierarchy.flat(["a", "b", "c"])
    distances = [LeafDistance.by_rise(flat), LeafDistance.by_rise(flat).to_unit(flat), LeafDistance.by_leaves(flat)]
    assert [one.reach(flat)[0] for one in distances] == pytest.approx([4.0, 1.0, 1.0])
    single = Hierarchy.flat(["a"])
    assert LeafDistance.by_rise(single).to_unit(single).reach(single).tolist() == [0.0, 0.0]


# -- worked examples -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "k", "centroids", "classes"),
    [
        (T7, 2, [0, 2, 4], TABLE_2),
        (T7, 3, [0, 3], [[0, 1, 2], [3, 4, 5, 6]]),
        (M8, 2, [0, 7, 2, 4], PAIRS),
        (M8, 3, [0, 3], [[0, 1, 4, 5, 7], [2, 3, 6]]),
    ],
)
def test_kacpc_on_small_tables(frame: pl.DataFrame, k: int, centroids: list[int], classes: list[list[int]]) -> None:
    """Centroids and classes of seven patients and eight people."""
    _, found = around_centroids(encoded_of(frame), k, LeafDistance.by_rise, 1.0, None, Progress())
    assert found.tolist() == centroids == twin.kacpc(encoded_of(frame), k)[1]
    assert classes_of(released(frame, k, "kacpc")) == classes


@pytest.mark.parametrize(
    ("frame", "k", "centroids", "classes"),
    [
        (T7, 2, [0, 5, 3], TABLE_2),
        (T7, 3, [0, 5], HALVES),
        (M8, 2, [0, 7, 2, 5], None),
        (M8, 3, [0, 7], [[0, 1, 3, 4, 5], [2, 6, 7]]),
    ],
)
def test_ikac_on_small_tables(
    frame: pl.DataFrame, k: int, centroids: list[int], classes: list[list[int]] | None
) -> None:
    """Centroids and classes, from the first row on."""
    _, found = around_centroids(encoded_of(frame), k, LeafDistance.by_leaves, -1.0, 0, Progress())
    assert found.tolist() == centroids == twin.ikac(encoded_of(frame), k, 0)[1]
    if classes:
        assert classes_of(released(frame, k, "ikac", first=0)) == classes


def test_losses_of_small_tables() -> None:
    """NCP of seven patients, and precision of eight people: 1 less the loss per cell."""
    assert value(released(T7, 3, "kacpc"), "ncp") == pytest.approx(7.35)
    assert 1 - value(released(M8, 3, "kacpc"), "eloss") / 24 == pytest.approx(0.1125)
    assert 1 - value(released(M8, 3, "ikac", first=0), "eloss") / 24 == pytest.approx(0.223810, abs=5e-7)


def test_distances_from_the_commonest_values() -> None:
    """Seven patients: the modes are 20 and 10, by the smallest of equals; eight people: 25, Private, Male."""
    expected = {
        "T7": [0.6, 0.8, 0.85, 1.3, 0.75, 1.2, 1.0],
        "M8": [0, 4.0571, 22.1714, 18.2286, 18.5714, 18.6286, 22.7714, 14.0],
    }
    for frame, name in ((T7, "T7"), (M8, "M8")):
        encoded = encoded_of(frame)
        distance, modes = twin.record_distance(encoded, twin.dist_c), twin.commonest(encoded)
        found = [distance(modes, point) for point in encoded.points.tolist()]
        assert found == pytest.approx(expected[name], abs=5e-5)


# -- promises --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_class_sizes(seed: int) -> None:
    """As many classes as fit, of k to 2k - 1 records."""
    encoded, k = random_case(230_000 + seed, largest=120)
    for labels in (by_kacpc(encoded, k), by_ikac(encoded, k, 0)):
        sizes = np.bincount(labels)
        assert len(sizes) == len(encoded) // k
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1


def test_a_given_first_centroid_overrides_the_seed() -> None:
    """With ``first`` the seed changes nothing; without it, it may."""
    asked = {"k": 2, "quasi_identifiers": T7.columns, "method": "ikac"}
    given = [shoal.anonymize(T7, **asked, seed=seed, parameters={"first": 3}).classes.tolist() for seed in range(6)]
    drawn = [shoal.anonymize(T7, **asked, seed=seed).classes.tolist() for seed in range(6)]
    assert given == given[:1] * 6
    assert any(one != drawn[0] for one in drawn)


@pytest.mark.parametrize("scale", SCALES)
def test_a_weight_of_zero_leaves_a_column_out(scale: str) -> None:
    """The classes are those of the other columns alone."""
    random = np.random.default_rng(5)
    tree = random_tree(random, 9)
    kept = EncodedColumn("kept", random.normal(size=60))
    other = EncodedColumn("other", random.integers(0, 9, 60).astype(float), 0.0, tree)
    assert by_kacpc(Encoded((kept, other)), 4, scale) == by_kacpc(Encoded((kept,)), 4, scale)
    assert by_ikac(Encoded((kept, other)), 4, 0) == by_ikac(Encoded((kept,)), 4, 0)


# -- a real table ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> Encoded:
    """The 30,162 complete rows of Adult with ARX's trees."""
    folder = shared_data / "adult"
    table = read_table(folder / "adult.data", Reading(header=False, columns=tuple(ADULT_COLUMNS), na=("?",))).table
    table = table.take(np.flatnonzero(~np.any([table.missing(name) for name in table.names], axis=0)))
    trees = {name: folder / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in ADULT_TREES}
    return encode(table, complete(Plan.of(10, quasi_identifiers=["age", *ADULT_TREES], hierarchies=trees), table))


@pytest.mark.data
def test_first_centroid_of_adult(adult: Encoded) -> None:
    """Row 60 is the first of 100 at the modes: 36, Private, HS-grad, Married-civ-spouse, White, Male."""
    partition, centroids = around_centroids(adult, 100, LeafDistance.by_rise, 1.0, None, Progress())
    assert centroids[0] == 60
    assert (adult.points == twin.commonest(adult)).all(axis=1).sum() == 100
    assert len(partition.sizes) == 301


@pytest.mark.data
def test_twins_agree_on_adult(adult: Encoded) -> None:
    """On real people, too, every record lands in the class a scan would choose."""
    rows = np.random.default_rng(1).permutation(len(adult))[:1_000]
    sample = Encoded(tuple(column.take(rows) for column in adult.columns))
    for scale in SCALES:
        assert by_kacpc(sample, 7, scale) == twin.kacpc(sample, 7, scale)[0]
    assert by_ikac(sample, 7, 3) == twin.ikac(sample, 7, 3)[0]
