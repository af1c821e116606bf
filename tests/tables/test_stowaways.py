# SPDX-License-Identifier: Apache-2.0
"""Cells that a spreadsheet would run."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.releases.folder import read_release
from shoal.tables.stowaways import begins_with_a_mark, formula_cells, prefix_formulas
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


RUNNING = ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1"]


@pytest.mark.parametrize("cell", RUNNING)
def test_no_two_cells_become_alike(cell: str) -> None:
    """A prefix keeps different cells different, also those that came with apostrophes; taking it away restores them."""
    cells = [cell, "'" + cell, "''" + cell, "'fine", "-5", "'-5"]
    after = prefix_formulas(Table(pl.DataFrame({"note": cells}))).frame["note"].to_list()
    assert after == ["'" + cell, "''" + cell, "'''" + cell, "'fine", "-5", "'-5"]


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.parametrize("place", ["age", "ill", "other"])
def test_names_of_columns_are_prefixed_too(tmp_path: Path, name: str, place: str) -> None:
    """A header that a spreadsheet would run gets the apostrophe, whatever the column is, and the plan replays."""
    names = {"age": "age", "ill": "ill", "other": "other", place: name}
    frame = pl.DataFrame({names["age"]: [1, 1, 2, 2], names["ill"]: ["a", "b", "c", "d"], names["other"]: ["x"] * 4})
    roles = {"quasi_identifiers": [names["age"]], "sensitive": [names["ill"]], "insensitive": [names["other"]]}
    release = shoal.anonymize(frame, k=2, formulas="prefix", method="mondrian", **roles)
    assert f"'{name}" in release.table.columns
    assert name not in release.table.columns
    again = shoal.anonymize(frame, plan=release.plan)
    assert again.table.equals(release.table)
    saved = read_release(release.save(tmp_path / "out", format="parquet"))
    assert saved.problems == []
    assert saved.check(saved.plan, original=frame).holds


def test_a_checksum_is_no_mark(tmp_path: Path) -> None:
    """Files of DuckDB begin with eight bytes of any value; a text that begins so is told of."""
    (tmp_path / "table.duckdb").write_bytes(b"\xff\xfe345678DUCK\x40\x00")
    (tmp_path / "table.csv").write_bytes(b"\xff\xfea\x00,\x00b\x00\n\x00")
    assert not begins_with_a_mark(tmp_path / "table.duckdb")
    assert begins_with_a_mark(tmp_path / "table.csv")
