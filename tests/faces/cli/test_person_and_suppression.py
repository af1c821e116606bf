# SPDX-License-Identifier: Apache-2.0
"""The flags --person and --suppression reach plan, report and manifest, and nonsense is refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

ROLES = ("--qi", "age,sex", "--sensitive", "illness")


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """Three visits of each of 33 people, and two rows that are far from all others."""
    random = np.random.default_rng(1)
    ages = [*np.repeat(random.integers(20, 60, 33), 3).tolist(), 400, 500]
    frame = pl.DataFrame(
        {
            "patient": [*np.repeat(np.arange(33), 3).tolist(), 90, 91],
            "age": ages,
            "sex": random.choice(["f", "m"], 101),
            "illness": random.choice(["flu", "cold"], 101),
        }
    )
    path = tmp_path / "visits.csv"
    frame.write_csv(path)
    return path


def test_rows_left_out_are_named_everywhere(visits: Path, run) -> None:
    """What was left out stands in the message, the folder's plan and its manifest; the folder is judged fine."""
    out = visits.parent / "out"
    done = run(
        "anonymize", visits, "-o", out, "-k", 5, *ROLES, "--identifier", "patient", "--suppression", "0.03"
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "2 left out" in done.output
    assert tomllib.loads((out / "plan.toml").read_text())["privacy"]["suppression"] == 0.03
    assert json.loads((out / "manifest.json").read_text())["rows"]["suppressed"] == 2
    assert "2 left out" in (out / "report.html").read_text()
    assert run("check", out).exit_code == 0


@pytest.mark.parametrize("given", ["1", "-0.1", "nan", "2"])
def test_a_share_that_makes_no_sense_is_refused(given: str, visits: Path, run) -> None:
    """Exit 2 with what is allowed; nothing is written."""
    out = visits.parent / "out"
    done = run("anonymize", visits, "-o", out, "-k", 3, "--qi", "age", "--suppression", given)
    assert done.exit_code == 2
    assert "share" in done.stderr
    assert not out.exists()


def test_persons_are_counted_and_their_column_is_gone(visits: Path, run) -> None:
    """The folder's report says that k persons share every class; a later check says what it cannot see."""
    out = visits.parent / "out"
    done = run("anonymize", visits, "-o", out, "-k", 4, *ROLES, "--person", "patient")
    assert done.exit_code == 0, done.output
    assert "patient" not in (out / "table.csv").read_text().splitlines()[0]
    findings = json.loads((out / "report.json").read_text())["verdict"]["findings"]
    assert next(one for one in findings if one["model"] == "person_k")["holds"]
    again = run("check", out, "--json")
    assert again.exit_code == 1, again.output  # what cannot be judged is no yes
    told = next(one for one in json.loads(again.stdout)["findings"] if one["model"] == "person_k")
    assert told["holds"] is None
    assert told["judged"] is False


def test_check_counts_the_persons_of_a_table_that_names_them(visits: Path, run) -> None:
    """Look-alike rows of one person are not k persons."""
    done = run("check", visits, "-k", 2, "--qi", "sex", "--person", "patient", "--json")
    found = {one["model"]: one["holds"] for one in json.loads(done.stdout)["findings"]}
    assert found["person_k"] is True
    alone = run("check", visits, "-k", 2, "--qi", "age", "--person", "patient", "--json")
    assert {one["model"]: one["holds"] for one in json.loads(alone.stdout)["findings"]}["person_k"] is False
