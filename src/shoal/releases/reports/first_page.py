# SPDX-License-Identifier: Apache-2.0
"""The first page of the report, one sheet of paper: what was released by whom, what is promised, what remains.

What the plan does not say is a blank line to fill in. No date is made up: two runs of a plan give the same page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from shoal.ground.pages import render
from shoal.ground.wording import number, one_in, percent, sentence, shortened, some, times_at_most
from shoal.judging.evidence import per_cell
from shoal.judging.exposures import RULE
from shoal.plan.gates import gates_of
from shoal.plan.plan import Plan
from shoal.releases.kinds.kind import Kind
from shoal.releases.reports.findings import (
    MARKS,
    Reported,
    exposures_of,
    gates_passed,
    guarantee,
    main_loss,
    remedy_sentences,
    risk,
    rows_given_away,
    state_of,
    uncounted,
)

NAMED = 6
"""Most recognisable columns that are named on the page; the next one lists all of them."""
LONGEST = 160
"""Letters of their names."""
MODELS, EXPOSED, FILES, GATES = 6, 3, 2, 3
"""Most models, private columns, fingerprints and requirements on the page."""
LIGHTS = {True: ("good", "✔"), False: ("bad", "✘")}
"""Style and mark of a requirement."""
NAME = 40
"""Letters of a column's name on the page."""
BEYOND = (
    "Not covered: knowledge beyond the recognisable columns, several releases of the same people, and that somebody is "
    "in the table at all."
)


class Field(NamedTuple):
    """A line of the form; empty: to be filled in by hand."""

    name: str
    value: str


class Tile(NamedTuple):
    """A figure that is asked for first; with a style it is a judgement."""

    name: str
    value: str
    note: str
    style: str | None = None
    spare: bool = False
    """Whether it is left out on paper, where the sheet has no room for it; the section below has it, too."""


def first_page(release: Reported) -> str:
    """The form, the promise, the models, the figures, what remains, and lines to sign on."""
    style, word = state_of(release)
    return render(
        "releases/reports/templates/first_page.html",
        form=form_of(release.plan),
        prints=_prints(release),
        style=style,
        word=word,
        promise=promise_of(release.plan, release.kind),
        models=[(one.model, *MARKS[one.holds], one.statement) for one in release.verdict.findings[:MODELS]],
        more=max(len(release.verdict.findings) - MODELS, 0),
        tiles=list(tiles(release)),
        remains=list(_remains(release)),
    )


def form_of(plan: Plan) -> list[Field]:
    """What the plan says about the release."""
    return [
        Field("Data set", plan.title or ""),
        Field("Purpose", plan.purpose or ""),
        Field("Responsible", plan.responsible or ""),
        Field("Contact", plan.contact or ""),
        Field("Date", plan.date or ""),
    ]


def _prints(release: Reported) -> list[tuple[str, list[str]]]:
    """Fingerprints of what was read and of what was written."""
    read = [str(one["sha256"]) for one in release.inputs]
    written = [str(one["sha256"]) for one in release.outputs.values()]
    none = "no file: the table came from memory or from a database"
    return [
        ("Input, SHA-256", _few(read) or [none]),
        ("Released table, SHA-256", _few(written) or ["not written to a file yet"]),
    ]


def _few(prints: list[str]) -> list[str]:
    if len(prints) <= FILES:
        return prints
    return [*prints[: FILES - 1], f"and {len(prints) - FILES + 1} more files, listed in report.json"]


def promise_of(plan: Plan, kind: Kind) -> str:
    """What is promised, in few words where columns are many."""
    names = plan.quasi_identifiers
    if kind.weaker or (len(names) <= NAMED and sum(map(len, names)) <= LONGEST):
        return kind.statement(plan)
    return guarantee(plan, f"all {len(names)} recognisable columns (listed in section 1)")


def tiles(release: Reported) -> Iterator[Tile]:
    """The figures that are asked for first."""
    loss, found, facts = main_loss(release), risk(release), release.facts
    if found:
        yield Tile("Best guess about a person", one_in(found.largest), f"{one_in(found.mean)} on average")
    if exposures := exposures_of(release):
        given = rows_given_away(release)
        share = f"of {release.released_rows:,} rows, or nearly" if given else "of any private column"
        columns = some([shortened(one.column, NAME) for one in exposures if one.total], EXPOSED)
        yield Tile(
            "Private values given away",
            f"⚠ {given:,}" if given else "✔ none",
            f"{share}: {columns}" if given else share,
            "warn" if given else "good",
        )
    warnings = len(release.warnings)
    yield Tile(
        "Warnings",
        f"⚠ {warnings:,}" if warnings else "0",
        "see section 2" if warnings else "nothing noticed",
        "warn" if warnings else None,
    )
    if loss and math.isfinite(per_cell(loss)):
        yield Tile("Detail blurred", percent(per_cell(loss)), f"{loss.metric}, per cell")
    given_loss = release.certificate
    if given_loss and math.isfinite(given_loss.gap):
        about = f"of all rows in groups of {given_loss.k:,}, by a proven lower bound"
        yield Tile("Against the smallest loss possible", f"at most {times_at_most(given_loss.gap)} ×", about)
    yield Tile("Rows released", f"{release.released_rows:,}", f"{facts.get('suppressed', 0):,} left out")
    yield from _lights(release)


def _lights(release: Reported) -> Iterator[Tile]:
    """How good it had to be, and how good it is: a figure with its light for each requirement."""
    gates = list(zip(gates_of(release.plan.require), gates_passed(release), strict=True))
    for gate, one in gates[:GATES]:
        style, mark = LIGHTS[bool(one.holds)]
        asked = f"required: {gate.sign} {gate.bound:.12g}"
        yield Tile(shortened(gate.name, NAME), f"{mark} {number(one.figures['value'])}", asked, style, spare=True)
    if len(gates) > GATES:
        passed = all(one.holds for _, one in gates[GATES:])
        style, mark = LIGHTS[passed]
        words = "all passed" if passed else "not all passed"
        yield Tile(
            "Further requirements", f"{mark} {len(gates) - GATES:,}", f"{words}; see section 2", style, spare=True
        )


def _remains(release: Reported) -> Iterator[str]:
    """What is not hidden, one sentence each."""
    found = exposures_of(release)
    given = [one for one in found if one.total]
    for one in given[:EXPOSED]:
        yield sentence(replace(one, column=shortened(one.column, NAME)).sentence())
    if len(given) > EXPOSED:
        yield f"The same of {len(given) - EXPOSED} more private columns; section 2 lists them."
    for said in remedy_sentences(release):
        yield f"{said}."
    if not found and (why := uncounted(release)):
        yield sentence(why)
    if found and not given:
        names = some([shortened(one.column, NAME) for one in found], EXPOSED)
        yield f"Nobody's value of {names} is that of all look-alikes, or nearly ({RULE})."
    if suppressed := int(release.facts.get("suppressed", 0)):
        yield f"{suppressed:,} of {int(release.facts.get('rows', 0)):,} rows were left out."
    yield BEYOND
