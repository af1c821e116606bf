# SPDX-License-Identifier: Apache-2.0
"""Runs each cell in a process of its own, listens to it, and stops it when asked.

A fresh process per cell buys three things that no other way gives: the peak memory of that cell alone (within one
process the peak of the largest cell would hide all later ones), a crash or a lack of memory that ends only its own
cell, and an end at any moment, even inside a compiled kernel. A server that has imported everything and done nothing
starts them (``worker.py``), so that a cell pays milliseconds and not seconds for it. The table goes
through a pipe: it never touches the disk.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from shoal.plan.plan import Plan
from shoal.studies.comparing.grid import Cell
from shoal.studies.comparing.outcome import FAILED, LATE, Outcome
from shoal.tables.table import Table

HEARTBEAT = 0.1
"""Seconds between two looks at the clock while a cell works silently."""

Heard = Callable[[int, int, float | None], None]
"""Called with work done, out of how much, and the loss so far; raises to stop."""


class Children:
    """Runs one cell after the other on the same table and plan."""

    def __init__(self, table: Table, plan: Plan, limit: float | None = None) -> None:
        self._table = pickle.dumps(table)
        self._plan = plan
        self._limit = limit
        self._server: _Server | None = None

    def run(self, cell: Cell, heard: Heard) -> Outcome:
        """The outcome of one cell; ends its process before an exception of ``heard`` goes on its way."""
        ended = False
        try:
            if self._server is None:
                self._server = _Server()
                self._server.send(self._table)
            self._server.send(pickle.dumps({"plan": self._plan, "cell": cell.to_dict()}))
            outcome, ended = self._listen(self._server, cell, heard)
        finally:
            if not ended:
                self.close()
        return outcome

    def close(self) -> None:
        """End the server and whatever it runs."""
        if self._server is not None:
            self._server.end()
            self._server = None

    def _listen(self, server: _Server, cell: Cell, heard: Heard) -> tuple[Outcome, bool]:
        """The outcome, and whether the process of the cell has ended by itself."""
        begun, outcome = None, None
        report: dict[str, Any] = {"done": 0, "total": 0, "loss": None}
        while True:
            message = server.hear(HEARTBEAT)
            if message is None:
                return Outcome.without(cell, FAILED, died(server.exit_code())), False
            if "ended" in message:
                return outcome or Outcome.without(cell, FAILED, died(message["ended"])), True
            if "outcome" in message:
                outcome = Outcome.from_dict(message["outcome"])
            elif "begun" in message:
                begun = time.monotonic()
            report |= {name: message[name] for name in report if name in message}
            heard(report["done"], report["total"], report["loss"])
            if self._limit is not None and begun is not None and time.monotonic() - begun > self._limit:
                said = f"It took longer than the limit of {self._limit:g} s and was stopped."
                return Outcome.without(cell, LATE, said, limit=self._limit), False


class _Server:
    """The process that starts the others, and the pipes to it."""

    def __init__(self) -> None:
        talkative = os.environ.get("SHOAL_TRACEBACK") == "1"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-m", "shoal.studies.comparing.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if talkative else subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)},
            start_new_session=True,  # Ctrl-C is for the parent, which then ends this group
        )
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError, ValueError):  # closed under our hands, or broken off within a line
            assert self._process.stdout is not None
            for line in self._process.stdout:
                self._messages.put(json.loads(line))
        self._messages.put(None)

    def send(self, part: bytes) -> None:
        """Its length, then itself."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it died: its silence will say so
            self._process.stdin.write(len(part).to_bytes(8, "big"))
            self._process.stdin.write(part)
            self._process.stdin.flush()

    def hear(self, seconds: float) -> dict[str, Any] | None:
        """The next message, an empty one if none comes in time, None when there will be no more."""
        try:
            message: dict[str, Any] | None = self._messages.get(timeout=seconds)
        except queue.Empty:
            return {}
        return message

    def exit_code(self) -> int:
        """What it ended with."""
        return self._process.wait()

    def end(self) -> None:
        """Kill the whole group and wait."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()


def died(code: int) -> str:
    """Why a process ended without an answer.

    >>> died(-11)
    'The process crashed (SIGSEGV).'
    """
    if code == -signal.SIGKILL:
        return "The process was killed from outside, most likely because memory ran out."
    if code < 0:
        return f"The process crashed ({signal.Signals(-code).name})."
    return f"The process ended without an answer (exit code {code})."
