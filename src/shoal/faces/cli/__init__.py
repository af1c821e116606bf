# SPDX-License-Identifier: Apache-2.0
"""The command line: every public file of this folder is one command.

``check.py`` holds ``command``, and its first docstring line is the help shown by ``shoal --help``. Nothing is
registered: a new file is a new command. Only the command that is asked for is imported, so help and listings
answer at once.
"""

from __future__ import annotations

import gc
import signal
import sys
import warnings
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import click

from shoal import __version__
from shoal.faces.cli._failures import exit_code_of
from shoal.faces.cli._group import LazyGroup
from shoal.faces.cli._memory import keep_freed, watched
from shoal.faces.cli._output import note
from shoal.ground.errors import Notice
from shoal.ground.interrupts import STOPS, again, patient

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

EPILOG = "Exit codes: 0 done / holds, 1 the verdict is no, 2 wrong input or usage, 130 interrupted."

SELDOM = 10_000
"""New objects before garbage is looked for: a command makes little of it, and each look costs."""

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
        warnings.filterwarnings("always", category=Notice)
        warnings.showwarning = _show  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a column name must never stop a run on a narrow terminal
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores the latter, which must stay so
            signal.signal(number, patient(_stop))
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, patient(signal.default_int_handler))
    sys.unraisablehook = _not_lost
    keep_freed()
    gc.set_threshold(SELDOM)
    run = partial(shoal.main, prog_name="shoal", at_end=_hear_no_more)
    watched(run, lambda problem: exit_code_of(problem, as_json="--json" in sys.argv))


def _show(message: Warning | str, category: type[Warning], *_others: object) -> None:
    """A notice for people, without the place in the code."""
    note(f"Note: {message}")


class Killed(KeyboardInterrupt):
    """A polite kill, which is never about a part of the run."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    """A polite kill, or a terminal that closes, stops the run the way Ctrl-C does."""
    raise Killed


def _hear_no_more() -> None:
    """There is nothing left to stop: a second Ctrl-C must not change how the command ends."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    sys.unraisablehook = lambda _: None  # what was interrupted while it was made cannot be destroyed
    exec("")  # else `python -m` would die of a KeyboardInterrupt that was once raised within an exec, though caught


def _not_lost(swallowed: UnraisableHookArgs) -> None:
    """An interrupt that arrives within a destructor or a callback is swallowed there; it is sent again, just after."""
    if issubclass(swallowed.exc_type, KeyboardInterrupt):
        again(signal.SIGTERM)
    elif not issubclass(swallowed.exc_type, MemoryError):  # of which the run itself will hear
        sys.__unraisablehook__(swallowed)
