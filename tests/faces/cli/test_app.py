# SPDX-License-Identifier: Apache-2.0
"""``shoal app``: what it refuses before anything is opened."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shoal.faces.cli.app import command
from shoal.ground.errors import InputError, MissingExtraError, TableError


def refused(*arguments: str) -> BaseException | None:
    """The error that a command line ends with."""
    return CliRunner().invoke(command, list(arguments)).exception


def test_without_the_extra_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """No stack of calls: what is missing, and how to install it."""
    monkeypatch.setitem(sys.modules, "starlette", None)
    problem = refused("--no-browser")
    assert isinstance(problem, MissingExtraError)
    assert problem.todo == "pip install 'shoal[app]'"


def test_a_size_that_is_none_is_refused() -> None:
    """Before the app starts."""
    problem = refused("--no-browser", "--max-upload", "lots")
    assert isinstance(problem, InputError)
    assert "--max-upload" in problem.where


@pytest.mark.parametrize("name", ["absent.csv", "program.py", "folder"])
def test_a_table_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    """No such file, no table, an empty folder: said on the terminal, before a browser is opened."""
    (tmp_path / "program.py").write_text("print()")
    (tmp_path / "folder").mkdir()
    problem = refused("--no-browser", str(tmp_path / name))
    assert isinstance(problem, TableError)
    assert len(problem.parts()) == 5


def test_a_port_that_is_taken_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And named, as are numbers that are no port."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (taken.getsockname()[1], 70_000):
            problem = refused("--no-browser", "--port", str(port))
            assert isinstance(problem, InputError)
            assert problem.where == "--port"
