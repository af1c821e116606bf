# SPDX-License-Identifier: Apache-2.0
"""Jobs for the worker process: one at a time, the others wait; each can be stopped at any moment.

The server never computes. It hands a job over and hears of it by a pipe, to which one thread listens.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from shoal.faces.app.worker import main
from shoal.ground.progress import Step

GRACE = 3.0
"""Seconds that a cancelled job may take to stop by itself."""
KEPT = 20
"""Finished jobs that are remembered."""
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
DIED = {
    "what": "The process that did the work has ended, most likely because memory ran out.",
    "next": "leave out columns that nobody needs, or choose a faster method; the plan is kept",
}


@dataclass(eq=False)
class Job:
    """One task on its way."""

    task: str
    title: str
    arguments: dict[str, Any] = field(repr=False)
    then: Callable[[Any], None] = field(repr=False)
    """Called with what it gave."""
    to: str = ""
    """The screen that shows what it gave."""
    back: str = ""
    """The screen from which it was asked for."""
    otherwise: Callable[[], None] | None = field(default=None, repr=False)
    """Called if it gave nothing."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    state: str = WAITING
    steps: list[Step] = field(default_factory=list, repr=False)
    """The last report of each phase."""
    losses: list[tuple[float, float]] = field(default_factory=list, repr=False)
    """The loss as it fell: seconds since the begin, and the loss."""
    found: Any = field(default=None, repr=False)
    """What it has come to so far, where that is worth a look."""
    wish: str = ""
    """``finish`` or ``cancel``, once somebody wants it."""
    begun: float = field(default_factory=time.monotonic)
    phase_begun: float = 0.0
    """Seconds after its begin at which the phase under way began."""
    ended: float | None = None
    problem: dict[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return (self.ended or time.monotonic()) - self.begun

    @property
    def open(self) -> bool:
        """Whether it waits or runs."""
        return self.state in (WAITING, RUNNING)

    def heard(self, step: Step) -> None:
        """Take a report in."""
        if self.steps and self.steps[-1].phase == step.phase:
            self.steps[-1] = step
        else:
            self.steps.append(step)
            self.phase_begun = self.seconds
        self.found = self.found if step.found is None else step.found
        if step.loss is not None:
            self.losses.append((self.seconds, step.loss))
            if len(self.losses) > 400:
                del self.losses[1:-1:2]


class Workers:
    """The queue, and the process at its end."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self._running: Job | None = None
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    @property
    def busy(self) -> bool:
        """Whether anything is to be done."""
        return any(job.open for job in self.jobs.values())

    def submit(self, job: Job) -> Job:
        """Put a job at the end of the queue; the same job twice is one."""
        for other in self.jobs.values():
            if other.open and (other.task, other.to, other.arguments) == (job.task, job.to, job.arguments):
                return other
        self.jobs[job.id] = job
        for old in [one for one in self.jobs.values() if not one.open][:-KEPT]:
            del self.jobs[old.id]
        self._next()
        return job

    def latest(self, to: str) -> Job | None:
        """The last job that leads to a screen."""
        return next((job for job in reversed(self.jobs.values()) if job.to == to), None)

    def wish(self, job: Job, wish: str) -> None:
        """``finish`` with the best so far, or ``cancel``."""
        if not job.open:
            return
        job.wish = wish
        if job.state == WAITING:
            self._ended(job, CANCELLED)
        elif self._pipe is not None:
            with suppress(OSError):
                self._pipe.send((wish, {}))
            if wish == "cancel":
                asyncio.get_running_loop().call_later(GRACE, self._end_if_running, job)

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.join(5)
            self._process = None

    # -- the process --------------------------------------------------------------------------------------

    def _next(self) -> None:
        waiting = next((job for job in self.jobs.values() if job.state == WAITING), None)
        if self._running is not None or waiting is None:
            return
        if self._process is None:
            self._start()
        self._running = waiting
        waiting.state, waiting.begun = RUNNING, time.monotonic()
        assert self._pipe is not None
        with suppress(OSError):  # it died: its silence will say so
            self._pipe.send((waiting.task, waiting.arguments))

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=main, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(self._process, self._pipe, loop), daemon=True).start()

    def _listen(self, process: BaseProcess, pipe: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread of its own: what is heard is handled by the server's loop."""
        with suppress(EOFError, OSError, RuntimeError):
            while True:
                loop.call_soon_threadsafe(self._heard, process, *pipe.recv())
        with suppress(RuntimeError):  # the loop is closed: the server ends
            loop.call_soon_threadsafe(self._gone, process)

    def _heard(self, process: BaseProcess, what: str, given: Any) -> None:
        job = self._running
        if process is not self._process or job is None:
            return
        if what == "step":
            job.heard(given)
            return
        if what == "done":
            job.then(given)
        elif what == "failed":
            job.problem = given
        self._ended(job, what)

    def _gone(self, process: BaseProcess) -> None:
        """The process has ended by itself, or was ended."""
        if process is not self._process:
            return
        self._process = self._pipe = None
        if self._running is not None:
            cancelled = self._running.wish == "cancel"
            self._running.problem = {} if cancelled else DIED
            self._ended(self._running, CANCELLED if cancelled else FAILED)

    def _end_if_running(self, job: Job) -> None:
        if job is self._running and self._process is not None:
            self._process.kill()

    def _ended(self, job: Job, state: str) -> None:
        job.state, job.ended = state, time.monotonic()
        if state != DONE and job.otherwise is not None:
            job.otherwise()
        if job is self._running:
            self._running = None
        self._next()
