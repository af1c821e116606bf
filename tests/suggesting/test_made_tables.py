# SPDX-License-Identifier: Apache-2.0
"""Tables made from written codebooks: what is suggested is what an expert would sign."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from shoal.suggesting.suggest import suggest
from shoal.suggesting.suggestion import Suggestion
from tests.suggesting.made_tables import FOLDER, codebooks, read_lines, table_of

SURVEY = FOLDER / "made_up_survey.txt"
LABELLED = [SURVEY, *codebooks("worked"), *codebooks("kept")]
MOST_SURE, MOST = 10, 15


@cache
def suggested(path: Path) -> Suggestion:
    """The suggestion for the labelled table of a codebook."""
    return suggest(table_of(read_lines(path)))


def agreement(paths: list[Path]) -> float:
    """Share of the columns whose suggested role is one that the codebook accepts."""
    pairs = [(line.roles, suggested(path).columns[line.name].role) for path in paths for line in read_lines(path)]
    return sum(role in roles for roles, role in pairs) / len(pairs)


def test_a_made_up_survey() -> None:
    """Of 200 labelled columns at least 85 % have a role that an expert would sign."""
    assert len(read_lines(SURVEY)) == 200
    assert agreement([SURVEY]) >= 0.85


@pytest.mark.parametrize("folder", ["worked", "kept"])
def test_labelled_tables(folder: str) -> None:
    """So it is with surveys, registers and files of many kinds, also with those that no word list was written for."""
    assert agreement(codebooks(folder)) >= 0.9


@pytest.mark.parametrize("path", LABELLED, ids=lambda path: path.stem)
def test_about_ten_quasi_identifiers(path: Path) -> None:
    """At most ten are sure, the plan has at most fifteen, and the next ones are left out of it."""
    columns = suggested(path).columns
    quasi = [one for one in columns.values() if one.planned == "quasi-identifier"]
    assert sum(one.sure for one in quasi) <= MOST_SURE
    assert 0 < len(quasi) <= MOST
    assert {suggested(path).plan.columns[name].role for name, one in columns.items() if one.next} <= {"drop"}
