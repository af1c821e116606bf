# SPDX-License-Identifier: Apache-2.0
"""The processes that run the cells: ``python -m shoal.studies.comparing.worker``.

A server imports what every cell needs, reads the table once, and then starts a fresh process for each job that comes
over standard input, by forking itself: it has no thread and has touched no table, so there is nothing a fork could
catch in the middle of something. Standard output carries progress and outcomes, one JSON object per line; nothing
else may write there. What libraries print is dropped: it may quote cells. When standard input closes, the parent is
gone, and whatever runs ends at once: a killed comparison leaves no work behind.
"""

from __future__ import annotations

import os
import pickle
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from shoal.engine.kernels.hull import class_hulls
from shoal.ground.errors import ShoalError
from shoal.ground.json_text import json_line
from shoal.ground.progress import Progress, Step
from shoal.plan.plan import Plan
from shoal.studies.comparing.grid import Cell
from shoal.studies.comparing.measuring import measured
from shoal.studies.comparing.outcome import FAILED, REFUSED, Outcome, reason_of

EVERY = 0.1
"""Seconds between two reports."""
PACKAGE = Path(__file__).parents[2]

Say = Callable[[dict[str, Any]], None]


def main() -> None:
    """Serve jobs until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def say(message: dict[str, Any]) -> None:
        answers.write(json_line(message) + "\n")
        answers.flush()

    class_hulls(np.zeros((1, 1)), np.zeros(1, np.int64), 1)  # any kernel: loads the compiler's libraries, once for all
    table = [_read_part(sys.stdin.buffer)]
    while job := _read_part(sys.stdin.buffer):
        process = os.fork()
        if process == 0:
            _work(table, job, say)
        _, status = os.waitpid(process, 0)
        say({"ended": os.waitstatus_to_exitcode(status)})


def _work(table: list[bytes], job_bytes: bytes, say: Say) -> None:
    """One job in a process of its own, which ends here."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):  # should memory run out, this process goes first
        Path("/proc/self/oom_score_adj").write_text("1000")
    job = pickle.loads(job_bytes)
    say({"outcome": attempt(table.pop(), job["plan"], Cell(**job["cell"]), say).to_dict()})
    os._exit(0)


def attempt(table: bytes, plan: Plan, cell: Cell, say: Say) -> Outcome:
    """The outcome of a cell, whatever happens."""
    try:
        loaded = pickle.loads(table)
        del table
        return measured(loaded, plan, cell, Progress(_reporter(say)), lambda: say({"begun": True}))
    except ShoalError as problem:
        return Outcome.without(cell, REFUSED, reason_of(problem))
    except MemoryError:
        return Outcome.without(cell, FAILED, "There is not enough memory for this method on this table.")
    except BaseException as problem:  # compiled libraries panic with exceptions that are no Exception
        where = f"{type(problem).__name__} at {_place(problem)}"
        said = f"Internal error in {where}; its text is withheld, for it may quote cells."
        return Outcome.without(cell, FAILED, said)


def _reporter(say: Say) -> Callable[[Step], None]:
    last = 0.0

    def report(step: Step) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY:
            last = now
            say({"done": step.done, "total": step.total, "loss": step.loss})

    return report


def _place(problem: BaseException) -> str:
    """The innermost line of our own code: ``pipeline.py:42``."""
    ours = [one for one in traceback.extract_tb(problem.__traceback__) if Path(one.filename).is_relative_to(PACKAGE)]
    return f"{Path(ours[-1].filename).relative_to(PACKAGE)}:{ours[-1].lineno}" if ours else "an unknown place"


def _read_part(stream: BinaryIO) -> bytes:
    """One part of what the parent sends: its length in eight bytes, then itself; nothing when the parent is gone."""
    return stream.read(int.from_bytes(stream.read(8), "big"))


def _end_with_parent() -> None:
    """Wait for the other end of standard input to close, without reading what is meant for the server."""
    watch = select.poll()
    watch.register(0, 0)
    watch.poll()
    os._exit(1)


if __name__ == "__main__":
    main()
