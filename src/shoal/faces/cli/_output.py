# SPDX-License-Identifier: Apache-2.0
"""What commands say: results on stdout, messages on stderr, and quiet when nobody listens any more.

``shoal check ... | head -1`` closes our stdout early. That is the reader's right and no failure: the rest is
dropped and the command ends with its own exit code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import click

from shoal.ground.json_text import json_text


def say(text: str) -> None:
    """A result, on stdout."""
    _write(text, sys.stdout)


def say_json(facts: Any) -> None:
    """A result as JSON, on stdout; numbers that JSON does not know become null."""
    say(json_text(facts, str))


def note(text: str, *, quiet: bool = False) -> None:
    """A message, on stderr."""
    if not quiet:
        _write(text, sys.stderr)


def columns_of_text(rows: Iterable[Sequence[str]], *, indent: int = 2) -> str:
    """Rows of short texts as aligned columns; the last one runs freely."""
    table = [list(row) for row in rows]
    if not table:
        return ""
    widths = [max(len(row[place]) for row in table) for place in range(len(table[0]) - 1)]
    lines = ["  ".join([cell.ljust(width) for cell, width in zip(row, widths)] + row[-1:]) for row in table]
    return "\n".join(" " * indent + line.rstrip() for line in lines)


def close_output() -> None:
    """Flush stdout now, where a closed pipe can still be handled."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _nobody_listens(sys.stdout)


def _write(text: str, stream: TextIO) -> None:
    try:
        click.echo(text, file=stream)
    except BrokenPipeError:
        _nobody_listens(stream)


def _nobody_listens(stream: TextIO) -> None:
    """Send what follows to nowhere, so that the interpreter's own flush at exit stays silent too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
