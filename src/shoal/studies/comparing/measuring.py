# SPDX-License-Identifier: Apache-2.0
"""One cell of the grid, run and measured: what the child process does between its start and its answer.

Seconds are wall time of the whole flow after a small rehearsal on the first rows, so that neither compiling nor
loading kernels counts. Memory is the peak of the process since the rehearsal: what a machine must have, with
libraries and table included.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal.engine.bounds.bound import is_bounded, lower_bound
from shoal.engine.bounds.budget import TimeOver, Watch
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.losses import NODE_LOSSES
from shoal.ground.json_text import plain
from shoal.ground.progress import Progress
from shoal.judging.checking import measure
from shoal.judging.evidence import per_cell
from shoal.judging.gates import judged_gates, metrics_of_gates
from shoal.pipeline import run
from shoal.plan.effort import EFFORTS
from shoal.plan.gates import gate_of
from shoal.plan.plan import Plan
from shoal.releases.release import Release
from shoal.releases.reports.findings import main_loss, risk
from shoal.studies.comparing.binning import binning_of
from shoal.studies.comparing.grid import BIN, BOUND, DROP, Cell
from shoal.studies.comparing.outcome import REFUSED, Outcome
from shoal.tables.table import Table

UNBINNED = "nothing lies between its values and the whole: binning it would be dropping it"
UNCOUNTED = "squared errors are counted on single values, and bins have none"
NO_TIME = "The time budget was over before there was any lower bound; give it more seconds, or none."
REHEARSAL_ROWS, REHEARSAL_K = 120, 3
MEGABYTE = 1_000_000


def measured(table: Table, base: Plan, cell: Cell, progress: Progress, ready: Callable[[], None]) -> Outcome:
    """Run one cell; ``ready`` is called when the measured part begins."""
    if cell.method == BOUND:
        return _bound(table, base, cell, progress, ready)
    plan, words, binning = cell.plan(base), "", None
    shown = table
    if cell.change == BIN:
        settled = complete(plan, table)
        encoded = encode(table, settled)
        binning = binning_of(next(one for one in encoded.columns if one.name == cell.column))
        if binning is None or plan.loss not in NODE_LOSSES:
            return Outcome.without(cell, REFUSED, UNBINNED if binning is None else UNCOUNTED)
        words = binning.words
        shown, plan = binning.apply(table, settled)
    _rehearse(shown, plan)
    ready()
    _forget_peak()
    start = time.perf_counter()
    release = run(shown, plan, progress, certified=False)
    seconds = time.perf_counter() - start
    outcome = replace(_figures(release, cell), seconds=seconds, memory=_peak() / MEGABYTE, note=words)
    if cell.rank:
        outcome = replace(outcome, **_ranked(shown, release, cell.rank))
    columns = dict(outcome.per_column)
    if binning is not None:
        columns[cell.column] = binning.loss(release.classes, plan.loss)
    if cell.change == DROP:
        columns[cell.column] = 1.0
    return replace(outcome, per_column={name: columns.get(name) for name in base.quasi_identifiers})


def _bound(table: Table, base: Plan, cell: Cell, progress: Progress, ready: Callable[[], None]) -> Outcome:
    """The lower bound at one k, per cell, for whatever keeps all rows and shows groups as ranges and tree names."""
    encoded = encode(table, complete(cell.plan(base), table)).unitless
    with suppress(Exception):  # compiles; what goes wrong here goes wrong again
        lower_bound(encoded.take(np.arange(min(len(table), REHEARSAL_ROWS))), min(cell.k, REHEARSAL_K))
    ready()
    start = time.perf_counter()
    watch = Watch() if base.time_budget is None else Watch(start + base.time_budget)
    try:
        bound = lower_bound(encoded, cell.k, progress, effort=EFFORTS[base.effort], watch=watch)
    except TimeOver:
        return Outcome.without(cell, REFUSED, NO_TIME)
    if base.loss not in NODE_LOSSES and not bound.records_covered:
        return Outcome.without(cell, REFUSED, f"No lower bound is known for the loss {base.loss} of so many rows.")
    seconds = time.perf_counter() - start
    note = f"{bound.method}, {bound.records_covered:,} of {bound.records:,} records"
    return Outcome(BOUND, cell.k, cell.seed, metric=base.loss, loss=bound.per_cell, seconds=seconds, note=note)


def _ranked(table: Table, release: Release, rank: str) -> dict[str, Any]:
    """What a method is ranked by; after its time was taken."""
    gate = gate_of(f"{rank} >= 0")
    private, plan = release.private, replace(release.plan, require=(str(gate),))
    weaker = release.kind.weaker or private is None
    (found,) = measure(
        table,
        release.kind.side_by_side(release.published, plan),
        plan,
        metrics=metrics_of_gates(plan),
        classes=None if weaker else release.classes,
        rows=None if weaker or private is None else private.rows[0],
        releases=release.kind.name,
    )
    (finding,) = judged_gates(plan, [found])
    return {"rank": plain(finding.figures["value"]), "better": found.better}


def _figures(release: Release, cell: Cell) -> Outcome:
    loss, chances, facts = main_loss(release), risk(release), release.facts
    return Outcome(
        cell.method,
        cell.k,
        cell.seed,
        metric=loss.metric if loss else "",
        loss=plain(per_cell(loss)) if loss else None,
        per_column=plain(loss.per_column) if loss else {},
        risk=plain(chances.largest) if chances else None,
        mean_risk=plain(chances.mean) if chances else None,
        classes=facts.get("classes"),
        smallest_class=facts.get("smallest_class"),
        largest_class=facts.get("largest_class"),
        suppressed=facts.get("suppressed"),
        releases=release.kind.name,
        hulls=is_bounded(release.plan),
        change=cell.change,
        column=cell.column,
    )


def _rehearse(table: Table, plan: Plan) -> None:
    """The same flow on a few rows; what goes wrong here goes wrong again, and is told, in earnest."""
    few = table.take(np.arange(min(len(table), REHEARSAL_ROWS)))
    with suppress(Exception):
        run(few, replace(plan, k=min(plan.k, REHEARSAL_K), time_budget=None), certified=False)


def _forget_peak() -> None:
    """Let the peak start anew, where the system can (Linux); else it is that of the whole process."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """Peak memory of this process in bytes.

    Not from ``getrusage`` where it can be helped: there, a child on Linux starts with the peak of its parent.
    """
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/self/status").read_text().splitlines()
        return 1024.0 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
    import resource

    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(largest if sys.platform == "darwin" else 1024 * largest)
