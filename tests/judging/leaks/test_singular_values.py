# SPDX-License-Identifier: Apache-2.0
"""Private values of one row: rare words are warned about, numbers are expected to differ."""

from __future__ import annotations

import polars as pl
import pytest

import shoal


@pytest.mark.parametrize(("kind", "warned"), [("categorical", True), ("numeric", False)])
def test_a_column_that_the_plan_calls_numeric_holds_numbers(kind: str, warned: bool) -> None:
    """Numbers with a decimal comma are text in a frame; the plan knows better."""
    weights = [f"{50 + number % 30},5" for number in range(170)] + [f"{90 + number},5" for number in range(30)]
    table = pl.DataFrame({"sex": ["m", "f"] * 100, "weight": weights})
    plan = shoal.Plan.of(10, quasi_identifiers=["sex"], sensitive=["weight"], kinds={"weight": kind})
    said = [one for one in shoal.check(table, plan=plan).warnings if "occur in one row only" in one]
    assert bool(said) is warned
