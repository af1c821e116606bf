# SPDX-License-Identifier: Apache-2.0
"""Spark: the same promises as on one machine, whatever the partitions; counted by Spark, judged by the same models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import ShoalError
from shoal.ground.errors import TableError
from tests.faces.spark.people import people, plan

MODELS = {
    "l_diversity": {"l": 2},
    "t_closeness": {"t": 0.9},
    "alpha_k": {"alpha": 0.8},
    "beta_likeness": {"beta": 60, "kind": "basic"},
    "delta_disclosure": {"delta": 3.0},
}


def rows_of(frame: Any) -> list[tuple[Any, ...]]:
    """All rows, in an order that only they decide."""
    return sorted((tuple(row) for row in frame.collect()), key=repr)


def test_a_table_goes_through_spark(spark: Any) -> None:
    """One test for all that is cheap once a session is there: release, verdict, figures, repetition, refusals."""
    from pyspark.sql import functions as fn

    before = people()
    frame = spark.createDataFrame(before.to_arrow()).repartition(4)
    steps: list[Any] = []
    asked = plan(models={"l_diversity": {"l": 2}}, refine=True, steps=200)
    made = shoal.spark.release(frame, asked, progress=steps.append)
    after = pl.from_arrow(made.table.toArrow())

    assert made.table.columns == ["age", "sex", "cost", "diagnosis", "ward.no `1`"]
    assert made.cells > 1
    assert {(step.phase, step.done) for step in steps if step.done} >= {("cluster", made.cells)}
    assert made.verdict.holds
    assert shoal.check(after, plan=made.plan).holds
    untouched = ["diagnosis", "ward.no `1`"]
    assert sorted(after.select(untouched).rows()) == sorted(before.select(untouched).rows())

    same = shoal.spark.anonymize(frame.repartition(1), asked)
    assert rows_of(same) == rows_of(made.table)

    by_rows = {one.metric: one for one in shoal.measure(before, after, made.plan)}
    by_counts = {one.metric: one for one in shoal.spark.measure(frame, made.table, made.plan)}
    for metric in ("ncp", "lm", "discernibility", "prosecutor_risk", "average_class_size", "records_at_risk"):
        assert by_counts[metric].value == pytest.approx(by_rows[metric].value)
        assert by_counts[metric].figures == pytest.approx(by_rows[metric].figures)
    assert "needs the rows" in by_counts["journalist_risk"].note

    claims = replace(made.plan, models=MODELS)
    for one in (claims, replace(claims, k=9, models=MODELS | {"l_diversity": {"kind": "entropy", "l": 4.5}})):
        counted, read = shoal.spark.check(made.table, one), shoal.check(after, plan=one)
        findings = {finding.model: finding for finding in read.findings}
        for finding in counted.findings:
            assert (finding.holds, finding.figures) == (
                findings[finding.model].holds,
                {name: findings[finding.model].figures[name] for name in finding.figures},
            )
    unknown = shoal.spark.check(made.table, replace(made.plan, models={"k_map": {"k": 2}}))
    assert not unknown.holds
    assert shoal.spark.check(made.table, replace(made.plan, models={"subset_k": {"k": 5}})).holds
    with pytest.raises(ShoalError) as refused:
        shoal.spark.anonymize(frame, replace(asked, keep_order=True))
    assert all(refused.value.parts().values())
    with pytest.raises(ShoalError, match="not as good as was required"):
        shoal.spark.anonymize(frame, replace(asked, require=("loss <= 0.0000001",)))
    assert shoal.spark.release(frame, replace(asked, require=("rows_kept >= 1",))).verdict.holds
    nothing = frame.withColumn("cost", fn.lit(None))
    assert shoal.spark.anonymize(nothing, plan()).count() == len(before)
    with pytest.raises(TableError, match="names like those"):
        shoal.spark.anonymize(frame.withColumnRenamed("cost", "Shoal_C0"), asked)
