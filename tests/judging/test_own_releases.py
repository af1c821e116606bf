# SPDX-License-Identifier: Apache-2.0
"""Releases of the engine are read by the judges as they were meant: two codes that share nothing must agree."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.checking import check, measure
from shoal.plan.plan import Plan
from shoal.tables.table import Table

LOSSES = ["il", "ncp", "eloss", "lm"]
TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c, d", "*"], ['"e"', "ef", "*"], ["f}", "ef", "*"], ["unused", "*"]]
QUASI_IDENTIFIERS = ["whole", "real", "day", "moment", "size", "tree", "flat", "code"]


def people(missing: float, rows: int = 60) -> pl.DataFrame:
    """A table with every kind of column, and a share of missing cells."""
    random = np.random.default_rng(11)
    days = [date(2019, 12, 20) + timedelta(days=int(one)) for one in random.integers(0, 90, rows)]
    frame = pl.DataFrame(
        {
            "whole": random.integers(-20, 60, rows),
            "real": np.round(random.normal(0, 3, rows), 2).astype(np.float32),
            "day": days,
            "moment": [datetime(day.year, day.month, day.day, 7, 30, 0, 250) for day in days],
            "size": pl.Series(
                random.choice(["S", "M, or so", "XL"], rows), dtype=pl.Enum(["S", "M, or so", "L", "XL"])
            ),
            "tree": random.choice([row[0] for row in TREE[:5]], rows),
            "flat": random.choice(["=x", "y", "z w", "\\"], rows),
            "code": random.choice(["8001", "8002", "8100", "9001"], rows),
        }
    )
    holes = random.random((rows, len(frame.columns))) < missing
    return frame.with_columns(
        pl.when(pl.Series(holes[:, place])).then(None).otherwise(pl.col(name)).alias(name)
        for place, name in enumerate(frame.columns)
    )


def as_text(frame: pl.DataFrame, decimal: str) -> Table:
    """The same table the way a file without types gives it."""
    real = pl.col("real").cast(pl.String).str.replace(".", decimal, literal=True)
    return Table(frame.with_columns(real).with_columns(pl.all().cast(pl.String)), untyped=True, decimal=decimal)


def released(table: pl.DataFrame | Table, render: str, missing: str = "own", formulas: str = "keep") -> shoal.Release:
    """A release by the engine."""
    return shoal.anonymize(
        table,
        k=4,
        quasi_identifiers=QUASI_IDENTIFIERS,
        hierarchies={"tree": TREE},
        kinds={"size": "ordered", "code": "text-prefix"},
        orders={"size": ["S", "M, or so", "L", "XL"]},
        render=render,
        missing=missing,
        formulas=formulas,
    )


def by_hulls(original: Table, release: shoal.Release) -> dict[str, dict[str, float]]:
    """Losses from the hulls of the classes: a rendering that shows no hulls asks for them."""
    plan = release.plan.with_columns(
        {name: replace(release.plan.columns[name], render="mode") for name in QUASI_IDENTIFIERS}
    )
    return losses(original, original, plan, classes=release.classes)


def losses(original: Table, shown: Table, plan: Plan, classes: object = None) -> dict[str, dict[str, float]]:
    """Loss of every column under every loss metric."""
    found = measure(original, shown, plan, classes=classes, metrics=LOSSES)
    assert {one.note for one in found} == {""}
    return {one.metric: dict(one.per_column) for one in found}


@pytest.mark.parametrize("source", ["typed", "text", "decimal comma"])
@pytest.mark.parametrize(("missing", "share"), [("own", 0.0), ("own", 0.2), ("wildcard", 0.2)])
def test_labels_cost_what_their_classes_cost(source: str, missing: str, share: float) -> None:
    """The loss read from labels alone is the loss of the hulls behind them, for every kind of column."""
    frame = people(share)
    original = Table.of(frame) if source == "typed" else as_text(frame, "," if source == "decimal comma" else ".")
    release = released(original, "generalise", missing)
    found, expected = losses(original, release.released, release.plan), by_hulls(original, release)
    for metric in LOSSES:
        assert found[metric] == pytest.approx(expected[metric]), metric
    assert check(release.released, plan=release.plan)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_sets_are_read_back(share: float) -> None:
    """Height and depth of a set are those of its hull, leaves are its own and never more."""
    original = Table.of(people(share))
    release = released(original, "set", formulas="prefix")
    found, expected = losses(original, release.released, release.plan), by_hulls(original, release)
    assert [found[metric] for metric in ("il", "eloss")] == [
        pytest.approx(expected[metric]) for metric in ("il", "eloss")
    ]
    for metric in ("ncp", "lm"):
        assert all(found[metric][name] <= expected[metric][name] + 1e-12 for name in QUASI_IDENTIFIERS)


@pytest.mark.thin(3)
@pytest.mark.parametrize("render", ["bounds", "mean", "median", "mode"])
@pytest.mark.parametrize("source", ["typed", "text"])
@pytest.mark.parametrize(("missing", "share"), [("own", 0.0), ("own", 0.2), ("wildcard", 0.2)])
def test_other_renderings_cost_what_their_classes_cost(render: str, source: str, missing: str, share: float) -> None:
    """With the classes given, bounds and centres are charged like the ranges they stand for."""
    frame = people(share)
    original = Table.of(frame) if source == "typed" else as_text(frame, ".")
    release = released(original, render, missing)
    found = {one.metric: dict(one.per_column) for one in release.measurements if one.metric in LOSSES}
    expected = by_hulls(original, release)
    for metric in LOSSES:
        assert found[metric] == pytest.approx(expected[metric]), metric
