# SPDX-License-Identifier: Apache-2.0
"""A progress bar with an estimate, on stderr, when somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from shoal import catalog
from shoal.cli._output import note
from shoal.progress import Progress, Step


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """What the flow reports to: a bar on a terminal, silence elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield Progress()
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
        TextColumn("left"),
    )
    with Bar(*look, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("start", total=None)
        phase = "start"

        def show(step: Step) -> None:
            nonlocal phase
            if step.phase != phase:
                phase = step.phase
                bar.reset(task, description=phase, total=None)
            if step.total:
                bar.update(task, completed=step.done, total=step.total)

        yield Progress(show)


def tell_if_compiling(method: str, quiet: bool) -> None:
    """Say why the very first run of a method takes longer."""
    from shoal.kernels.compile import compiled

    if not compiled(catalog.load("algorithms", method)):
        note("Compiling kernels, first run only ...", quiet=quiet)
