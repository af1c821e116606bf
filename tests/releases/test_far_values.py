# SPDX-License-Identifier: Apache-2.0
"""A run says where a few far values make the loss look small while usual intervals are wide, and what to do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.plan.plan import Plan
from shoal.releases.reports.text import summary

ROWS = 600
RANDOM = np.random.default_rng(7)
USUAL = RANDOM.lognormal(10, 0.4, ROWS).round(-2)
FAR = np.where(np.arange(ROWS) == 7, 50_000_000.0, USUAL)


def released(frame: pl.DataFrame, **more: Any) -> shoal.Release:
    """A release in which all columns are quasi-identifiers."""
    asked: dict[str, Any] = {"k": 10, "steps": 2_000, **more}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(frame, quasi_identifiers=frame.columns, **asked)


def people(**more: Any) -> pl.DataFrame:
    """People of any age, with money."""
    random = np.random.default_rng(0)
    return pl.DataFrame({"age": random.integers(18, 95, ROWS), "sex": random.choice(["f", "m"], ROWS), **more})


def told(release: shoal.Release) -> list[str]:
    """The notes on far values."""
    return [note for note in release.notes if "far values" in note]


def test_one_far_value_is_told_with_what_to_do() -> None:
    """Once, in the summary and in the report, without the value; the advice works; a replay says the same."""
    release = released(people(income=FAR))
    (said,) = told(release)
    assert "'income' (" in said
    assert "'age'" not in said
    assert "--scale income=rank" in said
    assert "50000000" not in said.replace(",", "")
    assert said in summary(release)
    assert "far values make the loss look small" in release.report()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = shoal.anonymize(people(income=FAR), Plan.from_dict(release.plan.to_dict()))
    assert told(again) == [said]
    ranked = released(people(income=FAR), scales={"income": "rank"})
    assert told(ranked) == []
    assert width(ranked) < width(release) / 2


def width(release: shoal.Release) -> float:
    """The usual width of the income."""
    return next(one.figures["width income"] for one in release.measurements if one.metric == "typical_width")


def test_several_columns_are_one_note() -> None:
    """What is said of two columns is said once, the worst first, with a flag for each as it is typed."""
    (said,) = told(released(people(income=FAR, **{"km a year": FAR[::-1] / 7})))
    assert said.count("far values") == 1
    assert "--scale income=rank" in said
    assert "--scale 'km a year'=rank" in said


@pytest.mark.parametrize(
    "cells",
    [
        USUAL,
        RANDOM.integers(0, 100, ROWS),
        np.where(np.arange(ROWS) % 5 == 0, 1000 * RANDOM.random(ROWS), 0.0),
        np.zeros(ROWS),
        [None] * (ROWS - 1) + [5.0],
    ],
    ids=["usual", "even", "mostly nothing", "the same", "missing"],
)
def test_usual_columns_need_no_word(cells: Any) -> None:
    """Where the loss tells what was lost, nothing is said of it."""
    assert told(released(people(income=pl.Series(cells, strict=False)))) == []


def test_wide_intervals_that_cost_much_are_no_surprise() -> None:
    """A loss that is large says by itself that intervals are wide."""
    assert told(released(people(income=USUAL), k=200)) == []
