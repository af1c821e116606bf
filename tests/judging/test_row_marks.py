# SPDX-License-Identifier: Apache-2.0
"""Columns that give the rows away are found."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.tables.row_marks import fills_its_range, given_out, numbers_rows, tells_rows_apart
from shoal.tables.table import Table


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([0, 1, 2, 3], True),
        ([1, 2, 3, 4], True),
        ([3, 1, 4, 2], True),
        (["2", "0", "3", "1"], True),
        ([2, 3, 4, 5], False),
        ([0, 1, 2, 2], False),
        ([0, 1, 1, 3], False),
        ([0, 1, 2, None], False),
        ([1.0, 2.0, 3.0, 4.0], True),
        ([1.5, 2.5, 3.5, 4.5], False),
        ([12, 17, 13, 16, 14, 15], True),
        ([10, 60, 30, 20, 50, 40], True),
        ([10, 60, 30, 20, 50, 41], False),
        (["P03", "P01", "P06", "P05", "P04", "P02"], True),
        (["P03", "P01", "P06", "Q05", "P04", "P02"], False),
        (["a", "b", "c", "d"], False),
        ([1, 2], False),
        ([], False),
    ],
)
def test_row_numbers(cells: list, expected: bool) -> None:
    """0..n-1 and 1..n in any order; in larger tables also counting from elsewhere, in steps, behind a prefix."""
    assert numbers_rows(Table.of(pl.DataFrame({"x": cells})), "x") is expected


@pytest.mark.parametrize(
    ("cells", "untyped", "expected"),
    [
        (["a", "b", "c"], False, True),
        (["a", "b", "c", None], False, True),
        (["a", None, None, None], False, False),
        (["a", "b", "b"], False, False),
        ([7, 12, 3], False, True),
        (["7", "12", "3"], True, True),
        (["7.5", "1.2", "3.1"], True, False),
        (["2020-01-01", "2020-01-02", "2020-01-03"], True, False),
        ([7.5, 1.2, 3.1], False, False),
        ([True, False], False, False),
    ],
)
def test_all_distinct_columns(cells: list, untyped: bool, expected: bool) -> None:
    """Names and codes that never repeat may point to persons; measurements and dates need not."""
    assert tells_rows_apart(Table(pl.DataFrame({"x": cells}), untyped=untyped), "x") is expected


RANDOM = np.random.default_rng(0)
KEYS = {
    "counted, with gaps": RANDOM.permutation(900)[:600],
    "counted in sevens, with gaps": RANDOM.permutation(900)[:600] * 7 + 3,
    "drawn": RANDOM.choice(10**6, 600, replace=False),
    "drawn, of seven digits": RANDOM.choice(9 * 10**6, 600, replace=False) + 10**6,
    "very long": RANDOM.gamma(2, 10**9, 600).astype(np.int64) + 10**10,
    "leading zeros": [f"{number:09}" for number in RANDOM.gamma(2, 10**5, 600).astype(np.int64)],
    "words": [f"w{number}" for number in range(600)],
}
AMOUNTS = {
    "wages": np.unique(RANDOM.lognormal(10, 0.6, 600).astype(np.int64)),
    "profits and losses": np.unique(RANDOM.normal(0, 50_000, 600).astype(np.int64)),
    "sales": np.unique(RANDOM.pareto(1.2, 600) * 10_000).astype(np.int64),
    "record weights": np.unique(RANDOM.gamma(3, 60_000, 600).astype(np.int64)),
    "in cents": RANDOM.lognormal(7, 1, 600).round(2),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys_look_given_out(name: str) -> None:
    """Counted, drawn or long numbers, and text, are what somebody gave to each row."""
    assert given_out(Table.of(pl.DataFrame({"x": KEYS[name]})), "x")


@pytest.mark.parametrize("name", AMOUNTS)
def test_amounts_look_measured(name: str) -> None:
    """Money that never repeats is money, whatever it is written as."""
    table = Table.of(pl.DataFrame({"x": AMOUNTS[name]}))
    text = Table(table.frame.cast(pl.String), untyped=True)
    assert [given_out(one, "x") for one in (table, text)] == [False, False]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (RANDOM.permutation(140)[:100], True),
        (RANDOM.permutation(140)[:100] * 12 + 5, True),
        ([f"case {number}" for number in RANDOM.permutation(140)[:100]], True),
        ([*RANDOM.permutation(140)[:100], None], True),
        (RANDOM.integers(0, 140, 100), False),
        (RANDOM.permutation(1000)[:100], False),
        (RANDOM.permutation(40)[:30], False),
    ],
)
def test_numbers_that_leave_few_gaps_were_counted(cells: list, expected: bool) -> None:
    """Row numbers of a table from which rows were left out."""
    assert fills_its_range(Table.of(pl.DataFrame({"x": cells})), "x") is expected
