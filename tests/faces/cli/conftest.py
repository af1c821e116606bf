# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the command-line tests: small tables on disk, and ways to run commands."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shoal.faces.cli import shoal

SHOAL = [sys.executable, "-c", "from shoal.faces.cli import main; main()"]


@pytest.fixture
def run() -> Callable[..., Result]:
    """Runs a command in this process."""
    return lambda *arguments: CliRunner().invoke(shoal, [str(one) for one in arguments])


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Starts a command as a process of its own."""

    def begin(*arguments: object, **options: object) -> subprocess.Popen[str]:
        line = [*SHOAL, *(str(one) for one in arguments)]
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    return begin


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixty people: an identifier, four quasi-identifiers, a private fact and a column of neither kind."""
    rows = [
        f"person {i},{20 + 7 * i % 50},{'mf'[i % 2]},{10000 + i % 6},{'ABC'[i % 3]},{('flu', 'cold')[i % 2]},{i % 4}"
        for i in range(60)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["name,age,sex,zip,work,disease,visits", *rows]) + "\n")
    return path


ROLES = ("--qi", "age,sex,zip,work", "--sensitive", "disease", "--identifier", "name", "--insensitive", "visits")


@pytest.fixture
def roles() -> tuple[str, ...]:
    """The flags that give each column of the table its role."""
    return ROLES


@pytest.fixture
def released(table: Path, run: Callable[..., Result]) -> Path:
    """A release folder of that table, k = 5."""
    folder = table.parent / "released"
    done = run("anonymize", table, "-o", folder, "-k", 5, *ROLES)
    assert done.exit_code == 0, done.output
    return folder
