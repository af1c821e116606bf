# SPDX-License-Identifier: Apache-2.0
"""What holds, model by model, under which reading of missing cells, and which leaks were found."""

from __future__ import annotations

from html import escape

from shoal.privacy_models._protocol import Finding, Verdict
from shoal.reports.findings import MARKS, Reported, summary_of
from shoal.reports.pieces import folded, framed, sentence
from shoal.reports.words import FINDINGS, MISSING

HEADING = "What holds"

NONE_FOUND = "The checker looked for leaks that no model speaks of, and found none."
LISTED = 3
"""Leaks of one kind that are told at once."""
SEVERITIES = {"breaks": ("bad", "✘ Leak"), "warning": ("warn", "⚠ Warning"), "information": ("", "Note")}


def section(release: Reported) -> str:
    """A table of models, the reading of missing cells, a table of leaks."""
    rows = "".join(_finding(one) for one in release.verdict.findings)
    heads = ("Model", "What was found", "What the model asks")
    reading = f"<p><strong>Missing cells.</strong> {escape(MISSING[release.plan.missing])}</p>"
    return framed("What the checker found, model by model", heads, rows) + reading + _leaks(release.verdict)


def _finding(finding: Finding) -> str:
    style, word = MARKS[finding.holds]
    asked = FINDINGS.get(finding.model) or summary_of("privacy_models", finding.model)
    name = f'{escape(finding.model)}<br><span class="{style}">{word}</span>'
    cells = "".join(f"<td>{escape(sentence(said))}</td>" for said in (finding.statement, asked))
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def _leaks(verdict: Verdict) -> str:
    known = {leak.statement for leak in verdict.leaks}
    rows = [(leak.severity, leak.kind.replace("_", " "), leak.statement, leak.todo) for leak in verdict.leaks]
    rows += [("warning", "", warning, "") for warning in verdict.warnings if warning not in known]
    if not rows:
        return f"<h3>Leaks</h3><p>{NONE_FOUND}</p>"
    alike: dict[tuple[str, str, str], list[str]] = {}
    for severity, kind, statement, todo in rows:
        alike.setdefault((severity, kind, todo), []).append(statement)
    body = "".join(_leak(*leak, statements) for leak, statements in alike.items())
    heads = ("What", "What was found", "What can be done")
    said = "<p>Things that may give somebody away although every model holds.</p>"
    return f"<h3>Leaks</h3>{said}{framed('Leaks that break no model', heads, body)}"


def _leak(severity: str, kind: str, todo: str, statements: list[str]) -> str:
    style, word = SEVERITIES[severity]
    name = f'<span class="{style}">{word}</span>' + (f"<br>{escape(kind)}" if kind else "")
    said = "<br>".join(escape(sentence(one)) for one in statements)
    if len(statements) > LISTED:
        first = f"{len(statements):,} findings of this kind. The first: {escape(sentence(statements[0]))}"
        said = first + folded("All of them", f"<p>{said}</p>")
    return f'<tr><th scope="row">{name}</th><td>{said}</td><td>{escape(sentence(todo))}</td></tr>'
