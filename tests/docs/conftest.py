# SPDX-License-Identifier: Apache-2.0
r"""Runs the fenced blocks of a page: ``console`` blocks as a shell session, ``python`` blocks as programs.

All blocks of a page share one temporary folder and one Python namespace, in reading order, the way a reader would
type them. In a session, lines after ``$`` are commands (``\`` at the end continues one) and the rest is what they
print, standard error included. ``...`` stands for any part of a line, and on a line of its own for any lines: what is
left out is seen to be left out. Other languages (``sh``, ``toml``, ``text``) are not run.

Commands are typed into a shell. A ``shoal`` that needs none, being neither piped nor written to a file, is called
instead where the reader is in a hurry: starting a process costs ten times what the command does.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal
from tests.counts import FULL

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = 300


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    line: int


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(match[1], match[2], text.count("\n", 0, match.start()) + 1) for match in FENCE.finditer(text)]


def steps(session: str) -> Iterator[tuple[str, str]]:
    r"""Commands of a session with what each should print.

    >>> list(steps("$ echo a\na\n$ echo b \\\n  c\nb c\n"))
    [('echo a', 'a\n'), ('echo b \\\n  c', 'b c\n')]
    """
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(number for number, line in enumerate(lines) if not line.rstrip("\n").endswith("\\")) + 1
        yield "".join(lines[:end]).rstrip("\n"), "".join(lines[end:])


def fits(expected: str, printed: str) -> bool:
    r"""Whether the output is the expected one: ``...`` stands for a part of a line, alone in a line for any lines.

    >>> fits("took ... s\n", "took 3.1 s\n"), fits("took ... s\n", "took\n")
    (True, False)
    >>> fits("first ...\n", "first line\nsecond\n"), fits("first ...\n...\n", "first line\nsecond\n")
    (False, True)
    """
    wanted = (ANY_LINES if line == "..." else _pattern(line) for line in _trimmed(expected))
    return re.fullmatch("".join(wanted), "".join(f"{line}\n" for line in _trimmed(printed))) is not None


ANY_LINES = r"(?:.*\n)*?"


def _pattern(line: str) -> str:
    return ".*?".join(re.escape(piece) for piece in line.split("...")) + r"\n"


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


#: Printed once per installation, so a page shows it or not depending on who ran before.
FIRST_RUN = re.compile(r"^Preparing kernels, which this installation keeps; .*\n", re.MULTILINE)


SILENT = "> /dev/null"
#: A command that needs no shell.
PLAIN = re.compile(rf"shoal [^|<>&;$`]*({SILENT})?[^|<>&;$`]*")


class Reader:
    """Somebody who types a page into a fresh folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hurries = False
        self.names: dict[str, object] = {"__name__": "page"}
        self.exit_code = 0
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "110",
            "NO_COLOR": "1",
            "LC_ALL": "C.UTF-8",
        }

    def read(self, page: Path) -> None:
        """Do all that a page shows and compare."""
        for block in blocks_of(page):
            if block.language == "console":
                self.session(block, page)
            elif block.language == "python":
                self.run(block, page)

    def session(self, block: Block, page: Path) -> None:
        """Type the commands of a session and compare what they print."""
        for command, expected in steps(block.text):
            printed = self.type(command)
            assert fits(expected, printed), f"{page.name}:{block.line}\n$ {command}\n{printed}"

    def type(self, command: str) -> str:
        """Run one command; ``$?`` is the exit code of the one before."""
        if self.hurries and not FULL and PLAIN.fullmatch(command):
            return self._call(command)
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.exit_code})\n{_at_home(command)}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        self.exit_code = done.returncode
        return self._tidied(done.stdout)

    def _call(self, command: str) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # as the command itself does
            words = shlex.split(command.replace("\\\n", " ").replace(SILENT, ""))[1:]
            done = CliRunner().invoke(shoal, words, prog_name="shoal", env=self.environment)
        self.exit_code = done.exit_code
        return self._tidied(done.stderr if SILENT in command else done.output)

    def _tidied(self, printed: str) -> str:
        return FIRST_RUN.sub("", printed).replace(f"{self.folder}/", "")

    def run(self, block: Block, page: Path) -> None:
        """Run one program; with prompts (``>>>``) also compare what it prints."""
        name = f"{page.name}:{block.line}"
        if ">>>" not in block.text:
            exec(compile(block.text, name, "exec"), self.names)
            return
        example = doctest.DocTestParser().get_doctest(block.text, self.names, name, str(page), block.line)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(example, out=report.append, clear_globs=False)
        self.names.update(example.globs)
        assert runner.summarize(verbose=False).failed == 0, "".join(report)


def _at_home(command: str) -> str:
    """``make demo`` belongs into the checkout; here it uses the installed environment and leaves its folder here."""
    environment = Path(sys.executable).parent.parent
    made = f"make --no-print-directory -C {ROOT} -o {environment}/.installed VENV={environment} DEMO=$PWD/demo"
    return re.sub(r"^make ", f"{made} ", command)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """A reader in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Reader(tmp_path)


@pytest.fixture
def read_blocks() -> Callable[[Path], list[Block]]:
    """The function that finds the fenced blocks of a page."""
    return blocks_of
