# SPDX-License-Identifier: Apache-2.0
"""What continuous integration relies on: one command, and no test that is silently skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import shoal
from tests import counts

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("ci", "data", "workers", "exit_code"),
    [("true", True, "1", 1), ("true", False, "0", 0), ("", True, "0", 0)],
    ids=["CI with data", "CI without data", "at home"],
)
def test_a_skipped_test_fails_where_nothing_may_be_skipped(
    tmp_path: Path, ci: str, data: bool, workers: str, exit_code: int
) -> None:
    """With CI=true and the real tables present, a skipped test makes the run fail; elsewhere it is only named."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_one.py").write_text("import pytest\n\ndef test_one():\n    pytest.skip('no engine here')\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -ra\n")
    folder = tmp_path / "data"
    if data:
        folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", "test_one.py"],
        cwd=tmp_path,
        env={**os.environ, "CI": ci, "SHOAL_DATA": str(folder), "SHOAL_TESTS": "full", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == exit_code, done.stdout
    assert "no engine here" in done.stdout


def test_ci_runs_make_test() -> None:
    """The script of continuous integration is executable and does what a developer does."""
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")


def test_help_names_every_target() -> None:
    """``make help`` is made from the Makefile's own comments and misses nothing."""
    printed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    phony = next(line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY:"))
    assert [target for target in phony.split()[1:] if f"make {target} " not in printed] == []


def test_every_random_table_is_tried_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """``make test`` takes the first of the seeds of a random test, ``make test-all`` all of them."""
    assert "\ntest-all: export SHOAL_TESTS = full\n" in (ROOT / "Makefile").read_text(encoding="utf-8")
    monkeypatch.setattr(counts, "FULL", False)
    assert list(counts.repeats(2, 4)) == [0, 1]
    monkeypatch.setattr(counts, "FULL", True)
    assert list(counts.repeats(2, 4)) == [0, 1, 2, 3]


def test_searches_are_short_unless_all_is_asked_for() -> None:
    """Most releases of the tests need no long search, and would spend most of their time on it."""
    release = shoal.anonymize(pl.DataFrame({"age": range(20)}), k=2, quasi_identifiers=["age"])
    assert release.plan.steps == (100_000 if counts.FULL else 5_000)
