# SPDX-License-Identifier: Apache-2.0
"""``measure``: all metrics over one release."""

from __future__ import annotations

import math

import polars as pl
import pytest

from shoal.ground import catalog
from shoal.ground.errors import PlanError, TableError, UnknownNameError
from shoal.judging.checking import measure, utility_metrics
from shoal.judging.metrics import ncp
from shoal.plan.plan import Plan
from shoal.tables.table import Table

ORIGINAL = Table.of(pl.DataFrame({"age": [20, 25, 31, 39], "sex": ["m", "m", "f", "f"]}))
RELEASED = Table.of(
    pl.DataFrame({"age": ["[20, 25]", "[20, 25]", "[31, 39]", "[31, 39]"], "sex": ["m", "m", "f", "f"]})
)
PLAN = Plan.of(2, quasi_identifiers=["age", "sex"])


def test_every_metric_answers() -> None:
    """Without names, all metrics of the catalogue are measured, in its order; but those that wait to be asked for."""
    waiting = ["nearest_neighbour_error", *utility_metrics()]
    usual = [name for name in catalog.names("metrics") if name not in waiting]
    assert [one.metric for one in measure(ORIGINAL, RELEASED, PLAN)] == usual
    assert [one.metric for one in measure(ORIGINAL, RELEASED, PLAN, metrics=waiting)] == waiting


def test_named_metrics_only() -> None:
    """With names, those metrics in that order."""
    assert [one.metric for one in measure(ORIGINAL, RELEASED, PLAN, metrics=["ncp", "il"])] == ["ncp", "il"]
    assert [one.metric for one in measure(ORIGINAL, RELEASED, PLAN, metrics="ncp")] == ["ncp"]


def test_unknown_metric() -> None:
    """A misspelt name is refused with the nearest one."""
    with pytest.raises(UnknownNameError) as caught:
        measure(ORIGINAL, RELEASED, PLAN, metrics=["npc"])
    assert "ncp" in caught.value.todo


def test_a_metric_that_fails_takes_no_other_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash becomes NaN with a note that does not repeat the message, which could hold cells."""

    def crash(evidence: object) -> None:
        raise ValueError("the cell was 'Anna'")

    monkeypatch.setattr(ncp, "measure", crash)
    found = {one.metric: one for one in measure(ORIGINAL, RELEASED, PLAN)}
    assert math.isnan(found["ncp"].value)
    assert "ValueError" in found["ncp"].note
    assert "Anna" not in found["ncp"].note
    assert found["il"].value == pytest.approx(2 * 5 / 19 + 2 * 8 / 19)


def test_more_rows_than_the_original_are_wrong_input() -> None:
    """A release cannot be longer than the table it was made from."""
    with pytest.raises(TableError, match="more rows"):
        measure(RELEASED.take(pl.Series([0]).to_numpy()), RELEASED, PLAN)


@pytest.mark.parametrize("classes", [[0, 0, 1], [0, 0, 1, -1], [0.0, 0.0, 1.0, 1.0], [[0], [0], [1], [1]]])
def test_classes_must_fit_the_tables(classes: list) -> None:
    """One whole number per original row, and as many -1 as rows were left out."""
    with pytest.raises(PlanError, match="do not fit"):
        measure(ORIGINAL, RELEASED, PLAN, classes=classes)


def test_columns_must_be_there() -> None:
    """Both tables need the quasi-identifiers."""
    with pytest.raises(TableError):
        measure(ORIGINAL.without(["sex"]), RELEASED, PLAN)
    with pytest.raises(TableError):
        measure(ORIGINAL, RELEASED.without(["sex"]), PLAN)


def test_wildcard_class_metrics_count_matches() -> None:
    """With missing = wildcard a row is as hidden as the number of rows it matches."""
    released = Table.of(pl.DataFrame({"age": ["[20, 25]", None, "[31, 39]", "[31, 39]"], "sex": ["m", "m", "f", "f"]}))
    own = {one.metric: one.value for one in measure(None, released, PLAN)}
    plan = Plan.of(2, quasi_identifiers=["age", "sex"], missing="wildcard")
    wild = {one.metric: one.value for one in measure(None, released, plan)}
    assert (own["prosecutor_risk"], wild["prosecutor_risk"]) == (1.0, 0.5)
    assert (own["discernibility"], wild["discernibility"]) == (6, 8)
    assert wild["average_class_size"] == 1.0
