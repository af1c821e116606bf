# SPDX-License-Identifier: Apache-2.0
"""Hull losses as the kernels compute them, against the definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from shoal.engine.encoding import losses
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import HullTerm, for_totals, hull_kernel_arrays
from shoal.engine.kernels.hull import CLIMB, FLAT, RANGE, TABLE, class_hulls, loss, loss_with, ticks, total_loss
from shoal.hierarchies.hierarchy import Hierarchy
from tests.counts import repeats
from tests.reference.losses import Loss, common_ancestor, hull
from tests.reference.losses import ticks as plain_ticks
from tests.strategies import LOSSES, random_encoded, random_tree

TREES = 12


def as_array(*values: float) -> np.ndarray:
    """Coordinates as the kernels take them."""
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("seed", range(TREES))
def test_table_climb_and_brute_force_agree(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of leaves of a ragged tree cost the same whichever way the term is looked up."""
    random = np.random.default_rng(seed)
    tree = random_tree(random, int(random.integers(2, 14)))
    tree = tree.with_missing() if seed % 2 else tree
    column = EncodedColumn(
        "tree", np.arange(tree.n_leaves, dtype=float), weight=float(random.choice([1, 0.3])), tree=tree
    )
    plain = Loss(Encoded((column,), name))
    tabulated = HullTerm.of_tree(tree, name, column.weight)
    monkeypatch.setattr(losses, "LARGEST_TABLE", 1)
    climbed = HullTerm.of_tree(tree, name, column.weight)
    assert (tabulated.kind, climbed.kind) == ((FLAT, FLAT) if tree.is_flat else (TABLE, CLIMB))
    for lo, hi in itertools.combinations_with_replacement(range(tree.n_leaves), 2):
        expected = pytest.approx(plain.of([lo], [hi]), abs=1e-14)
        for term in (tabulated, climbed):
            assert loss(hull_kernel_arrays([term]), as_array(lo), as_array(hi)) == expected


@pytest.mark.parametrize("name", LOSSES)
def test_workclass_costs_what_the_papers_say(name: str) -> None:
    """Gov and Self-emp in the tree of seven leaves: the table of section 7.1 of the specification."""
    rows = "Private,*|Not-inc,Self-emp,*|Inc,Self-emp,*|Federal,Gov,*|Local,Gov,*|State,Gov,*|Without-pay,*"
    tree = Hierarchy.from_rows([row.split(",") for row in rows.split("|")])
    gov = {"height": 1 / 2, "eloss": 1 / 2, "ncp": 3 / 7, "lm": 1 / 3}
    self_employed = {"height": 1 / 2, "eloss": 1 / 2, "ncp": 2 / 7, "lm": 1 / 6}
    hulls = hull_kernel_arrays([HullTerm.of_tree(tree, name, 1.0)])
    assert loss(hulls, as_array(3), as_array(5)) == pytest.approx(gov[name])
    assert loss(hulls, as_array(1), as_array(2)) == pytest.approx(self_employed[name])
    assert loss(hulls, as_array(0), as_array(6)) == 1.0
    assert loss(hulls, as_array(4), as_array(4)) == 0.0


@pytest.mark.parametrize("name", LOSSES)
def test_flat_names_cost_all_or_nothing(name: str) -> None:
    """Under one root two different names cost the weight, without a table."""
    term = HullTerm.of_tree(Hierarchy.flat(map(str, range(100_000))), name, 0.5)
    assert (term.kind, term.table.size, term.ancestors.size) == (FLAT, 0, 0)
    hulls = hull_kernel_arrays([term])
    assert loss(hulls, as_array(7), as_array(99_999)) == 0.5
    assert loss(hulls, as_array(7), as_array(7)) == 0.0


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("tree", [Hierarchy.flat(["a"]), Hierarchy.from_rows([["a", "b", "*"]]), Hierarchy.flat([])])
def test_a_single_leaf_costs_nothing(name: str, tree: Hierarchy) -> None:
    """A column of one value has nothing to lose."""
    assert loss(hull_kernel_arrays([HullTerm.of_tree(tree, name, 1.0)]), as_array(0), as_array(0)) == 0.0


@pytest.mark.parametrize(
    ("span", "has_missing", "width", "expected"),
    [
        (40.0, False, 10.0, 0.25),
        (40.0, False, 40.0, 1.0),
        (40.0, True, 80.0, 1.0),
        (0.0, False, 0.0, 0.0),
        (0.0, True, 1.0, 1.0),
    ],
)
@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
def test_ranges_cost_their_share(span: float, has_missing: bool, width: float, expected: float, weight: float) -> None:
    """A range costs its share of the column's range, mixing with missing the whole weight, a constant nothing."""
    term = HullTerm.of_range(span, has_missing, weight)
    assert term.kind == RANGE
    assert loss(hull_kernel_arrays([term]), as_array(3.0), as_array(3.0 + width)) == pytest.approx(expected * weight)


@pytest.mark.parametrize("seed", range(TREES))
def test_sums_equal_the_plain_ones(seed: int) -> None:
    """Hulls over mixed columns, and hulls grown by a record, round to the same number of ticks."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 12)
    plain, points = Loss(encoded), encoded.points
    for _ in range(20):
        rows = random.integers(0, 12, 3)
        lo, hi = points[rows].min(axis=0), points[rows].max(axis=0)
        row = int(random.integers(12))
        assert ticks(loss(encoded.hulls, lo, hi)) == plain_ticks(plain.of(lo, hi))
        assert ticks(loss_with(encoded.hulls, lo, hi, points, row)) == plain_ticks(plain.grown(lo, hi, points[row]))


@pytest.mark.parametrize("seed", range(TREES))
def test_hulls_of_classes(seed: int) -> None:
    """Hull, size and total loss of each class are those of its members; suppressed records are in none."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 30)
    labels = random.integers(-1, 5, 30)
    lo, hi, sizes = class_hulls(encoded.points, labels, 5)
    plain, expected = Loss(encoded), 0.0
    for label in range(5):
        members = encoded.points[labels == label]
        assert sizes[label] == len(members)
        if len(members):
            assert (lo[label].tolist(), hi[label].tolist()) == hull(members.tolist())
            expected += len(members) * plain.of(lo[label], hi[label])
    assert total_loss(encoded.hulls, lo, hi, sizes) == pytest.approx(expected)


@pytest.mark.parametrize("seed", repeats(15, 100))
def test_a_set_of_leaves_meets_where_its_ends_meet(seed: int) -> None:
    """The hull trick: depth-first leaf numbers make the smallest and largest leaf speak for all between."""
    random = np.random.default_rng(seed)
    tree = random_tree(random, int(random.integers(2, 30)))
    for _ in range(15):
        chosen = random.choice(tree.n_leaves, size=int(random.integers(1, tree.n_leaves + 1)), replace=False)
        assert tree.lca(int(chosen.min()), int(chosen.max())) == common_ancestor(tree, chosen.tolist())


@pytest.mark.parametrize("seed", repeats(15, 100))
def test_losses_only_grow(seed: int) -> None:
    """A wider hull never costs less, under every loss: all pruning rests on it."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 12)
    points = encoded.points
    for _ in range(10):
        rows = random.permutation(12)
        costs = [
            ticks(loss(encoded.hulls, points[rows[:size]].min(axis=0), points[rows[:size]].max(axis=0)))
            for size in range(1, 13)
        ]
        assert costs == sorted(costs)


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, 0), (1.0, 10**12), (0.1 + 0.2, 3 * 10**11), (1e-13, 0), (6e-13, 1)]
)
def test_ticks_are_rounded_to_twelve_decimals(value: float, expected: int) -> None:
    """Float noise decides no tie."""
    assert ticks(value) == expected == plain_ticks(value)


@pytest.mark.parametrize("size", [10.0**power for power in range(-3, 40, 3)])
def test_ticks_of_any_size_keep_ties_and_order(size: float) -> None:
    """Sums that are equal on paper are equal, and larger ones never have fewer ticks, far beyond 64-bit integers."""
    sums = size * np.sort(np.random.default_rng(0).random(2_000))
    found = [ticks(value) for value in sums]
    assert found == [plain_ticks(value) for value in sums]
    assert found == sorted(found)
    assert ticks((0.1 + 0.2) * size) == ticks(0.3 * size)
    assert ticks(-sums[-1]) == pytest.approx(-found[-1], abs=1)


def test_large_ticks_tell_large_sums_apart() -> None:
    """Thirteen digits are compared, however large the sum."""
    for value in (9.3e6, 1e10, 123_456_789_012.0, 1e100):
        assert ticks(value) < ticks(value * (1 + 1e-12))


@pytest.mark.parametrize("seed", range(TREES))
@pytest.mark.parametrize("records", [1, 10, 10**6])
def test_losses_for_totals_are_the_same_but_for_a_power_of_two(seed: int, records: int) -> None:
    """The totals of so many records have at most 43 bits of ticks, and no order of losses changes."""
    random = np.random.default_rng(seed)
    encoded = random_encoded(random, 12)
    hulls, points = for_totals(encoded.hulls, records), encoded.points
    every = [loss(each, points.min(axis=0), points.max(axis=0)) for each in (encoded.hulls, hulls)]
    assert records * every[1] * 1e12 <= 2**43
    unit = 1.0 if every[0] == 0 else every[1] / every[0]
    assert np.frexp(unit)[0] == 0.5
    for lo, hi in zip(np.minimum(points, points[::-1]), np.maximum(points, points[::-1])):
        assert loss(hulls, lo, hi) == unit * loss(encoded.hulls, lo, hi)
