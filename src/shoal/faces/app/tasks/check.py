# SPDX-License-Identifier: Apache-2.0
"""Judges a released file of anybody: what holds, and what gives people away."""

from __future__ import annotations

import zipfile
from pathlib import Path

from shoal.faces.app.archives import unpacked
from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Checked
from shoal.ground.progress import ProgressCallback, Step
from shoal.judging.bytes.reading import judged_file
from shoal.judging.checking import check
from shoal.judging.verdicts import Verdict
from shoal.releases.folder import read_release
from shoal.suggesting.looking import look_at
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table


def run(
    _bench: Bench,
    progress: ProgressCallback,
    *,
    place: Path,
    names: tuple[str, ...] | None,
    private: tuple[str, ...],
    k: int | None,
    original: str | None,
) -> Checked:
    """A release folder by its own plan; a table by the columns that are named, or look recognisable."""
    progress(Step("read"))
    if place.is_dir() or (zipfile.is_zipfile(place) and place.suffix.lower() == ".zip"):
        folder = place if place.is_dir() else unpacked(place, place.with_suffix(""))
        saved = read_release(folder)
        progress(Step("check"))
        beside = None if original is None else read_table(original, saved.plan.reading).table
        return _told(saved.check(saved.plan, beside), tuple(saved.problems), (), ())
    table = read_table(place).table
    guesses = look_at(table)
    seeming = tuple(name for name, one in guesses.items() if one.role == "quasi-identifier")
    chosen = seeming if names is None else names
    if not chosen:
        return Checked(None, (), (), (), (), tuple(table.names), ())
    progress(Step("check"))
    judged = judged_file((place,), Reading(), chosen)
    hidden = tuple(name for name, one in guesses.items() if one.role == "sensitive" and name not in chosen)
    about = private or (hidden if names is None else ())
    beside = None if original is None else read_table(original).table
    verdict = check(judged, quasi_identifiers=chosen, sensitive=about, k=k, original=beside, files=[place])
    return _told(verdict, (), tuple(table.names), chosen, about)


def _told(
    verdict: Verdict,
    problems: tuple[str, ...],
    columns: tuple[str, ...],
    chosen: tuple[str, ...],
    private: tuple[str, ...] = (),
) -> Checked:
    findings = tuple((one.mark, one.model, one.statement) for one in verdict.findings)
    leaks = tuple((one.severity, one.kind.replace("_", " "), one.statement, one.todo) for one in verdict.leaks)
    claimed = any(one.holds is not None for one in verdict.findings) or bool(problems)
    holds = (verdict.holds and not problems) if claimed else None
    return Checked(holds, findings, leaks, problems, chosen, columns, private)
