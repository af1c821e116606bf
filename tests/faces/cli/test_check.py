# SPDX-License-Identifier: Apache-2.0
"""``shoal check``: the verdict on any table, and its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

HOLDS = "age,sex,disease\n" + "[20; 29],m,flu\n" * 3 + "*,f,cold\n" * 4


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A table that somebody else made 3-anonymous."""
    path = tmp_path / "theirs.csv"
    path.write_text(HOLDS)
    return path


def test_our_release_holds(released: Path, run) -> None:
    """A release folder needs no flags: exit 0."""
    done = run("check", released)
    assert done.exit_code == 0
    assert "HOLDS" in done.stdout


@pytest.mark.parametrize(("k", "code"), [(2, 0), (3, 0), (4, 1), (7, 1), (100, 1)])
def test_foreign_table_by_flags(foreign: Path, run, k: int, code: int) -> None:
    """Exit 0 if every combination occurs k times, else 1; counted by eye in the table above."""
    done = run("check", foreign, "--qi", "age,sex", "-k", k)
    assert done.exit_code == code, done.output
    assert ("DOES NOT HOLD" in done.stdout) == bool(code)


def test_without_k_tells_what_holds(foreign: Path, run) -> None:
    """No claim, no failure: the k that holds is told and the exit code is 0."""
    done = run("check", foreign, "--qi", "age,sex")
    assert done.exit_code == 0
    assert "k = 3" in done.stdout


def test_json(foreign: Path, run) -> None:
    """The verdict for programs, with the same exit code."""
    good = run("check", foreign, "--qi", "age,sex", "-k", 3, "--json")
    bad = run("check", foreign, "--qi", "age,sex", "-k", 4, "--json")
    assert (good.exit_code, json.loads(good.stdout)["holds"]) == (0, True)
    assert (bad.exit_code, json.loads(bad.stdout)["holds"]) == (1, False)


def test_foreign_table_by_plan(foreign: Path, run) -> None:
    """A plan says roles and k; -k overrides it."""
    plan = foreign.parent / "plan.toml"
    plan.write_text(
        "[privacy]\nk = 3\n" + "".join(f'[columns.{c}]\nrole = "quasi-identifier"\n' for c in ("age", "sex"))
    )
    assert run("check", foreign, "--plan", plan).exit_code == 0
    assert run("check", foreign, "--plan", plan, "-k", 4).exit_code == 1


def test_warning_counts_only_when_strict(foreign: Path, run) -> None:
    """A column that is different in every row is warned about: exit 0, with --strict exit 1."""
    lines = foreign.read_text().splitlines()
    numbered = [lines[0] + ",file", *(f"{line},{7919 * n % 1009}-{n}" for n, line in enumerate(lines[1:]))]
    foreign.write_text("\n".join(numbered) + "\n")
    relaxed = run("check", foreign, "--qi", "age,sex", "-k", 3)
    assert relaxed.exit_code == 0
    assert "WARNING" in relaxed.stdout
    assert run("check", foreign, "--qi", "age,sex", "-k", 3, "--strict").exit_code == 1


def test_missing_counts_as_a_value(tmp_path: Path, run) -> None:
    """A lone row with a missing cell has k = 1; it does not vanish."""
    path = tmp_path / "gaps.csv"
    path.write_text("age,sex\n30,m\n30,m\n,m\n")
    assert run("check", path, "--qi", "age,sex", "-k", 2).exit_code == 1


@pytest.mark.parametrize("name", ["table.csv", "plan.toml", "report.html"])
def test_a_changed_release_does_not_hold(released: Path, run, name: str) -> None:
    """Files that are not those of the manifest are told, and the folder no longer holds as a release."""
    path = released / name
    path.write_text(path.read_text() + ("\n" if name != "table.csv" else path.read_text().splitlines()[-1] + "\n"))
    done = run("check", released)
    assert done.exit_code == 1
    assert name in done.stdout


def test_a_missing_file_is_told(released: Path, run) -> None:
    """A release without its report is not whole."""
    (released / "report.json").unlink()
    done = run("check", released)
    assert done.exit_code == 1
    assert "report.json is missing" in done.stdout


def test_a_release_can_be_held_to_more(released: Path, run) -> None:
    """-k beside a release folder asks whether it would hold for a larger k."""
    assert run("check", released, "-k", 2).exit_code == 0
    assert run("check", released, "-k", 60).exit_code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch.csv", "--qi", "age", "-k", "3"],
        ["theirs.csv", "-k", "3"],
        ["theirs.csv", "--qi", "agee", "-k", "3"],
        ["theirs.csv", "--qi", "age", "-k", "0"],
        ["theirs.csv", "--qi", "age", "--sensitive", "age"],
        ["theirs.csv", "--plan", "nosuch.toml"],
        ["theirs.csv", "--qi", "age", "--missing", "nosuch"],
        [],
    ],
    ids=" ".join,
)
def test_wrong_usage(foreign: Path, run, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong input is exit 2, never a verdict."""
    monkeypatch.chdir(foreign.parent)
    done = run("check", *arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr


def test_own_table_file_is_judged_like_a_foreign_one(released: Path, run) -> None:
    """The published file alone can be judged by anybody."""
    done = run("check", released / "table.csv", "--qi", "age,sex,zip,work", "-k", 5)
    assert done.exit_code == 0, done.output
