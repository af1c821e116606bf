# SPDX-License-Identifier: Apache-2.0
"""Keywords of Python: in the signatures that editors and notebooks show, with types, and on the page."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import shoal
from shoal.plan.keywords import PlanKeywords, WholePlan
from shoal.plan.plan import Plan
from shoal.studies.comparing.grid import whole_numbers

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
COLUMNS = {"columns"}
"""Fields of a plan that the keywords about columns make up."""


def named(function: object) -> set[str]:
    """The keywords that a signature shows."""
    found = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    assert not any(one.kind is one.VAR_KEYWORD for one in found)
    return {one.name for one in found}


def test_the_keywords_are_those_of_plans() -> None:
    """What editors complete is what ``Plan.of`` takes: no setting is forgotten, and none is made up."""
    of = {name for name, one in inspect.signature(Plan.of).parameters.items() if one.kind is not one.VAR_KEYWORD}
    settings = {one.name for one in fields(Plan)} - COLUMNS
    assert set(WholePlan.__annotations__) == of | settings
    assert set(PlanKeywords.__annotations__) == (of | settings) - {"k"}


@pytest.mark.parametrize("name", ["anonymize", "compare", "attribute", "attack"])
def test_signatures_show_every_keyword_with_its_type(name: str) -> None:
    """``inspect.signature``, which notebooks ask, tells every keyword of a plan and what it may be."""
    function = getattr(shoal, name)
    assert set(WholePlan.__annotations__) <= named(function)
    assert not [one.name for one in inspect.signature(function).parameters.values() if one.annotation is one.empty]


@pytest.mark.parametrize("name", ["check", "measure", "suggest", "forecast", "intervals", "Anonymizer"])
def test_other_signatures_are_typed_too(name: str) -> None:
    """No public function hides keywords behind ``**``."""
    function = getattr(shoal, name)
    named(function)
    assert not [one.name for one in inspect.signature(function).parameters.values() if one.annotation is one.empty]


@pytest.mark.parametrize("name", ["anonymize", "check", "attack", "suggest", "intervals"])
def test_the_page_tells_every_keyword(name: str) -> None:
    """Whoever reads the page about Python finds each keyword there."""
    page = PAGE.read_text(encoding="utf-8")
    told = {one for one in named(getattr(shoal, name)) if re.search(rf"`[^`\n]*\b{one}\b[^`\n]*`", page)}
    assert named(getattr(shoal, name)) - told - {"data", "table", "release", "column", "upper"} == set()


def test_a_wrong_keyword_is_refused_with_the_nearest() -> None:
    """The signature only shows: what it does not know still gets an answer in five parts."""
    with pytest.raises(shoal.ShoalError, match="sensitive"):
        shoal.anonymize([], k=2, sensitiv=["x"])  # type: ignore[call-arg]


def test_keywords_beside_a_plan_are_shown_in_its_place() -> None:
    """What was asked for stands in the advice, as it has to be written; texts that may be secret do not."""
    plan = Plan.of(5, quasi_identifiers=["age"])
    asked = {"method": "hilbert", "k": 3, "population": "postgresql://me:secret@there"}
    with pytest.raises(shoal.ShoalError) as refused:
        shoal.anonymize(shoal.synthetic_patients(20), plan=plan, **asked)
    assert refused.value.todo.endswith("dataclasses.replace(plan, method='hilbert', k=3)")
    assert "secret" not in str(refused.value)


def test_values_of_numpy_are_values() -> None:
    """A k that was counted, or drawn from a range, is a whole number as any other."""
    plan = Plan.of(
        np.int64(5), quasi_identifiers=["age"], weights={"age": np.int8(2)}, seed=np.uint32(3), keep_order=np.True_
    )
    assert plan == Plan.of(5, quasi_identifiers=["age"], weights={"age": 2}, seed=3, keep_order=True)
    kept = (plan.k, plan.seed, plan.keep_order, plan.columns["age"].weight)
    assert [type(one) for one in kept] == [int, int, bool, int]
    assert whole_numbers(np.arange(5, 7), "k", 1) == whole_numbers([np.int64(5), 6], "k", 1) == (5, 6)
    assert whole_numbers(np.int64(5), "k", 1) == (5,)
