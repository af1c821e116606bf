# SPDX-License-Identifier: Apache-2.0
"""Numbers and dates as people write them, in files and frames: read right, asked about or refused, never wrong."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xlsxwriter
from click.testing import CliRunner

import shoal
from shoal.faces.cli import shoal as command
from shoal.ground.errors import ShoalError
from shoal.plan.plan import Plan
from shoal.plan.values import understood
from shoal.tables.frames import as_table
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.plan.spellings import ALL, DATES, NUMBERS, TEXT, WHOLE, Spelling, Value

ROUNDS = 3
"""How often the cells of a spelling stand in its column."""


def _csv(folder: Path, cells: Sequence[str], separator: str = ",") -> Path:
    path = folder / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=separator).writerows([("x", "y"), *((cell, "b") for cell in cells)])
    return path


def _semicolons(folder: Path, cells: Sequence[str]) -> Path:
    return _csv(folder, cells, ";")


def _json_lines(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "table.jsonl"
    path.write_text("".join(json.dumps({"x": cell, "y": "b"}) + "\n" for cell in cells), encoding="utf-8")
    return path


def _sqlite(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "table.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("create table people (x text, y text)")
        database.executemany("insert into people values (?, 'b')", [(cell,) for cell in cells])
    database.close()
    return path


def _excel(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "table.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for row, pair in enumerate([("x", "y"), *((cell, "b") for cell in cells)]):
            for column, cell in enumerate(pair):
                sheet.write_string(row, column, cell)
    return path


def _parquet(folder: Path, cells: Sequence[str]) -> Path:
    path = folder / "table.parquet"
    pl.DataFrame({"x": list(cells), "y": "b"}).write_parquet(path)
    return path


FILES: dict[str, Callable[[Path, Sequence[str]], Path]] = {
    "csv": _csv, "semicolons": _semicolons, "json lines": _json_lines, "sqlite": _sqlite, "excel": _excel,
    "parquet": _parquet,
}  # fmt: skip
FRAMES: dict[str, Callable[[Sequence[str]], Any]] = {
    "polars": lambda cells: pl.DataFrame({"x": list(cells), "y": "b"}),
    "pandas": lambda cells: pd.DataFrame({"x": list(cells), "y": "b"}),
    "pandas categories": lambda cells: pd.DataFrame({"x": pd.Categorical(cells), "y": "b"}),
}


def taken_in(source: str, cells: Sequence[str], folder: Path) -> Table:
    """A column of cells as it comes out of a file or frame."""
    if source in FRAMES:
        return as_table(FRAMES[source](cells))
    return read_table(FILES[source](folder, cells)).table


def read(table: Table, **said: Any) -> list[Value]:
    """What the column is taken for; nothing if it stays text."""
    told, plan, _ = understood(table, Plan.of(2, quasi_identifiers=["x"], **said))
    kind = plan.columns["x"].kind or told.natural_kind("x")
    if kind == "categorical":
        return []
    numbers = told.numbers("x")
    assert (kind == "date") == (numbers.style in ("date", "datetime"))
    if kind == "numeric":
        return numbers.values.tolist()
    moments = numbers.values.astype(np.int64).astype(f"datetime64[{'D' if numbers.style == 'date' else 'us'}]")
    found: list[datetime] = moments.astype("datetime64[us]").tolist()
    return list(found)


def test_the_table_is_long_enough() -> None:
    """Sixty spellings or more, each of them once."""
    assert len(ALL) == len(NUMBERS) + len(DATES) + len(TEXT) >= 60


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", ALL)
def test_every_spelling_from_every_source(name: str, tmp_path: Path) -> None:
    """A column is read as it is meant, asked about until an answer is given, refused, or stays text; nothing else."""
    one = ALL[name]
    for source in (*FILES, *FRAMES):
        table = taken_in(source, list(one.cells) * ROUNDS, tmp_path)
        if one.asked or one.refused:
            with pytest.raises(ShoalError) as caught:
                read(table)
            assert one.asked in caught.value.todo, source
            assert one.refused in caught.value.received, source
            assert not any(cell in str(caught.value) for cell in one.cells), source
        if not one.refused:
            assert read(table, **one.answer) == list(one.means) * ROUNDS, source


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers(name: str, tmp_path: Path) -> None:
    """Text of whole numbers is numbers where a file knows no types; else it is names, which is said, unless told."""
    one = WHOLE[name]
    for source in (*FILES, *FRAMES):
        table = taken_in(source, list(one.cells) * ROUNDS, tmp_path)
        untyped = source in ("csv", "semicolons")
        _, _, notes = understood(table, Plan.of(2, quasi_identifiers=["x"]))
        assert bool(notes) != untyped, source
        assert read(table) == (list(one.means) * ROUNDS if untyped else []), source
        assert read(table, kinds={"x": "numeric"}) == list(one.means) * ROUNDS, source


# -- the whole way -------------------------------------------------------------------------------------------

RESPELLED = {
    "no zero before the point", "nothing behind the point", "exponents", "commas, signed", "a true minus",
    "blanks around", "points between thousands, commas", "commas between thousands, points",
    "blanks between thousands, commas",
}  # fmt: skip
"""Columns whose own cells are not all written in one way; their labels are written in the plainest of these."""


@pytest.mark.thin(3)
@pytest.mark.parametrize("name", [name for name, one in ALL.items() if one.means])
def test_released_as_they_came(name: str) -> None:
    """The ends of a released range are written as cells of the column are, and the judge reads them in that way."""
    one = ALL[name]
    frame = FRAMES["polars"](list(one.cells) * ROUNDS)
    release = shoal.anonymize(
        frame, k=len(frame), quasi_identifiers=["x"], insensitive=["y"], method="mondrian", **one.answer
    )
    (label,) = release.table["x"].unique()
    assert shoal.check(release.table, plan=release.plan).holds
    low, high = min(zip(one.means, one.cells)), max(zip(one.means, one.cells))
    if name not in RESPELLED:
        assert label in (f"[{low[1]}, {high[1]}]", f"[{low[1]}; {high[1]}]")


@pytest.mark.parametrize("source", FILES)
def test_from_the_command_line(source: str, tmp_path: Path) -> None:
    """The command line asks, takes the answer by a flag, and releases labels that it then finds to hold."""

    def run(one: Spelling, *flags: str) -> tuple[int, str]:
        path = FILES[source](tmp_path, list(one.cells) * ROUNDS)
        size = str(len(one.cells) * ROUNDS)
        line = ["anonymize", str(path), "-o", str(tmp_path / "out"), "-k", size, "--qi", "x", "--insensitive", "y"]
        done = CliRunner().invoke(command, [*line, "--method", "mondrian", "--quiet", *flags])
        path.unlink()
        return done.exit_code, done.output

    assert run(DATES["two orders"])[0] == 2
    code, said = run(DATES["slashes, both fit, day first"])
    assert code == 2
    assert "--date-format x=dd/mm/yyyy or --date-format x=mm/dd/yyyy" in said
    assert run(DATES["slashes, both fit, day first"], "--date-format", "x=dd/mm/yyyy")[0] == 0
    (path,) = (tmp_path / "out").glob("table.*")
    assert set(read_table(path).table.texts("x")) == {"[03/04/1999, 01/02/2024]"}
    assert CliRunner().invoke(command, ["check", str(tmp_path / "out")]).exit_code == 0
