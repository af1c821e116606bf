# SPDX-License-Identifier: Apache-2.0
"""The whole flow: any table goes through or is refused, no row is lost, every release holds."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal
from shoal.engine.algorithms import k_member
from shoal.engine.methods import Partition
from shoal.ground.errors import InputError, PlanError, RefusedReleaseError, TableError
from shoal.judging.checking import check
from shoal.plan.checks import LOSSES
from shoal.plan.plan import Plan
from tests.counts import count

METHODS = ["k_member", "k_members", "mondrian"]

# -- any table ---------------------------------------------------------------------------------------------------

texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=5) | st.sampled_from(
    ["", " ", "*", "=1", "nan", "None", "1", "01", "a, b", "{x}", '"', "\\", "[1, 2]", "é", "e\u0301", "🐟"]
)
numbers = st.floats(width=64) | st.sampled_from([0.0, -0.0, 1e300, 5e-324, 0.1, 0.2, 0.30000000000000004])
cells: dict[str, tuple[st.SearchStrategy[Any], Any]] = {
    "whole": (st.integers(-(2**62), 2**62) | st.integers(-2, 2), pl.Int64),
    "small": (st.integers(0, 3), pl.UInt8),
    "real": (numbers, pl.Float64),
    "short": (st.floats(width=32), pl.Float32),
    "day": (st.dates(), pl.Date),
    "moment": (st.datetimes(), pl.Datetime("us")),
    "text": (texts, pl.String),
    "name": (st.sampled_from("abc"), pl.String),
    "truth": (st.booleans(), pl.Boolean),
    "size": (st.sampled_from(["S", "M", "L"]), pl.Enum(["S", "M", "L"])),
    "nothing": (st.none(), pl.Null),
}


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    """A small frame with any types and many missing cells."""
    rows = draw(st.integers(0, 14))
    names = draw(st.lists(st.sampled_from(list(cells)), min_size=1, max_size=4, unique=True))
    return pl.DataFrame(
        [
            pl.Series(name, draw(st.lists(st.none() | of, min_size=rows, max_size=rows)), dtype=kind)
            for name, (of, kind) in ((name, cells[name]) for name in names)
        ]
    )


def attempt(frame: pl.DataFrame, **keywords: Any) -> tuple[shoal.Release | None, InputError | None]:
    """The release, or the reason why there is none."""
    try:
        return shoal.anonymize(frame, **keywords), None
    except InputError as problem:
        return None, problem


renders = st.sampled_from([None, "generalise", "interval", "ancestor", "set", "bounds", "mean", "median", "mode"])


@settings(max_examples=count(30, 400), suppress_health_check=[HealthCheck.too_slow])
@given(
    frame=frames(),
    k=st.integers(1, 4),
    method=st.sampled_from(METHODS),
    missing=st.sampled_from(["own", "wildcard", "refuse"]),
    loss=st.sampled_from(LOSSES),
    render=renders,
    seed=st.integers(0, 3),
    keep_order=st.booleans(),
    others=st.integers(0, 2),
    kind=st.sampled_from([None, None, "categorical", "ordered", "text-prefix", "numeric", "date"]),
)
def test_any_table_gives_a_release_that_holds_or_a_refusal(
    frame: pl.DataFrame, k: int, kind: str | None, others: int, **keywords: Any
) -> None:
    """No crash, no lost row, every release passes the judge, columns that are no quasi-identifier stay as they are."""
    qis = frame.columns[: max(1, len(frame.columns) - others)]
    kinds = {qis[0]: kind} if kind else {}
    release, problem = attempt(frame, k=k, quasi_identifiers=qis, kinds=kinds, **keywords)
    if release is None:
        assert len(problem.parts()) == 5
        return
    assert len(release.table) == len(frame) == len(release.classes)
    assert np.bincount(release.classes).min() >= k
    assert check(release.released, plan=release.plan).holds
    if keywords["missing"] != "wildcard":
        assert shoal.check(release.table, quasi_identifiers=release.plan.published_quasi_identifiers, k=k).holds
    rest = frame.columns[len(qis) :]
    if not rest:
        return
    untouched = frame.select(rest)[release.rows]
    lists = [name for name, kind in untouched.schema.items() if isinstance(kind, pl.Enum)]  # they list what is shown
    as_text = dict.fromkeys(lists, pl.String)
    assert release.table.select(rest).cast(as_text).equals(untouched.cast(as_text), null_equal=True)
    assert release.table.select(rest).cast(as_text).schema == untouched.cast(as_text).schema


@settings(max_examples=count(10, 60), suppress_health_check=[HealthCheck.too_slow])
@given(frame=frames().filter(lambda frame: len(frame) > 3), missing=st.sampled_from(["own", "wildcard"]))
def test_the_same_run_gives_the_same_table(frame: pl.DataFrame, missing: str) -> None:
    """Same data, plan and seed: same rows in the same order, same classes."""
    keywords = {"k": 2, "quasi_identifiers": frame.columns, "missing": missing, "seed": 5}
    (first, problem), (second, again) = attempt(frame, **keywords), attempt(frame, **keywords)
    assert str(problem) == str(again)
    if first and second:
        assert first.table.equals(second.table, null_equal=True)
        assert first.classes.tolist() == second.classes.tolist()


# -- order of rows -----------------------------------------------------------------------------------------------


def test_the_published_order_depends_only_on_what_is_published() -> None:
    """The same rows in another input order, with the same classes, are published as the same table."""
    frame = pl.DataFrame({"age": [20, 20, 50, 50, 50, 20], "disease": list("abcdef")})
    turned = frame[[5, 3, 0, 4, 1, 2]]
    keywords: dict[str, Any] = {"k": 3, "quasi_identifiers": ["age"], "sensitive": ["disease"]}
    assert shoal.anonymize(frame, **keywords).table.equals(shoal.anonymize(turned, **keywords).table)


def test_rows_are_shuffled_with_the_seed_and_kept_on_request() -> None:
    """Another seed, another order; ``keep_order`` keeps the input's."""
    frame = pl.DataFrame({"age": list(range(40)), "row": [f"r{row}" for row in range(40)]})
    roles = {"quasi_identifiers": ["age"], "insensitive": ["row"], "accept": ["row"]}
    orders = [
        shoal.anonymize(frame, k=2, seed=seed, method="hilbert", **roles).table["row"].to_list() for seed in (0, 1)
    ]
    kept = shoal.anonymize(frame, k=2, keep_order=True, **roles)
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(frame["row"].to_list())
    assert kept.table["row"].to_list() == frame["row"].to_list()
    assert kept.rows.tolist() == list(range(40))


def test_rows_lead_from_the_release_to_the_input() -> None:
    """The private link: row i of the release is row ``rows[i]`` of the input."""
    frame = pl.DataFrame({"age": [31, 22, 23, 34, 35], "disease": list("abcde")})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["age"], sensitive=["disease"])
    assert release.table["disease"].to_list() == frame["disease"][release.rows].to_list()


# -- edges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("rows", "k", "classes"), [(1, 1, 1), (3, 3, 1), (5, 3, 1), (6, 3, 2), (4, 1, 4)])
def test_few_rows(rows: int, k: int, classes: int, method: str) -> None:
    """Fewer than 2k records are one class, whatever the method; k = 1 changes nothing."""
    frame = pl.DataFrame({"x": [10 * row for row in range(rows)]})
    release = shoal.anonymize(frame, k=k, quasi_identifiers=["x"], method=method, keep_order=True)
    assert release.classes.max() + 1 == classes
    if k == 1:
        assert release.table["x"].to_list() == [str(cell) for cell in frame["x"]]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("rows", "k", "words"), [(0, 1, "no rows"), (0, 5, "no rows"), (4, 5, "fewer rows")])
def test_too_few_rows_are_refused(rows: int, k: int, words: str, method: str) -> None:
    """Wrong input, not a verdict: exit code 2."""
    frame = pl.DataFrame({"x": list(range(rows))}, schema={"x": pl.Int64})
    with pytest.raises(TableError, match=words) as raised:
        shoal.anonymize(frame, k=k, quasi_identifiers=["x"], method=method)
    assert raised.value.exit_code == 2
    assert len(raised.value.parts()) == 5


def test_a_plan_and_keywords_together_are_refused() -> None:
    """Nobody should have to guess which of the two wins."""
    frame = pl.DataFrame({"x": [1, 2]})
    with pytest.raises(PlanError, match="together") as raised:
        shoal.anonymize(frame, Plan.of(2, quasi_identifiers=["x"]), k=3)
    assert len(raised.value.parts()) == 5


def test_without_k_nothing_is_done() -> None:
    """There is no default for what protects people."""
    with pytest.raises(PlanError, match="how many look-alikes") as raised:
        shoal.anonymize(pl.DataFrame({"x": [1, 2]}), quasi_identifiers=["x"])
    assert len(raised.value.parts()) == 5


def test_a_stricter_model_raises_k() -> None:
    """What a model asks for reaches the method in numbers."""
    frame = pl.DataFrame({"x": list(range(20))})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["x"], models={"k_anonymity": {"k": 5}})
    assert np.bincount(release.classes).min() >= 5


# -- a method that fails -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [np.arange(8), np.zeros(7, dtype=np.int64), np.full(8, -1), np.array([0, 0, 0, 0, 0, 0, 0, 1])],
    ids=["singles", "one short", "all suppressed", "one alone"],
)
def test_classes_that_are_too_small_are_never_released(labels: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in a method ends in a refusal with exit code 1, not in a release."""
    monkeypatch.setattr(k_member, "cluster", lambda *given: Partition(labels.astype(np.int64)))
    with pytest.raises(RefusedReleaseError) as raised:
        shoal.anonymize(pl.DataFrame({"x": list(range(8))}), k=2, quasi_identifiers=["x"], method="k_member")
    assert raised.value.exit_code == 1
    assert len(raised.value.parts()) == 5


def test_a_release_that_the_judge_refuses_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in a rendering is caught by the judge, who looks at the table only."""

    def unchanged(table: Any, *given: Any) -> Any:
        return table

    monkeypatch.setattr("shoal.engine.generalizing.generalize.generalize", unchanged)
    with pytest.raises(RefusedReleaseError, match="independent check"):
        shoal.anonymize(pl.DataFrame({"x": list(range(8))}), k=2, quasi_identifiers=["x"])


def test_suppressed_records_are_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method may give up records: class -1, not in the table, counted."""
    labels = np.array([0, 0, -1, 1, 1, 1, -1, 0])
    monkeypatch.setattr(k_member, "cluster", lambda *given: Partition(labels))
    monkeypatch.setattr(k_member, "CAPABILITIES", replace(k_member.CAPABILITIES, suppresses=True))
    frame = pl.DataFrame({"x": list(range(8)), "row": [f"r{row}" for row in range(8)]})
    roles = {"quasi_identifiers": ["x"], "insensitive": ["row"]}
    release = shoal.anonymize(frame, k=2, keep_order=True, method="k_member", **roles)
    assert release.table["row"].to_list() == ["r0", "r1", "r3", "r4", "r5", "r7"]
    assert release.table["x"].to_list() == ["[0, 7]", "[0, 7]", "[3, 5]", "[3, 5]", "[3, 5]", "[0, 7]"]
    assert release.rows.tolist() == [0, 1, 3, 4, 5, 7]
    assert release.facts["suppressed"] == 2
    assert release.classes.tolist() == labels.tolist()


# -- what is measured --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("render", ["generalise", "set", "bounds", "mean"])
def test_every_metric_is_measured(render: str) -> None:
    """A release comes with all its figures, none undefined, whatever it shows."""
    frame = pl.DataFrame(
        {"age": [21, 22, 31, 32], "day": [date(2020, 1, day) for day in (1, 2, 8, 9)], "sex": list("mmff")}
    )
    frame = frame.with_columns(pl.Series("disease", list("abab")))
    roles = {"quasi_identifiers": ["age", "day", "sex"], "sensitive": ["disease"]}
    release = shoal.anonymize(frame, k=2, render=render, **roles)
    values = {one.metric: one.value for one in release.measurements}
    assert not [name for name, value in values.items() if np.isnan(value)]
    assert values["ncp"] == pytest.approx(4 * (1 / 11 + 1 / 8))


def test_phases_are_timed() -> None:
    """The manifest tells where the time went."""
    release = shoal.anonymize(pl.DataFrame({"x": [1, 2, 3]}), k=1, quasi_identifiers=["x"])
    assert set(release.timings) == {"encode", "cluster", "refine", "bound", "generalise", "check", "measure"}
    assert all(seconds >= 0 for seconds in release.timings.values())


@pytest.mark.parametrize("moment", [datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59)])
def test_moments_at_the_ends_of_the_calendar(moment: datetime) -> None:
    """The first and the last moment that a calendar knows can be published."""
    frame = pl.DataFrame({"x": [moment, moment, datetime(2000, 1, 1), datetime(2000, 1, 1)]})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["x"], keep_order=True)
    assert release.table["x"][0] == moment.isoformat().removesuffix("T00:00:00"), "midnights are days"


@pytest.mark.parametrize(
    "cells",
    [
        pl.Series([datetime(9999, 12, 31, 23, 59, 59, 999999), None]),
        pl.Series([datetime(1, 1, 1, 0, 0, 0, 1), None]),
        pl.Series([2_932_897, 0], dtype=pl.Int32).cast(pl.Date),
        pl.Series([-719_163, 0], dtype=pl.Int32).cast(pl.Date),
    ],
)
def test_moments_that_cannot_be_told_apart_are_refused(cells: pl.Series) -> None:
    """Far dates with fractions of a second, and days that no calendar writes, would be published untruthfully."""
    with pytest.raises(TableError, match="cannot be computed with") as raised:
        shoal.anonymize(pl.DataFrame({"x": cells}), k=1, quasi_identifiers=["x"])
    assert len(raised.value.parts()) == 5
