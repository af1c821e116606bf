# SPDX-License-Identifier: Apache-2.0
"""Whole numbers from 2^53 on are kept with all their digits or refused; no label ever shows a rounded one."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.ground.errors import TableError
from shoal.tables.side_doors import table_of
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

FIRST = 2**53
KEYS = [FIRST + place for place in range(6)]
COLUMNS: dict[str, Any] = {
    "whole": pl.Series(KEYS),
    "without sign": pl.Series([2**63 + key for key in KEYS], dtype=pl.UInt64),
    "of 128 bits": pl.Series([2**70 + key for key in KEYS], dtype=pl.Int128),
    "decimals": pl.Series([Decimal(key) for key in KEYS]),
    "decimals with places": pl.Series([Decimal(f"{key}.01") for key in KEYS]),
    "reals": pl.Series([float(key) for key in KEYS]),
    "negative": pl.Series([-key for key in KEYS]),
}
TEXTS = {
    "text": [str(key) for key in KEYS],
    "long text": [f"1234567890{key}" for key in KEYS],
    "text with a point": [f"{key}.0" for key in KEYS],
    "beside fractions": ["1.5", *map(str, KEYS[1:])],
    "with a sign": [f"+{key}" for key in KEYS],
}


@pytest.mark.parametrize("what", COLUMNS)
def test_typed_columns_are_refused_as_quantities(what: str) -> None:
    """As a range such numbers would be rounded, so they are refused, with what to do."""
    with pytest.raises(TableError, match="too large") as caught:
        shoal.anonymize(pl.DataFrame({"a": COLUMNS[what]}), k=2, quasi_identifiers=["a"])
    assert "categorical" in str(caught.value)


@pytest.mark.parametrize("what", TEXTS)
def test_text_columns_are_refused_as_quantities(what: str, tmp_path: Path) -> None:
    """The same for a file without types."""
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a,b", *(f"{cell},1" for cell in TEXTS[what])]))
    with pytest.raises(TableError, match="too large"):
        shoal.anonymize(path, k=2, quasi_identifiers=["a"], insensitive=["b"])


@pytest.mark.parametrize("what", ["whole", "without sign", "of 128 bits", "decimals"])
def test_categories_keep_every_digit(what: str) -> None:
    """Declared categorical, or not generalised at all, they come out as they were."""
    column = COLUMNS[what]
    twice = pl.DataFrame({"a": pl.concat([column, column]), "b": [1, 2] * 6, "c": pl.concat([column, column])})
    roles = {"quasi_identifiers": ["a", "b"], "insensitive": ["c"], "kinds": {"a": "categorical"}}
    release = shoal.anonymize(twice, k=2, method="mondrian", **roles)
    shown = {cell for cell in release.released.texts("a").to_list() if cell.isdigit()}
    assert shown <= set(column.cast(pl.String))
    assert sorted(release.table["c"]) == sorted(twice["c"])


@pytest.mark.parametrize("cells", ["9007199254740993, 1.5", "1.5, 9007199254740993", "-9007199254740993, 0.5"])
def test_json_does_not_round(cells: str, tmp_path: Path) -> None:
    """Whole numbers beside fractions are read as reals, which would round them."""
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f'{{"a": {cell}}}\n' for cell in cells.split(", ")))
    with pytest.raises(TableError, match="too large"):
        read_table(path)
    path.write_text('{"a": 9007199254740993}\n{"a": 123456789012345678901234567890}\n{"a": 1}\n')
    assert read_table(path).table.texts("a").to_list() == ["9007199254740993", "123456789012345678901234567890", "1"]
    path.write_text('{"a": 1e300}\n{"a": 0.5}\n')
    assert read_table(path).table.texts("a").to_list() == ["1e+300", "0.5"]


@pytest.mark.parametrize("format", ["json_lines", "sqlite", "excel", "spss", "stata"])
def test_files_keep_decimals_with_many_digits(format: str, tmp_path: Path) -> None:
    """A decimal that no real number holds is written as text."""
    cells = [Decimal("12345678901234567.01"), Decimal("12345678901234567.02"), Decimal("1.10")]
    path = tmp_path / f"t.{ {'json_lines': 'jsonl', 'excel': 'xlsx', 'spss': 'sav', 'stata': 'dta'}.get(format, 'db') }"
    write_table(Table.of(pl.DataFrame({"a": cells})), path, format)
    assert read_table(path, format=format).table.texts("a").to_list() == [str(cell) for cell in cells]


def test_a_mark_for_missing_means_that_number_alone(tmp_path: Path) -> None:
    """--na 9007199254740993 does not take away its neighbour, which is the same real number."""
    pl.DataFrame({"a": [FIRST, FIRST + 1, FIRST + 2]}).write_parquet(tmp_path / "t.parquet")
    read = read_table(tmp_path / "t.parquet", shoal.tables.reading.Reading(na=(str(FIRST + 1),)))
    assert read.table.missing("a").tolist() == [False, True, False]


def test_arrays_and_frames_of_objects() -> None:
    """Python's own numbers have no limit; none is cut on the way in."""
    cells = np.array([[FIRST + 1], [FIRST], [1]], dtype=object)
    assert len(set(table_of(cells, ["a"]).texts("a"))) == 3
    frame = pd.DataFrame({"a": pd.Series([2**70, 2**70 + 1, 1.5], dtype=object), "b": [1, 1, 1]})
    release = shoal.anonymize(frame, k=3, quasi_identifiers=["b"], insensitive=["a"])
    assert sorted(map(str, release.table["a"])) == sorted(map(str, frame["a"]))
