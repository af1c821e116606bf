# SPDX-License-Identifier: Apache-2.0
"""How long work reports itself and how it is stopped.

The pipeline calls ``progress(Step(...))`` between slices of work of about 50 ms. The callback shows what it
likes and may stop the run by answering ``"cancel"`` (or by raising).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from shoal.errors import Interrupted


@dataclass(frozen=True)
class Step:
    """One report: phase ``done`` out of ``total``, with the loss so far where it is known."""

    phase: str
    done: int = 0
    total: int = 0
    loss: float | None = None


ProgressCallback = Callable[[Step], object]


class Progress:
    """What the parts of the flow call; wraps the user's callback.

    >>> seen = []
    >>> progress = Progress(seen.append)
    >>> progress.phase("cluster"); progress(3, 10)
    >>> seen[-1]
    Step(phase='cluster', done=3, total=10, loss=None)
    """

    def __init__(self, callback: ProgressCallback | None = None) -> None:
        self._callback = callback
        self._phase = ""

    def phase(self, name: str) -> None:
        """Enter the next phase of the flow."""
        self._phase = name
        self(0, 0)

    def __call__(self, done: int, total: int, loss: float | None = None) -> None:
        """Report work done; raises :class:`Interrupted` when the callback answers ``"cancel"``."""
        if self._callback is None:
            return
        if self._callback(Step(self._phase, done, total, loss)) == "cancel":
            raise Interrupted("The run was cancelled; nothing was written.", where=f"phase {self._phase}")


class Clock:
    """Names the phases to the progress callback and remembers how long each took (for the manifest)."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.seconds: dict[str, float] = {}
        self._name = ""
        self._since = time.perf_counter()

    def phase(self, name: str) -> None:
        """End the phase under way and begin the next."""
        self.finish()
        self._name, self._since = name, time.perf_counter()
        self.progress.phase(name)

    def finish(self) -> dict[str, float]:
        """End the last phase; seconds per phase."""
        if self._name:
            self.seconds[self._name] = time.perf_counter() - self._since
        return self.seconds
