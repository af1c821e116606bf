# SPDX-License-Identifier: Apache-2.0
"""The first page of the report from flags and plan: who, what, why, when, and the fingerprints of the files."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

import pytest

import shoal

TOLD = {
    "title": "Patients <of> 2024",
    "purpose": "Teaching & research",
    "responsible": "Office for Statistics",
    "contact": "data@office.example",
    "date": "2026-05-01",
}


@pytest.fixture
def asked(table: Path) -> tuple[object, ...]:
    """A quick run of a small table."""
    roles = ("--qi", "age,sex,zip,work", "--sensitive", "disease", "--identifier", "name", "--rest", "drop")
    return ("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--method", "hilbert", "--quiet")


def provenance(folder: Path) -> dict:
    """What the report tells programs about where it came from."""
    return json.loads((folder / "report.json").read_text())["provenance"]


def test_flags_reach_page_plan_and_json(table: Path, run, asked) -> None:
    """Each is said once, and stands on the page, in the plan that replays the run, and in the JSON."""
    flags = [part for name, value in TOLD.items() for part in (f"--{name}", value)]
    done = run(*asked, *flags)
    assert done.exit_code == 0, done.output
    out = table.parent / "out"
    release = tomllib.loads((out / "plan.toml").read_text())["release"]
    assert {name: release[name] for name in TOLD} == TOLD
    assert {name: provenance(out)[name] for name in TOLD} == TOLD
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Patients &lt;of&gt; 2024" in page
    assert "Teaching &amp; research" in page
    assert page.partition('class="sheet"')[2].partition("</dl>")[0].count('class="blank"') == 0


def test_what_is_not_said_is_a_line_to_fill_in(table: Path, run, asked) -> None:
    """Five blank lines, and no date that a clock made up: the same run gives the same page on any day."""
    run(*asked)
    page = (table.parent / "out" / "report.html").read_text(encoding="utf-8")
    assert page.partition('class="sheet"')[2].partition("</dl>")[0].count('class="blank"') == 5
    run(*asked[:3], table.parent / "again", *asked[4:])
    assert (table.parent / "again" / "report.html").read_text(encoding="utf-8") == page


def test_fingerprints_are_those_of_the_files(table: Path, run, asked) -> None:
    """Anybody can compare them with sha256sum."""
    run(*asked)
    out = table.parent / "out"
    told = provenance(out)
    read, written = (hashlib.sha256(path.read_bytes()).hexdigest() for path in (table, out / "table.csv"))
    assert [one["sha256"] for one in told["input"]] == [read]
    assert told["output"]["table.csv"]["sha256"] == written
    page = (out / "report.html").read_text(encoding="utf-8")
    assert read in page
    assert written in page


def test_another_fingerprint_in_the_report_is_found_out(table: Path, run, asked) -> None:
    """A report that tells of another table than the manifest does not pass."""
    run(*asked)
    out = table.parent / "out"
    text = (out / "report.json").read_text()
    bent = text.replace(provenance(out)["output"]["table.csv"]["sha256"], "0" * 64)
    (out / "report.json").write_text(bent)
    done = run("check", out)
    assert done.exit_code == 1
    assert "report.json tells another SHA-256 of the table" in done.stdout


@pytest.mark.parametrize("day", ["01.05.2026", "2026-5-1", "2026-02-30", "tomorrow", "20260501"])
def test_a_day_that_is_none_is_refused(table: Path, run, asked, day: str) -> None:
    """Before anything is read, with how to write it."""
    done = run(*asked, "--date", day)
    assert done.exit_code == 2
    assert "2026-05-01" in done.stderr
    assert not (table.parent / "out").exists()


def test_what_would_not_fit_on_the_page_is_refused(table: Path, run, asked) -> None:
    """A title of a thousand letters is no title."""
    done = run(*asked, "--title", "x" * 1000)
    assert done.exit_code == 2
    assert "1 to 120 letters" in done.stderr


def test_plans_and_python_take_days_as_they_have_them(tmp_path: Path) -> None:
    """TOML and Python both have a type for days."""
    from datetime import date

    plan = shoal.Plan.of(2, quasi_identifiers=["a"], date=date(2026, 5, 1), title="T")
    assert plan.date == "2026-05-01"
    (tmp_path / "plan.toml").write_text(
        '[privacy]\nk = 2\n[release]\ndate = 2026-05-01\n[columns.a]\nrole = "sensitive"\n'
    )
    assert shoal.Plan.read(tmp_path / "plan.toml").date == "2026-05-01"


def test_a_table_from_memory_says_that_it_has_no_file() -> None:
    """No fingerprint is invented for a frame."""
    frame = shoal.synthetic_patients(60).select("age", "sex", "diagnosis")
    release = shoal.anonymize(frame, k=3, quasi_identifiers=["age", "sex"], sensitive=["diagnosis"], method="hilbert")
    page = release.report()
    assert "no file: the table came from memory or from a database" in page
    assert "not written to a file yet" in page
