# SPDX-License-Identifier: Apache-2.0
"""Codebooks: every usual layout says the same, what was read is told, and what cannot be read is refused."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.ground.errors import TableError
from shoal.tables.codebooks import read_codebook
from shoal.tables.labels import Labels

COLUMNS = ["RIAGENDR", "RIDAGEYR", "LBXTC"]
SAID = Labels(
    {"RIAGENDR": "Gender", "RIDAGEYR": "Age in years", "LBXTC": "Total cholesterol (mg/dL)"},
    {"RIAGENDR": {1: "Male", 2: "Female"}},
)
LAYOUTS = {
    "one line per column": "name,label,values\nRIAGENDR,Gender,1=Male; 2=Female\nRIDAGEYR,Age in years,\n"
    "LBXTC,Total cholesterol (mg/dL),\n",
    "other headings": "Variable Name;Description;Codes\nRIAGENDR;Gender;1: Male, 2: Female\nRIDAGEYR;Age in years;\n"
    "LBXTC;Total cholesterol (mg/dL);\n",
    "in German": "Spalte;Bezeichnung;Wertelabels\nRIAGENDR;Gender;1 Male|2 Female\nRIDAGEYR;Age in years;\n"
    "LBXTC;Total cholesterol (mg/dL);\n",
    "one line per code": "variable,label,value,value label\nRIAGENDR,Gender,1,Male\n,,2,Female\n"
    "RIDAGEYR,Age in years,,\nLBXTC,Total cholesterol (mg/dL),,\n",
    "names in small letters": "column,meaning,categories\nriagendr,Gender,1 = Male | 2 = Female\n"
    "ridageyr,Age in years,\nlbxtc,Total cholesterol (mg/dL),\n",
    "unknown headings": "x,y,values\nRIAGENDR,Gender,1=Male;2=Female\nRIDAGEYR,Age in years,\n"
    "LBXTC,Total cholesterol (mg/dL),\n",
}
OBJECTS = {
    "by name": {
        "RIAGENDR": {"label": "Gender", "values": {"1": "Male", "2": "Female"}},
        "RIDAGEYR": {"label": "Age in years"},
        "LBXTC": "Total cholesterol (mg/dL)",
    },
    "a list": [
        {
            "name": "RIAGENDR",
            "description": "Gender",
            "values": [{"value": 1, "label": "Male"}, {"value": 2, "label": "Female"}],
        },
        {"name": "RIDAGEYR", "description": "Age in years"},
        {"name": "LBXTC", "description": "Total cholesterol (mg/dL)"},
    ],
    "inside another": {
        "title": "survey",
        "read": {
            "RIAGENDR": {"desc": "Gender", "codes": [[1, "Male"], [2, "Female"]]},
            "RIDAGEYR": {"desc": "Age in years", "type": "int"},
            "LBXTC": {"desc": "Total cholesterol (mg/dL)"},
        },
    },
    "a table schema": {
        "fields": [
            {"name": "RIAGENDR", "title": "Gender", "categories": {"1": "Male", "2": "Female"}},
            {"name": "RIDAGEYR", "title": "Age in years"},
            {"name": "LBXTC", "title": "Total cholesterol (mg/dL)"},
        ]
    },
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tables(layout: str, tmp_path: Path) -> None:
    """All layouts of tables give the same labels."""
    (tmp_path / "codebook.csv").write_text(LAYOUTS[layout])
    assert read_codebook(tmp_path / "codebook.csv", COLUMNS).labels == SAID


@pytest.mark.parametrize("layout", OBJECTS)
def test_json(layout: str, tmp_path: Path) -> None:
    """All layouts of JSON give the same labels."""
    (tmp_path / "codebook.json").write_text(json.dumps(OBJECTS[layout]))
    assert read_codebook(tmp_path / "codebook.json", COLUMNS).labels == SAID


def test_name_value_label(tmp_path: Path) -> None:
    """Three columns, one line per code: the label is that of the code."""
    (tmp_path / "codes.csv").write_text("variable,value,label\nRIAGENDR,1,Male\nRIAGENDR,2,Female\n")
    assert read_codebook(tmp_path / "codes.csv", COLUMNS).labels == Labels({}, {"RIAGENDR": {1: "Male", 2: "Female"}})


def test_workbooks_of_several_sheets(tmp_path: Path) -> None:
    """Columns on one sheet and codes on another, as many offices write them."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    sheets = {
        "about": [["Survey of health"], ["2020"]],
        "variables": [["name", "label"], *([name, SAID.columns[name]] for name in COLUMNS)],
        "values": [["name", "value", "value label"], ["RIAGENDR", 1, "Male"], ["RIAGENDR", 2, "Female"]],
    }
    with xlsxwriter.Workbook(tmp_path / "codebook.xlsx") as book:
        for title, rows in sheets.items():
            sheet = book.add_worksheet(title)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    assert read_codebook(tmp_path / "codebook.xlsx", COLUMNS).labels == SAID


def test_what_was_read_is_told(tmp_path: Path) -> None:
    """How many columns are described and explained, and how many names no column has."""
    (tmp_path / "codebook.csv").write_text(LAYOUTS["one line per column"] + "OTHER,Something else,\n")
    book = read_codebook(tmp_path / "codebook.csv", COLUMNS)
    assert str(book) == "3 columns described, the codes of 1 explained; 1 names that no column has"


@pytest.mark.parametrize(
    ("name", "content"),
    [("book.csv", "name,label\nx,y\n"), ("book.json", '{"x": "y"}'), ("book.json", "{"), ("book.json", None)],
    ids=["another table's", "another table's JSON", "no JSON", "no file"],
)
def test_refusals(name: str, content: str | None, tmp_path: Path) -> None:
    """A codebook that describes nothing is no codebook of this table; the message has its five parts."""
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(TableError, match="codebook") as caught:
        read_codebook(tmp_path / name, COLUMNS)
    assert all(f"\n  {part} " in str(caught.value) for part in ("where", "allowed", "received", "next"))


def test_a_suggestion_by_a_codebook(tmp_path: Path) -> None:
    """Cryptic names alone need a codebook, and it tells; a coded CSV with one is as good as a labelled file."""
    frame = pl.DataFrame(
        {
            "RIAGENDR": [1, 2] * 100,
            "RIDAGEYR": list(range(20, 70)) * 4,
            "LBXTC": [150 + one % 90 for one in range(200)],
        }
    )
    (tmp_path / "codebook.csv").write_text(LAYOUTS["one line per column"])
    frame.write_csv(tmp_path / "survey.csv")
    told = shoal.suggest(tmp_path / "survey.csv", codebook=tmp_path / "codebook.csv")
    assert {name: one.role for name, one in told.columns.items()} == {
        "RIAGENDR": "quasi-identifier",
        "RIDAGEYR": "quasi-identifier",
        "LBXTC": "sensitive",
    }
    assert told.columns["RIAGENDR"].kind == "categorical"
    assert "its label speaks of a sex" in told.columns["RIAGENDR"].why
    assert told.notes[0].startswith("codebook: 3 columns described")
