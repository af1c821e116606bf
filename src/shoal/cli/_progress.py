# SPDX-License-Identifier: Apache-2.0
"""A progress bar with an estimate, on stderr, when somebody watches."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from shoal import catalog
from shoal.cli._output import note
from shoal.progress import Progress, Step

SEARCH = "refine"
"""The phase that Ctrl-C ends with the best so far."""


class _Finish:
    """The first Ctrl-C during a search asks it to finish, the second stops the run as everywhere else."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._before: Any = None
        self.asked = False

    def enter(self, phase: str) -> None:
        """Listen while a search runs, in the main thread only, where signals arrive."""
        if phase == SEARCH and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._first)
        elif phase != SEARCH:
            self.leave()

    def leave(self) -> None:
        """Give Ctrl-C its usual meaning back."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _first(self, _number: int, _frame: object) -> None:
        self.asked = True
        self.leave()
        note("Finishing with the best so far; Ctrl-C again stops without a release.", quiet=self._quiet)


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """What the flow reports to: a bar on a terminal, silence elsewhere."""
    finish = _Finish(quiet)
    try:
        with _bar(quiet) as show:
            phase = ""

            def follow(step: Step) -> str | None:
                nonlocal phase
                if step.phase != phase:
                    phase = step.phase
                    finish.enter(phase)
                show(step)
                return "finish" if finish.asked and phase == SEARCH else None

            yield Progress(follow)
    finally:
        finish.leave()


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[Step], object]]:
    """Shows each step on a terminal, where somebody watches."""
    if quiet or not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    look = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TaskProgressColumn(text_format_no_percentage="    "),
        TimeElapsedColumn(),
        TextColumn("gone,"),
        TimeRemainingColumn(),
        TextColumn("left{task.fields[loss]}"),
    )
    with Bar(*look, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("start", total=None, loss="")
        phase = "start"

        def show(step: Step) -> None:
            nonlocal phase
            if step.phase != phase:
                phase = step.phase
                bar.reset(task, description=phase, total=None, loss="")
            if step.total:
                loss = "" if step.loss is None else f", loss {step.loss:.5f}; Ctrl-C: good enough"
                bar.update(task, completed=step.done, total=step.total, loss=loss)

        yield show


def tell_if_compiling(method: str, quiet: bool) -> None:
    """Say why the very first run of a method takes longer."""
    from shoal.kernels.compile import compiled

    if not compiled(catalog.load("algorithms", method)):
        note("Compiling kernels, first run only ...", quiet=quiet)
