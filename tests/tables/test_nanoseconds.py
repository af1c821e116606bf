# SPDX-License-Identifier: Apache-2.0
"""Moments that are told more exactly than in microseconds: cut with a word where they are ranges, else kept."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.releases.reports.text import summary
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

BEGIN = 1_700_000_000_000_000_000
EXACT = pl.Series("at", [BEGIN + 137 * number for number in range(12)]).cast(pl.Datetime("ns"))
WHOLE = EXACT.dt.cast_time_unit("us").dt.cast_time_unit("ns")
TEXT = EXACT.dt.to_string("%Y-%m-%dT%H:%M:%S%.9f")
SAID = "column 'at' is told to parts of microseconds, which are left out"


def released(at: pl.Series, **asked: object) -> shoal.Release:
    """A release of moments and ages."""
    table = pl.DataFrame({"at": at, "age": [1, 2, 3, 4] * 3})
    return shoal.anonymize(table, k=3, **{"quasi_identifiers": ["at", "age"], "method": "mondrian", **asked})


@pytest.mark.parametrize("at", [EXACT, EXACT.dt.replace_time_zone("UTC"), TEXT], ids=["typed", "zoned", "text"])
def test_what_is_left_out_is_told(at: pl.Series) -> None:
    """In the notes, and so on the console and in both reports; replaying the plan says the same."""
    release = released(at)
    again = shoal.anonymize(pl.DataFrame({"at": at, "age": [1, 2, 3, 4] * 3}), release.plan)
    for one in (release, again):
        assert sum(SAID in note for note in one.notes) == 1
        assert SAID in summary(one)
        assert SAID.partition("'at'")[2] in one.report()


@pytest.mark.parametrize(
    ("at", "asked"),
    [
        (WHOLE, {}),
        (WHOLE.dt.to_string("%Y-%m-%dT%H:%M:%S%.9f"), {}),
        (EXACT.dt.date(), {}),
        (EXACT, {"kinds": {"at": "categorical"}}),
        (EXACT, {"quasi_identifiers": ["age"], "sensitive": ["at"]}),
    ],
    ids=["whole", "text", "days", "names", "private"],
)
def test_where_nothing_is_left_out_nothing_is_said(at: pl.Series, asked: dict[str, object]) -> None:
    """Whole microseconds, days, names, and columns that are published as they are."""
    release = released(at, **asked)
    assert not any("microseconds" in note for note in release.notes)
    if "sensitive" in asked:
        assert set(release.table["at"]) == set(EXACT)


@pytest.mark.parametrize("format", ["json_lines", "sqlite", "delimited", "parquet", "arrow_ipc", "duckdb"])
@pytest.mark.parametrize("at", [EXACT, WHOLE], ids=["exact", "whole"])
def test_files_keep_them(tmp_path: Path, format: str, at: pl.Series) -> None:
    """As moments, or as text where the format knows no finer ones; no two become one."""
    path = tmp_path / f"table.{format}"
    write_table(Table.of(pl.DataFrame({"at": at})), path, format)
    back = read_table(path, Reading(), format=format).table.frame["at"]
    if back.dtype == pl.String:
        back = back.str.replace(" ", "T").str.strptime(pl.Datetime("ns"), "%Y-%m-%dT%H:%M:%S%.f")
    assert back.cast(pl.Datetime("ns")).to_physical().to_list() == at.to_physical().to_list()
