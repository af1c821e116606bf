# SPDX-License-Identifier: Apache-2.0
"""``--require``: a missed gate ends with 1 and leaves nothing; a passed one is told, and judged by the checker, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def flags(roles: tuple[str, ...]) -> tuple[str, ...]:
    """A quick run."""
    return (*roles, "--method", "mondrian", "--quiet")


def test_a_missed_gate_leaves_nothing(table: Path, run: Run, flags: tuple[str, ...]) -> None:
    """Exit 1, one clear sentence, no folder; the same from a plan."""
    out = table.parent / "out"
    done = run("anonymize", table, "-o", out, "-k", 3, *flags, "--require", "loss <= 0")
    assert (done.exit_code, out.exists()) == (1, False), done.output
    assert "required is loss <= 0, but it is" in done.output
    plan = table.parent / "plan.toml"
    plan.write_text('[privacy]\nk = 3\n[quality]\nrequire = ["loss <= 0"]\n')
    again = run("anonymize", table, "-o", out, "--plan", plan, *flags)
    assert (again.exit_code, out.exists()) == (1, False)
    more = run("anonymize", table, "-o", out, "--plan", plan, *flags, "--require", "loss <= 1")
    assert (more.exit_code, out.exists()) == (1, False), "a flag may ask for more, and takes nothing back"


def test_the_checker_asks_for_the_original(table: Path, run: Run, flags: tuple[str, ...]) -> None:
    """Without it the gates are not judged, which is a warning; with it they are, and others by flags."""
    out = table.parent / "out"
    made = run(
        "anonymize", table, "-o", out, "-k", 3, *flags, "--require", "loss <= 0.99", "--require", "rows_kept >= 1"
    )
    assert made.exit_code == 0, made.output
    assert made.stdout.count("HOLDS         quality:") == 2
    alone = run("check", out)
    assert alone.exit_code == 0
    assert "WARNING       what is required of the quality was not judged" in alone.stdout
    strict = run("check", out, "--strict", "--annotate", "github")
    assert strict.exit_code == 1, strict.output
    assert "::error" in strict.stdout
    beside = run("check", out, "--original", table)
    assert beside.exit_code == 0, beside.output
    assert "HOLDS         quality: required is rows_kept >= 1" in beside.stdout
    assert "not judged" not in beside.output
    stricter = run("check", out, "--original", table, "--require", "loss <= 0.0001")
    assert stricter.exit_code == 1
    assert "DOES NOT HOLD quality: required is loss <= 0.0001" in stricter.stdout


def test_measure_tells_gates_below_the_figures(table: Path, run: Run, released: Path) -> None:
    """What is missed ends with 1, as it does in a check; what is passed, and mere measuring, with 0."""
    done = run("measure", table, released, "--require", "rows_kept <= 0.5", "--json")
    assert done.exit_code == 1, done.output
    facts = json.loads(done.stdout)
    assert [one["value"] for one in facts if one.get("metric") == "rows_kept"] == [1]
    assert [one["holds"] for one in facts if one.get("model") == "quality"] == [False]
    some = json.loads(run("measure", table, released, "--metric", "lm", "--require", "rows_kept >= 1", "--json").stdout)
    assert [one.get("metric", one.get("model")) for one in some] == ["lm", "quality"]
    assert run("measure", table, released, "--require", "rows_kept >= 1").exit_code == 0
    assert run("measure", table, released).exit_code == 0


def test_what_cannot_be_measured_is_said_before_the_run(table: Path, run: Run, flags: tuple[str, ...]) -> None:
    """Misspelt figures and columns: wrong input, and no verdict on a release."""
    for gate, meant in (("query_error.medain < 1", "median"), ("distribution_shift.mean agee < 1", "age")):
        done = run("anonymize", table, "-o", table.parent / "out", "-k", 3, *flags, "--require", gate)
        assert done.exit_code == 2, done.output
        assert f"did you mean '{meant}'?" in done.output
