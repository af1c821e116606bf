# SPDX-License-Identifier: Apache-2.0
"""The report as lines of text, for a terminal: verdict, loss per column, risk, groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from textwrap import wrap

from shoal.ground import catalog
from shoal.ground.wording import number, one_in, percent, phrase, shortened
from shoal.judging.evidence import Measurement, per_cell
from shoal.judging.verdicts import Verdict
from shoal.releases.reports.findings import (
    Reported,
    certificate_told,
    exposures_of,
    gates_passed,
    levels_told,
    losses,
    main_loss,
    remedy_sentences,
    risk,
    typical_widths,
    uncounted,
    workload_told,
)

BAR = 20
"""Letters of a full bar."""
MOST_COLUMNS = 12
MOST_EXPOSED = 4
LINE = 120
"""Letters of a line of measurements."""
UNBROKEN = "\N{NO-BREAK SPACE}"
GIVEN = "GIVEN AWAY"


def summary_lines(release: Reported, *, in_python: bool = False) -> list[str]:
    """What a run came to, in the lines a user wants to see first."""
    notes = [f"{'Note':<13} {note}" for note in release.notes]
    gates = verdict_lines(Verdict(tuple(gates_passed(release))))
    first = [*verdict_lines(release.verdict, release.warnings), *gates, *exposure_lines(release, in_python=in_python)]
    return [*first, "", *group_lines(release), "", *loss_lines(release), *workload_lines(release), *notes]


def summary(release: Reported, *, in_python: bool = False) -> str:
    """The same as one text; ``in_python``: with keywords instead of flags."""
    return "\n".join(summary_lines(release, in_python=in_python))


def verdict_lines(verdict: Verdict, warnings: Iterable[str] | None = None) -> list[str]:
    """One line per model, one per warning (the verdict's, or more); the word says it, not a colour."""
    told = verdict if warnings is None else replace(verdict, warnings=tuple(warnings))
    return [line for line in str(told).split("\n") if line]


def exposure_lines(release: Reported, *, in_python: bool = False) -> list[str]:
    """Private values that k does not hide: how many, in which column, what would stop it and about at what cost."""
    found = exposures_of(release)
    given = [one for one in found if one.total]
    if not found and (why := uncounted(release)):
        return [f"{'Private':<13} {why}"]
    if not given:
        names = phrase([repr(one.column) for one in found])
        return [f"{'Private':<13} nobody's {names} is that of all look-alikes, or nearly"] if found else []
    lines = [f"{GIVEN:<13} {one.sentence()}" for one in given[:MOST_EXPOSED]]
    if len(given) > MOST_EXPOSED:
        lines.append(f"{'':<13} and {len(given) - MOST_EXPOSED} more private columns; the report lists all")
    return [*lines, *(f"{'':<13} -> {said}" for said in remedy_sentences(release, in_python=in_python))]


def found_exposure_lines(verdict: Verdict) -> list[str]:
    """The same of a table that others made, as the judge found it."""
    return [f"{GIVEN:<13} {leak.statement}" for leak in verdict.leaks if leak.kind == "homogeneous_classes"]


def leak_lines(verdict: Verdict) -> list[str]:
    """What to do about each leak, and what is worth knowing though it is no leak by itself."""
    lines = [""] if verdict.leaks else []
    for leak in verdict.leaks:
        word = {"breaks": "LEAK", "information": "NOTE"}.get(leak.severity, leak.severity.upper())
        lines += [f"{word:<13} {leak.kind}: {leak.statement}", f"{'':<13} -> {leak.todo}"]
    return lines


def group_lines(release: Reported) -> list[str]:
    """Rows, look-alike groups or what there is instead, and the risk that follows."""
    lines = [f"{word:<13} {said}" for word, said in release.kind.told(release.kind.lines, release)]
    if chances := risk(release):
        most, mean = one_in(chances.largest), one_in(chances.mean)
        lines.append(f"{'Risk':<13} best guess {release.kind.attacker} right {most} at most, {mean} on average")
    return lines


def loss_lines(release: Reported) -> list[str]:
    """The loss per cell, and a bar for each column, the largest first."""
    loss = main_loss(release)
    if loss is None:
        return []
    share = per_cell(loss)
    columns = losses(loss)
    known = f"{percent(share)} of the detail in the recognisable columns" if math.isfinite(share) else "undefined"
    lines = [f"{'Loss':<13} {known} ({loss.metric}, per cell)"]
    width = max(len(_short(name)) for name, _ in columns[:MOST_COLUMNS])
    widths = {one.column: one for one in typical_widths(release) if one.width > 0}
    for name, value in columns[:MOST_COLUMNS]:
        filled = round(BAR * min(max(value, 0.0), 1.0)) if math.isfinite(value) else 0
        wide = f"   typically {widths[name].words} wide" if name in widths else ""
        lines.append(f"  {_short(name):<{width}}  {'#' * filled:<{BAR}}  {percent(value):>8}{wide}")
    if len(columns) > MOST_COLUMNS:
        lines.append(f"  and {len(columns) - MOST_COLUMNS} more columns")
    if levels := levels_told(release):
        lines.append(f"{'Levels':<13} {levels}")
    if said := certificate_told(release):
        lines.append(f"{'Certificate':<13} {said}")
    return lines


def workload_lines(release: Reported) -> list[str]:
    """How the analyses fare that the release is for, as far as the plan names them."""
    return [f"{'Workload':<13} {said}" for said in workload_told(release)]


def measurement_lines(measurements: Iterable[Measurement]) -> list[str]:
    """Each metric with its further figures, on as many lines as they need; no figure is parted from its name."""
    lines = []
    for one in measurements:
        named = (f"{name} {number(value)}".replace(" ", UNBROKEN) for name, value in one.figures.items())
        figures = ", ".join(named)
        note = f" - {one.note}" if one.note else ""
        said = f"{one.metric:<22} {number(one.value):>12}{f'  ({figures})' if figures else ''}{note}"
        wrapped = wrap(said, LINE, subsequent_indent=" " * 38, break_long_words=False, break_on_hyphens=False)
        lines += [line.replace(UNBROKEN, " ") for line in wrapped]
    return lines


def brief_lines(measurements: Iterable[Measurement]) -> list[str]:
    """Each metric with its value, per cell if it is a loss, and what it is about; what is to be noted comes below."""
    lines, notes = [], dict[str, list[str]]()
    for one in measurements:
        share = one.figures.get("per_cell")
        value = number(one.value) if share is None else f"{percent(share)} per cell"
        about = catalog.find("metrics", one.metric).summary.partition(": ")[2].rstrip(".")
        lines += wrap(f"{one.metric:<22} {value:>16}  {about}", LINE, subsequent_indent=" " * 41)
        if one.note:
            notes.setdefault(one.note, []).append(one.metric)
    for note, names in notes.items():
        lines += ["", *wrap(f"{phrase(names)}: {note}", LINE, break_long_words=False, break_on_hyphens=False)]
    return lines


def _short(name: str) -> str:
    """A name that cannot move the cursor or colour the screen."""
    return shortened("".join(letter if letter.isprintable() else "?" for letter in name), 30)
