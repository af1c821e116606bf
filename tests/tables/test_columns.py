# SPDX-License-Identifier: Apache-2.0
"""Numbers for the different cells of a column."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from shoal.tables.columns import different
from shoal.tables.table import Table

COLUMNS = {
    "close": pl.Series([3, 1, None, 3, 2, 1]),
    "wide": pl.Series([2**62, -(2**62), None, 2**62, 0, 7]),
    "small type": pl.Series([-128, 127, None, -128], dtype=pl.Int8),
    "beyond 64 bits": pl.Series([2**64 - 1, 2**64 - 1, 5, None], dtype=pl.UInt64),
    "text": pl.Series(["b", "a", None, "b", ""]),
    "categories": pl.Series(["b", "a", None, "b"], dtype=pl.Categorical),
    "levels": pl.Series(["b", "a", None, "b"], dtype=pl.Enum(["b", "c", "a"])),
    "dates": pl.Series([date(2020, 1, 1), None, date(1900, 1, 1), date(2020, 1, 1)]),
    "reals": pl.Series([0.5, None, 0.5, 1e300]),
    "truths": pl.Series([True, None, False, True]),
    "nothing": pl.Series([None, None], dtype=pl.Int64),
    "no rows": pl.Series([], dtype=pl.Int64),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_equal_cells_have_equal_numbers(column: pl.Series) -> None:
    """Two cells have the same number if and only if they are equal; numbers have no gaps; each has a row."""
    numbers, rows = different(column)
    cells = column.to_list()
    for one, number in zip(cells, numbers, strict=True):
        assert [other == one for other in cells] == (numbers == number).tolist()
        assert cells[rows[number]] == one
    assert sorted(set(numbers.tolist())) == list(range(len(rows)))


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_codes_lead_to_sorted_texts(column: pl.Series) -> None:
    """A column read as codes shows the same texts, which are sorted; missing is -1."""
    table = Table(pl.DataFrame({"column": column}))
    codes, texts = table.codes("column")
    assert texts == sorted(set(texts))
    assert [texts[code] if code >= 0 else None for code in codes] == table.texts("column").to_list()


def test_zeros_of_both_signs_are_two_texts() -> None:
    """What a file would show differently is different."""
    assert Table(pl.DataFrame({"x": [0.0, -0.0]})).codes("x")[1] == ["-0.0", "0.0"]
