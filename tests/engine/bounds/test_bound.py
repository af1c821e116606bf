# SPDX-License-Identifier: Apache-2.0
"""The lower bound: never above the truth, never lower with more effort, and worth something on real data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from shoal.engine.bounds.bound import Bound, lower_bound
from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.lattice import LineAndBins, Points, counted
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.missing import place_at_middle
from shoal.engine.kernels.bounds.lattice import Lattice
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.ground.arrays import Floats
from shoal.ground.progress import Progress
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.counts import count, repeats
from tests.reference.partitions import optimum
from tests.strategies import LOSSES, random_encoded, random_tree, thinned

ADULT_COLUMNS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
)  # fmt: skip
ADULT_TREES = ("workclass", "education", "marital-status", "race", "sex")

METHODS = ("nearest", "boxes", "prices")


def small_case(seed: int, loss: str | None = None) -> tuple[Encoded, int]:
    """A table of at most nine records and a k that it can be partitioned with."""
    random = np.random.default_rng(seed)
    k = int(random.integers(2, 5))
    encoded = random_encoded(random, int(random.integers(k, 10)))
    encoded = thinned(random, encoded) if random.random() < 0.4 else encoded
    return (encoded if loss is None else Encoded(encoded.columns, loss)), k


def middling_case(seed: int, n: int = 80) -> tuple[Encoded, int]:
    """A table large enough for stopping early to make a difference."""
    random = np.random.default_rng(seed)
    return random_encoded(random, n, columns=3), int(random.integers(3, 7))


@pytest.mark.parametrize("part", repeats(3, 10))
def test_never_above_the_optimum(part: int) -> None:
    """On many tables of up to nine records, no bound exceeds the loss of the best of all partitions."""
    for seed in range(50 * part, 50 * part + 50):
        encoded, k = small_case(seed, LOSSES[seed % len(LOSSES)])
        best, _ = optimum(encoded, k)
        for method in METHODS:
            assert lower_bound(encoded, k, method=method).total <= best, (seed, method)


def test_tolls_never_lift_it_above_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor with tolls, chosen as often as can be, on tables whose records crowd; and tolls raise the bound of some."""
    rose = 0
    for seed in range(count(60, 600)):
        random = np.random.default_rng(seed)
        numbers = random.integers(0, 6, int(random.integers(6, 10))).astype(float)
        tree, names = random_tree(random, 4), random.integers(0, 4, len(numbers)).astype(float)
        encoded, k = Encoded((EncodedColumn("a", numbers), EncodedColumn("b", names, tree=tree))), 2 + seed % 2
        best, totals = optimum(encoded, k)[0], []
        for choices in (0, 50):
            monkeypatch.setattr("shoal.engine.bounds.prices.CHOICES", choices)
            totals.append(lower_bound(encoded, k, effort=20).total)
        assert max(totals) <= best, seed
        rose += totals[1] > 1.005 * totals[0]
    assert rose > 5


def test_each_bound_is_at_least_the_one_before() -> None:
    """Boxes never say less than nearest records, prices never less than boxes."""
    rose = np.zeros(2, dtype=bool)
    for seed in range(20):
        encoded, k = middling_case(seed)
        nearest, boxes, prices = (lower_bound(encoded, k, method=method).total for method in METHODS)
        assert nearest <= boxes * (1 + 1e-9) <= prices * (1 + 2e-9), seed
        rose |= (boxes > nearest * 1.001, prices > boxes * 1.001)
    assert rose.all()


def test_below_every_partition_found() -> None:
    """On larger tables the bound stays below partitions along the order of any column."""
    for seed in range(20):
        encoded, k = middling_case(seed)
        bound = lower_bound(encoded, k)
        for column in encoded.columns:
            labels = np.empty(len(encoded), dtype=np.int64)
            labels[np.argsort(column.points, kind="stable")] = np.minimum(
                np.arange(len(encoded)) // k, len(encoded) // k - 1
            )
            lo, hi, sizes = class_hulls(encoded.points, labels, len(encoded) // k)
            assert bound.total <= total_loss(encoded.hulls, lo, hi, sizes)


@pytest.mark.parametrize("method", METHODS)
def test_more_effort_never_lowers_it(method: str) -> None:
    """Stopped early it is still a bound, and going on never makes it worse."""
    differed = False
    for seed in range(10):
        encoded, k = middling_case(seed)
        totals = [lower_bound(encoded, k, method=method, effort=effort).total for effort in (0, 1e-3, 1e-2, 0.1, 1)]
        assert totals == sorted(totals)
        differed |= totals[0] < totals[-1]
    assert differed


def test_early_stop_covers_fewer_records() -> None:
    """Where records are looked at one by one, the bound tells how many were."""
    random = np.random.default_rng(0)
    columns = tuple(EncodedColumn(name, random.normal(size=300)) for name in "ab")
    encoded = Encoded(columns)
    none, some, every = (lower_bound(encoded, 5, effort=effort, method="boxes") for effort in (0, 1e-9, 1))
    assert (none.records_covered, none.total) == (0, 0)
    assert every.records_covered == every.records == 300
    assert some.total <= every.total


def test_worked_example() -> None:
    """Ages 1, 2, 3, 10 and k = 2: by hand.

    Every partition is one class (loss 4 · 9/9) or two pairs; the best is {1, 2}, {3, 10}: 2 · 1/9 + 2 · 7/9 = 16/9.
    Nearest and boxes: 1, 1, 1 and 7 ninths, together 10/9. Prices: 1/9 for each of 1, 2, 3 and, as 3 and 10 may
    cost 14/9 together, 13/9 for 10: together 16/9, so the partition is proved best.
    """
    encoded = Encoded((EncodedColumn("age", np.array([1.0, 2.0, 3.0, 10.0])),))
    assert lower_bound(encoded, 2, method="nearest").total == pytest.approx(10 / 9)
    assert lower_bound(encoded, 2, method="boxes").total == pytest.approx(10 / 9)
    found = lower_bound(encoded, 2)
    assert found.total == pytest.approx(16 / 9, rel=1e-3)
    assert found.per_cell == pytest.approx(4 / 9, rel=1e-3)
    assert found.total <= optimum(encoded, 2)[0] == pytest.approx(16 / 9)


def test_cheapest_box_by_hand() -> None:
    """A record between others needs a box that reaches out on both sides; nearest records do not see that."""
    numbers = np.array([0.0, 4.0, 5.0, 6.0, 10.0])
    encoded = Encoded((EncodedColumn("a", numbers),))
    nearest = [5, 2, 1, 2, 5]
    boxes = [5, 2, 2, 2, 5]
    assert lower_bound(encoded, 3, method="nearest").total == pytest.approx(sum(nearest) / 10)
    assert lower_bound(encoded, 3, method="boxes").total == pytest.approx(sum(boxes) / 10)
    second = EncodedColumn("b", numbers[::-1].copy())  # two columns of numbers: searched instead of listed
    both = Encoded((encoded.columns[0], second))
    assert lower_bound(both, 3, method="boxes").total == pytest.approx(2 * sum(boxes) / 10)


def test_listing_and_searching_agree() -> None:
    """The two ways to bound 2 find the same cheapest boxes where both can, given enough nodes."""
    from shoal.engine.bounds.boxes import listed_boxes, searched_boxes
    from shoal.engine.bounds.lattice import build_lattice
    from shoal.engine.bounds.nearest import nearest_bound

    compared = 0
    for seed in range(80):
        encoded, k = middling_case(seed, 60)
        useful = counted(encoded)
        if not useful.columns or sum(column.tree is None for column in useful.columns) > 1:
            continue
        points = Points.of(useful)
        plotted = LineAndBins.of(useful, points)
        listed = listed_boxes(build_lattice(useful, points, plotted, k, Progress()), k)
        tree, nearest, _ = nearest_bound(useful, k, StepBudget(10**9))
        searched = searched_boxes(useful, tree, k, nearest, StepBudget(10**9))
        at = {tuple(one): loss for one, loss in zip(points.at.tolist(), listed)}
        theirs = np.array([at[tuple(one)] for one in tree.at.tolist()])
        assert (searched <= theirs + 1e-9).all()
        assert searched @ tree.copies >= 0.99 * (theirs @ tree.copies)
        compared += 1
    assert compared > 20


def test_coarse_bins_only_lower_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that are not told apart make the bound lower, never higher."""
    random = np.random.default_rng(5)
    tree = random_tree(random, 8)
    columns = (
        EncodedColumn("a", random.normal(size=200)),
        EncodedColumn("b", random.integers(0, 8, 200).astype(float), tree=tree),
    )
    totals = []
    for most in (4, 20, 1000):
        monkeypatch.setattr("shoal.engine.bounds.prices.MOST_BINS", most)
        totals.append(lower_bound(Encoded(columns), 4).total)
    assert totals == sorted(totals)
    assert totals[0] < totals[-1]


def several_numbers(random: np.random.Generator, n: int) -> Encoded:
    """A table of two or three columns of numbers, some of them equal."""
    columns = [np.round(random.lognormal(2, 1, n), int(random.integers(0, 3))) for _ in range(random.integers(2, 4))]
    return Encoded(tuple(EncodedColumn(str(place), numbers) for place, numbers in enumerate(columns)))


@pytest.mark.parametrize("part", repeats(1, 10))
def test_windows_of_further_columns(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices with several columns of numbers never exceed the optimum, however coarse the bins, and raise the bound."""
    rose = 0
    for seed in range(50 * part, 50 * part + 50):
        random = np.random.default_rng(seed)
        encoded, k = several_numbers(random, int(random.integers(6, 10))), int(random.integers(2, 4))
        best, _ = optimum(encoded, k)
        for most in (3, 64):
            monkeypatch.setattr("shoal.engine.bounds.lattice.FEWEST_BINS_BESIDE", most // 2)
            monkeypatch.setattr("shoal.engine.bounds.lattice.MOST_BINS_BESIDE", most)
            found = lower_bound(encoded, k)
            assert found.total <= best, (seed, most)
        rose += found.total > 1.05 * lower_bound(encoded, k, method="boxes").total
    assert rose > 15


def test_too_many_levels_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where listing all boxes would take too much room, they are searched, and the bound still holds."""
    monkeypatch.setattr("shoal.engine.bounds.lattice.LARGEST", 0)
    for seed in range(40):
        encoded, k = small_case(seed)
        assert lower_bound(encoded, k).total <= optimum(encoded, k)[0]


def test_smaller_classes_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where prices take too long for classes of this size, those for classes of half the size are a bound, too."""
    from shoal.engine.bounds import bound, prices

    def only_small(lattice: Lattice, cheapest: Floats, size: int, budget: StepBudget) -> prices.Prices:
        return prices.best_prices(lattice, cheapest, size, budget if size <= 20 else StepBudget(0))

    encoded = Encoded((EncodedColumn("a", np.array([*[0.0] * 90, 1.0])),))
    assert lower_bound(encoded, 40).total == pytest.approx(40, rel=1e-3)
    monkeypatch.setattr(bound, "best_prices", only_small)
    assert lower_bound(encoded, 40, method="boxes").total == pytest.approx(1)
    assert lower_bound(encoded, 40).total == pytest.approx(20, rel=1e-3)


def test_wildcards_cost_nothing() -> None:
    """A missing cell that matches anything does not count, whatever stands in for it."""
    numbers = np.array([0.0, np.nan, 100.0, np.nan])
    column = EncodedColumn("a", place_at_middle(numbers), holes=np.isnan(numbers))
    assert lower_bound(Encoded((column,)), 2).total == 0


@pytest.mark.parametrize("k", [1, 7])
def test_nothing_to_bound(k: int) -> None:
    """With k = 1, or more than there are records, the bound says nothing."""
    encoded = Encoded((EncodedColumn("a", np.arange(6.0)),))
    assert lower_bound(encoded, k) == Bound(0.0, 0.0, 6, 6, "boxes")


def test_weights_scale_it() -> None:
    """Twice the weight on all columns is twice the total and the same loss per cell."""
    encoded, k = middling_case(3)
    columns = tuple(replace(column, weight=1.0) for column in encoded.columns)
    once = lower_bound(Encoded(columns, "lm"), k)
    twice = lower_bound(Encoded(tuple(replace(column, weight=2.0) for column in columns), "lm"), k)
    assert twice.total == pytest.approx(2 * once.total)
    assert twice.per_cell == pytest.approx(once.per_cell)


def test_progress_and_cancelling() -> None:
    """Work is reported as it goes, and an answer of cancel stops it."""
    from shoal.ground.errors import Interrupted

    seen = []
    encoded, k = middling_case(1)
    lower_bound(encoded, k, Progress(seen.append))
    assert seen
    assert all(0 <= step.done <= step.total for step in seen)
    with pytest.raises(Interrupted):
        lower_bound(encoded, k, Progress(lambda step: "cancel"))


def test_flat_names_only() -> None:
    """Without any column of numbers, boxes are combinations of names."""
    tree = Hierarchy.flat(["x", "y", "z"])
    encoded = Encoded((EncodedColumn("a", np.array([0.0, 0, 0, 1, 1, 2]), tree=tree),), "lm")
    assert lower_bound(encoded, 2, method="boxes").total == pytest.approx(1)
    assert lower_bound(encoded, 2).total == pytest.approx(2, rel=1e-3)  # z takes a y or x with it


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> Encoded:
    """Adult's 30,162 complete rows, age by range, the rest with ARX's trees."""
    folder = shared_data / "adult"
    table = read_table(folder / "adult.data", Reading(header=False, columns=ADULT_COLUMNS, na=("?",))).table
    table = table.take(np.flatnonzero(~np.any([table.missing(name) for name in table.names], axis=0)))
    trees = {name: folder / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in ADULT_TREES}
    plan = Plan.of(10, quasi_identifiers=("age", *ADULT_TREES), hierarchies=trees, loss="height")
    return encode(table, complete(plan, table))


@pytest.mark.data
def test_adult(adult: Encoded, capsys: pytest.CaptureFixture[str]) -> None:
    """On Adult at k = 10 the loss of a good partition is at most 1.75 times the bound."""
    bound = lower_bound(adult, 10)
    best_known = 0.0295
    with capsys.disabled():
        print(f"\nAdult, k = 10, height: bound {bound.per_cell:.5f}, loss / bound {best_known / bound.per_cell:.3f}")
    assert bound.method == "prices"
    assert bound.records_covered == bound.records == 30162
    assert bound.per_cell < best_known <= 1.4 * bound.per_cell


@pytest.mark.data
def test_adult_grows_with_k_whatever_the_unit(adult: Encoded) -> None:
    """Larger classes never have a lower bound; multiplying all weights changes nothing, however large classes are."""
    per_cell = []
    for k, times in ((100, 1e4), (300, 1e-4)):
        other = Encoded(tuple(column.lighter(times) for column in adult.columns), adult.loss)
        once, again = lower_bound(adult, k, effort=0.2), lower_bound(other, k, effort=0.2)
        assert once.method == again.method == "prices"
        assert again.per_cell == pytest.approx(once.per_cell, rel=1e-3)
        per_cell.append(once.per_cell)
    assert per_cell == sorted(per_cell)
    assert per_cell[-1] > 0.13
