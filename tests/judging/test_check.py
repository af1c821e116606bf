# SPDX-License-Identifier: Apache-2.0
"""``check``: verdicts on tables of any origin."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.ground.errors import PlanError, TableError
from shoal.judging.checking import check, check_again
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan
from shoal.tables.table import Table

FOREIGN = {
    "age": ["20-29", "20-29", "30-39", "30-39", "30-39"],
    "sex": ["*", "*", "f", "f", "f"],
    "disease": ["flu", "cold", "flu", "gout", "flu"],
}


def table(**changed: list) -> Table:
    """The foreign table, with columns changed or added."""
    return Table.of(pl.DataFrame({**FOREIGN, **changed}))


def finding(verdict: Verdict, model: str) -> Finding:
    """The finding of one model."""
    return next(one for one in verdict.findings if one.model == model)


def test_without_k_it_tells_what_holds() -> None:
    """No claim, no failure: the figures say k."""
    verdict = check(table(), quasi_identifiers=["age", "sex"], sensitive=["disease"])
    assert verdict.holds
    assert finding(verdict, "k_anonymity").holds is None
    assert finding(verdict, "k_anonymity").figures["k_found"] == 2
    assert verdict.warnings == ()


@pytest.mark.parametrize(("k", "holds"), [(1, True), (2, True), (3, False)])
def test_a_claim_is_judged(k: int, holds: bool) -> None:
    """With k the verdict says yes or no."""
    verdict = check(table(), quasi_identifiers=["age", "sex"], k=k)
    assert verdict.holds is holds
    assert bool(verdict) is holds
    assert finding(verdict, "k_anonymity").figures["k_claimed"] == k


def test_a_plan_makes_the_claim() -> None:
    """The k of the plan is what is claimed, unless another one is asked about."""
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], sensitive=["disease"])
    assert not check(table(), plan=plan)
    assert check(table(), plan=plan, k=2)


def test_identifiers_left_in_break_the_release() -> None:
    """A column that the plan calls an identifier must not be published."""
    plan = Plan.of(2, quasi_identifiers=["age", "sex"], identifiers=["name"])
    assert check(table(), plan=plan)
    verdict = check(table(name=["A", "B", "C", "D", "E"]), plan=plan)
    assert not verdict
    assert finding(verdict, "identifiers").statement.startswith("identifier left in: 'name'")


def test_exact_values_beside_their_bounds_break_the_release() -> None:
    """A quasi-identifier published as bounds must not stand in the table under its own name too."""
    plan = Plan.of(2, quasi_identifiers=["age", "sex"], render={"age": "bounds"})
    lows, highs = {"age_min": [20, 20, 30, 30, 30]}, {"age_max": [29, 29, 39, 39, 39]}
    released = table(**lows, **highs)
    assert check(released.without(["age"]), plan=plan)
    assert not check(released, plan=plan)


@pytest.mark.parametrize(
    ("name", "cells", "words"),
    [
        ("number", [4, 1, 3, 2, 5], "numbers the rows"),
        ("disease", [3, 0, 1, 2, 4], "numbers the rows"),
        ("mail", ["a@x", "b@x", "c@x", "d@x", "e@x"], "may be an identifier"),
    ],
)
def test_leaks_are_warned_about(name: str, cells: list, words: str) -> None:
    """Row numbers and all-distinct columns break no model, but the reader is told, without a cell."""
    verdict = check(table(**{name: cells}), quasi_identifiers=["age", "sex"], sensitive=["disease"], k=2)
    assert verdict.holds
    (warning,) = verdict.warnings
    assert words in warning
    assert repr(name) in warning
    assert "@" not in warning


def test_sensitive_values_may_all_differ() -> None:
    """A sensitive column of distinct values is no identifier left in."""
    released = table(disease=["a", "b", "c", "d", "e"])
    assert check(released, quasi_identifiers=["age", "sex"], sensitive=["disease"]).warnings == ()


def test_absent_quasi_identifiers_are_wrong_input() -> None:
    """A table that lacks a quasi-identifier cannot be judged, and the nearest name is offered."""
    with pytest.raises(TableError) as caught:
        check(table(), quasi_identifiers=["agee"], k=2)
    assert "'age'" in caught.value.todo


def test_no_quasi_identifiers_is_wrong_usage() -> None:
    """Without quasi-identifiers every table would pass."""
    with pytest.raises(PlanError, match="nothing to judge"):
        check(table(), k=2)


def test_a_model_of_the_plan_cannot_weaken_k() -> None:
    """A second, weaker claim in the plan is judged beside k, not instead of it."""
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], models={"k_anonymity": {"k": 1}})
    verdict = check(table(), plan=plan)
    assert [one.holds for one in verdict.findings] == [False, True]


def test_the_verdict_can_be_told_in_json() -> None:
    """Every figure is plain."""
    import json

    told = json.loads(json.dumps(check(table(), quasi_identifiers=["age"], k=3).to_dict(), allow_nan=False))
    assert told["holds"] is False
    assert told["findings"][0]["figures"]["rows_below_k"] == 2


def test_frames_are_taken_as_they_are() -> None:
    """A Polars frame goes in without ceremony."""
    assert check(pl.DataFrame(FOREIGN), quasi_identifiers=["age", "sex"], k=2)


@pytest.mark.parametrize(
    ("changed", "holds", "warned"),
    [({}, True, False), ({"row": [1, 2, 3, 4, 5]}, True, True), ({"sex": ["f", "*", "f", "f", "f"]}, False, False)],
    ids=["the same", "another column", "another cell"],
)
def test_what_reads_back_is_judged_as_if_for_the_first_time(
    changed: dict[str, list], holds: bool, warned: bool
) -> None:
    """A table that was judged before it was written gets the verdict that a stranger's table gets."""
    plan = Plan.of(2, quasi_identifiers=["age", "sex"], sensitive=["disease"])
    again = check_again(table(**changed), plan, table(), check(table(), plan=plan))
    assert again == check(table(**changed), plan=plan)
    assert (again.holds, bool(again.warnings)) == (holds, warned)


def test_models_are_asked_anew_whatever_the_first_verdict_says() -> None:
    """A verdict that does not belong to the table opens no door."""
    plan = Plan.of(3, quasi_identifiers=["age", "sex"])
    assert not check_again(table(), plan, table(), Verdict(()))
