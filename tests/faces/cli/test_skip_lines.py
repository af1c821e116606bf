# SPDX-License-Identifier: Apache-2.0
"""``--skip-lines``: files with remarks above the table, in every command that reads one."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import click
import pytest

from shoal.ground import catalog

REMARK = '|1x3 "Cross validator\n'
ADULT = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
    "capital-loss,hours-per-week,native-country,income"
)


@pytest.fixture
def remarked(table: Path) -> Path:
    """The table with a remark above its header."""
    path = table.parent / "remarked.csv"
    path.write_text(REMARK + table.read_text())
    return path


def reading_commands(command: click.Command) -> list[click.Command]:
    """A command, or those of a group, as far as they can be told how to read a table."""
    inner = command.commands.values() if isinstance(command, click.Group) else [command]
    return [one for one in inner if any("--no-header" in param.opts for param in one.params)]


def test_every_command_that_reads_takes_it() -> None:
    """Wherever --no-header is offered, --skip-lines is, with a help text."""
    found = [
        one for name in catalog.names("commands") for one in reading_commands(catalog.load("commands", name).command)
    ]
    assert len(found) >= 9
    for one in found:
        helps = [getattr(param, "help", "") for param in one.params if "--skip-lines" in param.opts]
        assert len(helps) == 1, one.name
        assert "above the table" in helps[0]


def test_the_release_is_that_of_the_table_alone(remarked: Path, table: Path, released: Path, run, roles) -> None:
    """A remark makes no difference to the released table; the plan remembers it and replays to the same bytes."""
    out, again = table.parent / "out", table.parent / "again"
    done = run("anonymize", remarked, "-o", out, "-k", 5, *roles, "--skip-lines", 1)
    assert done.exit_code == 0, done.output
    assert (out / "table.csv").read_bytes() == (released / "table.csv").read_bytes()
    assert "skip_lines = 1\n" in (out / "plan.toml").read_text()
    assert "skip_lines" not in (released / "plan.toml").read_text()
    assert run("check", out, "--original", remarked).exit_code == 0
    assert run("anonymize", remarked, "-o", again, "--plan", out / "plan.toml").exit_code == 0
    for name in ("table.csv", "plan.toml", "report.json"):
        assert (again / name).read_bytes() == (out / name).read_bytes(), name


def test_a_flag_overrides_the_plan(remarked: Path, table: Path, run, roles) -> None:
    """--skip-lines 0 takes back what a plan says, for a file without the remark."""
    out, again = table.parent / "out", table.parent / "again"
    run("anonymize", remarked, "-o", out, "-k", 5, *roles, "--skip-lines", 1)
    done = run("anonymize", table, "-o", again, "--plan", out / "plan.toml", "--skip-lines", 0)
    assert done.exit_code == 0, done.output
    assert (again / "table.csv").read_bytes() == (out / "table.csv").read_bytes()


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    "line",
    [
        ("check", "TABLE", "--qi", "age,sex,zip,work"),
        ("measure", "TABLE", "RELEASED"),
        ("suggest", "TABLE"),
        ("attack", "RELEASED", "--known", "TABLE"),
        ("hierarchy", "build", "TABLE", "work"),
        ("hierarchy", "show", "work.csv", "--of", "TABLE"),
        ("hierarchy", "check", "work.csv", "--of", "TABLE"),
    ],
    ids=lambda line: " ".join(part for part in line[:2] if part.islower()),
)
def test_other_commands_read_such_files(
    line: tuple[str, ...], remarked: Path, table: Path, released: Path, run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command says of the file with a remark, told of it or not, what it says of the table alone.

    Only the judge adds that the remark would be published.
    """
    monkeypatch.chdir(table.parent)
    Path("work.csv").write_text("A;AB;*\nB;AB;*\nC;C;*\n")
    plain, skipping, untold = (
        run(*({"TABLE": path, "RELEASED": released}.get(part, part) for part in line), *flags)
        for path, flags in ((table, ()), (remarked, ("--skip-lines", 1)), (remarked, ()))
    )
    assert plain.exit_code in (0, 1), plain.output  # attacks and checks answer with 1
    assert skipping.exit_code == plain.exit_code, skipping.output
    warned = "WARNING       file 'remarked.csv' has lines above the table, which are published with it\n"
    counted = warned.replace("lines", "1 line").replace(" are ", " is ")
    assert skipping.stdout.replace(counted, "") == plain.stdout
    assert (counted in skipping.stdout) == (line[0] == "check")
    assert (untold.exit_code, untold.stdout) == (skipping.exit_code, skipping.stdout.replace(counted, warned))


def test_compare_and_suggest_keep_it(remarked: Path, table: Path, run) -> None:
    """A suggested plan remembers the remark, and compare runs such a plan."""
    plan = table.parent / "plan.toml"
    assert run("suggest", remarked, "-o", plan, "--skip-lines", 1).exit_code == 0
    assert "skip_lines = 1\n" in plan.read_text()
    done = run("compare", remarked, "--plan", plan, "-k", 5, "--methods", "mondrian", "--quiet")
    assert done.exit_code == 0, done.output


@pytest.mark.data
def test_the_raw_test_file_of_adult(shared_data: Path, tmp_path: Path, run) -> None:
    """The file as it is published, remark and blanks included: all its 16,281 records are released and check."""
    raw, out = shared_data / "adult/adult.test", tmp_path / "out"
    flags = ("--no-header", "--columns", ADULT, "--na", "?", "-k", 10)
    roles = (
        "--qi",
        "age,sex,race,marital-status",
        "--sensitive",
        "occupation",
        "--rest",
        "insensitive",
        "--method",
        "mondrian",
    )
    refused = run("anonymize", raw, "-o", out, *flags, *roles)
    assert refused.exit_code == 2
    assert "--skip-lines" in refused.stderr
    done = run("anonymize", raw, "-o", out, *flags, *roles, "--skip-lines", 1)
    assert done.exit_code == 0, done.output
    assert json.loads((out / "report.json").read_text())["facts"]["rows"] == 16_281
    assert run("check", out).exit_code == 0
    with (out / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16_281
    assert sum(not row["occupation"] for row in rows) == 966  # the README of the data counts its question marks
    before = [line.rsplit(", ", 1)[1] for line in raw.read_text().splitlines()[1:] if line]
    assert Counter(row["income"] for row in rows) == Counter(before)
