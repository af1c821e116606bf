# SPDX-License-Identifier: Apache-2.0
"""``shoal demo``: a whole run on invented patients."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest


def test_demo_makes_a_release_that_holds(tmp_path: Path, run) -> None:
    """Table, plan, trees and release are there; the release checks; before and after are shown."""
    done = run("demo", "-o", tmp_path / "demo", "--rows", 200, "--quiet")
    assert done.exit_code == 0, done.output
    for name in ("patients.csv", "plan.toml", "hierarchies/postcode.csv", "release/table.csv", "release/report.html"):
        assert (tmp_path / "demo" / name).is_file(), name
    assert run("check", tmp_path / "demo/release").exit_code == 0
    for word in ("Before", "After", "HOLDS", "Loss", "report.html"):
        assert word in done.stdout


def test_the_plan_it_leaves_works_by_hand(tmp_path: Path, run) -> None:
    """What the demonstration does, a user can do with the files it leaves, and gets the same table."""
    demo = tmp_path / "demo"
    run("demo", "-o", demo, "--rows", 200)
    done = run("anonymize", demo / "patients.csv", "--plan", demo / "plan.toml", "-o", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "mine/table.csv").read_bytes() == (demo / "release/table.csv").read_bytes()


def test_again_replaces_its_own_output_only(tmp_path: Path, run) -> None:
    """A second run replaces the first and leaves a stranger's file alone."""
    demo = tmp_path / "demo"
    assert run("demo", "-o", demo, "--rows", 60).exit_code == 0
    (demo / "notes.txt").write_text("mine")
    assert run("demo", "-o", demo, "--rows", 80, "-k", 4).exit_code == 0
    assert len((demo / "patients.csv").read_text().splitlines()) >= 81
    assert (demo / "notes.txt").read_text() == "mine"


def test_interrupted(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there by then is told."""
    monkeypatch.setattr("shoal.faces.cli.anonymize.anonymized", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    done = run("demo", "-o", tmp_path / "demo", "--rows", 60)
    assert done.exit_code == 130
    assert "the patients and their plan are written, no release of them is" in done.stderr
    assert (tmp_path / "demo/patients.csv").is_file()


@pytest.mark.parametrize("name", ["thesis.txt", "README.txt", "patients.csv"])
def test_a_stranger_is_never_touched(tmp_path: Path, run, name: str) -> None:
    """A folder the demonstration did not make is refused, even if a file in it has one of its names."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text("precious")
    done = run("demo", "-o", folder, "--rows", 60)
    assert done.exit_code == 2
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text() == "precious"


@pytest.mark.parametrize(
    "flags",
    [("-k", "0"), ("--rows", "-1"), ("--rows", "0"), ("--rows", "many"), ("--rows", "3", "-k", "5")],
    ids=" ".join,
)
def test_wrong_numbers(tmp_path: Path, run, flags: tuple[str, ...]) -> None:
    """Wrong numbers are exit 2 in five parts, and no folder is left."""
    done = run("demo", "-o", tmp_path / "demo", *flags)
    assert done.exit_code == 2, done.output
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr
    assert not (tmp_path / "demo").exists()
