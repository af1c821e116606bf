# SPDX-License-Identifier: Apache-2.0
"""wf_c_means: equal to its slow plain twin, right on worked examples, at peace with empty classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.algorithms import wf_c_means
from shoal.engine.algorithms.wf_c_means import Fit, Parameters, fit
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import SCALES
from shoal.ground.errors import PlanError
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count
from tests.reference import wf_c_means as twin
from tests.strategies import random_case

TABLES = count(40, 220)

# Table 1 of He et al. (2012).
T7 = [(20, 25), (20, 30), (30, 25), (40, 30), (50, 10), (60, 5), (60, 10)]


def numbers(rows: list[tuple[float, float]], weights: tuple[float, float] = (1.0, 1.0)) -> Encoded:
    """A table of two numeric columns, encoded."""
    table = Table.of(pl.DataFrame({"x": [float(row[0]) for row in rows], "y": [float(row[1]) for row in rows]}))
    plan = Plan.of(1, quasi_identifiers=["x", "y"], weights=dict(zip("xy", weights)))
    return encode(table, complete(plan, table))


def run(encoded: Encoded, k: int, seed: int = 0, **given: Any) -> Fit:
    """One run."""
    return fit(encoded, Requirement(k), Parameters(**given), np.random.default_rng(seed), Progress())


def init_of(seed: int, n: int, k: int) -> tuple[int, ...]:
    """First centres, drawn."""
    return tuple(np.random.default_rng(seed).choice(n, n // k, replace=False).tolist())


@pytest.mark.parametrize("seed", range(TABLES))
def test_wf_c_means_equals_its_twin(seed: int) -> None:
    """The tree over centres changes nothing but the time: classes, weights, passes."""
    encoded, k = random_case(seed, largest=45)
    scale, merge, init = SCALES[seed % 3], ("paper", "any")[seed % 2], init_of(seed, len(encoded), k)
    passes, names = 100 if seed % 5 else 2, "equal" if seed % 4 == 3 else "tree"
    made = run(encoded, k, scale=scale, merge=merge, init=init, passes=passes, names=names)
    expected = twin.wf_c_means(encoded, k, scale, init, merge, passes, names)
    assert made.unmerged.tolist() == expected.unmerged
    assert made.labels.tolist() == expected.labels
    assert made.weights.tolist() == pytest.approx(expected.weights)
    assert (made.n_iter, made.converged) == (expected.passes, expected.converged)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("merge", ["paper", "any"])
def test_the_twin_agrees_on_larger_tables(seed: int, merge: str) -> None:
    """Trees of several levels answer like a scan; merging rebuilds its tree more than once."""
    encoded, _ = random_case(10_000 + seed, largest=300)
    init = init_of(seed, len(encoded), 3)
    made = run(encoded, 3, merge=merge, init=init)
    assert made.labels.tolist() == twin.wf_c_means(encoded, 3, "range", init, merge).labels


def test_seven_patients_k_2() -> None:
    """Centres, weights (moved in both passes), the small class and where it goes; merging either way."""
    for merge in ("paper", "any"):
        made = run(numbers(T7), 2, scale="none", init=(0, 3, 5), merge=merge)
        assert made.unmerged.tolist() == [0, 0, 0, 1, 2, 2, 2]
        assert made.centres == pytest.approx(np.array([[23.3333, 26.6667], [40, 30], [56.6667, 8.3333]]), abs=1e-4)
        assert made.weights == pytest.approx([0.421275, 0.578725], abs=1e-6)
        assert (made.n_iter, made.converged) == (2, True)
        assert made.labels.tolist() == [0, 0, 0, 0, 2, 2, 2]
        apart = ((made.centres - made.centres[1]) ** 2 * made.weights).sum(axis=1)
        assert apart == pytest.approx([123.4512, 0, 388.7000], abs=1e-3)


def test_distortion_of_seven_patients() -> None:
    """Squared distances from the class means, with learnt and with equal weights."""
    made = run(numbers(T7), 2, scale="none", init=(0, 3, 5))
    points = np.array(T7, dtype=float)
    means = np.array([points[made.labels == label].mean(axis=0) for label in made.labels])
    squares = ((points - means) ** 2).sum(axis=0)
    assert float(squares @ made.weights) == pytest.approx(168.0493, abs=1e-4)
    assert float(squares.mean()) == pytest.approx(191.6667, abs=1e-4)


def test_seven_patients_k_3() -> None:
    """Two centres; the weights do not depend on the scale here, since the classes do not."""
    for scale in SCALES:
        made = run(numbers(T7), 3, scale=scale, init=(0, 6))
        assert made.labels.tolist() == [0, 0, 0, 0, 1, 1, 1]
        assert made.weights == pytest.approx([0.290160, 0.709840], abs=1e-6)


def test_a_column_without_spread_within_classes() -> None:
    """No division by nothing: such a column takes all of the new weight."""
    made = run(numbers([(0, 1), (0, 2), (5, 1.5), (5, 9)]), 2, scale="none", init=(0, 2), passes=1)
    assert made.weights == pytest.approx([0.75, 0.25], abs=1e-6)
    assert not made.converged


def test_an_empty_class_is_no_trouble() -> None:
    """Equal first centres leave a class empty; it is dropped, not merged."""
    rows = [(1, 1), (1, 1), (1, 1), (5, 5), (6, 6), (7, 7)]
    for merge in ("paper", "any"):
        made = run(numbers(rows), 2, scale="none", init=(0, 1, 4), merge=merge)
        assert made.unmerged.tolist() == made.labels.tolist() == [0, 0, 0, 2, 2, 2]


def test_small_classes_may_join_each_other() -> None:
    """Two lonely neighbours: the paper sends both to the far large class, ``any`` lets them be one."""
    rows = [(0, 0), (0, 1), (1, 0), (1, 1), (90, 0), (90, 9)]
    by_rule = {
        merge: run(numbers(rows), 2, scale="none", init=(0, 4, 5), merge=merge).labels.tolist()
        for merge in ("paper", "any")
    }
    assert by_rule == {"paper": [0] * 6, "any": [0, 0, 0, 0, 2, 2]}


def test_given_weights_are_where_learning_starts() -> None:
    """They are made to add up to 1 and moved half-way in each pass."""
    rows = [(0, 0), (0, 10), (10, 0), (10, 10)]
    first = run(numbers(rows, (3.0, 1.0)), 2, scale="none", init=(0, 3), passes=1)
    assert first.unmerged.tolist() == [0, 0, 1, 1]
    assert run(numbers(rows, (1.0, 3.0)), 2, scale="none", init=(0, 3), passes=1).unmerged.tolist() == [0, 1, 0, 1]
    assert first.weights == pytest.approx([0.875, 0.125])


def test_equal_records_have_equal_weights() -> None:
    """Nothing to learn from: every column keeps its share."""
    made = run(numbers([(2, 3)] * 6), 2, init=(0, 1, 2))
    assert made.weights.tolist() == [0.5, 0.5]
    assert made.labels.tolist() == [0] * 6


def test_the_seed_matters_only_without_init() -> None:
    """Explicit first centres override the seed; drawn ones are repeatable."""
    encoded, _ = random_case(7)
    init = init_of(1, len(encoded), 3)
    assert len({tuple(run(encoded, 3, seed, init=init).labels.tolist()) for seed in range(5)}) == 1
    assert run(encoded, 3, 4).labels.tolist() == run(encoded, 3, 4).labels.tolist()
    assert run(encoded, 3, 1, init=init).labels.tolist() == run(encoded, 3, 1).labels.tolist()


@pytest.mark.parametrize("init", [[0], [0, 0, 1], [0, 1, 7], [-1, 0, 1], [0, 1, 2, 3]])
def test_wrong_first_centres_are_refused(init: list[int]) -> None:
    """There must be n // k different rows of the table."""
    frame = pl.DataFrame(T7, schema=["x", "y"], orient="row")
    with pytest.raises(PlanError, match="first centres"):
        shoal.anonymize(frame, k=2, quasi_identifiers=["x", "y"], method="wf_c_means", parameters={"init": init})


def test_means_are_published_unless_asked_otherwise() -> None:
    """A class shows its centre, as in the paper, or ranges on request."""
    frame = pl.DataFrame(T7, schema=["x", "y"], orient="row")
    given = {"k": 3, "quasi_identifiers": ["x", "y"], "method": "wf_c_means", "keep_order": True}
    given["parameters"] = {"init": [0, 6]}
    assert shoal.anonymize(frame, **given).table["x"].to_list()[:4] == [27.5] * 4
    assert shoal.anonymize(frame, **given, render="generalise").table["x"].to_list()[:4] == ["[20, 40]"] * 4
    assert wf_c_means.CAPABILITIES.render == "mean"
