# SPDX-License-Identifier: Apache-2.0
"""The width that half of the rows do not exceed, in units that people use."""

from __future__ import annotations

import math
from datetime import date, datetime

import polars as pl
import pytest

from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.tables.table import Table


def typical(original: list, released: list) -> Measurement:
    """The metric of one column."""
    tables = [Table.of(pl.DataFrame({"x": cells}, strict=False)) for cells in (original, released)]
    return {one.metric: one for one in measure(*tables, Plan.of(2, quasi_identifiers=["x"]))}["typical_width"]


def test_numbers_are_told_in_their_own_unit() -> None:
    """Four rows of width 1 and two of width 30: half of them within 1; the middle half of the values spans 13.75."""
    found = typical([1, 2, 11, 12, 20, 50], ["[1, 2]"] * 2 + ["[11, 12]"] * 2 + ["[20, 50]"] * 2)
    assert found.figures["width x"] == 1
    assert found.figures["of_iqr x"] == pytest.approx(1 / 13.75)
    assert found.value == found.figures["of_iqr x"]


def test_dates_and_moments_are_told_in_days() -> None:
    """A range of ten days is ten, whether the column tells days or moments."""
    days = [date(2020, 1, day) for day in (1, 11, 21, 31)]
    shown = ["[2020-01-01, 2020-01-11]"] * 2 + ["[2020-01-21, 2020-01-31]"] * 2
    assert typical(days, shown).figures["width x"] == 10
    moments = [datetime(2020, 1, day, 12) for day in (1, 11, 21, 31)]
    shown = ["[2020-01-01 12:00:00, 2020-01-11 12:00:00]"] * 2 + ["[2020-01-21 12:00:00, 2020-01-31 12:00:00]"] * 2
    assert typical(moments, shown).figures["width x"] == 10


def test_what_is_hidden_has_no_width() -> None:
    """Where more than half of the rows show anything at all, there is no typical width, and the note says why."""
    found = typical([1, 2, 3, 4], ["*", "*", "*", "4"])
    assert math.isnan(found.value)
    assert math.isnan(found.figures["width x"])
    assert found.note == "column 'x': half of the rows allow anything, or there are none"
    assert typical([1, 2, 3, 4], ["*", "2", "3", "4"]).figures["width x"] == 0
    assert typical(["a", "b"], ["*", "*"]).note == "no column of numbers or dates"
