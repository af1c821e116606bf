# SPDX-License-Identifier: Apache-2.0
"""A release beside its original: nothing shows that the released table does not show, and the work is bounded."""

from __future__ import annotations

import datetime
import json
import re
import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.associations import MOST_CATEGORIES
from shoal.judging.evidence import Evidence
from shoal.judging.portraits.portray import MOST_COLUMNS, _sides
from shoal.plan.plan import Plan
from shoal.releases.release import Release
from shoal.releases.reports.html import html
from shoal.releases.reports.json_report import report_json
from shoal.tables.table import Table

QI = ["number", "real", "day", "name", "code"]


def table(rows: int, seed: int, missing: float = 0.0) -> pl.DataFrame:
    """Cells that are told from anything else in a report: six digits, odd words, days, each hardly ever twice."""
    random = np.random.default_rng(seed)
    words = np.array([f"{a}{b}q{c}" for a in ("zor", "vex", "yup") for b in ("ika", "omu", "eje") for c in "xzj"])
    day = datetime.date(1931, 1, 1)
    columns: dict[str, list[Any]] = {
        "person": [f"Qx{one:05d}jw" for one in random.integers(0, 99_999, rows)],
        "number": (random.integers(0, 700_000, rows) + 123_457).tolist(),
        "real": (random.integers(0, 700_000, rows) / 1000 + 1000.0005).round(4).tolist(),
        "day": [day + datetime.timedelta(days=int(one)) for one in random.integers(0, 20_000, rows)],
        "name": words[random.integers(0, len(words), rows)].tolist(),
        "code": [f"{one:06d}" for one in random.integers(0, 999_999, rows)],
        "illness": [f"ill{one}wq" for one in random.integers(0, 4 + rows // 3, rows)],
        "weight": (random.integers(0, 9_000, rows) / 7 + 40_000).round(3).tolist(),
    }
    gone = {name: random.random(rows) < missing for name in QI}
    return pl.DataFrame(
        {
            name: [None if name in gone and gone[name][row] else cell for row, cell in enumerate(cells)]
            for name, cells in columns.items()
        }
    )


def texts(frame: pl.DataFrame) -> set[str]:
    return {cell for name in frame.columns for cell in frame[name].cast(pl.String).drop_nulls().to_list()}


def strangers(original: pl.DataFrame, release: Release) -> set[str]:
    """Cells of the original that are in no released cell, not even as an end of a range."""
    shown = "\n".join(sorted({text for part in release.parts for text in texts(part.released.frame)}))
    return {text for text in texts(original) if text not in shown}


def seen(hidden: set[str], page: str) -> list[str]:
    """Which of the cells a page shows; digits inside a longer number are none."""
    return [text for text in hidden if text in page and re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", page)]


def released(frame: pl.DataFrame, k: int, method: str = "hilbert", **others: Any) -> Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(
            frame,
            k=k,
            quasi_identifiers=others.pop("on", QI),
            sensitive=["illness"],
            identifiers=["person"],
            rest="insensitive",
            accept=["code"],
            kinds={"code": "text-prefix"},
            method=method,
            **others,
        )


def told(release: Release) -> str:
    return html(release) + report_json(release)


@settings(max_examples=15, deadline=None)
@given(
    rows=st.integers(4, 90),
    seed=st.integers(0, 10_000),
    k=st.integers(2, 4),
    missing=st.sampled_from([0.0, 0.0, 0.2]),
    suppression=st.sampled_from([0.0, 0.2]),
    number=st.sampled_from(["interval", "mean", "median", "bounds"]),
    name=st.sampled_from(["ancestor", "set", "mode"]),
)
def test_nothing_shows_that_the_released_table_does_not(
    rows: int, seed: int, k: int, missing: float, suppression: float, number: str, name: str
) -> None:
    """No cell of the original that the released table does not show stands in the page or in the JSON."""
    frame = table(rows, seed, missing)
    render = {"number": number, "name": name} if not missing else {"name": "ancestor"}
    release = released(frame, k, suppression=suppression, render=render)
    page = told(release)
    hidden = strangers(frame, release)
    assert hidden
    assert seen(hidden, page) == []
    assert release.portrait is not None
    assert [one.problem for one in release.portrait.columns if one.problem] == []


@pytest.mark.parametrize("method", ["equal_combination", "non_homogeneous"])
def test_weaker_releases_show_no_more(method: str) -> None:
    """Sub-tables and boxes have their portraits too, in their own labels."""
    frame = table(60, 3)
    release = released(frame, 3, method, accept_weaker=True, on=["number", "name"])
    page = told(release)
    assert seen(strangers(frame, release), page) == []
    assert release.portrait is not None
    assert {"number", "name", "illness"} <= {one.name for one in release.portrait.columns}


@settings(max_examples=10, deadline=None)
@given(rows=st.integers(6, 120), seed=st.integers(0, 10_000), k=st.integers(2, 6), missing=st.sampled_from([0.0, 0.1]))
def test_no_figure_stands_for_a_few_original_rows(rows: int, seed: int, k: int, missing: float) -> None:
    """Before-figures of 1 to k - 1 rows would tell more than k-anonymity does."""
    frame = table(rows, seed, missing)
    portrait = released(frame, k).portrait
    assert portrait is not None
    for column in portrait.columns:
        if column.changed:
            present = rows - frame[column.name].null_count()
            counts = [one.before * present for one in column.bins] if present >= k else []
            counts += [one.before * rows for one in column.bars if one.before is not None]
            assert all(round(count) == 0 or round(count) >= k for count in counts), column


def test_the_same_release_gives_the_same_figures() -> None:
    """Samples are drawn with a seed of their own, so reports of equal runs are equal."""
    frame = table(80, 5)
    assert told(released(frame, 3)) == told(released(frame, 3))


def test_distributions_are_those_of_the_tables() -> None:
    """Before is what the original holds under each label, after what the release shows, by a plain count."""
    frame = pl.DataFrame({"sex": ["m"] * 50 + ["f"] * 30, "age": [20, 30] * 40})
    release = shoal.anonymize(frame, k=5, quasi_identifiers=["sex", "age"], method="hilbert")
    sex = release.portrait.columns[0]
    shown = dict(release.table["sex"].value_counts().iter_rows())
    for bar in sex.bars:
        assert bar.after == pytest.approx(shown.get(bar.label, 0) / 80)
    assert {bar.label: bar.before for bar in sex.bars if bar.before} == pytest.approx({"m": 0.625, "f": 0.375})
    age = release.portrait.columns[1]  # two numbers, which bars tell better than a curve
    assert {bar.label: bar.before for bar in age.bars if bar.before} == pytest.approx({"20": 0.5, "30": 0.5})


def test_wide_tables_stay_small() -> None:
    """Sixty columns, some with a thousand values: a bounded number of pictures and a page that opens at once."""
    random = np.random.default_rng(0)
    columns = {f"c{place}": [f"w{one}" for one in random.integers(0, 1000, 3000)] for place in range(60)}
    frame = pl.DataFrame({"age": random.integers(0, 90, 3000), **columns})
    release = shoal.anonymize(frame, k=10, quasi_identifiers=["age", "c0"], rest="insensitive", method="hilbert")
    portrait = release.portrait
    assert portrait is not None
    assert len(portrait.columns) == MOST_COLUMNS
    assert len(portrait.left) == 61 - MOST_COLUMNS
    assert len(html(release)) < 400_000


def test_attackers_are_tried_and_say_what_they_found() -> None:
    """Homogeneity, skewness, minimality and order, each in words; what is not tried says why."""
    portrait = released(table(60, 7), 3, on=["number", "name"]).portrait
    assert portrait is not None
    assert {one.attack for one in portrait.attempts} == {"homogeneity", "skewness", "minimality", "row_order"}
    assert all(one.statement for one in portrait.attempts)
    assert json.dumps([one.to_dict() for one in portrait.attempts])


def test_missing_cells_of_many_names_stay_missing() -> None:
    """More names than are told apart: the rarer ones are put together, and what is missing is none of them."""
    names = [f"name {number:02}" for number in range(MOST_CATEGORIES + 5)]
    cells = [*names * 2, None, None]
    frame = Table(pl.DataFrame({"x": pl.Series(cells, dtype=pl.String)}))
    plan = Plan.of(1, quasi_identifiers=["x"], hierarchies={"x": Hierarchy.from_rows([[name, "*"] for name in names])})
    found = _sides(Evidence(frame, frame, plan), "x")
    assert found is not None
    assert (found.before.present.tolist(), found.after.present.tolist()) == ([True] * 110 + [False] * 2,) * 2
