# SPDX-License-Identifier: Apache-2.0
"""Rows that the original does not have are told of; rows that are only written in another way are not."""

from __future__ import annotations

from datetime import date, datetime

import polars as pl
import pytest

from shoal.judging.leak_search import LeakScene
from shoal.judging.leaks import values_outside
from shoal.plan.plan import Plan
from shoal.tables.table import Table

AGES = ["[20, 29]"] * 3 + ["[30, 39]"] * 3
ORIGINAL = pl.DataFrame(
    {
        "age": [21, 22, 23, 31, 32, 33],
        "ill": ["flu", "cold", "gout", "flu", "cold", None],
        "day": [date(2020, 1, day) for day in range(1, 7)],
    }
)
GOOD = ORIGINAL.with_columns(age=pl.Series(AGES))


def told(released: pl.DataFrame) -> list[str]:
    """What is said of a release of the six rows."""
    plan = Plan.of(3, quasi_identifiers=["age"], sensitive=["ill", "day"])
    return [leak.statement for leak in values_outside.find(LeakScene(Table.of(released), plan, Table.of(ORIGINAL)))]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([0, 1, 2, 3, 4, 5], None),
        ([5, 4, 3, 2, 1, 0], None),
        ([0, 1, 2], None),
        ([0, 1, 2, 3, 4, 5, 5], "the table has 1 row more than the original"),
        ([0, 1, 2, 3, 4, 4], "1 row shows in the columns published as they are what the original has not"),
        ([0, 0, 0, 3, 3, 3], "4 rows show in the columns published as they are what the original has not"),
    ],
)
def test_rows_made_up_are_counted(rows: list[int], said: str | None) -> None:
    """A row twice is no second person; rows left out are none of its business."""
    found = told(GOOD[rows])
    assert [one[: len(said or "")] for one in found] == ([said] if said else [])


def test_cells_of_two_rows_put_together_are_a_row_made_up() -> None:
    """Each cell is one of the original, and the row is not."""
    mixed = GOOD.with_columns(ill=pl.Series(["cold", "flu", "gout", "flu", "cold", None]))
    assert [one.split()[0] for one in told(mixed)] == ["2"]


def test_another_way_to_write_a_row_is_none() -> None:
    """A format may tell days as moments, or read empty text as missing."""
    assert told(GOOD.with_columns(day=pl.Series([datetime(2020, 1, day) for day in range(1, 7)]))) == []
    assert told(GOOD.with_columns(ill=pl.Series(["flu", "cold", "gout", "flu", None, None]))) == []
