# SPDX-License-Identifier: Apache-2.0
"""Euclidean features keep their promises about numbers, ranks, names, missing cells and weights."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding import features as room
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.features import SCALES, FeatureAxes, axes, features, spread
from shoal.engine.encoding.missing import place_beyond
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.strategies import random_case, random_tree


def line(*numbers: float, weight: float = 1.0) -> Encoded:
    """A table of one numeric column; NaN is missing."""
    points, beyond = place_beyond(np.array(numbers))
    return Encoded((EncodedColumn("number", points, weight, missing=beyond),))


def squared(matrix: np.ndarray, a: int, b: int) -> float:
    """Squared distance of two records."""
    return float(((matrix[a] - matrix[b]) ** 2).sum())


def squared_by_axes(given: FeatureAxes, a: int, b: int) -> float:
    """The same from the definition of axes."""
    x, y = given.points[a], given.points[b]
    return float((given.weight * np.where(given.names, (x != y) / given.unit**2, (x - y) ** 2)).sum())


@pytest.mark.parametrize(
    ("scale", "expected"),
    [("none", [3 / 8, 5 / 8, 11 / 8]), ("range", [0, 0.25, 1]), ("std", [-0.980581, -0.392232, 1.372813])],
)
def test_numbers_are_scaled_as_asked(scale: str, expected: list[float]) -> None:
    """As they are but for a power of two, as shares of the range, or in standard deviations from the mean."""
    assert features(line(3, 5, 11), scale)[:, 0] == pytest.approx(expected, abs=1e-6)


def test_ranks_are_shares_of_the_order_under_every_scale() -> None:
    """The first of m ordered categories stands at 0, the last at 1."""
    column = EncodedColumn("grade", np.array([0.0, 1, 3]), style="ordered", order=("a", "b", "c", "d"))
    for scale in SCALES:
        assert features(Encoded((column,)), scale)[:, 0].tolist() == [0, 1 / 3, 1]


def test_names_that_differ_add_one() -> None:
    """However near two names are in their tree."""
    tree = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "*"]])
    matrix = features(Encoded((EncodedColumn("name", np.array([0.0, 1, 2, 2]), 4.0, tree),)), "range")
    distances = [squared(matrix, a, b) for a, b in [(0, 1), (0, 2), (2, 3)]]
    assert distances == pytest.approx([4, 4, 0])


def by_tree(column: EncodedColumn) -> np.ndarray:
    """Features of a column of names, its tree looked at."""
    encoded = Encoded((column,))
    return spread(axes(encoded, "range"), encoded)[0]


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_names_are_as_far_apart_as_they_meet_in_their_tree(seed: int) -> None:
    """On request: the squared distance is the height of the lowest common node over the height of the tree."""
    random = np.random.default_rng(seed)
    tree = random_tree(random, int(random.integers(2, 20)))
    leaves = random.integers(0, tree.n_leaves, 12)
    matrix = by_tree(EncodedColumn("name", leaves.astype(float), 1.0, tree))
    for a, b in random.integers(0, 12, (20, 2)):
        meeting = tree.lca(*sorted((int(leaves[a]), int(leaves[b]))))
        assert squared(matrix, a, b) == pytest.approx(tree.heights[meeting] / tree.heights[0])


def test_large_trees_are_cut_below_the_last_level_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names below one node of that level are equal, others as far apart as before; no level fits: leaf order."""
    rows = [[f"{a}{b}{c}", f"{a}{b}*", f"{a}**", "*"] for a in "12" for b in "123" for c in "12"]
    column = EncodedColumn("zip", np.arange(12.0), 1.0, Hierarchy.from_rows(rows))
    whole = by_tree(column)
    assert [squared(whole, 0, other) for other in (1, 2, 6)] == pytest.approx([1 / 3, 2 / 3, 1])
    monkeypatch.setattr(room, "MOST_NAMES", 8)
    cut = by_tree(column)
    assert cut.shape == (12, 8)
    assert [squared(cut, 0, other) for other in (1, 2, 6)] == pytest.approx([0, 2 / 3, 1])
    monkeypatch.setattr(room, "MOST_NAMES", 1)
    assert by_tree(column)[:, 0] == pytest.approx(np.arange(12) / 11)


@pytest.mark.parametrize("scale", SCALES)
def test_mixing_missing_and_present_numbers_costs_one_at_the_mean(scale: str) -> None:
    """A missing number stands at the mean, one unit away on an axis of its own."""
    matrix = features(line(2, 4, 6, np.nan, np.nan, weight=3.0), scale)
    assert squared(matrix, 1, 3) == pytest.approx(3)
    assert squared(matrix, 3, 4) == 0
    assert squared(matrix, 0, 3) == pytest.approx(3 + squared(matrix, 0, 1))


def test_columns_without_numbers_or_with_one_value_cost_nothing() -> None:
    """All missing, or all the same, is no difference."""
    for given in (line(np.nan, np.nan), line(7, 7)):
        for scale in SCALES:
            assert squared(features(given, scale), 0, 1) == 0


def test_numbers_too_large_to_square_keep_their_proportions() -> None:
    """Distances of astronomic numbers stay finite and in order."""
    matrix = features(line(-1e300, 0, 1e300), "none")
    assert squared(matrix, 0, 2) == pytest.approx(4 * squared(matrix, 0, 1))


def test_very_many_names_stand_in_leaf_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the number of names."""
    monkeypatch.setattr(room, "MOST_NAMES", 3)
    tree = Hierarchy.flat([str(number) for number in range(5)])
    matrix = features(Encoded((EncodedColumn("name", np.arange(5.0), tree=tree),)), "std")
    assert matrix[:, 0].tolist() == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("seed", range(40))
def test_features_and_axes_agree(seed: int) -> None:
    """Plain squared distances of features are the weighted ones of axes, for every shape of column."""
    encoded, _ = random_case(seed)
    scale = SCALES[seed % 3]
    given, matrix = axes(encoded, scale), features(encoded, scale)
    for a, b in np.random.default_rng(seed).integers(0, len(encoded), (20, 2)):
        assert squared(matrix, a, b) == pytest.approx(squared_by_axes(given, a, b))
