# SPDX-License-Identifier: Apache-2.0
"""Makes a release: the whole flow, as the command line runs it, into a folder; and what is shown of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Cells, Figured, Places, ReleaseShown
from shoal.faces.app.tasks.open_table import shown_cells
from shoal.ground.progress import Progress, ProgressCallback, Step
from shoal.judging.evidence import per_cell
from shoal.pipeline import run as run_flow
from shoal.plan.header import as_planned
from shoal.plan.plan import Plan, load_hierarchies
from shoal.releases.manifest import fingerprints
from shoal.releases.release import Release
from shoal.releases.reports.findings import MARKS, gates_passed, losses, main_loss, remedy_sentences, risk, state_of
from shoal.releases.reports.first_page import tiles
from shoal.releases.reports.html import SECTIONS
from shoal.tables.reading import Reading
from shoal.tables.table import Table

SHOWN = ("groups", "lost", "risk", "columns", "together", "holds", "learned", "limits")
"""The sections of the report that stand on the result screen."""
ROWS, WIDEST = 20, 60
"""Rows and columns of the picture of both tables."""


def run(
    bench: Bench,
    progress: ProgressCallback,
    *,
    places: Places,
    reading: Reading,
    plan: Plan,
    folder: Path,
    actions: tuple[str, ...] = (),
) -> ReleaseShown:
    """Read, run, write, and look at it; ``actions`` go into the report, as what led to the plan."""
    source = bench.source(places, reading, progress)
    told = Progress(progress)
    whole = load_hierarchies(plan)
    release = run_flow(source.table, whole, told, reading=source.reading, portrayed=True, foretold=True)
    notes = (*release.record.notes, *(f"what led to the plan: {one}" for one in actions))
    release = replace(release, inputs=fingerprints(source.places), record=replace(release.record, notes=notes))
    progress(Step("write"))
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    release.save(folder, format=plan.format or source.released_as)
    return _shown(release, as_planned(source.table, release.plan), plan, folder)


def _shown(release: Release, original: Table, plan: Plan, folder: Path) -> ReleaseShown:
    loss = main_loss(release)
    style, word = state_of(release)
    found = (*release.verdict.findings, *gates_passed(release))
    return ReleaseShown(
        folder,
        plan,
        release.verdict.holds,
        style,
        word,
        release.kind.statement(release.plan),
        tuple((one.model, *MARKS[one.holds], one.statement) for one in found),
        tuple(Figured(one.name, one.value, _without_numbers(one.note), one.style or "") for one in tiles(release)),
        tuple((name, SECTIONS[name][0], str(SECTIONS[name][1](release))) for name in SHOWN),
        per_cell(loss) if loss else None,
        chances.largest if (chances := risk(release)) else None,
        tuple(losses(loss)) if loss else (),
        release.certificate.bound if release.certificate else None,
        len(release.released),
        tuple(
            (said, {one.model: dict(one.parameters)}) for said, one in zip(remedy_sentences(release), release.remedies)
        ),
        *_beside(release, original),
    )


def _without_numbers(note: str) -> str:
    """A note that sends to a section of the report, whose sections have no numbers on the screen.

    >>> _without_numbers("all passed; see section 2")
    'all passed; see “What holds” below'
    """
    return note.replace("section 2", "“What holds” below")


def _beside(release: Release, original: Table) -> tuple[Cells, Cells]:
    """Some released rows, and the same rows as they were."""
    shown = np.arange(min(len(release.released), ROWS))
    before = original.take(release.rows[shown])
    after = release.released.take(shown)
    names = release.plan.quasi_identifiers[:WIDEST]
    others = [name for name in original.names if name not in names][: WIDEST - len(names)]
    return (
        tuple((name, shown_cells(before, name)) for name in [*names, *others]),
        tuple((name, shown_cells(after, name)) for name in after.names[:WIDEST]),
    )
