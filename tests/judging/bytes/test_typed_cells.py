# SPDX-License-Identifier: Apache-2.0
"""Typed files, databases and frames: bits of numbers, types of single cells, and cells that hold several values."""

from __future__ import annotations

import datetime
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyreadstat
import pytest
import xlsxwriter
from pyarrow import feather, parquet

import shoal
from shoal.ground.errors import TableError
from shoal.judging.bytes.excel import _rows

NAN = float("nan")
FIRST_NAN, SECOND_NAN = np.array([0x7FF8000000000000, 0x7FF8000000000001], dtype=np.uint64).view(np.float64)
APART = {
    "NaN and missing": [NAN, None],
    "zeros": [0.0, -0.0],
    "kinds of NaN": [FIRST_NAN, SECOND_NAN],
    "a kind of NaN and missing": [SECOND_NAN, None],
    "zero and missing": [0.0, None],
}
ALIKE = {"numbers": [1.5, 1.5], "missing": [None, None], "NaN": [NAN, NAN], "zeros": [-0.0, -0.0]}


def table_of(cells: list[Any], kind: Any = None) -> pa.Table:
    """A column of these cells, and one that is harmless."""
    column = cells if isinstance(cells, pa.Array) else pa.array(cells, type=kind or pa.float64(), from_pandas=False)
    return pa.table({"a": column, "b": [1] * len(cells)})


def as_parquet(table: pa.Table, place: Path) -> Any:
    """A Parquet file."""
    parquet.write_table(table, place / "t.parquet")
    return place / "t.parquet"


def as_arrow(table: pa.Table, place: Path) -> Any:
    """An Arrow file."""
    feather.write_feather(table, place / "t.arrow")
    return place / "t.arrow"


def as_arrow_stream(table: pa.Table, place: Path) -> Any:
    """An Arrow file in the form of a stream."""
    with pa.OSFile(str(place / "s.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return place / "s.arrow"


KINDS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "Parquet": as_parquet,
    "Arrow": as_arrow,
    "stream": as_arrow_stream,
    "PyArrow": lambda table, _: table,
    "Polars": lambda table, _: pl.DataFrame(table),
    "pandas with Arrow": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
}


def holds(data: Any) -> bool:
    """Whether all rows are look-alikes on the column a."""
    return shoal.check(data, quasi_identifiers=["a"], k=2).holds


@pytest.mark.parametrize("what", APART)
@pytest.mark.parametrize("kind", KINDS)
def test_bits_that_differ_single_out_a_row(kind: str, what: str, tmp_path: Path) -> None:
    """Real numbers are what their bits are."""
    assert not holds(KINDS[kind](table_of(APART[what]), tmp_path))


@pytest.mark.parametrize("what", ALIKE)
@pytest.mark.parametrize("kind", KINDS)
def test_bits_that_are_the_same_do_not(kind: str, what: str, tmp_path: Path) -> None:
    """Nothing is found where nothing differs; short real numbers and long ones alike."""
    assert holds(KINDS[kind](table_of(ALIKE[what]), tmp_path))
    assert holds(KINDS[kind](table_of(ALIKE[what], pa.float32()), tmp_path))


@pytest.mark.parametrize("kind", ["Arrow", "stream", "PyArrow"])
def test_a_dictionary_that_says_a_word_twice(kind: str, tmp_path: Path) -> None:
    """Two places of a dictionary that hold one word tell rows apart."""
    for words, expected in ((["m", "m"], False), (["m", "f"], True)):
        places = pa.array([0, 1, 0, 1] if not expected else [0, 1, 1, 0])
        column = pa.DictionaryArray.from_arrays(places, pa.array(words))
        parts = [column] if kind == "Arrow" else [column, pa.chunked_array([column, column])]  # its writer joins them
        for cells in parts:
            table = pa.table({"a": cells, "b": [1] * len(cells)})
            verdict = shoal.check(
                KINDS[kind](table, tmp_path), quasi_identifiers=["a"], k=2 if expected else len(cells)
            )
            assert verdict.holds is expected


OBJECTS = {
    "1 and 1.0": [1, 1.0],
    "1 and text": [1, "1"],
    "true and text": [True, "True"],
    "true and 1": [True, 1],
    "None and NaN": [None, NAN],
    "None and NA": [None, pd.NA],
    "NaT and None": [pd.NaT, None],
    "zeros": [0.0, -0.0],
    "a moment in two classes": [pd.Timestamp("2020-01-01"), datetime.datetime(2020, 1, 1)],
}


@pytest.mark.parametrize("what", OBJECTS)
def test_objects_of_several_types(what: str) -> None:
    """Pandas keeps the type of every cell, and so does whoever pickles the frame."""
    assert not holds(pd.DataFrame({"a": pd.Series(OBJECTS[what], dtype=object)}))


def test_other_columns_of_pandas() -> None:
    """Categories of several types, and nullable numbers that are NaN; uniform columns hold."""
    assert not holds(pd.DataFrame({"a": pd.Categorical([1, "1"])}))
    assert not holds(pd.DataFrame({"a": [0.0, -0.0]}))
    assert holds(pd.DataFrame({"a": pd.array([1.5, 1.5], dtype="Float64")}))
    assert holds(pd.DataFrame({"a": pd.Series(["x", "x"], dtype=object)}))
    assert holds(pd.DataFrame({"a": pd.Categorical(["x", "x"])}))
    assert holds(pd.DataFrame({"a": pd.Series([None, None, "x", "x"], dtype=object)}))


def test_an_index_is_not_overlooked() -> None:
    """An index of names, which every way to save a frame saves with it, is no row number."""
    frame = pd.DataFrame({"a": ["x", "x"]}, index=pd.Index(["anna", "bob"], name="patient"))
    with pytest.raises(TableError, match="index") as caught:
        holds(frame)
    assert "anna" not in str(caught.value)
    assert holds(frame.reset_index(drop=True))


# -- databases and workbooks -------------------------------------------------------------------------------------------


def sqlite_file(place: Path, cells: list[Any], declared: str = "") -> Path:
    """A database of one table; a column without a type keeps cells as they are given."""
    path = place / "t.db"
    with sqlite3.connect(path) as database:
        database.execute(f"create table t(a {declared}, b integer)")
        database.executemany("insert into t values(?, 1)", [(cell,) for cell in cells])
    database.close()
    return path


@pytest.mark.parametrize("cells", [[1, 1.0], [1, "1"], ["1", b"1"], [0.0, -0.0], [1.0, "1.0"], [None, ""]])
def test_cells_of_sqlite_have_types(cells: list[Any], tmp_path: Path) -> None:
    """One column may hold a number and the text that shows it."""
    assert not holds(sqlite_file(tmp_path, cells))


def test_moments_of_sqlite(tmp_path: Path) -> None:
    """A T or a blank between day and time is the same moment in other bytes."""
    assert not holds(sqlite_file(tmp_path, ["2020-01-01 00:00:00", "2020-01-01T00:00:00"], "datetime"))


@pytest.mark.parametrize("cells", [[1, 1], [1.5, 1.5], ["x", "x"], [None, None]])
def test_plain_columns_of_sqlite_hold(cells: list[Any], tmp_path: Path) -> None:
    """Cells of one type do."""
    assert holds(sqlite_file(tmp_path, cells))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("'nan'::double when 1 then null", False),
        ("0.0::double when 1 then -(0.0::double)", False),
        ("'nan'::float when 1 then null", False),
        ("1.5::double when 1 then 1.5", True),
        ("null when 1 then null::varchar", True),
        ("1 when 1 then 1", True),
    ],
)
def test_cells_of_duckdb(cells: str, expected: bool, tmp_path: Path) -> None:
    """Real numbers by their bits."""
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute(f"create table t as select case range when 0 then {cells} end as a from range(2)")
    assert holds(tmp_path / "t.duckdb") is expected


def workbook(place: Path, cells: list[Any], forms: tuple[str, str] = ("", "")) -> Path:
    """A sheet with one column."""
    path = place / "t.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_string(0, 0, "a")
        for row, cell in enumerate(cells):
            style = book.add_format({"num_format": forms[row % 2]}) if forms[row % 2] else None
            if isinstance(cell, str):
                (sheet.write_formula if cell.startswith("=") else sheet.write_string)(row + 1, 0, cell, style)
            else:
                (sheet.write_boolean if isinstance(cell, bool) else sheet.write_number)(row + 1, 0, cell, style)
    return path


@pytest.mark.parametrize("cells", [[1, "1"], [True, "true"], [1.5, "1.5"], ["", 1, "", 1], [0, "=0"]])
def test_cells_of_a_workbook_have_types(cells: list[Any], tmp_path: Path) -> None:
    """Numbers, texts, truth values and formulas that show the same are not the same."""
    assert not shoal.check(workbook(tmp_path, cells), quasi_identifiers=["a"], k=len(cells)).holds


def test_a_workbook_of_one_type_holds(tmp_path: Path) -> None:
    """Numbers are numbers; formats that differ tell them apart."""
    for cells in ([1, 1], [1, 1.0], ["x", "x"], [True, True], [1.25, 1.25]):
        assert holds(workbook(tmp_path, cells))
    assert not holds(workbook(tmp_path, [1, 1], ("0.00", "0.000")))


def test_kinds_of_missing_in_stata(tmp_path: Path) -> None:
    """.a and .b are both missing, and told apart by everybody who has Stata."""
    for marks, expected in ((["a", "b"], False), (["a", "a"], True)):
        frame = pd.DataFrame({"a": pd.Series([*marks, 1.0, 1.0], dtype=object)})
        pyreadstat.write_dta(frame, str(tmp_path / "t.dta"), missing_user_values={"a": ["a", "b"]})
        assert holds(tmp_path / "t.dta") is expected


# -- cells that hold several values ------------------------------------------------------------------------------------

NESTED = {
    "structures": pa.array([{"x": 1}] * 2),
    "lists": pa.array([[1]] * 2),
    "fixed lists": pa.array([[1, 2]] * 2, type=pa.list_(pa.int64(), 2)),
    "maps": pa.array([[("x", 1)]] * 2, type=pa.map_(pa.string(), pa.int64())),
    "bytes": pa.array([b"x"] * 2),
    "large bytes": pa.array([b"x"] * 2, type=pa.large_binary()),
}


@pytest.mark.parametrize("what", NESTED)
@pytest.mark.parametrize("kind", [*KINDS, "pandas"])
def test_nested_and_binary_cells_are_not_judged(kind: str, what: str, tmp_path: Path) -> None:
    """Nobody looks inside them, so nothing is said about them, whichever column holds them."""
    table = pa.table({"a": ["x", "x"], "b": NESTED[what]})
    data = table.to_pandas() if kind == "pandas" else KINDS[kind](table, tmp_path)
    with pytest.raises(TableError) as caught:
        holds(data)
    assert len(caught.value.parts()) == 5


@pytest.mark.parametrize("kind", ["[1]", "{'x': 1}", "map {'x': 1}", "'x'::blob", "'{}'::json", "union_value(x := 1)"])
def test_nested_columns_of_duckdb(kind: str, tmp_path: Path) -> None:
    """The same in a database."""
    with duckdb.connect(str(tmp_path / "t.duckdb")) as database:
        database.execute(f"create table t as select 'x' as a, {kind} as b from range(2)")
    with pytest.raises(TableError, match="nested or binary"):
        holds(tmp_path / "t.duckdb")


def test_binary_columns_of_sqlite(tmp_path: Path) -> None:
    """Bytes as cells."""
    with pytest.raises(TableError, match="nested or binary"):
        holds(sqlite_file(tmp_path, [b"x", b"x"]))


@pytest.mark.parametrize("what", NESTED)
def test_nested_and_binary_cells_are_not_released(what: str) -> None:
    """A release holds plain cells; what is left out may be nested."""
    table = pa.table({"a": [1, 2, 3, 4], "b": pa.concat_arrays([NESTED[what]] * 2)})
    for roles in ({"insensitive": ["b"]}, {"sensitive": ["b"]}):
        with pytest.raises(TableError, match="nested or binary"):
            shoal.anonymize(table, k=2, quasi_identifiers=["a"], **roles)
    assert shoal.anonymize(table, k=2, quasi_identifiers=["a"], drop=["b"], method="mondrian").verdict.holds


def test_rows_and_cells_without_numbers_follow_each_other(tmp_path: Path) -> None:
    """A sheet need not number its rows and cells; where it does, those that follow count on from there."""
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row r='5'><c r='C5'><v>3</v></c><c><v>4</v></c></row>"
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as book:
        book.writestr("sheet.xml", f"<sheetData>{rows}<row><c><v>5</v></c></row></sheetData>")
    with zipfile.ZipFile(tmp_path / "t.xlsx") as book:
        found = list(_rows(book, "sheet.xml"))
    assert [(number, list(cells)) for number, cells in found] == [(1, [1, 2]), (5, [3, 4]), (6, [1])]
