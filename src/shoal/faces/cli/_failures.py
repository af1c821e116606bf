# SPDX-License-Identifier: Apache-2.0
"""Turns whatever went wrong into a five-part message and an exit code.

The texts of foreign exceptions are never shown: Polars, numpy and Python itself quote cells in them, and the
tables are about people. ``SHOAL_TRACEBACK=1`` shows everything, for developers with data of their own.
"""

from __future__ import annotations

import errno
import os
import traceback
from difflib import get_close_matches
from types import TracebackType

import click

from shoal.faces.cli._memory import is_short
from shoal.faces.cli._output import note, say_json
from shoal.ground.errors import InputError, Interrupted, ShoalError, listed

PIPE_CLOSED = 141
"""What programs end with whose reader went away (128 + SIGPIPE)."""


def exit_code_of(problem: BaseException, *, as_json: bool) -> int:
    """Tell the user what went wrong and return the exit code."""
    if isinstance(problem, SystemExit):
        return problem.code if isinstance(problem.code, int) else 2
    if isinstance(problem, BrokenPipeError):
        return PIPE_CLOSED
    if os.environ.get("SHOAL_TRACEBACK") == "1":
        note("".join(traceback.format_exception(problem)))
    error = explained(problem)
    if as_json:
        say_json({"error": {"kind": type(error).__name__, **error.parts(), "exit_code": error.exit_code}})
    else:
        note(f"Error: {error}")
    return error.exit_code


def explained(problem: BaseException) -> ShoalError:
    """Any exception as one of ours."""
    if isinstance(problem, ShoalError):
        return problem
    if isinstance(problem, KeyboardInterrupt | click.Abort):
        return Interrupted("interrupted, nothing written", todo="give the same command again")
    if isinstance(problem, click.ClickException):
        return _usage(problem)
    if isinstance(problem, MemoryError):
        return _out_of_memory(problem)
    if isinstance(problem, OSError) and problem.strerror and problem.errno != errno.ENOMEM:
        return _system(problem)
    return _out_of_memory(problem) if is_short(problem) else _internal(problem)


def _usage(problem: click.ClickException) -> InputError:
    """Click's complaints in the shape of our own; they quote only what was typed."""
    context = getattr(problem, "ctx", None)
    parameter = getattr(problem, "param", None)
    path = context.command_path if context else "shoal"
    parts = {
        "what": _on_one_line(problem.format_message()),
        "where": f"command line of {path}",
        "allowed": _on_one_line(context.get_usage()) if context else "shoal COMMAND ...",
        "received": "the command line as typed",
        "todo": f"see {path} --help",
    }
    if isinstance(problem, click.NoSuchOption) and context:
        options = _options(context)
        close = get_close_matches(problem.option_name, options, n=1, cutoff=0.7)
        parts |= {"what": problem.message, "allowed": listed(options, limit=40), "received": problem.option_name}
        parts["todo"] = f"did you mean {close[0]!r}?" if close else parts["todo"]
    elif isinstance(problem, click.BadParameter) and parameter is not None:
        name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
        missing = isinstance(problem, click.MissingParameter)
        parts["what"] = f"{name} is missing." if missing else f"{name} has a value that cannot be read."
        parts |= {"where": f"{name} of {path}", "allowed": _allowed(parameter)}
        parts["received"] = "nothing" if missing else problem.message.rstrip(".")
    return InputError(**parts)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _options(context: click.Context) -> list[str]:
    return [*sorted(name for one in context.command.params for name in one.opts if name[0] == "-"), "--help"]


def _allowed(parameter: click.Parameter) -> str:
    """What a flag takes, in words."""
    words = {"integer": "a whole number", "float": "a number", "path": "a path", "text": "a text"}
    form = words.get(parameter.type.name, parameter.type.name)
    about = getattr(parameter, "help", None)
    return f"{form} ({about.rstrip('.')})" if about else form


def _out_of_memory(problem: BaseException) -> ShoalError:
    return InputError(
        "There is not enough memory for this table.",
        where=_place(problem.__traceback__),
        allowed="tables that fit into memory a few times over",
        received="a request for more memory than the system gives",
        todo="raise the limit (ulimit -v), close other programs, leave out columns, or use a larger machine; "
        "nothing was written",
    )


def _system(problem: OSError) -> ShoalError:
    name = f" on {problem.filename!r}" if isinstance(problem.filename, str) else ""
    return InputError(
        "The operating system refused a file operation.",
        where=f"{_place(problem.__traceback__)}{name}",
        allowed="readable input and a writable place with free space",
        received=problem.strerror or "an error without a name",
        todo="check path, permission and free space; nothing was written",
    )


def _internal(problem: BaseException) -> ShoalError:
    place = _place(problem.__traceback__)
    return ShoalError(
        f"internal error in {type(problem).__name__} at {place}; nothing was written",
        where=place,
        allowed="any input; this is a fault of shoal, not yours",
        received="something shoal did not foresee (its text is withheld, it may quote cells)",
        todo="report this message; SHOAL_TRACEBACK=1 shows the whole story, which may hold private cells",
    )


def _place(trace: TracebackType | None) -> str:
    """The innermost line of our own code that was running: ``shoal.pipeline:42``."""
    place = "shoal:0"
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == "shoal":
            place = f"{module}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
