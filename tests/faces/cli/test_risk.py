# SPDX-License-Identifier: Apache-2.0
"""``shoal risk``: what it says, in words and as JSON, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Run = Callable[..., Result]


def test_words_and_json_say_the_same(table: Path, run: Run) -> None:
    """Columns by flag, exit code 0, nothing written."""
    done = run("risk", table, "--qi", "age,zip")
    assert done.exit_code == 0, done.output
    facts = json.loads(run("risk", table, "--qi", "age,zip", "--json").stdout)
    assert f"{facts['alone']:,} of {facts['rows']:,} rows" in done.stdout
    assert sorted(facts["columns"]) == ["age", "zip"]
    assert [path.name for path in table.parent.iterdir()] == ["table.csv"]


def test_the_page_is_written_and_said(table: Path, run: Run) -> None:
    """With -o; a second time only with --overwrite."""
    out = table.parent / "risk"
    done = run("risk", table, "--qi", "age,zip", "--largest", 1, "--population", 9_000, "-o", out)
    assert done.exit_code == 0, done.output
    assert "report.html" in done.stderr
    assert json.loads((out / "risk.json").read_text())["largest"] == 1
    assert run("risk", table, "--qi", "age", "-o", out).exit_code == 2
    assert run("risk", table, "--qi", "age", "-o", out, "--overwrite").exit_code == 0


def test_a_plan_names_the_columns(table: Path, run: Run) -> None:
    """Its quasi-identifiers, unless flags name others."""
    plan = table.parent / "plan.toml"
    plan.write_text('[privacy]\nk = 3\n[columns.age]\nrole = "quasi-identifier"\n')
    assert list(json.loads(run("risk", table, "--plan", plan, "--json").stdout)["columns"]) == ["age"]
    both = json.loads(run("risk", table, "--plan", plan, "--qi", "zip", "--json").stdout)
    assert list(both["columns"]) == ["zip"]


def test_households_and_weights_by_flags(table: Path, run: Run) -> None:
    """Columns of the table; one that is not there is refused."""
    flags = ("--qi", "sex", "--sample-weight", "age", "--household", "zip", "--json")
    done = run("risk", table, *flags)
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["households"]["households"] > 1
    assert "survey weights" in facts["note"]
    assert run("risk", table, "--qi", "sex", "--household", "castle").exit_code == 2


def test_a_population_that_is_neither_number_nor_file_is_refused(table: Path, run: Run) -> None:
    """Whether or not anything would have read it."""
    for flags in (("risk",), ("check", "-k", 1)):
        done = run(flags[0], table, "--qi", "age", *flags[1:], "--population", "80 million")
        assert done.exit_code == 2, done.output
        assert "neither a number nor a file" in done.output
