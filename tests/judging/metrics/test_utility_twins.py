# SPDX-License-Identifier: Apache-2.0
"""Utility: every metric equals its plain twin."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging import analyst
from shoal.judging.checking import measure
from shoal.judging.metrics import accuracy_kept, pmse, query_error, regression_kept
from shoal.judging.metrics.information_kept import pairs_told
from shoal.plan.plan import Plan
from tests.counts import repeats
from tests.judging.metrics.utility_tables import PLAN, ROWS, TREE, Tables, random_tables
from tests.reference import utility as twin


@pytest.mark.parametrize("seed", repeats(8, 100))
def test_shifts_equal_their_twin(seed: int) -> None:
    """Quantiles in standard deviations, and total variation of the names."""
    before, after = tables = random_tables(seed)
    found = tables.measured("distribution_shift")
    wanted = [twin.quantiles_moved(before[name], after[name]) for name in ("age", "height")]
    wanted.append(twin.shares_moved(before["place"], after["place"], TREE))
    assert list(found.figures.values())[1::2] == pytest.approx(wanted[:2])
    assert found.figures["shares place"] == pytest.approx(wanted[2])
    assert found.value == pytest.approx(sum(wanted) / 3)


@pytest.mark.parametrize("seed", repeats(6, 60))
def test_counts_equal_their_twin(seed: int) -> None:
    """Every question, asked of the cells one by one."""
    before, after = tables = random_tables(seed)
    n, errors = len(before["age"]), []
    shown = {name: twin.shown_range(after[name]) for name in ("age", "height")}
    for parts in query_error.questions(analyst.analysed(tables.evidence)):
        truth = estimate = 0.0
        for row in range(n):
            inside, share = True, 1.0
            for column, first, last in parts:
                name, cell = column.name, after[column.name][row]
                if column.line:
                    inside &= first <= float(before[name][row] or 0) <= last
                    share *= twin.share_of_numbers(cell, first, last, shown[name])
                else:
                    asked = "abcde"[int(first)]
                    inside &= before[name][row] == asked
                    share *= (asked in twin.leaves(cell, TREE)) / len(twin.leaves(cell, TREE))
            truth, estimate = truth + inside, estimate + share
        errors.append(abs(estimate - truth) / max(truth, 0.001 * n))
    found = tables.measured("query_error")
    assert found.value == pytest.approx(sum(errors) / len(errors))
    assert found.figures["median"] == pytest.approx(twin.quantile(errors, 0.5))
    assert found.figures["groups"] == pytest.approx(2 * twin.shares_moved(before["place"], after["place"], TREE))


def test_means_by_group_as_worked_out_by_hand() -> None:
    """Two names with means 10 and 20 of deviation 5; one node for both tells 15 for each, off by one deviation."""
    before = {"place": ["a", "a", "b", "b"], "cost": [10, 10, 20, 20]}
    plan = Plan.of(2, quasi_identifiers=["place"], sensitive=["cost"], hierarchies={"place": Hierarchy.from_rows(ROWS)})
    released = pl.DataFrame({**before, "place": ["ab"] * 4})
    (found,) = measure(pl.DataFrame(before), released, plan, metrics="query_error")
    assert found.figures["means"] == pytest.approx(1)
    assert found.figures["groups"] == 0


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_information_equals_its_twin(seed: int) -> None:
    """Mutual information by its definition, over all pairs of leaves."""
    before, after = tables = random_tables(seed)
    columns = []
    for name in ("age", "height"):
        cuts = sorted({twin.quantile([float(one or 0) for one in before[name]], share / 10) for share in range(1, 10)})
        columns.append([[[_bin(twin.middle(cell), cuts)] for cell in side[name]] for side in (before, after)])
    columns.append([[twin.leaves(cell, TREE) for cell in side["place"]] for side in (before, after)])
    columns.append([[[cell] for cell in side["ill"]] for side in (before, after)])
    pairs = []
    for place, one in enumerate(columns):
        for other in columns[place + 1 :]:
            scale = math.sqrt(twin.entropy(one[0]) * twin.entropy(other[0]))
            pairs.append(tuple(min(twin.information(one[side], other[side]) / scale, 1) for side in (0, 1)))
    found = tables.measured("information_kept")
    assert found.value == pytest.approx(twin.kept(pairs), abs=1e-9)
    told = sorted(pairs_told(found), key=lambda one: one[0])
    names = [f"{one} + {other}" for one, other in combinations(("age", "height", "place", "ill"), 2)]
    wanted = sorted((name, *pair) for name, pair in zip(names, pairs, strict=True))
    assert [one[0] for one in told] == [one[0] for one in wanted]
    assert [one[1:] for one in told] == [pytest.approx(one[1:], abs=1e-9) for one in wanted]


def test_named_pairs_tell_what_they_tell_of_each_other() -> None:
    """In the plan's words and order; in sentences, and as a picture of the report."""
    before, after = random_tables(3, 60)
    plan = replace(PLAN, pairs=(("ill", "age"),))
    (found,) = measure(*(pl.DataFrame(one, strict=False) for one in (before, after)), plan, metrics="information_kept")
    ((name, was, now),) = pairs_told(found)
    assert (name, 0 < now <= was + 0.1) == ("ill + age", True)
    (said,) = catalog.load("metrics", "information_kept").told(found, plan)
    assert said.startswith("'ill' and 'age' tell ")


def _bin(place: float | None, cuts: list[float]) -> int:
    return -1 if place is None else sum(cut <= place + 1e-9 for cut in cuts)


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_correlations_equal_their_twin(seed: int) -> None:
    """Spearman and Pearson of the two columns of numbers, rows without a number left out."""
    before, after = tables = random_tables(seed)
    strengths = {"spearman": [], "pearson": []}
    for side in (before, after):
        cells = zip(map(twin.middle, side["age"]), map(twin.middle, side["height"]), strict=True)
        one, other = zip(*((a, b) for a, b in cells if a is not None and b is not None), strict=True)
        strengths["pearson"].append(twin.correlation(one, other))
        strengths["spearman"].append(twin.correlation(twin.ranks(one), twin.ranks(other)))
    found = tables.measured("correlation_kept")
    for name, both in strengths.items():
        assert found.figures[name] == pytest.approx(twin.kept([tuple(both)]))


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_all_pairs_equal_their_twins(seed: int) -> None:
    """Cramér's V of names, the ratio of ranks by names, and the share that is kept over every pair of columns."""
    before, after = tables = random_tables(seed, 40)
    found, names = tables.measured("correlation_kept"), ("place", "ill")
    kinds: dict[str, list[tuple[float, float]]] = {"spearman": [], "ratio": [], "cramers_v": []}
    lines = [[list(map(twin.middle, side[name])) for side in (before, after)] for name in ("age", "height")]
    words = [[side[name] for side in (before, after)] for name in names]
    kinds["spearman"].append(_both(lambda a, b: twin.correlation(twin.ranks(a), twin.ranks(b)), *lines))
    kinds["ratio"] += [_both(twin.correlation_ratio, line, word) for line in lines for word in words]
    fewest = min(len(set(before[name])) for name in names)
    kinds["cramers_v"].append(_both(lambda a, b: twin.cramers_v(a, b, fewest), *words))
    for kind, pairs in kinds.items():
        assert found.figures[kind] == pytest.approx(twin.kept(pairs))
    assert found.value == pytest.approx(twin.kept([one for pairs in kinds.values() for one in pairs]))


def _both(measured: Callable[..., float], one: list[list], other: list[list]) -> tuple[float, float]:
    """A strength before and after, of the rows in which neither cell is gone."""
    sides = []
    for left, right in zip(one, other, strict=True):
        known = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
        sides.append(measured(*(list(each) for each in zip(*known, strict=True))))
    return sides[0], sides[1]


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_means_and_groups_equal_their_twins(seed: int) -> None:
    """Means of numbers by place, a node counting for each of its leaves; rows of each cell of place and illness."""
    before, after = random_tables(seed, 40)
    plan = replace(PLAN, group_by=(("place", "ill"),))
    (found,) = measure(*(pl.DataFrame(one, strict=False) for one in (before, after)), plan, metrics="query_error")
    groups = [[twin.leaves(cell, TREE) for cell in side["place"]] for side in (before, after)]
    off = []
    for name in ("age", "height"):
        sides = [list(map(twin.middle, side[name])) for side in (before, after)]
        off.append(twin.means_off(groups[0], sides[0], groups[1], sides[1]))
    assert found.figures["means"] == pytest.approx(sum(off) / 2)
    ill = [[[cell] for cell in side["ill"]] for side in (before, after)]
    assert found.figures["group place + ill"] == pytest.approx(twin.cells_off(groups[0], ill[0], groups[1], ill[1]))


@pytest.mark.parametrize("seed", repeats(5, 40))
def test_propensities_are_those_of_another_solver(seed: int) -> None:
    """Newton's method finds the same chances as scikit-learn without a penalty."""
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(seed)
    design = random.normal(size=(300, 4))
    released = (design[:, 0] + random.normal(size=300) > 0.5).astype(float)
    other = linear.LogisticRegression(C=1e6, tol=1e-10, max_iter=5000).fit(design, released)
    assert pmse.propensities(design, released, np.ones(300)) == pytest.approx(
        other.predict_proba(design)[:, 1], abs=1e-3
    )


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_regressions_equal_their_twin(seed: int) -> None:
    """Slopes, White's errors and the overlap of their intervals, with weights and without."""
    random = np.random.default_rng(seed)
    sides, twins = [], []
    for weights in (np.ones(25), random.uniform(0.5, 2, 25)):
        design = random.normal(size=(25, 3))
        values = design[:, 0] - 0.3 * design[:, 1] + random.normal(size=25)
        found = regression_kept.fitted(design, values, weights)
        wanted = twin.regression(design.tolist(), values.tolist(), weights.tolist())
        assert list(zip(found.slopes, found.errors, strict=True)) == [pytest.approx(one) for one in wanted]
        sides.append(found)
        twins.append(wanted)
    assert regression_kept.overlaps(*sides) == pytest.approx([twin.overlap(*both) for both in zip(*twins, strict=True)])


@pytest.mark.parametrize("seed", repeats(3, 40))
def test_the_propensity_error_equals_its_twin(seed: int) -> None:
    """Features cell by cell, another solver, and the sum by its formula."""
    linear = pytest.importorskip("sklearn.linear_model")
    both = random_tables(seed, 200)
    design = [[*_numbers(both, row, side), *_names(both, row, side)] for side in (0, 1) for row in range(200)]
    released = [0] * 200 + [1] * 200
    chances = linear.LogisticRegression(C=1e6, tol=1e-10, max_iter=5000).fit(design, released).predict_proba(design)
    wanted = sum((float(one) - 0.5) ** 2 for one in chances[:, 1]) / 400
    assert both.measured("pmse").value == pytest.approx(wanted, abs=2e-4)


def _numbers(tables: Tables, row: int, side: int) -> list[float]:
    """Places, their squares, and whether one is missing, which stands at the mean."""
    found: list[float] = []
    for name in ("age", "height"):
        known = [float(one or 0) for one in tables.before[name]]
        mean, place = sum(known) / len(known), twin.middle(tables[side][name][row])
        away = 0.0 if place is None else (place - mean) / 10
        found += [away, away**2, float(place is None)]
    return found


def _names(tables: Tables, row: int, side: int) -> list[float]:
    """Shares of all names but one."""
    place = twin.leaves(tables[side]["place"][row], TREE)
    return [(one in place) / len(place) for one in "bcde"] + [float(tables[side]["ill"][row] == "yes")]


@pytest.mark.parametrize("seed", repeats(3, 60))
def test_scores_of_models_equal_their_twin(seed: int) -> None:
    """R² of a ridge regression that is solved by hand; the area as the share of pairs in the right order."""
    random = np.random.default_rng(seed)
    learnt, tested = (
        accuracy_kept.Rows(random.normal(size=(n, 2)), np.zeros(n), random.uniform(0.5, 2, n), np.arange(n))
        for n in (40, 30)
    )
    for rows in (learnt, tested):
        rows.values[:] = rows.known[:, 0] + random.normal(size=len(rows))
    wanted = twin.explained(
        *((one.known.tolist(), one.values.tolist(), one.weights.tolist()) for one in (learnt, tested))
    )
    assert accuracy_kept._explained(learnt, tested)[""] == pytest.approx(wanted)
    for rows in (learnt, tested):
        rows.values[:] = rows.values > 0
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.LogisticRegression(max_iter=100).fit(learnt.known, learnt.values, sample_weight=learnt.weights)
    odds, found = model.decision_function(tested.known).tolist(), accuracy_kept._accuracy(learnt, tested)
    right = [(one > 0) == bool(value) for one, value in zip(odds, tested.values.tolist(), strict=True)]
    weights = tested.weights.tolist()
    assert found[""] == pytest.approx(sum(one * w for one, w in zip(right, weights, strict=True)) / sum(weights))
    assert found["auc "] == pytest.approx(twin.area(odds, tested.values.tolist(), weights))
