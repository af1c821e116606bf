# SPDX-License-Identifier: Apache-2.0
"""Commands are found by file name, and every failure ends in one shape and one exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from shoal import __version__
from shoal.faces.cli import shoal
from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError, Interrupted, TableError

PARTS = ("where", "allowed", "received", "next")
SECRET = "SECRET-77"


def _raising(problem: BaseException) -> click.Command:
    @click.command()
    @click.option("--json", "as_json", is_flag=True)
    def command(as_json: bool) -> None:
        raise problem

    return command


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch):
    """Runs a command that raises the given exception."""

    def run(problem: BaseException, *arguments: str):
        monkeypatch.setattr(type(shoal), "get_command", lambda *_: _raising(problem))
        return CliRunner().invoke(shoal, ["fail", *arguments])

    return run


def test_help_lists_every_file_of_the_folder() -> None:
    """A command file that appears is listed with the first line of its docstring."""
    done = CliRunner().invoke(shoal, ["--help"])
    assert done.exit_code == 0
    for entry in catalog.entries("commands").values():
        assert entry.name in done.output
        assert " ".join(entry.summary.split()) in " ".join(done.output.split())


def test_a_new_command_is_one_new_file(tmp_path: Path) -> None:
    """A copy of the package with one file more has one command more, with no other edit."""
    import shutil

    package = catalog.PACKAGE
    shutil.copytree(package, tmp_path / "shoal", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "shoal/faces/cli/greet.py").write_text(
        '"""Say hello."""\nimport click\n\n@click.command()\ndef command() -> None:\n    click.echo("hello")\n'
    )
    run = [sys.executable, "-c", "from shoal.faces.cli import main; main()"]
    environment = {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    listed = subprocess.run([*run, "--help"], env=environment, capture_output=True, text=True, check=True)
    called = subprocess.run([*run, "greet"], env=environment, capture_output=True, text=True, check=True)
    assert "Say hello." in listed.stdout
    assert called.stdout == "hello\n"


def test_no_arguments_show_help() -> None:
    """``shoal`` alone helps instead of complaining."""
    done = CliRunner().invoke(shoal, [])
    assert done.exit_code == 0
    assert "Commands:" in done.output


def test_version() -> None:
    """``--version`` names package and version."""
    assert CliRunner().invoke(shoal, ["--version"]).output == f"shoal {__version__}\n"


@pytest.mark.parametrize(
    ("typed", "meant"), [("anonymise", "anonymize"), ("chek", "check"), ("method", "methods"), ("docter", "doctor")]
)
def test_unknown_command_names_the_nearest(typed: str, meant: str) -> None:
    """A misspelt command answers with the nearest one and exit code 2."""
    done = CliRunner().invoke(shoal, [typed])
    assert done.exit_code == 2
    assert f"did you mean '{meant}'?" in done.stderr
    assert all(part in done.stderr for part in PARTS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["methods", "--jsn"],
        ["anonymize"],
        ["anonymize", "x.csv"],
        ["anonymize", "x.csv", "-o", "y", "-k"],
        ["anonymize", "x.csv", "-o", "y", "-k", "ten"],
        ["anonymize", "x.csv", "-o", "y", "--seed", "1.5"],
        ["methods", "one", "two"],
        ["--nosuch"],
    ],
    ids=" ".join,
)
def test_usage_errors_have_five_parts(arguments: list[str]) -> None:
    """Click's complaints come in the same shape as ours, as text and as JSON."""
    done = CliRunner().invoke(shoal, arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert all(f"\n  {part} " in done.stderr for part in PARTS), done.stderr
    as_json = CliRunner().invoke(shoal, [*arguments, "--json"])
    assert as_json.exit_code == 2
    assert {"what", *PARTS} <= set(json.loads(as_json.stdout)["error"])


@pytest.mark.parametrize(
    ("problem", "code"),
    [(TableError("t"), 2), (CannotHoldError("c"), 1), (Interrupted("i"), 130), (KeyboardInterrupt(), 130)],
    ids=lambda value: str(value) or "Ctrl-C",
)
def test_exit_code_comes_from_the_error(failing, problem: BaseException, code: int) -> None:
    """The class of an error decides the exit code, with and without --json."""
    assert failing(problem).exit_code == code
    as_json = failing(problem, "--json")
    assert as_json.exit_code == code
    assert json.loads(as_json.stdout)["error"]["exit_code"] == code


class LibraryPanic(BaseException):
    """Stands for the panics of compiled libraries, which are no ``Exception``."""


@pytest.mark.parametrize(
    "problem",
    [
        ValueError(SECRET),
        KeyError(SECRET),
        AssertionError(SECRET),
        MemoryError(SECRET),
        OSError(SECRET),
        OSError(28, "No space left on device"),
        RecursionError(SECRET),
        LibraryPanic(SECRET),
    ],
    ids=lambda problem: type(problem).__name__,
)
@pytest.mark.parametrize("flag", [[], ["--json"]], ids=["text", "json"])
def test_foreign_exceptions_are_never_quoted(failing, problem: BaseException, flag: list[str]) -> None:
    """The text of a library's exception may hold a cell: it is withheld, and there is no traceback."""
    done = failing(problem, *flag)
    assert done.exit_code == 2
    assert SECRET not in done.output
    assert "Traceback" not in done.output
    assert "nothing was written" in done.output


def test_internal_error_names_type_and_place(failing) -> None:
    """A fault of ours can be reported: type, module and line are told."""
    from shoal.hierarchies.hierarchy import Hierarchy

    try:
        Hierarchy.flat(["a"]).lca(5, 5)
    except IndexError as problem:
        done = failing(problem)
    assert "internal error in IndexError at shoal.hierarchies.hierarchy:" in done.stderr


def test_traceback_only_on_request(failing, monkeypatch: pytest.MonkeyPatch) -> None:
    """SHOAL_TRACEBACK=1 shows the whole story to developers."""
    monkeypatch.setenv("SHOAL_TRACEBACK", "1")
    assert "Traceback" in failing(ValueError("x")).stderr


def test_closed_pipe_is_quiet() -> None:
    """``shoal formats --help | head -0``: no message, no traceback, when the reader goes away."""
    script = (
        f"{sys.executable} -c 'from shoal.faces.cli import main; main()' methods --help | true; exit ${{PIPESTATUS[0]}}"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 141)


def test_examples_in_help_keep_their_lines(run) -> None:
    """The marks that keep lines apart are read, not shown, by every command."""
    for name in catalog.names("commands"):
        shown = run(name, "--help").output
        assert "\\b" not in shown, name
        examples = [line.strip() for line in shown.splitlines() if line.strip().startswith("shoal ")]
        assert not [line for line in examples if line.count(" shoal ") > 0], name


def test_the_package_runs_as_a_program() -> None:
    """``python -m shoal`` is the command."""
    done = subprocess.run([sys.executable, "-m", "shoal", "--version"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("shoal ")
