# SPDX-License-Identifier: Apache-2.0
"""The same table gets the same suggestions, whatever file it comes in."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

PATIENTS = shoal.synthetic_patients(300, seed=5)
ENDINGS = {
    "delimited": ".csv",
    "json_lines": ".jsonl",
    "excel": ".xlsx",
    "sqlite": ".sqlite",
    "stata": ".dta",
    "spss": ".sav",
    "parquet": ".parquet",
    "arrow_ipc": ".arrow",
    "duckdb": ".duckdb",
}


@pytest.mark.thin(2)
@pytest.mark.parametrize("format", ENDINGS)
def test_the_same_suggestions_in_every_format(format: str, tmp_path: Path) -> None:
    """Role and kind of every column are those that the frame itself gets."""
    path = tmp_path / f"table{ENDINGS[format]}"
    write_table(Table.of(PATIENTS), path, format, Reading(separator=","))
    found, expected = shoal.suggest(read_table(path).table), shoal.suggest(PATIENTS)
    told = {name: (one.role, one.kind) for name, one in found.columns.items()}
    assert told == {name: (one.role, one.kind) for name, one in expected.columns.items()}
