# SPDX-License-Identifier: Apache-2.0
"""How long work reports itself and how it is stopped.

The pipeline calls ``progress(Step(...))`` between slices of work of about 50 ms. The callback shows what it
likes and may stop the run by answering ``"cancel"`` (or by raising). Answering ``"finish"`` ends a search with the best
it has found, and leaves out a bound that nobody wants to wait for; where there is nothing to show yet it is not heeded.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shoal.ground.errors import Interrupted

MICROSECONDS = {
    "read": 1,
    "encode": 1,
    "cluster": 2,
    "generalise": 2,
    "measure": 4,
    "bound": 12,
    "portray": 15,
    "write": 8,
}
"""Per cell of the table, as measured on 20,000 records of 14 columns."""
USUALLY, ANYWAY = 5, 0.2
"""Microseconds per cell in any other phase, and seconds in all."""

PREPARE = "prepare"
"""The phase of compiling."""


@dataclass(frozen=True)
class Step:
    """One report: phase ``done`` out of ``total``, with the loss so far where it is known."""

    phase: str
    done: int = 0
    total: int = 0
    loss: float | None = None
    seconds: float | None = None
    """At the begin of a phase: what all of it takes about, from the size of the table alone."""
    what: str = ""
    """In the phase ``prepare``, which comes once on a machine, amid others: the kernel that is compiled."""
    found: Any = None
    """What the phase has just come to, where that is worth knowing before its end."""


def expected(phase: str, cells: int) -> float:
    """Seconds that a phase takes about; a first word to those who wait, until the phase itself can tell.

    >>> expected("check", 1_000_000)
    5.2
    """
    return round(ANYWAY + MICROSECONDS.get(phase, USUALLY) * cells / 1e6, 3)


class Enough(Exception):
    """Work that may be left out is left out: somebody does not want to wait for it, or its time is over."""


ProgressCallback = Callable[[Step], object]


class Progress:
    """What the parts of the flow call; wraps the user's callback.

    >>> seen = []
    >>> progress = Progress(seen.append)
    >>> progress.phase("cluster"); progress(3, 10)
    >>> seen[-1]
    Step(phase='cluster', done=3, total=10, loss=None, seconds=None, what='', found=None)
    """

    def __init__(self, callback: ProgressCallback | None = None) -> None:
        self._callback = callback
        self._phase = ""

    def phase(self, name: str, cells: int = 0, seconds: float | None = None) -> None:
        """Enter the next phase of the flow, over a table of so many cells, or one whose seconds are known, about."""
        self._phase = name
        self._tell(Step(name, seconds=expected(name, cells) if seconds is None else seconds))

    def __call__(self, done: int, total: int, loss: float | None = None) -> None:
        """Report work done; raises :class:`Interrupted` when the callback answers ``"cancel"``."""
        self._tell(Step(self._phase, done, total, loss))

    def bound(self, loss: float) -> None:
        """Report a loss that nothing can go below."""
        self._tell(Step(self._phase, found=loss))

    def prepare(self, what: str, done: int, total: int) -> None:
        """Report what is compiled; the phase under way goes on afterwards."""
        self._tell(Step(PREPARE, done, total, what=what))

    def part(self, number: int, of: int) -> Progress:
        """Reports of one of several parts of the work, as reports of the whole.

        >>> seen = []
        >>> Progress(seen.append).part(1, of=2)(5, 10)
        >>> seen[-1].done, seen[-1].total
        (1500, 2000)
        """

        def scaled(step: Step) -> object:
            share = step.done / step.total if step.total else 0.0
            return self._tell(Step(self._phase, int(1000 * (number + share)), 1000 * of, step.loss))

        return Progress(scaled)

    def dispensable(self) -> Progress:
        """Reports of work that may be left out: raises :class:`Enough` when the callback answers ``"finish"``."""

        def heeded(step: Step) -> object:
            if self._tell(Step(self._phase, step.done, step.total, step.loss)) == "finish":
                raise Enough
            return None

        return Progress(heeded)

    def search(self, rounds: int, total: int, loss: float, share: float) -> bool:
        """Report a search: rounds done and a share of the next one; whether it should finish with the best so far."""
        return self._tell(Step(self._phase, int(1000 * (rounds + share)), 1000 * total, loss)) == "finish"

    def _tell(self, step: Step) -> object:
        if self._callback is None:
            return None
        answer = self._callback(step)
        if answer == "cancel":
            raise Interrupted(
                "The run was cancelled; nothing was written.",
                where=f"phase {self._phase}",
                todo='run it again; an answer "finish" during the search takes the best so far',
            )
        return answer


class Clock:
    """Names the phases to the progress callback and remembers how long each took (for the manifest)."""

    def __init__(self, progress: Progress, cells: int = 0) -> None:
        self.progress, self._cells = progress, cells
        self.seconds: dict[str, float] = {}
        self._name = ""
        self._since = time.perf_counter()

    def phase(self, name: str, seconds: float | None = None) -> None:
        """End the phase under way and begin the next, which takes so long, about, if that is known."""
        self.finish()
        self._name, self._since = name, time.perf_counter()
        self.progress.phase(name, self._cells, seconds)

    def finish(self) -> dict[str, float]:
        """End the last phase; seconds per phase."""
        if self._name:
            self.seconds[self._name] = time.perf_counter() - self._since
        return self.seconds
