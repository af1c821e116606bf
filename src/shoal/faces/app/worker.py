# SPDX-License-Identifier: Apache-2.0
"""The worker process: does one task after the other, tells how far it is, and stops when it is told to.

It keeps the table that it read last, so that a second task on it begins at once.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from shoal.ground.errors import Interrupted, ShoalError
from shoal.ground.progress import Step

PAUSE = 0.1
"""Least seconds between two reports."""
NICENESS = 5
"""The pages come first."""
UNKNOWN = "Something went wrong that nobody foresaw."


def main(pipe: Connection) -> None:
    """Wait for tasks until nobody is there any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this process
    warnings.simplefilter("ignore")  # may quote cells
    with suppress(OSError):
        os.nice(NICENESS)
    from shoal.faces.app.bench import Bench

    bench = Bench()
    while True:
        try:
            name, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        if name not in ("cancel", "finish"):  # which came too late for the task before
            _answer(pipe, name, bench, arguments)


def _answer(pipe: Connection, name: str, bench: Any, arguments: dict[str, Any]) -> None:
    told = _telling(pipe)
    try:
        task = import_module(f"shoal.faces.app.tasks.{name}")
        answer = ("done", task.run(bench, told, **arguments))
    except Interrupted:
        answer = ("cancelled", None)
    except ShoalError as problem:
        answer = ("failed", problem.parts())
    except MemoryError:
        bench.forget()
        answer = ("failed", _short_of_memory())
    except (BrokenPipeError, EOFError, KeyboardInterrupt):
        return
    except Exception as problem:
        answer = ("failed", _unknown(problem))
    with suppress(OSError):
        pipe.send(answer)


def _telling(pipe: Connection) -> Callable[[Step], object]:
    """The progress callback: reports go out now and then, orders come in at once."""
    wish: str | None = None
    last, phase = 0.0, ""

    def told(step: Step) -> object:
        nonlocal wish, last, phase
        while pipe.poll():
            wish = pipe.recv()[0]
        now = time.monotonic()
        if step.phase != phase or step.found is not None or now - last >= PAUSE:
            last, phase = now, step.phase
            pipe.send(("step", step))
        return wish

    return told


def _short_of_memory() -> dict[str, str]:
    return {
        "what": "There is not enough memory for this.",
        "next": "leave out columns that nobody needs, choose a faster method, or use a machine with more memory",
    }


def _unknown(problem: Exception) -> dict[str, str]:
    """What the user is told; type and place go to the log, never the text, which may quote cells."""
    frames = traceback.extract_tb(problem.__traceback__)
    code = f"{type(problem).__name__}-{frames[-1].lineno if frames else 0}"
    places = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-6:]))
    print(f"shoal app: {code} at {places}", file=sys.stderr, flush=True)
    if os.environ.get("SHOAL_TRACEBACK") == "1":
        traceback.print_exception(problem)
    todo = f"please report it as a bug of shoal, with this code: {code}"
    return {"what": UNKNOWN, "received": f"error {code}", "next": todo}
