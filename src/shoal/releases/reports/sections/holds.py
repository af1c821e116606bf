# SPDX-License-Identifier: Apache-2.0
"""What holds, model by model, under which reading of missing cells, and which leaks were found."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.ground.pages import render
from shoal.ground.pieces import TextTable
from shoal.judging.exposures import RULE
from shoal.releases.reports.findings import MARKS, Reported, exposures_of, gates_passed, remedy_sentences, summary_of
from shoal.releases.reports.words import FINDINGS, MISSING

LISTED = 3
"""Leaks of one kind that are told at once."""
SEVERITIES = {
    "breaks": ("bad", "✘ Leak"),
    "warning": ("warn", "⚠ Warning"),
    "question": ("", "Question"),
    "information": ("", "Note"),
}
HERE = "homogeneous_classes"
"""The leak that has a place of its own: what the classes give away."""


def section(release: Reported) -> str:
    """A table of models, what is given away all the same, the reading of missing cells, a table of leaks."""
    asked = {**FINDINGS, **release.kind.findings}
    findings = [
        (one, *MARKS[one.holds], asked.get(one.model) or summary_of("privacy_models", one.model))
        for one in (*release.verdict.findings, *gates_passed(release))
    ]
    leaks = list(_leaks(release))
    return render(
        "releases/reports/templates/holds.html",
        findings=findings,
        given=_given(release),
        remedies=remedy_sentences(release),
        rule=RULE,
        missing=MISSING[release.plan.missing],
        leaks=[one for one in leaks if one["style"]],
        notes=[one for one in leaks if not one["style"]],
        most=LISTED,
    )


def _given(release: Reported) -> TextTable | None:
    """How many rows have their private value given away, column by column."""
    found = exposures_of(release)
    if not found:
        return None
    rows = [
        (
            one.column,
            f"⚠ {one.total:,}" if one.total else "✔ 0",
            f"{one.certain:,}",
            f"{one.nearly:,}",
            f"{one.narrow:,}",
        )
        for one in found
    ]
    heads = ("Private column", "Rows", "All share it", "Nearly all", "Narrow range")
    caption = f"Rows whose private value is given away, or nearly, of {release.released_rows:,}"
    return TextTable(caption, heads, rows, (1, 2, 3, 4))


def _leaks(release: Reported) -> Iterator[dict[str, object]]:
    """Leaks, those of one kind together, and warnings that are none."""
    verdict = release.verdict
    known = {leak.statement for leak in verdict.leaks}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for leak in verdict.leaks:
        if leak.kind != HERE:
            alike.setdefault((leak.severity, leak.kind.replace("_", " "), leak.todo), []).append(leak.statement)
    for warning in release.warnings:
        if warning not in known:
            alike.setdefault(("warning", "", ""), []).append(warning)
    for (severity, kind, todo), statements in alike.items():
        style, word = SEVERITIES[severity]
        yield {"style": style, "word": word, "kind": kind, "todo": todo, "statements": statements}
