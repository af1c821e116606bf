# SPDX-License-Identifier: Apache-2.0
"""A forgotten quasi-identifier is a warning that says how many rows it singles out; about money the owner is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.judging.checking import check
from shoal.judging.leak_search import LeakScene, find_leaks
from shoal.judging.verdicts import QUESTION, Leak
from shoal.plan.plan import Plan
from shoal.tables.table import Table

ROWS = 600
AGES = [f"[{low}, {low + 2}]" for low in range(20, 80, 3)]

Cells = Callable[[np.random.Generator], Any]

FORGOTTEN: dict[str, Cells] = {
    "birth_date": lambda random: pl.Series(random.integers(-10_000, 12_000, ROWS)).cast(pl.Date),
    "birth_year": lambda random: random.integers(1940, 2000, ROWS),
    "Date of Birth": lambda random: [f"{day:02}.{month:02}.1970" for day, month in random.integers(1, 12, (ROWS, 2))],
    "zip": lambda random: random.choice(np.arange(10_000, 99_999, 300), ROWS),
    "homeTown": lambda random: random.choice([f"town {number}" for number in range(40)], ROWS),
    "ward": lambda random: random.choice([f"ward {number}" for number in range(60)], ROWS),
    "marital": lambda random: random.choice(["single", "married", *"abcdefgh"], ROWS, p=[0.3, 0.3, *[0.05] * 8]),
    "latitude": lambda random: np.round(random.uniform(50.1, 50.3, ROWS), 4),
    "home_lng": lambda random: np.round(random.uniform(8.5, 8.8, ROWS), 3),
    "Längengrad": lambda random: np.round(random.uniform(8.5, 8.8, ROWS), 3),
    "shoe size": lambda random: random.integers(35, 70, ROWS),
    "joined": lambda random: [f"2019-{month:02}-{day:02}" for month, day in random.integers(1, 13, (ROWS, 2))],
    "weight_kg": lambda random: random.normal(1350, 250, ROWS).astype(np.int64),
    "height": lambda random: np.round(random.normal(172.0, 9, ROWS), 1),
    "employees": lambda random: random.lognormal(5, 2, ROWS).astype(np.int64),
    "flat size": lambda random: np.round(random.gamma(9, 9, ROWS), 1),
    "x1": lambda random: random.normal(300, 80, ROWS),
}

MONEY: dict[str, Cells] = {
    "cost": lambda random: np.round(random.lognormal(7, 1, ROWS), 2),
    "whole cost": lambda random: random.lognormal(9, 1, ROWS).astype(np.int64),
    "STATETAX": lambda random: random.lognormal(9, 1, ROWS).astype(np.int64),
    "Stromkosten": lambda random: np.round(random.lognormal(7, 1, ROWS), 2),
    "rent": lambda random: random.normal(900, 200, ROWS).astype(np.int64),
    "fnlwgt": lambda random: random.gamma(3, 50_000, ROWS).astype(np.int64),
    "sample_weight": lambda random: random.gamma(3, 500, ROWS),
}

UNKNOWABLE: dict[str, Cells] = {
    "visits": lambda random: random.integers(0, 3, ROWS),
    "latitude of a country": lambda random: random.choice([48.9, 52.5, 41.9], ROWS),
    "constant": lambda random: ["same"] * ROWS,
    "claims": lambda random: np.where(random.random(ROWS) < 0.8, 0, random.lognormal(7, 1, ROWS)),
}


def told(columns: dict[str, Cells], sensitive: tuple[str, ...] = (), severity: str = "warning") -> list[Leak]:
    """What is told about columns that are published beside ranges of ages in classes of 30."""
    random = np.random.default_rng(2)
    table = pl.DataFrame({"age": random.permutation(AGES * (ROWS // len(AGES)))})
    table = table.with_columns(pl.Series(name, cells(random)) for name, cells in columns.items())
    found = check(table, quasi_identifiers=["age"], sensitive=sensitive, k=5).leaks
    return [leak for leak in found if leak.kind == "insensitive_columns" and leak.severity == severity]


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_forgotten_quasi_identifier_is_a_warning_with_its_share(name: str) -> None:
    """What others can know and hardly anybody shares gives the row away; the sentence says how often."""
    (leak,) = told({name: FORGOTTEN[name]})
    assert leak.statement.startswith(f"beside the quasi-identifiers, column {name!r} singles out ")
    assert 5 <= int(leak.statement.split()[-5]) <= 100
    assert leak.columns == (name,)


def test_the_share_is_counted() -> None:
    """Three towns that one row of a class has alone, in six hundred rows of twenty classes."""
    towns = [f"town {row}" if row < 45 else "city" for row in range(ROWS)]
    assert [leak.statement.split()[-5] for leak in told({"town": lambda random: towns})] == ["8"]


@pytest.mark.parametrize("name", UNKNOWABLE)
def test_what_nobody_knows_is_none(name: str) -> None:
    """Few values single out few rows."""
    assert told({name: UNKNOWABLE[name]}) == []
    assert told({name: UNKNOWABLE[name]}, severity=QUESTION) == []


@pytest.mark.parametrize("name", MONEY)
def test_about_money_the_owner_is_asked(name: str) -> None:
    """Amounts and survey weights differ in every row, and few know them: no warning, and no silence."""
    assert told({name: MONEY[name]}) == []
    (leak,) = told({name: MONEY[name]}, severity=QUESTION)
    assert leak.statement.startswith(f"beside the quasi-identifiers, column {name!r} singles out ")
    assert leak.statement.endswith("could others know these figures?")


@pytest.mark.parametrize("name", ["weight_kg", "cost", "x1", "employees"])
def test_what_is_declared_sensitive_is_accepted_by_name(name: str) -> None:
    """Who calls a figure private has decided that outsiders do not know it."""
    columns = {name: (FORGOTTEN | MONEY)[name]}
    assert told(columns, sensitive=(name,)) == told(columns, sensitive=(name,), severity=QUESTION) == []


def test_figures_are_told_in_one_line() -> None:
    """Ten measurements are one warning, the worst first; all amounts one question; what names tell comes alone."""
    measured = {f"x{number}": FORGOTTEN["x1"] for number in range(9)} | {"employees": FORGOTTEN["employees"]}
    known, figures = told({"zip": FORGOTTEN["zip"], **measured})
    assert (known.columns, figures.columns) == (("zip",), tuple(measured))
    assert "each of 10 columns singles out rows: 'x0' 100 %, 'x1' 100 %, " in figures.statement
    assert figures.statement.endswith(", and 4 more")
    (asked,) = told(MONEY, severity=QUESTION)
    assert asked.columns == tuple(MONEY)
    assert f"each of {len(MONEY)} columns singles out rows: " in asked.statement


def test_a_column_that_is_told_already_hides_no_other() -> None:
    """Row numbers are told as such; the line about other figures leaves them out and stays."""
    columns = {"number": lambda random: random.permutation(ROWS) + 1, "x1": FORGOTTEN["x1"]}
    (leak,) = told(columns)
    assert leak.columns == ("x1",)


def test_a_question_is_shown_and_no_warning() -> None:
    """It stands below the warnings, strict checking passes, and who accepts the kind is not asked."""
    table = Table(pl.DataFrame({"age": AGES * 30, "cost": [(row * 7919 % ROWS) ** 2 for row in range(ROWS)]}))
    verdict = check(table, quasi_identifiers=["age"], k=5)
    assert verdict.holds
    assert not verdict.warnings
    assert str(verdict).splitlines()[-1].startswith("QUESTION      beside the quasi-identifiers, column 'cost' ")
    plan = Plan.of(5, quasi_identifiers=["age"])
    assert QUESTION in [leak.severity for leak in find_leaks(LeakScene(table, plan))]
    assert {leak.severity for leak in find_leaks(LeakScene(table, plan), ["insensitive_columns"])} <= {"information"}


@pytest.mark.parametrize("name", ["birth_date", "birth_year", "zip", "homeTown", "latitude"])
def test_what_is_called_sensitive_may_be_known_all_the_same(name: str) -> None:
    """Neighbours know where somebody lives and when they were born, whatever the plan says."""
    assert len(told({name: FORGOTTEN[name]}, sensitive=(name,))) == 1


def test_private_facts_are_left_alone() -> None:
    """A sensitive column is private; how varied it is makes it no quasi-identifier."""
    assert told({"ward": FORGOTTEN["ward"], "disease": FORGOTTEN["ward"]}, sensitive=("ward", "disease")) == []


def test_two_columns_together() -> None:
    """Neither singles out many rows alone."""
    columns: dict[str, Cells] = {
        "shift": lambda random: random.integers(0, 12, ROWS),
        "desk": lambda random: random.integers(0, 12, ROWS),
    }
    (leak,) = told(columns)
    assert "columns 'shift', 'desk' together" in leak.statement or "columns 'desk', 'shift' together" in leak.statement


def test_what_k_is_to_somebody_who_knows_more_stays_information() -> None:
    """The figure for all insensitive columns, amounts included."""
    (leak,) = told({"cost": MONEY["cost"]}, severity="information")
    assert leak.statement == "to somebody who knows 'cost' too, k is 1"


@pytest.mark.parametrize(("values", "share"), [(["f", "m"], "10"), (["m", "m"], None)])
def test_two_values_are_enough(values: list[str], share: str | None) -> None:
    """One woman in every class of ten is found at once; a column of one value tells nothing."""
    table = pl.DataFrame({"age": np.repeat(AGES, 10), "sex": [values[row % 10 > 0] for row in range(10 * len(AGES))]})
    found = check(table, quasi_identifiers=["age"], k=5).leaks
    said = [leak.statement for leak in found if leak.kind == "insensitive_columns" and leak.severity == "warning"]
    assert [one.split()[-5] for one in said] == ([share] if share else [])
