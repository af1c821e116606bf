# SPDX-License-Identifier: Apache-2.0
"""What SPSS and Stata files hold besides their cells is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.tables.formats import spss, stata
from tests.judging.containers.planting import CELLS, SECRET, Plant, around


def labelled(writer: str, **options: Any) -> Plant:
    """A file of SPSS or Stata with labels or notes."""

    def made(path: Path) -> None:
        import pyreadstat

        getattr(pyreadstat, writer)(CELLS, str(path), **options)

    return made


LABELLED: dict[str, tuple[str, Plant]] = {
    "labels of codes": ("t.sav", labelled("write_sav", variable_value_labels={"money": {1: "one", 978320: "Anna"}})),
    "missing codes": ("t.sav", labelled("write_sav", missing_ranges={"money": [978320]})),
    "a range of missing codes": ("t.sav", labelled("write_sav", missing_ranges={"money": [{"lo": 6, "hi": 978320}]})),
    "a note": ("t.sav", labelled("write_sav", note=SECRET)),
    "a label of the file": ("t.sav", labelled("write_sav", file_label=SECRET)),
    "labels of codes in Stata": (
        "t.dta",
        labelled("write_dta", variable_value_labels={"money": {1: "one", 978320: "Anna"}}),
    ),
    "a label that holds an address": ("t.sav", labelled("write_sav", column_labels={"ill": "ask anna@example.com"})),
    "bytes behind the cells": (
        "t.sav",
        lambda path: (labelled("write_sav")(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "a text for the program": (
        "t.sav",
        lambda path: (
            labelled("write_sav")(path),
            path.write_bytes(b"$FL2" + b"Anna".ljust(60) + path.read_bytes()[64:]),
        ),
    ),
    "bytes behind Stata's end": (
        "t.dta",
        lambda path: (labelled("write_dta")(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "a label of the file in Stata": ("t.dta", labelled("write_dta", file_label=SECRET)),
}


@pytest.mark.parametrize(("name", "plant"), LABELLED.values(), ids=LABELLED)
def test_codebooks_that_tell_more_than_cells_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """Labels of codes that no row has, declarations and notes are read."""
    plant(tmp_path / name)
    assert around(tmp_path / name)


def test_the_codebook_of_a_release_is_as_small_as_its_cells(tmp_path: Path) -> None:
    """Labels and missing codes of rows that were left out do not reach the file."""
    import pyreadstat

    people = pl.DataFrame(
        {"age": [20.0, 21, 22, 23, 24, 25, 978320], "sex": ["m"] * 7, "job": [1.0, 2, 1, 2, 1, 2, 99]}
    )
    words = {"job": {1: "nurse", 2: "clerk", 99: "spy of Anna"}}
    ranges = {"job": [{"lo": 90, "hi": 99}]}
    pyreadstat.write_sav(people, str(tmp_path / "in.sav"), variable_value_labels=words, missing_ranges=ranges)
    release = shoal.anonymize(
        tmp_path / "in.sav",
        k=2,
        quasi_identifiers=["age", "sex"],
        sensitive=["job"],
        suppression=0.2,
        method="mondrian",
    )
    assert release.facts["suppressed"] == 1
    folder = release.save(tmp_path / "out")
    for format in (spss, stata):
        path = folder / "table.sav" if format is spss else release.save(tmp_path / "two", format="stata") / "table.dta"
        assert b"spy" not in path.read_bytes()
        assert around(path) == []
