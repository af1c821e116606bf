# SPDX-License-Identifier: Apache-2.0
"""A progress bar with an estimate, on stderr, when somebody watches; and what Ctrl-C means meanwhile."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import click

from shoal.faces.cli._output import note
from shoal.ground.errors import Interrupted
from shoal.ground.progress import PREPARE, Progress, Step

INTERRUPTING = """Ctrl-C stops the run, and nothing is written. During the search, and while the certificate is worked
out, it asks first: that part can end early, with the best classes so far or without a certificate. Where nobody can be
asked, the first Ctrl-C ends that part and a second one stops the run."""
"""What Ctrl-C does, in the words of help and documentation."""


@dataclass(frozen=True)
class Ending:
    """How a phase can end early without ending the run."""

    question: str
    done: str


ENDINGS = {
    "refine": Ending("Take the best classes so far", "Finishing with the best so far"),
    "bound": Ending("Leave out the certificate", "Leaving out the certificate"),
}
"""The phases that can."""

PREPARING = "Preparing kernels, which this installation keeps; about {seconds:.0f} s ..."
"""Said where there is no bar."""
SECONDS_EACH = 0.07
"""What a unit of that work takes about."""


class _Finish:
    """The first Ctrl-C during a search or a bound asks whether to end it, the second stops the run as elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._before: Any = None
        self._phase = ""
        self._pressed = self._asked = False

    def enter(self, phase: str) -> None:
        """Listen while such a phase runs, in the main thread only, where signals arrive."""
        self.leave()
        self._pressed = self._asked = False
        self._phase = phase
        self._listen()

    def _listen(self) -> None:
        if self._phase in ENDINGS and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._first)

    def leave(self) -> None:
        """Give Ctrl-C its usual meaning back."""
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None

    def _first(self, _number: int, _frame: object) -> None:
        self._pressed = True
        self.leave()
        if self._quiet or not _can_be_asked():
            self._asked = True
            note(f"{ENDINGS[self._phase].done}; Ctrl-C again stops without a release.", quiet=self._quiet)

    def wanted(self, pause: Callable[[], Any]) -> bool:
        """Whether the phase should end; asks if Ctrl-C was pressed since the last look and somebody can answer."""
        if self._pressed and not self._asked:
            self._pressed = False
            with pause():
                answer = _ask(ENDINGS[self._phase].question)
                if answer == "g":  # before the bar is back, which invites to press it again
                    self._listen()
            if answer == "s":
                ends_early = "give the same command again; e ends the phase and keeps what there is"
                raise Interrupted("interrupted, nothing written", where=f"phase {self._phase}", todo=ends_early)
            self._asked = answer == "e"
        return self._asked


def _can_be_asked() -> bool:
    """Whether this process may talk to the terminal: it has one and is in its foreground."""
    with suppress(OSError, ValueError, AttributeError):
        on_terminal = sys.stdin.isatty() and sys.stderr.isatty()
        return on_terminal and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    return False


def _ask(question: str) -> str:
    """The answer: e to end the phase, s to stop the run, g to go on; Ctrl-C again stops."""
    choices = click.Choice(["e", "s", "g"])
    try:
        asked = f"{question} (e), stop without a release (s) or go on (g)?"
        return str(click.prompt(asked, default="e", type=choices, show_choices=False, err=True))
    except click.Abort:
        return "s"


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """What the flow reports to: a bar on a terminal, silence elsewhere but for a word about a long preparation."""
    finish = _Finish(quiet)
    try:
        with _bar(quiet) as (show, pause):
            phase = ""

            def follow(step: Step) -> str | None:
                nonlocal phase
                if step.phase not in (phase, PREPARE):  # which is in the middle of another
                    phase = step.phase
                    finish.enter(phase)
                show(step)
                return "finish" if finish.wanted(pause) else None

            yield Progress(follow)
    finally:
        finish.leave()


def passed_on(progress: Progress) -> Callable[[Step], None]:
    """The steps of work that was begun elsewhere, for the same bar; each phase of it is one of the bar."""
    phase = ""

    def show(step: Step) -> None:
        nonlocal phase
        if step.phase != phase:
            phase = step.phase
            progress.phase(phase)
        progress(step.done, step.total, step.loss)

    return show


Show = Callable[[Step], object]


@contextmanager
def _bar(quiet: bool) -> Iterator[tuple[Show, Callable[[], Any]]]:
    """Shows each step on a terminal, where somebody watches; and a way to hide it for a while."""
    if quiet or not sys.stderr.isatty():
        yield _word(quiet), _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Left(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{left(task.elapsed or 0.0, task.completed, task.total, task.fields['seconds'])} left")

    look = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TaskProgressColumn(text_format_no_percentage="    "),
        TimeElapsedColumn(),
        TextColumn("gone,"),
        Left(),
        TextColumn("{task.fields[more]}"),
    )
    with Bar(*look, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("start", total=None, more="", seconds=None)
        shown: list[Any] = ["start"]

        def show(step: Step) -> None:
            if step.phase != shown[0]:
                shown[0] = step.phase
                bar.reset(task, description=step.phase, total=None, more="", seconds=step.seconds)
            if step.total:
                bar.update(task, completed=step.done, total=step.total, more=_more(step))

        @contextmanager
        def pause() -> Iterator[None]:
            bar.stop()
            yield
            bar.start()

        yield show, pause


@contextmanager
def _nothing() -> Iterator[None]:
    yield


def _word(quiet: bool) -> Show:
    """Where there is no bar: one line about a preparation that takes long."""
    said = quiet

    def show(step: Step) -> None:
        nonlocal said
        if step.phase == PREPARE and not said:
            said = True
            note(PREPARING.format(seconds=max(1.0, SECONDS_EACH * (step.total - step.done))))

    return show


def _more(step: Step) -> str:
    """What else is known: the kernel under way, or the loss so far and how to be content with it."""
    if step.what:
        return f"({step.what}; kept for later runs)"
    return "" if step.loss is None else f"loss {step.loss:.5f}; Ctrl-C: good enough"


def left(gone: float, done: float, total: float | None, seconds: float | None) -> str:
    """Time left: by the speed so far, else by what the phase takes about; there is always an estimate.

    >>> left(10.0, 20, 100, None), left(1.0, 0, 100, 6.0), left(9.0, 0, None, 6.0), left(0.0, 0, None, None)
    ('0:40', 'about 0:05', 'about 0:03', 'about 0:01')
    """
    if total and done > 0:
        return _clock(gone * (total - done) / done)
    guessed = seconds or 1.0
    return f"about {_clock(max(guessed - gone, gone / 3, 1.0))}"  # what takes longer than it should, will go on a while


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
