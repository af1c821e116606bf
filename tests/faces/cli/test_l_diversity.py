# SPDX-License-Identifier: Apache-2.0
"""``--l-diversity``: asked for, obeyed or refused, and judged."""

from __future__ import annotations

import csv
import json
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest


def private_values(folder: Path) -> list[list[str]]:
    """The diseases of each class of a release, counted from its table alone."""
    classes = defaultdict(list)
    with (folder / "table.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            classes[row["age"], row["sex"], row["zip"], row["work"]].append(row["disease"])
    return list(classes.values())


@pytest.mark.parametrize(
    ("flag", "written"),
    [
        ("2", {"kind": "distinct", "l": 2}),
        ("distinct:2", {"kind": "distinct", "l": 2}),
        ("frequency:2", {"kind": "frequency", "l": 2}),
        ("entropy:2", {"kind": "entropy", "l": 2}),
        ("recursive:2:1.5", {"kind": "recursive", "l": 2, "c": 1.5}),
    ],
)
def test_a_method_that_obeys_releases_diverse_classes(table: Path, run, roles, flag: str, written: dict) -> None:
    """The release holds, its plan says what was asked, and checking the folder needs no flags."""
    out = table.parent / "out"
    asked = ("-k", 5, *roles, "--method", "binary_k_means", "--l-diversity", flag)
    done = run("anonymize", table, "-o", out, *asked)
    assert done.exit_code == 0, done.output
    assert tomllib.loads((out / "plan.toml").read_text())["privacy"]["l_diversity"] == written
    for values in private_values(out):
        counts = sorted(values.count(one) for one in set(values))
        assert len(counts) == 2
        assert counts[1] <= {"frequency": 1, "entropy": 1}.get(written["kind"], 60) * counts[0]
    assert run("check", out).exit_code == 0


def test_a_method_that_does_not_obey_is_made_to(table: Path, run, roles) -> None:
    """Classes of a method that knows nothing of private values are mended before they are published."""
    out = table.parent / "out"
    done = run("anonymize", table, "-o", out, "-k", 5, *roles, "--method", "k_member", "--l-diversity", "frequency:2")
    assert done.exit_code == 0, done.output
    assert run("check", out).exit_code == 0


@pytest.mark.parametrize("method", ["k_member", "binary_k_means"])
def test_what_no_release_can_hold_is_said_at_once(table: Path, run, roles, method: str) -> None:
    """Two diseases can be 2-diverse, not 3-diverse: exit 1 with the largest l."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--method", method, "--l-diversity", 3)
    assert done.exit_code == 1
    assert "l of at most 2" in done.stderr


@pytest.mark.parametrize(
    "flag", ["", "many", "0.5", "frequency", "frequency:", "recursive:3", "odd:3", "3:4", "1:2:3:4"]
)
def test_what_cannot_be_read_is_refused(table: Path, run, roles, flag: str) -> None:
    """A flag that cannot be meant is a usage error in five parts."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--l-diversity", flag)
    assert done.exit_code == 2
    assert all(word in done.stderr for word in ("where", "allowed", "received", "next"))


def test_less_than_one_value_is_refused(table: Path, run, roles) -> None:
    """The number of values is at least 1."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--l-diversity", 0)
    assert done.exit_code == 2
    assert "at least 1" in done.stderr


@pytest.mark.parametrize(("claim", "code"), [("1", 0), ("2", 1), ("frequency:1", 0), ("entropy:2", 1)])
def test_a_foreign_table_is_judged(tmp_path: Path, run, claim: str, code: int) -> None:
    """The class of the old people shows one disease only: counted by eye."""
    path = tmp_path / "theirs.csv"
    path.write_text("age,disease\nyoung,flu\nyoung,cold\nold,flu\nold,flu\n")
    done = run("check", path, "--qi", "age", "--sensitive", "disease", "--l-diversity", claim, "--json")
    assert done.exit_code == code, done.output
    finding = next(one for one in json.loads(done.stdout)["findings"] if one["model"] == "l_diversity")
    assert finding["figures"]["l_found"] == 1
    assert finding["holds"] is (code == 0)


def test_a_table_without_sensitive_columns_cannot_be_judged(tmp_path: Path, run) -> None:
    """The error says which flag is missing."""
    path = tmp_path / "theirs.csv"
    path.write_text("age,disease\nyoung,flu\nyoung,cold\n")
    done = run("check", path, "--qi", "age", "--l-diversity", 2)
    assert done.exit_code == 2
    assert "--sensitive" in done.stderr
