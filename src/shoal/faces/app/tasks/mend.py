# SPDX-License-Identifier: Apache-2.0
"""What would help a column that costs much: measured by runs without it, in bins, and with half its weight."""

from __future__ import annotations

from dataclasses import replace

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Helped, Places
from shoal.ground.progress import ProgressCallback
from shoal.plan.plan import Plan, load_hierarchies
from shoal.studies.comparing.attribution import attribute
from shoal.tables.reading import Reading

STEPS = 5_000
"""Of the search, per record: enough to compare."""


def run(
    bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading, plan: Plan, column: str
) -> tuple[Helped, ...]:
    """Every change that was tried, the most helpful first."""
    table = bench.source(places, reading, progress).table
    quick = replace(load_hierarchies(plan), time_budget=None, steps=STEPS, stop_after=None)
    found = attribute(table, quick, columns=[column], progress=progress)
    effects = sorted(found.effects, key=lambda one: -(one.gives_back or 0.0))
    return tuple(Helped(one.change, one.note, one.others_before, one.others, found.total, one.total) for one in effects)
