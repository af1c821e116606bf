# SPDX-License-Identifier: Apache-2.0
"""Bad input of every kind: exit 2, a message in five parts, no cell of the table, nothing written.

The cases stand in ``bad_input/``, by what is bad.
"""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal
from tests.faces.cli.bad_input import columns, files, hierarchies, plans, reading, settings  # noqa: F401
from tests.faces.cli.bad_input.cases import CASES, HEADER, PLACES, ROWS, SECRET, good

PARTS = ("where", "allowed", "received", "next")


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with mode and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (stat.S_IMODE(path.lstat().st_mode), content)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a good table in it."""
    (tmp_path / "table.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Exit 2, five parts that point to the right place, no traceback, no cell, nothing written; as JSON too."""
    arguments = ["anonymize", *CASES[name](folder)]
    if "-o" not in arguments:
        arguments += ["-o", "out"]
    before = state(folder)
    done = CliRunner().invoke(shoal, arguments)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("Error: "), done.stderr
    missing = [part for part in PARTS if f"\n  {part:<9} " not in done.stderr]
    assert not missing, f"{missing} in {done.stderr}"
    assert f"\n  where     {PLACES[name]}" in done.stderr, done.stderr
    assert done.stdout == ""
    assert "internal error" not in done.stderr, done.stderr
    as_json = CliRunner().invoke(shoal, [*arguments, "--json"])
    assert as_json.exit_code == 2
    assert {"what", *PARTS} <= set(json.loads(as_json.stdout)["error"])
    captured = capfd.readouterr()
    everything = done.output + as_json.output + captured.out + captured.err
    assert "Traceback" not in everything
    assert SECRET not in everything
    assert state(folder) == before


def test_there_are_many_kinds() -> None:
    """The list covers what the product promises: at least forty kinds of bad input."""
    assert len(CASES) >= 45


def test_the_good_table_is_good(folder: Path) -> None:
    """The unspoiled command line works, so each case fails for its own reason."""
    done = CliRunner().invoke(shoal, ["anonymize", *good("-o", "out")])
    assert done.exit_code == 0, done.output
    assert (folder / "out/manifest.json").is_file()
