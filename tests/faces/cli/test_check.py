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


GERMAN = "Stra\u00dfe;Alter;PLZ\n" + "".join(f"Weg {number};3{number // 10};79100\n" for number in range(40))
GERMAN_PLAN = """
[privacy]
k = 5
[input]
encoding = "latin-1"
[columns."Stra\u00dfe"]
role = "identifier"
[columns.Alter]
role = "quasi-identifier"
[columns.PLZ]
role = "quasi-identifier"
"""


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
@pytest.mark.parametrize("by", ["plan", "flags"])
def test_an_identifier_is_found_whatever_the_encoding(tmp_path: Path, run, encoding: str, by: str) -> None:
    """A plan tells the encoding of an input; a table in UTF-8 is read as such, or refused where a flag says no."""
    path, plan = tmp_path / "theirs.csv", tmp_path / "plan.toml"
    path.write_bytes(GERMAN.encode(encoding))
    plan.write_text(GERMAN_PLAN, encoding="utf-8")
    flags = ("--qi", "Alter,PLZ", "-k", 5, "--identifier", "Stra\u00dfe", "--encoding", "latin-1")
    done = run("check", path, *(("--plan", plan) if by == "plan" else flags))
    refused = (by, encoding) == ("flags", "utf-8")
    assert done.exit_code == (2 if refused else 1), done.output
    assert ("--encoding utf-8" if refused else "identifier left in: 'Stra\u00dfe'") in done.output


@pytest.mark.parametrize("keep", [False, True])
def test_names_with_accents_are_no_lines_above_the_table(tmp_path: Path, run, keep: bool) -> None:
    """The judge looks for the header in the encoding of the table, which need not be that of the input."""
    path, out = tmp_path / "input.csv", tmp_path / "out"
    rows = "".join(f"{150 + number % 10},{79100 + number % 4},{number % 3}\n" for number in range(40))
    path.write_bytes(f"Gr\u00f6\u00c1e,PLZ,x\n{rows}".encode("cp1252"))
    flags = ("--qi", "Gr\u00f6\u00c1e,PLZ", "-k", 5)
    said = ("--encoding", "cp1252")
    made = run("anonymize", path, "-o", out, *flags, *said, "--sensitive", "x", *["--encoding-out", "keep"] * keep)
    assert made.exit_code == 0, made.output
    alone = run("check", out / "table.csv", *flags, "--sensitive", "x", *(said if keep else ()))
    planned = run("check", out / "table.csv", "--plan", out / "plan.toml")
    for done in (run("check", out), planned, alone):
        assert done.exit_code == 0, done.output
        assert "above the table" not in done.output
        assert "looked into" not in done.output
    attacked = run("attack", out / "table.csv", "--plan", out / "plan.toml", "--original", path, "--json")
    assert attacked.stdout == run("attack", out, "--original", path, "--json").stdout
    measured = run("measure", path, out / "table.csv", "--plan", out / "plan.toml", "--json")
    assert measured.exit_code == 0, measured.output


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


@pytest.mark.parametrize("flags", [(), ("--qi", "age", "-k", 2)])
def test_a_file_that_is_not_there(tmp_path: Path, run, flags: tuple[object, ...]) -> None:
    """That comes before what its name ends with, and before what else is missing."""
    done = run("check", tmp_path / "nothing", *flags)
    assert done.exit_code == 2
    assert "There is no such file." in done.stderr
