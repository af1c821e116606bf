# SPDX-License-Identifier: Apache-2.0
"""Columns that somebody forgot, on the command line: refused with a way on, never published by oversight."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import shoal

Run = Callable[..., Result]
GIVEN = ("-k", 5, "--qi", "age,sex", "--sensitive", "diagnosis", "--method", "mondrian")
NAMED = ("--identifier", "name,email,phone,birth_date,note")
PARTS = ("where", "allowed", "received", "next")


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Invented patients with names, addresses, birth dates and remarks."""
    path = tmp_path_factory.mktemp("patients") / "patients.csv"
    shoal.synthetic_patients(200, seed=2).drop("cost", "insurance", "admission_date", "nationality").write_csv(path)
    return path


def test_a_forgotten_column_stops_the_run(patients: Path, run: Run, tmp_path: Path) -> None:
    """With names, e-mails and a birth date forgotten: exit 2, each told with a reason, no cell, and nothing written."""
    done = run("anonymize", patients, "-o", tmp_path / "out", *GIVEN)
    assert done.exit_code == 2
    assert all(f"\n  {part} " in done.stderr for part in PARTS)
    for name in ("name", "email", "phone", "birth_date", "note"):
        assert f"\n            {name:<14}  identifier: " in done.stderr
    assert "--rest drop" in done.stderr
    assert "--rest insensitive" in done.stderr
    cells = shoal.synthetic_patients(200, seed=2)
    assert not [cell for name in ("name", "email", "phone") for cell in cells[name].drop_nulls() if cell in done.stderr]
    assert not (tmp_path / "out").exists()


def test_with_only_the_birth_date_forgotten(patients: Path, run: Run, tmp_path: Path) -> None:
    """One forgotten column is enough."""
    rest = ("--identifier", "name,email,phone,note", "--drop", "postcode,marital_status")
    done = run("anonymize", patients, "-o", tmp_path / "out", *GIVEN, *rest)
    assert done.exit_code == 2
    assert "Error: A column has no role" in done.stderr
    assert "birth_date  identifier: its name speaks of a birth date" in done.stderr


def test_the_flags_that_the_message_proposes_are_taken(patients: Path, run: Run, tmp_path: Path) -> None:
    """What stands behind "if that is what they are" can be typed as it is."""
    refused = run("anonymize", patients, "-o", tmp_path / "out", *GIVEN)
    proposed = next(line for line in refused.stderr.splitlines() if "that is what they are" in line)
    flags = proposed.partition("are: ")[2].replace("--qi ", "--qi age,sex,").split()
    again = [one for one in GIVEN if one not in ("--qi", "age,sex")]
    done = run("anonymize", patients, "-o", tmp_path / "out", *again, *flags)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("way", ["flags", "plan"])
def test_columns_that_are_not_needed_are_dropped(patients: Path, run: Run, tmp_path: Path, way: str) -> None:
    """--drop, or role = "drop": gone, checked to be gone, and told apart from identifiers."""
    out, given = tmp_path / "out", [*GIVEN, *NAMED]
    if way == "plan":
        text = "\n".join(f'[columns.{name}]\nrole = "drop"' for name in ("postcode", "marital_status"))
        (tmp_path / "plan.toml").write_text(f"[privacy]\nk = 5\n{text}\n")
        given += ["--plan", tmp_path / "plan.toml"]
    else:
        given += ["--drop", "postcode,marital_status"]
    done = run("anonymize", patients, "-o", out, *given)
    assert done.exit_code == 0, done.output
    assert "HOLDS         dropped: none of the 2 columns to be left out is in the table" in done.stdout
    assert (out / "table.csv").read_text().splitlines()[0] == "age,sex,diagnosis"
    plan = tomllib.loads((out / "plan.toml").read_text())["columns"]
    assert [name for name, column in plan.items() if column["role"] == "drop"] == ["postcode", "marital_status"]
    assert run("check", out).exit_code == 0


@pytest.mark.parametrize(
    ("rest", "header"), [("drop", "age,sex,diagnosis"), ("insensitive", "age,sex,postcode,marital_status,diagnosis")]
)
def test_the_rest_is_settled(patients: Path, run: Run, tmp_path: Path, rest: str, header: str) -> None:
    """--rest, and the plan that is written names every column, so that it replays."""
    out = tmp_path / "out"
    done = run("anonymize", patients, "-o", out, *GIVEN, *NAMED, "--rest", rest)
    assert done.exit_code == 0, done.output
    assert (out / "table.csv").read_text().splitlines()[0] == header
    assert tomllib.loads((out / "plan.toml").read_text())["columns"]["postcode"]["role"] == rest
    assert run("anonymize", patients, "-o", tmp_path / "again", "--plan", out / "plan.toml").exit_code == 0
    assert (tmp_path / "again" / "table.csv").read_bytes() == (out / "table.csv").read_bytes()


def test_the_rest_does_not_publish_identifiers(patients: Path, run: Run, tmp_path: Path) -> None:
    """--rest insensitive on a table with names: exit 2, with those columns and no others."""
    done = run("anonymize", patients, "-o", tmp_path / "out", *GIVEN, "--rest", "insensitive", "--json")
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    told = [line.split()[0] for line in error["received"].splitlines()]
    assert told == ["name", "email", "phone", "birth_date", "note"]
    assert "--accept name,email,phone,birth_date,note" in error["next"]


@pytest.mark.parametrize("role", ["--insensitive", "--sensitive"])
def test_an_identifier_is_published_only_if_it_is_accepted(patients: Path, run: Run, tmp_path: Path, role: str) -> None:
    """The wrong role is refused; --accept NAME lets it through, and plan and report say so."""
    out = tmp_path / "out"
    given = (*GIVEN, role, "birth_date", "--rest", "drop")
    assert run("anonymize", patients, "-o", out, *given).exit_code == 2
    done = run("anonymize", patients, "-o", out, *given, "--accept", "birth_date")
    assert done.exit_code == 0, done.output
    assert tomllib.loads((out / "plan.toml").read_text())["privacy"]["accept"] == ["birth_date"]
    assert json.loads((out / "report.json").read_text())["accepted"] == ["birth_date"]
    assert "Accepted although they may point to persons" in (out / "report.html").read_text()


def test_a_doubt_is_a_warning_and_no_refusal(table: Path, run: Run, roles, tmp_path: Path) -> None:
    """What only may point to persons is warned about in the summary, quiet or not."""
    lines = table.read_text().splitlines()
    more = [f"{lines[0]},ship_id", *(f"{line},{100 + row % 53}" for row, line in enumerate(lines[1:]))]
    table.write_text("\n".join(more) + "\n")
    flags = ("-k", 5, *roles, "--sensitive", "ship_id", "--method", "mondrian", "--quiet")
    done = run("anonymize", table, "-o", tmp_path / "out", *flags)
    assert done.exit_code == 0, done.output
    assert "WARNING       column 'ship_id' may point to persons" in done.stdout


def test_a_quasi_identifier_that_never_repeats_is_told(table: Path, run: Run, tmp_path: Path) -> None:
    """A name among the quasi-identifiers is hidden well, and costs a lot: the summary says so."""
    flags = ("-k", 5, "--qi", "name,age,sex", "--rest", "drop", "--method", "mondrian")
    done = run("anonymize", table, "-o", tmp_path / "out", *flags)
    assert done.exit_code == 0, done.output
    assert "WARNING       quasi-identifier 'name' is different in every row" in done.stdout


def test_suggested_plans_run(patients: Path, run: Run, tmp_path: Path) -> None:
    """A suggestion names every column, so it passes as it is."""
    assert run("suggest", patients, "-o", tmp_path / "plan.toml", "-k", 5).exit_code == 0
    done = run("anonymize", patients, "--plan", tmp_path / "plan.toml", "--method", "mondrian", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output


def test_judging_a_foreign_table_needs_no_more_roles(patients: Path, run: Run) -> None:
    """check, measure, attack and compare take what is named; of the rest, check warns."""
    checked = run("check", patients, "--qi", "sex", "-k", 1)
    assert checked.exit_code == 0, checked.output
    assert "WARNING       column 'email' holds e-mail addresses" in checked.stdout
    assert run("measure", patients, patients, "--qi", "age,sex").exit_code == 0
    assert run("attack", patients, "--original", patients, "--qi", "age,sex", "-k", 1).exit_code in (0, 1)
    compared = run("compare", patients, "-k", 5, "--methods", "mondrian", "--qi", "age,sex", "--quiet")
    assert compared.exit_code == 0, compared.output


def test_a_dropped_column_that_is_there_is_found(patients: Path, run: Run) -> None:
    """--drop of check: the column must not be in the table."""
    done = run("check", patients, "--qi", "sex", "-k", 2, "--drop", "postcode")
    assert done.exit_code == 1
    assert "DOES NOT HOLD dropped: left in although it is to be left out: 'postcode'" in done.stdout


def test_words_among_amounts_are_told(run: Run, tmp_path: Path) -> None:
    """A private amount with a word for missing is said to be taken for names; where it is to be numeric, refused."""
    rows = [f"{20 + row % 30};{'k.A.' if row % 40 == 3 else 1000 + row}" for row in range(200)]
    (tmp_path / "pay.csv").write_text("\n".join(["age;pay", *rows]) + "\n")
    given = ("anonymize", tmp_path / "pay.csv", "-k", 5, "--qi", "age", "--sensitive", "pay", "--method", "mondrian")
    told = run(*given, "-o", tmp_path / "out")
    assert told.exit_code == 0
    assert "taken for names: all values look like numbers or dates but 1; if these mean missing: --na k.A." in (
        " ".join(told.stdout.split())
    )
    refused = run(*given, "--kind", "pay=numeric", "-o", tmp_path / "other")
    assert refused.exit_code == 2
    assert "1 different text among them" in refused.stderr
    assert "--na k.A." in refused.stderr
    assert run(*given, "--kind", "pay=numeric", "--na", "k.A.", "-o", tmp_path / "mended").exit_code == 0


def test_every_misspelt_name_is_answered(patients: Path, run: Run, tmp_path: Path) -> None:
    """Not only the first."""
    refused = run(
        "anonymize", patients, "-k", 5, "--qi", "agee,sex", "--sensitive", "diagnosys", "-o", tmp_path / "out"
    )
    assert "did you mean 'age'? did you mean 'diagnosis'?" in refused.stderr
