# SPDX-License-Identifier: Apache-2.0
"""Cells that a spreadsheet would run."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.tables.formulas import formula_cells, prefix_formulas
from shoal.tables.table import Table


@pytest.mark.parametrize("cell", ["=1+1", "+cmd", "-cmd|x", "@SUM(A1)", "\tx", "\rx", "-", "+", "-1-2", "=5", "- 5"])
def test_formulas_are_counted_and_prefixed(cell: str) -> None:
    """Every beginning that spreadsheets run is found and gets an apostrophe."""
    table = Table.from_columns({"a": [cell, "fine", None], "b": ["x", "y", "z"]})
    assert formula_cells(table) == {"a": 1}
    assert prefix_formulas(table).texts("a").to_list() == ["'" + cell, "fine", None]
    assert formula_cells(prefix_formulas(table)) == {}


@pytest.mark.parametrize("cell", ["-5", "+3.5", "-1,5", "-1e-7", "-.5", "5", "", "a=b", "[-5, -1]", "-007"])
def test_harmless_cells_are_kept(cell: str) -> None:
    """Plain numbers and other text are not touched."""
    table = Table.from_columns({"a": [cell, None]})
    assert formula_cells(table) == {}
    assert prefix_formulas(table) is table


def test_categories_count_as_text() -> None:
    """Formulas in categorical columns are found too; numbers cannot hold any."""
    frame = pl.DataFrame(
        {
            "c": pl.Series(["=1", "a"], dtype=pl.Categorical),
            "e": pl.Series(["a", "@b"], dtype=pl.Enum(["a", "@b"])),
            "n": [-1, 2],
        }
    )
    assert formula_cells(Table(frame)) == {"c": 1, "e": 1}
    prefixed = prefix_formulas(Table(frame))
    assert prefixed.names == ["c", "e", "n"]
    assert prefixed.texts("e").to_list() == ["a", "'@b"]
