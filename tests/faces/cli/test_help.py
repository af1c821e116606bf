# SPDX-License-Identifier: Apache-2.0
"""Help as it is meant: examples line by line as they are typed, and one wording for what Ctrl-C does."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shoal.faces.cli import shoal
from shoal.faces.cli._progress import INTERRUPTING
from shoal.ground import catalog

DOCS = Path(__file__).resolve().parents[3] / "docs"
EXAMPLE = re.compile(r"^ {4,}\S.*$", re.MULTILINE)


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command and every command of a command, with what is typed for it."""
    for name in catalog.names("commands"):
        command = catalog.load("commands", name).command
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", command.commands[inner]) for inner in command.commands)


COMMANDS = dict(commands())


def shown(command: str, width: int = 80) -> str:
    """The help of a command on a terminal of that width."""
    with click.Context(shoal, info_name="shoal", terminal_width=width) as above:
        return COMMANDS[command].get_help(click.Context(COMMANDS[command], parent=above, info_name=command))


@pytest.mark.parametrize("width", [60, 80, 110])
@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_shown_as_written(command: str, width: int) -> None:
    """Each line of an example is a line of the help, on any terminal, and no sign of how that is done is left."""
    told, given = shown(command, width), inspect.cleandoc(COMMANDS[command].help or "")
    assert "\\b" not in told
    assert "\b" not in told
    lines = [line.strip() for line in told.splitlines()]
    for example in EXAMPLE.findall(given):
        assert example.strip() in lines


def test_there_are_examples() -> None:
    """The test above would prove nothing without them: each command that takes a table has one."""
    for command in ("anonymize", "attack", "check", "compare", "hierarchy", "measure", "suggest"):
        assert f"shoal {command} " in shown(command).partition("Options:")[0].partition("\n")[2]


def one_line(text: str) -> str:
    """Without line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("command", ["anonymize", "demo"])
def test_ctrl_c_is_described_in_one_way(command: str) -> None:
    """Help and documentation have the same words for it."""
    assert one_line(INTERRUPTING) in one_line(shown(command))
    assert one_line(INTERRUPTING) in one_line((DOCS / "command-line.md").read_text(encoding="utf-8"))


def test_no_page_describes_ctrl_c_otherwise() -> None:
    """Other pages send readers to that place; only ``compare``, which keeps what is finished, has a word of its own."""
    for page in DOCS.rglob("*.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            own = line.startswith(INTERRUPTING.splitlines()[0]) or "a second one stops the run" in line
            assert (
                "Ctrl-C" not in line or own or "#ctrl-c" in line or "what is finished is kept" in line or "## " in line
            )
