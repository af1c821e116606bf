# SPDX-License-Identifier: Apache-2.0
"""Places that cannot be written or read: a clear error, exit 2, nothing left behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal

NOBODY = 65534


def as_unprivileged(arguments: list[str]) -> tuple[int, str]:
    """Exit code and output of a command run by a user who is not root.

    Forks, because a new interpreter might not be readable for that user; everything the command needs is imported
    before.
    """
    for name in ("shoal.pipeline", "shoal.releases.folder", "shoal.tables.sources"):
        import_module(name)
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            done = CliRunner().invoke(shoal, arguments)
            os.write(writable, json.dumps([done.exit_code, done.output]).encode())
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    code, output = json.loads(answer)
    return code, output


@pytest.fixture
def open_table(table: Path) -> Path:
    """The table, reachable for every user."""
    for folder in (table.parent, *table.parents):
        if folder.stat().st_uid == os.geteuid() and folder.name.startswith(("pytest", "test")):
            folder.chmod(0o755)
    table.chmod(0o644)
    return table


def test_no_permission_to_write(open_table: Path, roles) -> None:
    """An output folder in a place that may not be written is refused before any work."""
    locked = open_table.parent / "locked"
    locked.mkdir(mode=0o555)
    code, output = as_unprivileged(["anonymize", str(open_table), "-o", str(locked / "out"), "-k", "5", *roles])
    assert code == 2
    assert "Permission denied" in output
    assert all(f"\n  {part} " in output for part in ("where", "allowed", "received", "next")), output
    assert list(locked.iterdir()) == []


@pytest.mark.parametrize("locked", ["table", "folder"])
def test_no_permission_to_read(open_table: Path, roles, locked: str) -> None:
    """An input that may not be read, or whose folder may not be entered: told, and nothing written."""
    folder = open_table.parent / "in"
    folder.mkdir()
    secret = open_table.rename(folder / "table.csv")
    out = open_table.parent / "place"
    out.mkdir()
    out.chmod(0o777)
    (secret if locked == "table" else folder).chmod(0)
    try:
        code, output = as_unprivileged(["anonymize", str(secret), "-o", str(out / "out"), "-k", "5", *roles])
    finally:
        folder.chmod(0o755)
    assert code == 2, output
    assert "internal error" not in output
    assert all(f"\n  {part} " in output for part in ("where", "allowed", "received", "next")), output
    assert list(out.iterdir()) == []


def _small_files_only() -> None:
    """No file may grow beyond 1 KiB: what a full disk does, for this process alone."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def test_full_disk(table: Path, roles: Callable) -> None:
    """Where nothing more can be written: exit 2, five parts, no folder and no private folder."""
    line = [sys.executable, "-c", "from shoal.faces.cli import main; main()", "anonymize", str(table)]
    line += ["-o", str(table.parent / "out"), "-k", "5", *roles]
    done = subprocess.run(line, preexec_fn=_small_files_only, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr
    assert [path.name for path in table.parent.iterdir()] == ["table.csv"]
