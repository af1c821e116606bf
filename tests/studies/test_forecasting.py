# SPDX-License-Identifier: Apache-2.0
"""What a suggested plan will cost, before it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.plan.plan import Plan
from shoal.studies import forecasting
from shoal.studies.duration import expected_seconds
from shoal.studies.forecasting import Forecast
from tests.conftest import USUAL_SEARCH


def runs_loss(table: Any, plan: Plan) -> float:
    """What a run with its usual search loses."""
    measured = shoal.anonymize(table, plan=replace(plan, steps=USUAL_SEARCH)).measurements
    return next(one.figures["per_cell"] for one in measured if one.metric == "ncp")


def skewed(rows: int) -> pl.DataFrame:
    """People of whom few are far from all others, among whom are many of the same; a class of outliers loses much."""
    random = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": random.integers(20, 90, rows),
            "sex": random.choice(["f", "m"], rows),
            "hours": np.where(random.random(rows) < 0.8, 40, random.integers(1, 99, rows)),
            "income": random.lognormal(8, 1.5, rows).round(),
        }
    )


TABLES = {"patients": lambda: shoal.synthetic_patients(600, seed=2), "skewed": lambda: skewed(600)}


@pytest.mark.parametrize("k", [3, 10, 40])
@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_the_forecast_is_near_the_loss_of_the_run(table: Callable[[], Any], k: int) -> None:
    """Within a fourth, whatever k is and however skewed the columns are."""
    suggestion = shoal.suggest(table(), k=k)
    assert suggestion.table is not None
    lost = runs_loss(suggestion.table.frame, suggestion.plan)
    assert shoal.forecast(suggestion).loss == pytest.approx(lost, rel=0.25)


def few(rows: int, names: list[str]) -> pl.DataFrame:
    """People of whom little is known, and an illness."""
    random = np.random.default_rng(5)
    born = np.datetime64("1950-01-01") + random.integers(0, 18_000, rows)
    known = {
        "age": random.integers(18, 95, rows),
        "sex": random.choice(["f", "m"], rows),
        "birth_date": born.astype("datetime64[D]"),
        "city": random.choice(list("ABCD"), rows),
        "postcode": [f"{10_000 + 7 * int(one)}" for one in random.integers(0, 58, rows)],
    }
    return pl.DataFrame({**{name: known[name] for name in names}, "diagnosis": random.choice(["I10", "E11"], rows)})


@pytest.mark.parametrize(
    "names", [["age"], ["age", "sex"], ["birth_date", "city"], ["age", "sex", "postcode"]], ids=",".join
)
@pytest.mark.parametrize(("rows", "k"), [(240, 10), (1000, 10), (1000, 20)])
def test_the_forecast_of_few_columns_is_near(names: list[str], rows: int, k: int) -> None:
    """One, two or three quasi-identifiers leave little to lose; that is foretold, too."""
    suggestion = shoal.suggest(few(rows, names), k=k)
    assert suggestion.table is not None
    assert set(suggestion.plan.quasi_identifiers) == set(names)
    lost = runs_loss(suggestion.table.frame, suggestion.plan)
    assert shoal.forecast(suggestion).loss == pytest.approx(lost, rel=0.25)


def test_the_loss_of_a_large_table_is_told_by_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among all rows neighbours are nearer: it is about that of the whole, and says on how many rows it was tried."""
    suggestion = shoal.suggest(skewed(1500), k=5)
    assert suggestion.table is not None
    whole = shoal.forecast(suggestion)
    monkeypatch.setattr(forecasting, "PARTED", 500)
    part = shoal.forecast(suggestion)
    assert part.loss == pytest.approx(whole.loss, rel=0.25)
    assert "tried out on 500 of 1,500 rows" in str(part)
    assert "tried out" not in str(whole)
    alone = shoal.forecast(replace(suggestion, table=suggestion.table.take(np.arange(0, 1500, 3))))
    assert part.loss < 0.9 * alone.loss


def test_a_forecast_is_a_sentence_and_figures() -> None:
    """No more digits than are known, and how near it is likely to be."""
    told = Forecast(0.24713, 3.2, 12, 400, 400, {"income": 0.01})
    said = "about 25 % of the detail in the quasi-identifiers will be lost (mostly right to a fifth)"
    assert str(told) == f"{said}; the run takes about 3 seconds"
    assert told.to_dict() == {"loss": 0.24713, "seconds": 3.2, "classes": 12, "rows": 400, "further": {"income": 0.01}}


@pytest.mark.parametrize("k", [1, 2, 30, 250, 600])
def test_any_k_has_a_forecast(k: int) -> None:
    """Also that of classes larger than the records that are looked at near one, or of one class of all."""
    told = shoal.forecast(shoal.suggest(skewed(600), k=k))
    assert told.loss == 0 if k == 1 else 0 < told.loss <= 1


def test_the_seconds_of_tables_of_names_are_told() -> None:
    """They are searched in a way of their own, and the suggested plan shows that they are such."""
    draws = np.random.default_rng(5)
    frame = pl.DataFrame({name: draws.choice(["red", "green", "blue"], 4_000) for name in ("c1", "c2", "c3", "c4")})
    suggestion = shoal.suggest(frame, k=5)
    assert len(suggestion.plan.quasi_identifiers) == 4
    told = shoal.forecast(suggestion).seconds
    assert told == expected_seconds(4_000, 4, suggestion.plan, names=True)
    assert told != expected_seconds(4_000, 4, suggestion.plan)
