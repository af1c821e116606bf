# SPDX-License-Identifier: Apache-2.0
"""How long work reports itself and how it is stopped.

The pipeline calls ``progress(Step(...))`` between slices of work of about 50 ms. The callback shows what it
likes and may stop the run by answering ``"cancel"`` (or by raising).
"""

from __future__ import annotations

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
