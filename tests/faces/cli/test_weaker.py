# SPDX-License-Identifier: Apache-2.0
"""Methods that publish less than one k-anonymous table, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

METHODS = ("equal_combination", "unequal_combination", "non_homogeneous")


@pytest.mark.parametrize("method", METHODS)
def test_refused_with_the_reason(method: str, table: Path, run, roles) -> None:
    """Without --accept-weaker: exit 1, what is not promised, what to do, and nothing written."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--method", method)
    assert done.exit_code == 1
    assert "does not publish" in done.stderr
    assert "--accept-weaker" in done.stderr
    assert done.stdout == ""
    assert not (table.parent / "out").exists()


@pytest.mark.parametrize("method", METHODS)
def test_said_on_stderr_and_done(method: str, table: Path, run, roles) -> None:
    """With --accept-weaker the note comes first on stderr, the summary names every file to publish."""
    out = table.parent / "out"
    done = run("anonymize", table, "-o", out, "-k", 5, *roles, "--method", method, "--accept-weaker")
    assert done.exit_code == 0
    assert done.stderr.startswith(f"Note: {method} does not publish")
    for path in out.glob("table*"):
        assert f"Publish       {path}" in done.stdout
    checked = run("check", out)
    assert checked.exit_code == int("NOT JUDGED" in checked.stdout) == int(method == "non_homogeneous")
    assert "k_anonymity" not in checked.stdout
    measured = json.loads(run("measure", table, out, "--json").stdout)
    values = {one["metric"]: one["value"] for one in measured}
    assert values["ncp"] > 0
    assert values["discernibility"] is None


def test_quiet_says_nothing(table: Path, run, roles) -> None:
    """--quiet also silences the note; the verdict still says it."""
    out = table.parent / "out"
    flags = ("--method", "equal_combination", "--accept-weaker", "--quiet")
    done = run("anonymize", table, "-o", out, "-k", 5, *roles, *flags)
    assert done.stderr == ""
    assert "k joint" in done.stdout


def test_a_changed_sub_table_is_found(table: Path, run, roles) -> None:
    """A sub-table that no longer holds, or is no longer the file that was released, makes the check fail."""
    out = table.parent / "out"
    run("anonymize", table, "-o", out, "-k", 5, *roles, "--method", "equal_combination", "--accept-weaker")
    changed = out / "table-2.csv"
    changed.write_text(changed.read_text() + "x,flu\n")
    done = run("check", out)
    assert done.exit_code == 1
    assert "sub-table 2" in done.stdout
    assert "table-2.csv is not the file" in done.stdout


def test_the_plan_accepts_too(table: Path, run, roles) -> None:
    """The folder's plan carries the acceptance, so that it replays to the same sub-tables."""
    out, again = table.parent / "out", table.parent / "again"
    run("anonymize", table, "-o", out, "-k", 5, *roles, "--method", "unequal_combination", "--accept-weaker")
    assert "accept_weaker = true" in (out / "plan.toml").read_text()
    done = run("anonymize", table, "-o", again, "--plan", out / "plan.toml")
    assert done.exit_code == 0
    for path in out.glob("table*"):
        assert path.read_bytes() == (again / path.name).read_bytes()


@pytest.mark.parametrize("value", ['"yes"', "1"])
def test_acceptance_is_true_or_false(value: str, table: Path, run, roles) -> None:
    """Nothing else in the plan counts as acceptance."""
    plan = table.parent / "plan.toml"
    plan.write_text(f'[privacy]\nk = 5\naccept_weaker = {value}\n[columns.age]\nrole = "quasi-identifier"\n')
    done = run("anonymize", table, "-o", table.parent / "out", "--plan", plan)
    assert done.exit_code == 2
    assert "accept_weaker must be true or false" in done.stderr
