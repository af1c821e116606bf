# SPDX-License-Identifier: Apache-2.0
"""Squared errors: worked figures, a second count row by row, and what is told where classes are not known."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.ground.errors import PlanError
from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count

# Table 1 of He et al. (2012): seven patients by age and zip code, and the classes of their Table 2.
AGES, ZIPS = [20, 20, 30, 40, 50, 60, 60], [25, 30, 25, 30, 10, 5, 10]
CLASSES = [0, 0, 1, 1, 2, 2, 2]

rows = st.tuples(
    st.sampled_from([None, -3, 0, 1, 2, 50]),
    st.sampled_from([None, "a", "b", "c"]),
    st.sampled_from(["1", "2", "3"]),
    st.integers(-1, 3),
)


def measured(columns: dict[str, list[Any]], plan: Plan, classes: list[int] | None, shown: int) -> Measurement:
    """SSE of a release that shows nothing, so that only the classes count."""
    released = {name: ["*"] * shown for name in columns}
    tables = [Table.of(pl.DataFrame(one, strict=False)) for one in (columns, released)]
    return measure(*tables, plan, classes=classes, metrics=["sse"])[0]


def axes_of(cells: list[Any], kind: str, wildcard: bool) -> list[list[float]]:
    """The cells of a column as coordinates, one list per axis."""
    present = [one for one in cells if one is not None]
    if kind == "categorical":
        if wildcard and present:
            commonest = max(sorted(set(present)), key=present.count)
            cells = [commonest if one is None else one for one in cells]
        return [[(one == name) / math.sqrt(2) for one in cells] for name in set(cells)]
    if kind == "ordered":
        ranks = sorted(set(cells))
        return [[ranks.index(one) / max(len(ranks) - 1, 1) for one in cells]]
    mean, spread = (np.mean(present), np.std(present)) if present else (0.0, 0.0)
    line = [0.0 if one is None or not spread else (one - mean) / spread for one in cells]
    holes = [(one is None) / math.sqrt(2) for one in cells]
    there = [(one is not None) / math.sqrt(2) for one in cells]
    return [line] if wildcard or None not in cells else [line, holes, there]


def squared_errors(axis: list[float], classes: list[int]) -> tuple[float, float]:
    """SSE and SST of one axis, row by row."""
    middle = sum(axis) / len(axis)
    sse = 0.0
    for at, label in zip(axis, classes, strict=True):
        mates = [other for other, one in zip(axis, classes, strict=True) if one == label]
        sse += (at - sum(mates) / len(mates)) ** 2
    return sse, sum((at - middle) ** 2 for at in axis)


def test_seven_patients() -> None:
    """The share of SST of He et al., Table 2, on standardised columns and on each as it is, worked out by hand."""
    plan = Plan.of(2, quasi_identifiers=["age", "zip"])
    found = measured({"age": AGES, "zip": ZIPS}, plan, CLASSES, 7)
    assert found.figures["percent"] == pytest.approx(6.34358, abs=5e-6)
    assert found.figures["sst"] == pytest.approx(14)
    raw = {name: float(np.var(column)) * 7 for name, column in (("age", AGES), ("zip", ZIPS))}
    assert found.per_column["age"] * raw["age"] == pytest.approx(116.6667, abs=5e-5)
    assert found.per_column["zip"] * raw["zip"] == pytest.approx(41.6667, abs=5e-5)


@settings(max_examples=count(25, 200), deadline=None)
@given(
    table=st.lists(rows, min_size=1, max_size=12),
    missing=st.sampled_from(["own", "wildcard"]),
    weight=st.sampled_from([0.0, 1.0, 2.5]),
)
def test_a_second_count_agrees(table: list[tuple[Any, ...]], missing: str, weight: float) -> None:
    """Numbers, names and ranks with missing cells, weighted, counted row by row; of suppressed rows only how many."""
    kinds = {"n": "numeric", "c": "categorical", "o": "ordered"}
    columns = {name: [row[place] for row in table] for place, name in enumerate(kinds)}
    classes = [row[3] for row in table]
    plan = Plan.of(1, quasi_identifiers=list(kinds), kinds=kinds, weights={"n": weight}, missing=missing)
    kept = [place for place, one in enumerate(classes) if one >= 0]
    found = measured(columns, plan, classes, len(kept))
    rest = (len(classes) - len(kept)) / len(kept) if kept else 0.0
    sse = sst = 0.0
    for name, kind in kinds.items():
        cells, groups = [columns[name][place] for place in kept], [classes[place] for place in kept]
        axes = axes_of(cells, kind, missing == "wildcard") if kept else []
        parts = [squared_errors(axis, groups) for axis in axes]
        whole = sum(one for _, one in parts)
        within, whole = sum(one for one, _ in parts) + rest * whole, whole + rest * whole
        share = within / whole if whole > 1e-12 else 0.0
        assert found.per_column[name] == pytest.approx(share, abs=1e-9)
        sse += (weight if name == "n" else 1.0) * within
        sst += (weight if name == "n" else 1.0) * whole
    assert found.value == pytest.approx(sse, abs=1e-9)
    assert found.limits[1] == found.figures["sst"] == pytest.approx(sst, abs=1e-9)


def test_labels_tell_the_classes() -> None:
    """Without the classes, ranges that hold each row once give the same value; overlapping ones give none."""
    plan = Plan.of(2, quasi_identifiers=["age"])
    original = Table.of(pl.DataFrame({"age": AGES}))
    apart = Table.of(pl.DataFrame({"age": ["[20, 20]"] * 2 + ["[30, 40]"] * 2 + ["[50, 60]"] * 3}))
    across = Table.of(pl.DataFrame({"age": ["[20, 30]"] * 2 + ["[20, 40]"] * 2 + ["[50, 60]"] * 3}))
    known = measure(original, apart, plan, classes=CLASSES, metrics=["sse"])[0]
    assert measure(original, apart, plan, metrics=["sse"])[0] == known
    unknown = measure(original, across, plan, metrics=["sse"])[0]
    assert math.isnan(unknown.value)
    assert "do not tell them apart" in unknown.note


def test_a_kept_order_tells_the_classes() -> None:
    """Where the plan says so and every row fits the one in its place; in another order the labels must tell."""
    plan = Plan.of(2, quasi_identifiers=["age"], keep_order=True)
    original = Table.of(pl.DataFrame({"age": AGES}))
    labels = ["[20, 30]"] * 3 + ["[20, 40]"] + ["[50, 60]"] * 3
    known = measure(original, Table.of(pl.DataFrame({"age": labels})), plan, classes=[0, 0, 0, 1, 2, 2, 2])
    assert measure(original, Table.of(pl.DataFrame({"age": labels})), plan) == known
    for other in (labels[::-1], labels[:-1]):
        (found,) = measure(original, Table.of(pl.DataFrame({"age": other})), plan, metrics=["sse"])
        assert math.isnan(found.value)
    shuffled = replace(plan, keep_order=False)
    (found,) = measure(original, Table.of(pl.DataFrame({"age": labels})), shuffled, metrics=["sse"])
    assert "in Python shoal.measure takes them as classes=" in found.note


def test_centres_need_the_classes() -> None:
    """A release of means is measured from its classes, and says so where they are not given."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["age", "zip"], method="mdav")
    told = next(one for one in release.measurements if one.metric == "sse")
    assert 0 < told.figures["per_cell"] < 1
    alone = measure(frame, release.table, release.plan, metrics=["sse"])[0]
    assert math.isnan(alone.value)
    assert "centres" in alone.note


def test_the_engine_and_the_judge_mean_the_same() -> None:
    """The squared error of the engine's own coordinates is the judge's, missing cells and names included."""
    from shoal.engine.encoding.encode import complete, encode
    from shoal.engine.encoding.features import features

    columns = {"n": [1, 5, None, 7, 2, 9], "c": ["a", None, "b", "a", "b", "c"], "o": ["1", "2", "3", "1", "3", "3"]}
    classes = np.array([0, 0, 0, 1, 1, 1])
    kinds = {"n": "numeric", "c": "categorical", "o": "ordered"}
    plan = Plan.of(3, quasi_identifiers=list(kinds), kinds=kinds, weights={"c": 3.0}, loss="sse")
    table = Table.of(pl.DataFrame(columns))
    points = features(encode(table, complete(plan, table)), "std")
    expected = sum(((points[classes == one] - points[classes == one].mean(axis=0)) ** 2).sum() for one in (0, 1))
    assert measured(columns, plan, classes.tolist(), 6).value == pytest.approx(expected)


@pytest.mark.parametrize("method", ["k_member", "top_down"])
def test_a_method_for_hulls_refuses_squared_errors(method: str) -> None:
    """A method that cannot keep squared errors low says so at once, and names one that can."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS})
    with pytest.raises(PlanError, match="cannot keep this loss low") as refused:
        shoal.anonymize(frame, k=2, quasi_identifiers=["age", "zip"], method=method, loss="sse")
    assert len(refused.value.parts()) == 5
    assert "mdav" in refused.value.todo


@pytest.mark.parametrize("method", ["mdav", "v_mdav", "mondrian"])
def test_a_method_with_its_own_objective_runs_beside_squared_errors(method: str) -> None:
    """Methods with an objective of their own take any loss."""
    frame = pl.DataFrame({"age": AGES, "zip": ZIPS})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["age", "zip"], method=method, loss="sse")
    assert release.plan.loss == "sse"
