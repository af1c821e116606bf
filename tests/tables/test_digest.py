# SPDX-License-Identifier: Apache-2.0
"""Digests: the different cells of columns, and rows as codes."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from shoal.tables.digest import DifferentCells, digest
from shoal.tables.table import Table

COLUMNS = {
    "text": ["b", None, "a", "b", ""],
    "whole": [7, -3, None, 7, 100_000],
    "real": [0.5, -0.0, 0.0, None, float("nan")],
    "day": [date(2020, 1, 1), None, date(1960, 5, 5), date(2020, 1, 1), date(1999, 1, 1)],
    "flag": [True, None, False, True, True],
    "clock": [time(1, 2), None, time(0, 0), time(1, 2), time(23, 59)],
    "amount": [Decimal("1.10"), None, Decimal("-2.00"), Decimal("1.10"), Decimal("9.99")],
    "nothing": [None] * 5,
}


@pytest.mark.parametrize("name", COLUMNS)
def test_codes_find_the_cells_again(name: str) -> None:
    """In parts or at once, whatever the type; missing is the last."""
    column = Table.of(pl.DataFrame({name: COLUMNS[name]})).frame[name]
    twice = pl.concat([column, column])
    cells = DifferentCells.of(twice, np.ones(len(twice), dtype=np.int64))
    codes = cells.codes(pl.Series(name, COLUMNS[name], dtype=column.dtype))
    assert cells.cells.gather(codes).to_list() == column.to_list()
    assert cells.rows.sum() == 10
    assert cells.missing == 2 * column.null_count()
    assert codes.dtype == np.uint8


def test_a_digest_knows_the_shares_of_the_table() -> None:
    """Short columns begin anew, and what stands there again counts for nothing."""
    cells = {"a": DifferentCells.of(pl.Series("a", ["x", "y"]), np.array([9, 1])),
             "b": DifferentCells.of(pl.Series("b", [1, 2, 3]), np.array([5, 3, 2]))}  # fmt: skip
    table = digest(cells, Table.from_columns({}))
    assert table.frame["a"].to_list() == ["x", "y", "x"]
    assert table.shares("a", np.array([0, 1, 0])).tolist() == [0.9, 0.1]
    assert table.shares("b", np.array([0, 0, 1])).tolist() == [0.8, 0.2]
