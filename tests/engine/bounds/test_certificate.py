# SPDX-License-Identifier: Apache-2.0
"""What a release says about how good it is."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.bounds.bound import certify, lower_bound
from shoal.engine.bounds.certificate import Certificate
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.ground.errors import TableError
from shoal.ground.requirements import Requirement
from shoal.judging.evidence import loss_metric, per_cell
from shoal.plan.checks import LOSSES
from shoal.plan.plan import Plan

AGES = Encoded((EncodedColumn("age", np.array([1.0, 2.0, 3.0, 10.0]), weight=2.0),))


def test_loss_and_bound_are_per_cell() -> None:
    """Pairs {1, 2}, {3, 10} lose 2 · 1/9 + 2 · 7/9 of 4 cells, and nothing can lose less (see the worked example)."""
    found = certify(AGES, np.array([0, 0, 1, 1]), Requirement(2))
    assert found is not None
    assert found.loss == pytest.approx(4 / 9)
    assert found.gap == pytest.approx(1, rel=1e-3)
    worse = certify(AGES, np.array([0, 0, 0, 0]), Requirement(2))
    assert worse is not None
    assert worse.gap == pytest.approx(9 / 4, rel=1e-3)


def test_no_certificate_where_the_bound_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for squared errors of too many records; not where records were left out; not where nothing counts."""
    labels = np.array([0, 0, 1, 1])
    monkeypatch.setattr("shoal.engine.bounds.squares.MOST_RECORDS", 3)
    assert certify(Encoded(AGES.columns, "sse"), labels, Requirement(2)) is None
    assert lower_bound(Encoded(AGES.columns, "sse"), 2).total == 0
    assert certify(AGES, np.array([0, 0, -1, -1]), Requirement(2)) is None
    assert certify(Encoded((EncodedColumn("age", np.arange(4.0), weight=0.0),)), labels, Requirement(2)) is None


def test_the_sentence_never_says_too_little() -> None:
    """The gap is rounded up; a part of the records is named; no bound is no promise."""

    def said(loss: float, bound: float, covered: int = 100) -> str:
        return Certificate(loss, bound, 10, 100, covered, "prices").sentence()

    assert "at most 1.51 times" in said(0.1501, 0.1)
    assert "at most 1.50 times" in said(0.15, 0.1)
    assert "for 39 % of the rows" in Certificate(0.15, 0.1, 10, 1000, 399, "boxes").sentence()
    assert said(0.1, 0.1) == said(0.0, 0.0)
    assert said(0.0, 0.0).startswith("No grouping could lose less with groups of at least 10 (all rows kept")
    assert "not worked out" in said(0.1, 0.0)
    assert math.isinf(Certificate(0.1, 0.0, 10, 100, 100, "boxes").gap)


def test_the_only_grouping_is_the_best() -> None:
    """With fewer than 2k rows there is one grouping: the gap is 1.00, whatever the bound and the models."""
    alone = Certificate(0.3, 0.1, 10, 19, 19, "boxes", "ncp", 10, ("l_diversity",))
    assert alone.gap == 1.0
    assert alone.to_dict()["gap"] == 1.0
    assert alone.sentence() == (
        "The loss is 1.00 times the smallest possible: there is only one grouping with groups of at least 10 (all rows "
        "kept, each group shown as its ranges and tree names, loss ncp)."
    )
    assert Certificate(0.3, 0.1, 10, 20, 20, "boxes").gap == pytest.approx(3.0)


def test_under_models_it_says_what_it_is_compared_with() -> None:
    """The bound knows of the size of groups alone, so that is what the loss stands beside."""
    beside = Certificate(0.3, 0.1, 10, 200, 200, "boxes", "ncp", 10, ("l_diversity", "t_closeness")).sentence()
    assert "with groups of at least 10 that need not keep l_diversity and t_closeness (all rows kept" in beside
    assert "The best grouping that keeps l_diversity and t_closeness, too, loses as much or more" in beside
    best = Certificate(0.1, 0.1, 10, 200, 200, "boxes", "ncp", 10, ("l_diversity",)).sentence()
    assert best.startswith("No grouping could lose less with groups of at least 10 (all rows kept")
    assert "keep" not in best.partition("(")[0], "whoever loses least among more groupings does so among fewer"


def test_a_bound_of_next_to_nothing_is_none() -> None:
    """Sixty thousand times the smallest possible loss would only say that it was not worked out."""
    told = Certificate(0.2, 0.000_003, 10, 280_000, 500, "nearest", "ncp").sentence()
    assert "was not worked out" in told
    assert "times" not in told


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("unit", "scale"), [(1e-301, "range"), (1.0, "range"), (1e290, "range"), (1e-320, "rank")])
def test_the_loss_is_that_of_the_judge(loss: str, unit: float, scale: str) -> None:
    """However close or far apart numbers are; what the judge would measure otherwise is refused."""
    table = pl.DataFrame({"x": [unit * number for number in (1, 3, 4, 9, 11, 12)], "y": ["a", "b"] * 3})
    asked = {"k": 2, "loss": loss, "quasi_identifiers": ["x", "y"], "scales": {"x": scale}}
    if scale == "range" and unit < 1:
        with pytest.raises(TableError, match="too close together"):
            shoal.anonymize(table.with_columns(x=pl.col("x") / 1000), **asked)
    release = shoal.anonymize(table, **asked)
    measured = next(one for one in release.measurements if one.metric == loss_metric(release.plan))
    assert release.certificate is not None
    assert release.certificate.loss == pytest.approx(per_cell(measured), rel=1e-6)
    assert release.certificate.loss > 0


def test_the_loss_on_logarithms_is_that_of_the_judge() -> None:
    """As far as their differences are not lost in rounding; there the column is refused."""
    plan = Plan.of(3, quasi_identifiers=["x"], scales={"x": "log"})
    for step in (1.0, 1e-3, 1e-5, 1e-9):
        table = pl.DataFrame({"x": [1e6 + step * number for number in (1, 3, 4, 9, 11, 12)]})
        if step < 1e-4:
            with pytest.raises(TableError, match="too close together"):
                shoal.anonymize(table, plan=plan)
            continue
        release = shoal.anonymize(table, plan=plan)
        measured = next(one for one in release.measurements if one.metric == loss_metric(release.plan))
        assert release.certificate is not None
        assert release.certificate.loss == pytest.approx(per_cell(measured), rel=1e-5)
