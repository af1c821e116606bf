# SPDX-License-Identifier: Apache-2.0
"""Attacks by spelling: what one program takes for the same, another tells apart."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.ground.errors import TableError


def test_a_class_with_two_spellings_of_one_number(tmp_path: Path) -> None:
    """Bob's class of four shows 5 and 5.0: whoever finds his class knows his value, and l is 1."""
    path = tmp_path / "people.csv"
    path.write_text("age,score\n" + "".join(f"{30 + n},{'5' if n % 2 else '5.0'}\n{60 + n},{n}\n" for n in range(4)))
    release = shoal.anonymize(
        path, k=3, quasi_identifiers=["age"], sensitive=["score"], models={"l_diversity": {"l": 2}}
    )
    for _, rows in release.table.group_by("age"):
        assert len({float(cell) for cell in rows["score"]}) >= 2
    honest = pl.DataFrame({"age": ["[30, 33]"] * 4, "score": ["5", "5.0", "5e0", "05"]})
    assert len({float(cell) for cell in honest["score"]}) == 1
    claim = {"quasi_identifiers": ["age"], "sensitive": ["score"], "models": {"l_diversity": {"l": 2}}}
    assert not shoal.check(honest, k=4, **claim).holds


def test_a_blank_that_names_bob(tmp_path: Path) -> None:
    """Five rows look alike in a spreadsheet; Python's csv module sees which of them has a blank."""
    path = tmp_path / "table.csv"
    path.write_text("age,disease\n" + "[30 - 39],flu\n" * 4 + "[30 - 39] ,hiv\n")
    with path.open(newline="") as file:
        ages = [row["age"] for row in csv.DictReader(file)]
    assert [ages.count(age) for age in ages] == [4, 4, 4, 4, 1]
    assert not shoal.check(path, quasi_identifiers=["age"], sensitive=["disease"], k=5).holds


def test_a_key_that_is_there_twice(tmp_path: Path) -> None:
    """One reader takes the first age of every object, the range; another the last, which is the true one."""
    path = tmp_path / "table.jsonl"
    path.write_text("".join(f'{{"age":"[30, 39]","disease":"flu","age":"{age}"}}\n' for age in range(30, 35)))
    last = [json.loads(line)["age"] for line in path.read_text().splitlines()]
    assert len(set(last)) == 5
    with pytest.raises(TableError, match="repeats"):
        shoal.check(path, quasi_identifiers=["age"], k=5)


def test_bits_that_no_program_shows(tmp_path: Path) -> None:
    """-0.0 and 0.0 are equal to every comparison, and 64 different bits in the file."""
    path = tmp_path / "table.parquet"
    pl.DataFrame({"dose": [0.0, 0.0, 0.0, -0.0], "disease": ["a", "b", "c", "d"]}).write_parquet(path)
    signs = pl.read_parquet(path).filter(pl.col("dose").cast(pl.String).str.starts_with("-"))
    assert signs["disease"].to_list() == ["d"]
    assert not shoal.check(path, quasi_identifiers=["dose"], k=4).holds


def test_a_name_inside_a_structure(tmp_path: Path) -> None:
    """A column of structures holds a name for every row, and no detector looks inside; so nothing is judged."""
    path = tmp_path / "table.parquet"
    pl.DataFrame({"age": ["[30, 39]"] * 5, "more": [{"name": f"person {n}"} for n in range(5)]}).write_parquet(path)
    with pytest.raises(TableError, match="nested"):
        shoal.check(path, quasi_identifiers=["age"], k=5)
