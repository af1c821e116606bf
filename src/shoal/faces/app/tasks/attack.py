# SPDX-License-Identifier: Apache-2.0
"""Attacks a release with what an attacker may hold: the original, or a table from outside."""

from __future__ import annotations

import math
from pathlib import Path

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Attacked, Places, Tried
from shoal.ground.progress import ProgressCallback, Step
from shoal.judging.attempts import Attempt
from shoal.plan.plan import Plan
from shoal.releases.attacking import attack
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table

TARGETS = 2_000
"""Persons that are attacked; intervals tell what so few can."""


def run(
    bench: Bench,
    progress: ProgressCallback,
    *,
    places: Places,
    reading: Reading,
    folder: Path,
    known: Path | None,
    on: tuple[str, ...],
) -> Attacked:
    """Try every attack."""
    original = bench.source(places, reading, progress).table
    progress(Step("check"))
    plan = Plan.read(folder / "plan.toml")
    held = None if known is None else read_table(known, plan.reading.of_others()).table
    report = attack(folder, known=held, original=original, on=on, targets=TARGETS)
    return Attacked(tuple(_tried(one) for one in report.attempts), report.notes, report.broken)


def _tried(one: Attempt) -> Tried:
    low, high = one.interval
    figures = (one.before, one.rate, one.baseline, one.promise, low, high)
    known = tuple(None if math.isnan(figure) else figure for figure in figures)
    about = one.figures.get("column")
    words = one.attack.replace("_", " ") + (f": {about}" if about else "")
    return Tried(one.attack, words, one.mark, one.statement, one.tried, one.targets, *known)
