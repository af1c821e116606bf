# SPDX-License-Identifier: Apache-2.0
"""``shoal attack``: what an attacker learns from a release, with exit codes that a pipeline can use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_a_release_withstands_its_own_original(released: Path, table: Path, run) -> None:
    """Everybody's recognisable columns known, k still holds; exit 0."""
    done = run("attack", released, "--original", table)
    assert done.exit_code == 0, done.output
    assert "WITHSTANDS    linkage: an attacker who knows age, sex, zip and work of a person" in done.stdout
    assert "the promise was at most 20 %" in done.stdout


def test_json(released: Path, table: Path, run) -> None:
    """The same as facts; a register in another order and shape is scored by its key."""
    lines = table.read_text().splitlines()
    register = table.parent / "register.csv"
    register.write_text("\n".join([lines[0], *lines[:0:-2]]).replace(",", ";") + "\n")
    flags = ("--known", register, "--on", "age,sex", "--original", table, "--truth", "name", "--json")
    done = run("attack", released, *flags, "--attack", "linkage")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["broken"] is False
    (found,) = facts["attacks"]
    assert (found["attack"], found["targets"], found["promise"]) == ("linkage", 30, 0.2)
    assert found["interval"]["low"] <= found["rate"] <= found["interval"]["high"]


def test_the_raw_table_is_broken(table: Path, run) -> None:
    """A table published as it is gives its unique people away: exit 1."""
    done = run("attack", table, "--known", table, "--original", table, "--on", "age,sex,zip", "-k", 5)
    assert done.exit_code == 1, done.output
    assert "BROKEN        linkage" in done.stdout
    assert "BROKEN        row_order" in done.stdout


def test_sub_tables_are_broken(table: Path, run, roles: tuple[str, ...]) -> None:
    """The folder of several tables, and the tables themselves."""
    folder = table.parent / "apart"
    made = run("anonymize", table, "-o", folder, "-k", 5, "--method", "equal_combination", "--accept-weaker", *roles)
    assert made.exit_code == 0, made.output
    done = run("attack", folder, "--original", table)
    assert done.exit_code == 1, done.output
    assert "k joint = " in done.stdout
    parts = sorted(folder.glob("table-*.csv"))
    assert len(parts) == 4
    assert run("attack", *parts, "--original", table, *roles, "-k", 5).exit_code in (0, 1)


def test_two_releases(released: Path, table: Path, run, roles: tuple[str, ...]) -> None:
    """--second names another release of the same people."""
    other = table.parent / "other"
    assert run("anonymize", table, "-o", other, "-k", 5, "--method", "mondrian", *roles).exit_code == 0
    done = run("attack", released, "--original", table, "--second", other, "--attack", "intersection", "--json")
    found = json.loads(done.stdout)["attacks"][0]
    assert found["tried"]
    assert done.exit_code == (1 if found["broken"] else 0)
    assert found["rate"] >= found["baseline"] - 1e-12


def test_without_anything_known(released: Path, run) -> None:
    """What needs no other table is tried, and the rest says what it needs."""
    done = run("attack", released)
    assert done.exit_code == 0, done.output
    assert "NOT TRIED     linkage: needs a table that the attacker holds" in done.stdout
    assert "homogeneity: the private value in 'disease'" in done.stdout


@pytest.mark.thin(2)
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nosuch.csv", "--known", "table.csv", "--on", "age"],
        ["table.csv", "--known", "nosuch.csv", "--on", "age"],
        ["table.csv", "--known", "table.csv", "--on", "nosuch"],
        ["table.csv", "--known", "table.csv"],
        ["table.csv", "--known", "table.csv", "--on", "age", "--attack", "nosuch"],
        ["table.csv", "--known", "table.csv", "--on", "age", "--truth", "age"],
        ["table.csv", "--known", "table.csv", "--on", "age", "--targets", "0"],
        ["table.csv", "--known", "table.csv", "--on", "age", "--plan", "nosuch.toml"],
        ["released", "table.csv", "--known", "table.csv", "--on", "age"],
        ["released", "--on", "nosuch"],
    ],
    ids=" ".join,
)
def test_wrong_usage(released: Path, table: Path, run, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong input is exit 2 in five parts, without a cell."""
    monkeypatch.chdir(table.parent)
    done = run("attack", *arguments)
    assert done.exit_code == 2, done.output
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr
    assert "person 1" not in done.output
