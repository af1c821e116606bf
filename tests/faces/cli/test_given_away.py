# SPDX-License-Identifier: Apache-2.0
"""What k does not hide stands in the headline of a run, of a check, and of the report's first page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import shoal

GIVEN = "GIVEN AWAY    60 of 60 rows: 'disease' is the same for all look-alikes"


def asked(table: Path, *more: object) -> tuple[object, ...]:
    """A run whose classes are of one sex each, and so of one disease, for the two go together in that table."""
    fast = ("--method", "hilbert", "--weight", "sex=1000", "--quiet", "--rest", "drop")
    roles = ("--qi", "age,sex", "--sensitive", "disease", "--identifier", "name")
    return ("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, *fast, *more)


def test_the_headline_says_how_many_and_what_would_stop_it(table: Path, run) -> None:
    """Right below the verdict: rows, column, model, cost; and the report does not say a plain yes."""
    done = run(*asked(table))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    place = lines.index(GIVEN)
    assert all(line.startswith(("HOLDS", "WARNING")) for line in lines[:place])
    assert lines[place + 1].strip().startswith("-> --l-diversity 2 would stop")
    assert "; loss about " in lines[place + 1]
    page = (table.parent / "out" / "report.html").read_text(encoding="utf-8")
    assert "⚠ Holds, with a note" in page
    assert "<strong>✔ Holds</strong>" not in page
    assert "60 of 60 rows: &#39;disease&#39; is the same for all look-alikes" in page


def test_programs_are_told_too(table: Path, run) -> None:
    """The JSON of a run has the counts, the rule, the models and their cost."""
    told = json.loads(run(*asked(table, "--json")).stdout)["given_away"]
    assert told["columns"] == {"disease": {"certain": 60, "nearly": 0, "narrow": 0}}
    assert "90 %" in told["rule"]
    assert told["remedies"][0]["asked"] == "--l-diversity 2"
    assert 0 < told["remedies"][0]["extra"] < 1


def test_a_check_of_the_folder_says_it_again(table: Path, run) -> None:
    """And of a table that anybody made; it still holds what was promised."""
    run(*asked(table))
    done = run("check", table.parent / "out")
    assert done.exit_code == 0
    assert GIVEN in done.stdout
    other = run("check", table.parent / "out" / "table.csv", "--qi", "age,sex", "--sensitive", "disease")
    assert GIVEN in other.stdout


def test_python_is_told_too(table: Path) -> None:
    """As a warning, by printing the release, and on its card, which asks in Python's words."""
    roles = {"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"], "rest": "drop"}
    with pytest.warns(shoal.PrivacyWarning, match="given away: 60 of 60 rows: 'disease' is the same") as caught:
        release = shoal.anonymize(table, k=5, **roles, method="hilbert", weights={"sex": 1000.0})
    _, where, todo = str(caught[0].message).split("\n")
    assert where == "  where     column 'disease'"
    assert todo.startswith("  next      models={'l_diversity': {'l': 2}} would stop that all look-alikes share a value")
    assert GIVEN in str(release)
    card = release._repr_html_()
    assert "models={&#39;l_diversity&#39;: {&#39;l&#39;: 2}} would stop" in card
    assert "--l-diversity" not in card


def test_who_asks_for_the_model_is_not_warned(table: Path, run) -> None:
    """With l-diversity the line says that nobody's value is given away."""
    done = run(*asked(table, "--l-diversity", 2))
    assert done.exit_code == 0, done.output
    assert "GIVEN AWAY" not in done.stdout
    assert "Private       nobody's 'disease' is that of all look-alikes, or nearly" in done.stdout


def test_without_private_columns_nothing_is_said(table: Path, run) -> None:
    """Who names no private fact is told nothing about one."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, "--qi", "age,sex", "--identifier", "name",
               "--rest", "drop", "--method", "hilbert", "--quiet")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "GIVEN AWAY" not in done.stdout
    assert "Private " not in done.stdout
