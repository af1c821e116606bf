# SPDX-License-Identifier: Apache-2.0
"""Excel workbooks as people make them: several sheets, hidden ones, formulas, mixed columns, no header."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook with a sheet of patients, one of notes and a hidden one."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        day = made.add_format({"num_format": "dd.mm.yyyy"})
        patients = made.add_worksheet("patients")
        patients.write_row(0, 0, ["age", "born", "mixed", 2020, "sum"])
        patients.write_row(1, 0, [39, None, "x", 1])
        patients.write_row(2, 0, [41.0, None, 7, 2])
        for row, one in ((1, datetime(1980, 1, 2)), (2, datetime(1982, 3, 4))):
            patients.write_datetime(row, 1, one, day)
            patients.write_formula(row, 4, "=1+1", value=2)
        made.add_worksheet("notes").write_string(0, 0, "SECRET")
        made.add_worksheet("internal").hide()
    return path


def test_a_sheet_by_name_or_number(book: Path) -> None:
    """Dates, whole numbers, results of formulas and names that are numbers are read as they look."""
    table = read_table(book, Reading(sheet="patients")).table
    assert table.frame.equals(read_table(book, Reading(sheet="1")).table.frame)
    assert table.frame.to_dict(as_series=False) == {
        "age": [39, 41],
        "born": [date(1980, 1, 2), date(1982, 3, 4)],
        "mixed": ["x", "7"],
        "2020": [1, 2],
        "sum": [2, 2],
    }


def test_several_sheets_need_a_choice(book: Path, refused) -> None:
    """Which sheet is meant is not guessed, and no cell is shown."""
    refused(book, None, "several sheets", "'patients'", "'notes'", "--sheet")
    refused(book, Reading(sheet="nosuch"), "no such sheet", "'nosuch'")


def test_a_hidden_sheet_does_not_count(tmp_path: Path) -> None:
    """A workbook with one sheet to be seen needs no choice."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet("seen").write_column(0, 0, ["a", "1", "2"])
        made.add_worksheet("internal").hide()
    assert read_table(path).table.frame["a"].to_list() == ["1", "2"]


def test_a_sheet_without_a_header(tmp_path: Path) -> None:
    """--no-header and --columns work for workbooks, too."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        made.add_worksheet().write_row(0, 0, [1, "x"])
    assert read_table(path, Reading(header=False)).table.names == ["column_1", "column_2"]
    assert read_table(path, Reading(header=False, columns=("a", "b"))).table.frame.rows() == [(1, "x")]


@pytest.mark.parametrize("names", [["a", None, "c"], ["a", "a"]])
def test_bad_headers(tmp_path: Path, refused, names: list[str | None]) -> None:
    """Columns without a name, or with the name of another, are refused."""
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, names)
        sheet.write_row(1, 0, ["SECRET"] * len(names))
    refused(path, None, "name")


def test_text_is_never_run(tmp_path: Path) -> None:
    """Texts that look like formulas, links or numbers are stored as text."""
    cells = ["=1+1", "https://example.org", "12", "{=1}"]
    write_table(Table.from_columns({"a": cells}), tmp_path / "t.xlsx", "excel")
    assert read_table(tmp_path / "t.xlsx").table.frame["a"].to_list() == cells


def test_too_large_for_a_sheet(tmp_path: Path) -> None:
    """A table that a sheet cannot hold is refused before anything is written."""
    with pytest.raises(Exception, match="too large"):
        write_table(Table(pl.DataFrame({"a": ["x" * 32_768]})), tmp_path / "t.xlsx", "excel")
    assert not (tmp_path / "t.xlsx").exists()
