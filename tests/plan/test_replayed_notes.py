# SPDX-License-Identifier: Apache-2.0
"""What a run finds out and notes, the run that replays its plan notes again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal

ROWS = 24
TITLE = "People of the town, as of 2024\n\n"
CELLS: dict[str, list[str]] = {
    "born": [f"{row % 28 + 1:02d}.{row % 12 + 1:02d}.{1950 + row}" for row in range(ROWS)],
    "moved": [f"{row % 28 + 1:02d}.03.{1990 + row}" for row in range(ROWS)],
    "income": [f"1.{row:03d},50" for row in range(ROWS)],
    "rooms": [*(str(row) for row in range(ROWS - 1)), "sold"],
    "illness": ["flu", "burn", "cold"] * (ROWS // 3),
}
QUICK: dict[str, Any] = {"k": 3, "method": "mondrian", "sensitive": ["illness"]}

pytestmark = pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")


def noted_twice(data: object, tmp_path: Path, **asked: Any) -> list[str]:
    """The notes of a run; those of its replay are the same, and so are all bytes of both released tables."""
    release = shoal.anonymize(data, **QUICK, **asked)
    first = release.save(tmp_path / "first")
    again = shoal.anonymize(data, plan=shoal.Plan.read(first / "plan.toml"))
    second = again.save(tmp_path / "second")
    assert again.notes == release.notes
    tables = [sorted(folder.glob("table.*")) for folder in (first, second)]
    assert [one.read_bytes() for one in tables[0]] == [one.read_bytes() for one in tables[1]]
    return list(release.notes)


def test_how_a_file_was_read(tmp_path: Path) -> None:
    """Its title, dates of the same form in one note, marks of numbers, and text that keeps a column from being one."""
    path = tmp_path / "people.csv"
    rows = [";".join(CELLS), *(";".join(row) for row in zip(*CELLS.values(), strict=True))]
    path.write_text(TITLE + "\n".join(rows) + "\n")
    said = noted_twice(path, tmp_path, quasi_identifiers=["born", "moved", "income", "rooms"])
    assert said[:3] == [
        "columns 'born' and 'moved' are read as dates dd.mm.yyyy",
        "column 'income' is read as numbers, decimal mark ',', thousands mark '.'",
        "column 'rooms' is taken for names: all values look like numbers or dates but 1; if these mean missing, name "
        "them with --na",
    ]
    assert any("taken for a title" in note for note in said)
    assert "sold" not in "".join(said)


def test_text_of_whole_numbers(tmp_path: Path) -> None:
    """Where a file knows types it is names; two such columns are one note, with the flag for each."""
    frame = pl.DataFrame({"a": [str(row % 5) for row in range(ROWS)], "b": [str(row % 7) for row in range(ROWS)]})
    (said,) = noted_twice(
        frame.with_columns(illness=pl.Series(CELLS["illness"])), tmp_path, quasi_identifiers=["a", "b"]
    )
    assert said == (
        "columns 'a' and 'b' are taken for names, though text of whole numbers; "
        "--kind a=numeric --kind b=numeric if not"
    )


@pytest.mark.parametrize("kind", ["text-prefix", "categorical"])
def test_kinds_that_were_said(kind: str, tmp_path: Path) -> None:
    """Dates that somebody wants as names or codes are no guess, and nothing is said of them."""
    frame = pl.DataFrame({"born": CELLS["born"], "illness": CELLS["illness"]})
    assert noted_twice(frame, tmp_path, quasi_identifiers=["born"], kinds={"born": kind}) == []


def test_private_columns(tmp_path: Path) -> None:
    """Those that are read as numbers are noted, too."""
    frame = pl.DataFrame({"age": list(range(ROWS)), "illness": CELLS["illness"], "income": CELLS["income"]})
    asked: dict[str, Any] = {**QUICK, "sensitive": ["illness", "income"], "quasi_identifiers": ["age"]}
    release = shoal.anonymize(frame, **asked)
    assert any("'income' is read as numbers" in note for note in release.notes)
    assert shoal.anonymize(frame, plan=release.plan).notes == release.notes
