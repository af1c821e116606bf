# SPDX-License-Identifier: Apache-2.0
"""Columns that give the rows away are found."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.tables.row_marks import numbers_rows, tells_rows_apart
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
