# SPDX-License-Identifier: Apache-2.0
"""The command line: every public file of this folder is one command.

``check.py`` holds ``command``, and its first docstring line is the help shown by ``shoal --help``. Nothing is
registered: a new file is a new command. Only the command that is asked for is imported, so help and listings
answer at once.
"""

from __future__ import annotations

import signal
import sys
import warnings
from types import FrameType

import click

from shoal import __version__
from shoal.cli._group import LazyGroup

EPILOG = "Exit codes: 0 done / holds, 1 the verdict is no, 2 wrong input or usage, 130 interrupted."


SETTINGS = {"max_content_width": 110, "help_option_names": ["-h", "--help"]}


@click.group(cls=LazyGroup, invoke_without_command=True, epilog=EPILOG, context_settings=SETTINGS)
@click.version_option(__version__, message="%(prog)s %(version)s", prog_name="shoal")
@click.pass_context
def shoal(context: click.Context) -> None:
    """Hides every record of a table in a group of at least k look-alikes, and proves it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Entry point of the ``shoal`` command; never returns."""
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # a library's warning is not for the user, and may quote cells
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a column name must never stop a run on a narrow terminal
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores the latter, which must stay so
            signal.signal(number, _stop)
    shoal.main(prog_name="shoal")


def _stop(_number: int, _frame: FrameType | None) -> None:
    """A polite kill, or a terminal that closes, stops the run the way Ctrl-C does."""
    raise KeyboardInterrupt
