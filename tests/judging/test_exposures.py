# SPDX-License-Identifier: Apache-2.0
"""Whose private value is given away, or nearly: by hand, and against the definition on random tables."""

from __future__ import annotations

import math
from collections import Counter
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.attacks import homogeneity
from shoal.judging.attempts import Scene
from shoal.judging.checking import check, measure
from shoal.judging.exposures import NARROW, NEARLY, Exposure, exposure, exposures
from shoal.judging.metrics.given_away import told
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats


def found(ages: list[str], ill: list[Any], **others: Any) -> Exposure:
    """The one private column of a table of classes."""
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["ill"], **others)
    return exposures(Table.of(pl.DataFrame({"age": ages, "ill": ill}, strict=False)), plan)[0]


def counts(one: Exposure) -> tuple[int, int, int]:
    """Rows that are certain, nearly, and in a narrow range."""
    return one.certain, one.nearly, one.narrow


CLASSES = ["[20, 29]"] * 3 + ["[30, 39]"] * 3


def test_what_all_look_alikes_share_is_given_away() -> None:
    """Three people with flu are told apart by nothing, and need not be."""
    one = found(CLASSES, ["flu", "flu", "flu", "flu", "cold", "cold"])
    assert counts(one) == (3, 0, 0)
    assert one.sentence() == "3 of 6 rows: 'ill' is the same for all look-alikes"


@pytest.mark.parametrize("nothing", [None, "", "?", "n/a", "unknown"])
def test_what_is_missing_is_never_given_away(nothing: str | None) -> None:
    """A class of missing values tells nothing, and one missing value leaves the others uncertain."""
    ages = ["[20, 29]"] * 3 + ["[30, 39]"] * 3
    assert counts(found(ages, [nothing] * 3 + ["flu", "cold", "flu"])) == (0, 0, 0)
    assert counts(found(ages, ["flu", "flu", nothing, "flu", "cold", "flu"])) == (0, 0, 0)


def test_nine_of_ten_is_nearly() -> None:
    """Of ten look-alikes nine have it: these nine are nearly given away, the tenth is not."""
    ill = ["flu"] * 9 + ["cold"] + ["flu"] * 8 + ["cold"] * 2 + ["cold"] * 10
    assert counts(found(["a"] * 10 + ["b"] * 10 + ["c"] * 10, ill)) == (10, 9, 0)


def test_what_nearly_everybody_has_is_not_nearly_given_away() -> None:
    """Where 95 in 100 are healthy, 19 of 20 look-alikes tell nothing new; 39 of 40 halve the error, and count."""
    usual = ["a"] * 20 + ["b"] * 40
    rest = [f"c{place}" for place in range(7) for _ in range(20)]
    sick = [0] + [20] + [60 + 20 * place for place in range(7)] + [61]
    ill = ["sick" if row in sick else "healthy" for row in range(200)]
    one = found(usual + rest, ill)
    assert one.commonest == pytest.approx(0.95)
    assert counts(one) == (0, 39, 0)


def test_numbers_close_together_are_nearly_given_away() -> None:
    """Two salaries with no other between them tell each other, in a table of a hundred; far apart they do not."""
    salaries = list(range(1000, 2000, 10))
    ages = [f"class {place // 2}" for place in range(100)]
    assert counts(found(ages, salaries)) == (0, 0, 100)
    mixed = [salaries[place // 2 + 50 * (place % 2)] for place in range(100)]
    assert counts(found(ages, mixed)) == (0, 0, 0)


def test_dates_are_on_a_line_too_and_codes_are_not() -> None:
    """Neighbouring days count as close; the same numbers declared to be names do not."""
    days = [date(2024, 1, 1) + timedelta(days=place) for place in range(100)]
    ages = [f"class {place // 2}" for place in range(100)]
    assert counts(found(ages, days)) == (0, 0, 100)
    assert counts(found(ages, list(range(100)), kinds={"ill": "categorical"})) == (0, 0, 0)


def test_a_column_of_one_value_says_so() -> None:
    """No classes could hide it."""
    one = found(CLASSES, ["flu"] * 6)
    assert one.constant
    assert counts(one) == (6, 0, 0)


def test_a_crowd_that_earns_nearly_the_same_is_told() -> None:
    """Ten of a hundred within 100 coins are more than 5 % of the values, and known all the same; within 5,000 not."""
    others = list(range(20_000, 65_000, 500))
    alike = np.repeat(np.arange(10), 10)
    for width, expected in ((100, 10), (5_000, 0)):
        pay = np.array([*np.linspace(40_000, 40_000 + width, 10), *np.random.default_rng(0).permutation(others)])
        values = np.unique(pay, return_inverse=True)[1].astype(np.int64)
        assert exposure("pay", alike, values, pay).narrow == expected


def plainly(alike: list[int], values: list[int], places: list[float] | None) -> tuple[int, int, int]:
    """The same from the definition, row by row."""
    kinds = Counter()
    for row, value in enumerate(values):
        if value < 0:
            continue
        others = [values[other] for other in range(len(values)) if alike[other] == alike[row]]
        share, whole = others.count(value) / len(others), values.count(value) / len(values)
        known = [other for other in others if other >= 0]
        if share == 1:
            kinds["certain"] += 1
        elif share >= NEARLY - 1e-9 and (1 - share) <= (1 - whole) / 2 + 1e-9:
            kinds["nearly"] += 1
        elif places is not None and len(known) >= NEARLY * len(others) - 1e-9:
            mine = [places[other] for other in range(len(values)) if alike[other] == alike[row] and values[other] >= 0]
            every = [place for place, one in zip(places, values, strict=True) if one >= 0]
            inside = sum(min(mine) <= place <= max(mine) for place in every)
            quarters = [sorted(every)[(len(every) - 1) * part // 4] for part in (1, 3)]
            spread = quarters[1] - quarters[0]
            close = spread > 0 and max(mine) - min(mine) <= NARROW * spread
            kinds["narrow"] += close or inside <= NARROW * len(every)
    return kinds["certain"], kinds["nearly"], kinds["narrow"]


@pytest.mark.parametrize("seed", repeats(15, 300))
def test_like_the_definition(seed: int) -> None:
    """Random classes of random values, some missing, with and without an order."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 120))
    alike = np.unique(random.integers(0, max(rows // 6, 1), rows), return_inverse=True)[1].astype(np.int64)
    values = random.choice(random.integers(1, 40), rows).astype(np.int64)
    values[alike % 3 == 0] = values[0]
    values[random.random(rows) < random.choice([0, 0.05, 0.3])] = -1
    places = values.astype(float) if seed % 2 else None
    one = exposure("x", alike, values, places)
    assert counts(one) == plainly(alike.tolist(), values.tolist(), None if places is None else places.tolist())
    assert int(one.given.sum()) == one.total


def test_leak_attack_and_metric_agree() -> None:
    """One count, wherever it is told: the leak, the attack and the metric, missing values aside."""
    frame = pl.DataFrame({"age": CLASSES * 2, "ill": ["flu"] * 3 + [None] * 3 + ["flu"] * 3 + [None] * 3})
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["ill"])
    table = Table.of(frame)
    leaks = [one for one in check(table, plan=plan).leaks if one.kind == "homogeneous_classes"]
    assert [one.statement for one in leaks] == ["6 of 12 rows: 'ill' is the same for all look-alikes"]
    attempt = homogeneity.attempt(Scene((table,), plan, 2))[0]
    assert attempt.figures["certain"] == 6
    measured = measure(None, table, plan, metrics=["given_away"])[0]
    assert measured.value == 0.5
    assert [counts(one) for one in told(measured, 12)] == [(6, 0, 0)]


def test_without_a_private_column_nothing_is_claimed() -> None:
    """The metric is undefined and says why."""
    measured = shoal.measure(None, pl.DataFrame({"age": CLASSES}), Plan.of(2, quasi_identifiers=["age"]))
    one = next(one for one in measured if one.metric == "given_away")
    assert math.isnan(one.value)
    assert "sensitive" in one.note


def test_nested_private_cells_stop_nothing() -> None:
    """A column that cannot be read as text is left out, and the others are counted."""
    frame = pl.DataFrame({"age": CLASSES, "list": [[1]] * 6, "ill": ["flu"] * 6})
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["list", "ill"])
    assert [one.column for one in exposures(Table.of(frame), plan)] == ["ill"]
