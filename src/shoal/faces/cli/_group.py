# SPDX-License-Identifier: Apache-2.0
"""The group of commands, found by file name and imported only when called."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from shoal.faces.cli._failures import exit_code_of
from shoal.faces.cli._output import close_output
from shoal.ground import catalog

ROOM = "commands"


class LazyGroup(click.Group):
    """Commands are the files of this folder; running one ends with its exit code, whatever happens."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, without importing any."""
        return catalog.names(ROOM)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; an unknown one answers with the nearest name."""
        if cmd_name.startswith("-"):
            return None
        command: click.Command = catalog.load(ROOM, cmd_name).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, read from the files' docstrings."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.summary) for entry in catalog.entries(ROOM).values()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        at_end: Callable[[], None] = lambda: None,
        **extra: Any,
    ) -> Any:
        """Run a command line and exit: the one place where errors become output and exit codes.

        ``at_end`` is called as soon as the command is over, however it went.
        """
        if "_SHOAL_COMPLETE" in os.environ:  # the shell asks for completions
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        given = list(sys.argv[1:] if args is None else args)
        try:
            with self.make_context(prog_name or "shoal", list(given), **extra) as context:
                self.invoke(context)
            code = 0
        except click.exceptions.Exit as done:
            code = done.exit_code
        except BaseException as problem:
            at_end()
            code = exit_code_of(problem, as_json="--json" in given)
        at_end()
        close_output()
        sys.exit(code)
