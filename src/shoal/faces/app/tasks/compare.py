# SPDX-License-Identifier: Apache-2.0
"""Methods side by side over several k, each against the proven lower bound."""

from __future__ import annotations

from dataclasses import replace

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Compared, ComparedPoint, Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.plan.plan import Plan, load_hierarchies
from shoal.studies.comparing.comparison import Comparison, comparison_of
from shoal.studies.comparing.comparison import compare as compare_methods
from shoal.studies.comparing.outcome import OPEN, Outcome
from shoal.studies.comparing.page import HEADS, figures_in_words
from shoal.tables.reading import Reading


def run(
    bench: Bench,
    progress: ProgressCallback,
    *,
    places: Places,
    reading: Reading,
    plan: Plan,
    methods: tuple[str, ...],
    sizes: tuple[int, ...],
    limit: float,
) -> Compared:
    """Run the grid; what was stopped says so."""
    table = bench.source(places, reading, progress).table
    asked = replace(load_hierarchies(plan), accept_weaker=True)
    told = _as_they_end(progress, len(table), asked)
    return _shown(compare_methods(table, asked, methods=methods, k=sizes, limit=limit, progress=told))


def _as_they_end(progress: ProgressCallback, rows: int, plan: Plan) -> ProgressCallback:
    """Tells what all cells that have ended come to; ``finish`` means here: no more cells, and what is done."""
    ended: list[Outcome] = []

    def told(step: Step) -> object:
        if isinstance(step.found, Outcome):
            ended.append(step.found)
            step = replace(step, found=_shown(comparison_of(ended, rows, plan)))
        return "cancel" if progress(step) else None

    return told


def _shown(found: Comparison) -> Compared:
    tried = [one for one in found.outcomes if one.status != OPEN]
    return Compared(
        str(found.plot("loss_k").inline) if any(found.standings.values()) else "",
        found.recommendation,
        HEADS,
        tuple(_point(found, one) for one in tried),
        len(found.outcomes) - len(tried),
        dict(found.bounds),
    )


def _point(found: Comparison, one: Outcome) -> ComparedPoint:
    words = figures_in_words(one, found.bounds.get(one.k)) if one.done else ()
    return ComparedPoint(one.method, one.k, one.loss, one.done, one.weaker, words, one.reason)
