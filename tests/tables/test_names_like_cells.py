# SPDX-License-Identifier: Apache-2.0
"""A file without a header has its first record where names should be: no message quotes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.ground.errors import ShoalError, looks_like_a_cell
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

MIXED = ("Annabel", "39", "State-gov", "2020-02-29", "ann@mail.net")
WORDS = ("Annabel", "Smith", "Bachelors", "Married-civ", "London")
OTHERS = ("Bernard", "41", "Private", "2021-03-01", "bob@mail.net")


def delimited(folder: Path, first: tuple[str, ...], ending: str, separator: str) -> Path:
    """A text file whose first line is a record."""
    path = folder / f"people{ending}"
    reading = Reading(separator=separator, compression="gz" if ending.endswith(".gz") else None)
    write_table(Table(pl.DataFrame([OTHERS], schema=list(first), orient="row")), path, "delimited", reading)
    return path


def sheet(folder: Path, first: tuple[str, ...]) -> Path:
    """A workbook whose first row is a record."""
    path = folder / "people.xlsx"
    write_table(Table(pl.DataFrame([OTHERS], schema=list(first), orient="row")), path, "excel")
    return path


def columnar(folder: Path, first: tuple[str, ...]) -> Path:
    """A Parquet file that somebody made of a file without a header."""
    path = folder / "people.parquet"
    pl.DataFrame([OTHERS], schema=list(first), orient="row").write_parquet(path)
    return path


FILES: dict[str, Callable[[Path], Path]] = {
    "csv": lambda folder: delimited(folder, MIXED, ".csv", ","),
    "csv of words": lambda folder: delimited(folder, WORDS, ".csv", ","),
    "tsv of words": lambda folder: delimited(folder, WORDS, ".tsv", "\t"),
    "packed csv of words": lambda folder: delimited(folder, WORDS, ".csv.gz", ";"),
    "sheet": lambda folder: sheet(folder, MIXED),
    "sheet of words": lambda folder: sheet(folder, WORDS),
    "parquet": lambda folder: columnar(folder, MIXED),
}
REQUESTS: dict[str, Callable[[Path], object]] = {
    "unknown column": lambda path: shoal.anonymize(path, k=1, quasi_identifiers=["education"]),
    "a column that is nearly a cell": lambda path: shoal.anonymize(path, k=1, quasi_identifiers=["Bachelor", "State"]),
    "no column": lambda path: shoal.anonymize(path, k=1),
    "a role for an unknown column": lambda path: shoal.anonymize(path, k=1, identifiers=["name"]),
    "check": lambda path: shoal.check(path, quasi_identifiers=["age"], k=1),
    "two files": lambda path: read_table([path, _another(path)]),
}


def _another(path: Path) -> Path:
    """A second file of the same format with a record of its own."""
    folder = path.parent / "second"
    folder.mkdir()
    ending = "".join(path.suffixes)
    if ending == ".xlsx":
        return sheet(folder, ("Caroline", "52", "Paris", "Widowed", "c@mail.net"))
    if ending == ".parquet":
        return columnar(folder, ("Caroline", "52", "Paris", "Widowed", "c@mail.net"))
    separator = {".csv": ",", ".tsv": "\t", ".csv.gz": ";"}[ending]
    return delimited(folder, ("Caroline", "52", "Paris", "Widowed", "c@mail.net"), ending, separator)


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
@pytest.mark.parametrize("make", FILES.values(), ids=FILES.keys())
def test_the_first_record_is_not_quoted(make: Callable[[Path], Path], request_: Callable, tmp_path: Path) -> None:
    """Whatever was asked of a file without a header, the answer holds none of its cells."""
    path = make(tmp_path)
    with pytest.raises(ShoalError) as refused:
        request_(path)
    said = str(refused.value)
    cells = {*MIXED, *WORDS, *OTHERS, "Caroline", "52", "Paris", "Widowed", "c@mail.net"}
    assert [cell for cell in cells if cell in said.replace(str(tmp_path), "")] == []


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_frames_made_of_such_files(kind: str) -> None:
    """A frame whose names are cells does not give them away either."""
    frame = pl.DataFrame([OTHERS], schema=list(MIXED), orient="row")
    data = {"pandas": frame.to_pandas, "polars": lambda: frame, "arrow": frame.to_arrow}[kind]()
    with pytest.raises(ShoalError) as refused:
        shoal.anonymize(data, k=1, quasi_identifiers=["age"])
    assert not any(cell in str(refused.value) for cell in MIXED)


def test_good_names_help() -> None:
    """Names that are names are shown, and the nearest is proposed."""
    with pytest.raises(ShoalError) as refused:
        shoal.anonymize(pl.DataFrame({"age": [1], "income_2020": [2]}), k=1, quasi_identifiers=["agee"])
    assert "income_2020" in str(refused.value)
    assert refused.value.todo == "did you mean 'age'?"


CELLS = "39|3.5|-7|1e5|29.2.2020|2020-02-29 12:00|+49 30 1234567|a@b.c||?|12 kg|NaN|AB1234567|12:30|50%|true".split("|")
NAMES = "age|income_2020|q1|2nd_visit|Marital status|größe|größe_2|名前|名前1|column_12".split("|")


@pytest.mark.parametrize("name", CELLS)
def test_cells_by_their_looks(name: str) -> None:
    """Numbers, dates, times, telephone numbers, mail, long codes, amounts and marks for missing are no names."""
    assert looks_like_a_cell(name)


@pytest.mark.parametrize("name", NAMES)
def test_names_by_their_looks(name: str) -> None:
    """Usual names are names."""
    assert not looks_like_a_cell(name)
