# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page: no network, no script, readable on paper, in the dark and without eyes.

Everything that comes from outside (column names, statements) is escaped, and no cell is ever shown. The same
release gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from shoal.metrics._protocol import Measurement
from shoal.privacy_models._protocol import Finding, Verdict
from shoal.reports import weaker_sections
from shoal.reports.charts import Bar, bars, gauge, histogram
from shoal.reports.findings import (
    Reported,
    in_words,
    kind_of,
    losses,
    main_loss,
    per_cell,
    promise_of,
    risk,
    size_bins,
    sizes_of,
    summary_of,
)
from shoal.reports.pieces import framed, text_table
from shoal.reports.style import STYLE
from shoal.reports.text import number, one_in, percent
from shoal.reports.versions import versions
from shoal.reports.words import FINDINGS, GLOSSARY, MISSING, NOT_COVERED, NOT_LEGAL, ORDER, SECRET_SEED
from shoal.roles.roles import INSENSITIVE, ROLES

MARKS = {True: ("good", "✔ Holds"), False: ("bad", "✘ Does not hold"), None: ("", "Found")}
CHARTED = 30
"""Most columns in the loss chart; all are in the table below it."""


def html(release: Reported) -> str:
    """The whole page."""
    sections = {
        "promise": ("What is promised", _promise(release)),
        "done": ("What was done", _done(release)),
        "holds": ("What holds", _holds(release.verdict)),
        "lost": ("What was lost", _lost(release)),
        "groups": ("How many look alike", _groups(release)),
        "risk": ("What risk remains", _risk(release)),
        "limits": ("What this does not protect against", _limits()),
        "verify": ("How to verify this", _verify(release)),
        "words": ("Words", _words()),
    }
    links = "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, (heading, _) in sections.items())
    body = "".join(
        f'<section id="{name}" aria-labelledby="{name}-h"><h2 id="{name}-h">{heading}</h2>{content}</section>'
        for name, (heading, content) in sections.items()
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>shoal release report</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}"><style>{STYLE}</style></head>\n'
        f'<body><a class="skip" href="#main">Skip to the report</a>'
        f'<header><p class="kicker">shoal release report</p><h1>{_headline(release)}</h1>'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">{body}</main>\n<footer><p>{escape(NOT_LEGAL)}</p></footer></body></html>\n'
    )


def card(release: Reported) -> str:
    """A few lines for a notebook; styled by the notebook itself."""
    loss, chances = main_loss(release), risk(release)
    promised = [("k", str(release.plan.k))]
    if kind_of(release) != "classes":
        promised = weaker_sections.promised_rows(release)
    rows = [("Verdict", MARKS[release.verdict.holds][1]), *promised, ("Method", release.plan.method)]
    rows.append(("Rows", f"{len(release.released):,}"))
    if loss:
        rows.append((f"Loss per cell ({loss.metric})", percent(per_cell(loss))))
    if chances:
        rows.append(("Largest risk", one_in(chances.largest)))
    return f"<div><strong>shoal release</strong>{text_table('', (), rows)}</div>"


def _policy() -> str:
    """Nothing may be loaded or run; our own style is allowed by its fingerprint."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'"


def _headline(release: Reported) -> str:
    rows = f"{len(release.released):,} rows"
    if not release.verdict.holds:
        return f"{rows} that do not hold what was promised"
    if kind_of(release) != "classes":
        return weaker_sections.headline(release)
    return f"{rows}, each among at least {release.plan.k:,} look-alikes"


# -- sections ------------------------------------------------------------------------------------------------


def _promise(release: Reported) -> str:
    style, word = MARKS[release.verdict.holds]
    plan = release.plan
    declared = {*plan.columns, *plan.published_quasi_identifiers}
    undeclared = [name for name in release.released.names if name not in declared]
    columns = {role: plan.having(role) + undeclared * (role == INSENSITIVE) for role in ROLES}
    roles = [(role, in_words(columns[role]), meaning) for role, meaning in ROLES.items()]
    return (
        f'<div class="verdict {style}"><strong>{word}</strong><p>{escape(promise_of(release))}</p></div>'
        "<p>“Holds” was measured on the table itself by a checker that shares no code with the engine that made it.</p>"
        + text_table("What each column is", ("Role", "Columns", "Meaning"), roles)
    )


def _done(release: Reported) -> str:
    plan, facts = release.plan, release.facts
    rows = [
        ("Method", f"{plan.method}: {summary_of('algorithms', plan.method)}"),
        *((f"Parameter {name}", str(value)) for name, value in plan.parameters.items()),
        *_promised(release),
        *((f"Model {name}", _settings(parameters.items())) for name, parameters in plan.models.items()),
        ("Loss that was kept low", plan.loss),
        ("Seed", SECRET_SEED if plan.seed is None else str(plan.seed)),
        ("Rows", _rows_in_words(release)),
        ("Identifiers removed", in_words(list(facts.get("identifiers_removed", ())))),
        ("Published as", _renderings(release)),
        ("Missing cells", MISSING[plan.missing]),
        ("Order of rows", ORDER[facts.get("order", "shuffled")]),
        ("Cells that a spreadsheet would run", _formulas(release)),
        ("Versions", _settings(versions().items())),
    ]
    return text_table("", (), rows)


def _promised(release: Reported) -> list[tuple[str, str]]:
    if kind_of(release) == "classes":
        return [("k", f"{release.plan.k:,}")]
    return [("k asked for", f"{release.plan.k:,}"), *weaker_sections.promised_rows(release)]


def _rows_in_words(release: Reported) -> str:
    facts = release.facts
    given, suppressed = facts.get("rows", len(release.released)), facts.get("suppressed", 0)
    return f"{given:,} read, {len(release.released):,} released, {suppressed:,} left out"


def _renderings(release: Reported) -> str:
    plan = release.plan
    return "; ".join(f"{name}: {plan.rendering(name)}" for name in plan.quasi_identifiers)


def _formulas(release: Reported) -> str:
    cells = release.facts.get("formula_cells") or {}
    if not cells:
        return "none"
    done = "prefixed with an apostrophe" if release.plan.formulas == "prefix" else "kept as they are"
    return f"{done}: {_settings((name, f'{count:,}') for name, count in cells.items())}"


def _settings(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)


def _holds(verdict: Verdict) -> str:
    rows = "".join(_finding(one) for one in verdict.findings)
    heads = ("Model", "What was found", "What the model asks")
    table = framed("What the checker found, model by model", heads, rows)
    warnings = "".join(f'<li><span class="warn">⚠ Warning</span> {escape(one)}</li>' for one in verdict.warnings)
    return table + (f"<h3>Warnings</h3><p>Leaks that break no model.</p><ul>{warnings}</ul>" if warnings else "")


def _finding(finding: Finding) -> str:
    style, word = MARKS[finding.holds]
    asked = FINDINGS.get(finding.model) or summary_of("privacy_models", finding.model)
    name = f'{escape(finding.model)}<br><span class="{style}">{word}</span>'
    return f'<tr><th scope="row">{name}</th><td>{escape(finding.statement)}</td><td>{escape(asked)}</td></tr>'


def _lost(release: Reported) -> str:
    loss = main_loss(release)
    chart = _loss_chart(loss) if loss and loss.per_column else "<p>No loss was measured column by column.</p>"
    others = [one for one in release.measurements if not _is_risk(one)]
    return chart + _measurements(others, "Every measure of the loss")


def _loss_chart(loss: Measurement) -> str:
    columns = losses(loss)
    title = _loss_title(loss)
    shown = [Bar(name, value if math.isfinite(value) else 0.0, percent(value)) for name, value in columns]
    numbers = ", ".join(f"{bar.label} {bar.text}" for bar in shown[:CHARTED])
    note = f"<p class='note'>The {CHARTED} largest of {len(shown)} columns.</p>" if len(shown) > CHARTED else ""
    drawn = bars("loss", title, f"Loss per column, {loss.metric}: {numbers}.", shown[:CHARTED])
    rows = [(one.label, one.text) for one in shown]
    table = text_table(f"Loss per column ({loss.metric})", ("Column", "Loss"), rows, (1,))
    return f"<figure><figcaption>{escape(title)}</figcaption>{drawn}</figure>{note}{table}"


def _loss_title(loss: Measurement) -> str:
    worst, most = losses(loss)[0]
    if not math.isfinite(most):
        return "The loss of the columns is undefined"
    if most == 0:
        return "No detail was blurred in any column"
    whole = per_cell(loss)
    told = f"{percent(whole)} of the detail was blurred, the" if math.isfinite(whole) else "The"
    return f"{told} most in {worst} ({percent(most)})"


def _measurements(measurements: Sequence[Measurement], caption: str) -> str:
    rows = []
    for one in measurements:
        figures = ", ".join(f"{name.replace('_', ' ')} {number(value)}" for name, value in one.figures.items())
        better = f"{one.better.capitalize()} is better"
        sentences = (summary_of("metrics", one.metric), one.note, better, figures and f"Further: {figures}")
        meaning = " ".join(f"{said[:1].upper()}{said[1:].rstrip('.')}." for said in sentences if said)
        rows.append((one.metric.replace("_", " "), number(one.value), meaning))
    return text_table(caption, ("Measure", "Value", "What it is"), rows, (1,))


def _is_risk(measurement: Measurement) -> bool:
    return "risk" in measurement.metric


def _groups(release: Reported) -> str:
    if kind_of(release) != "classes":
        return weaker_sections.groups(release)
    k, sizes = release.plan.k, sizes_of(release.facts)
    bins = size_bins(sizes, k)
    if not bins:
        return "<p>The table has no rows, so there are no groups.</p>"
    title, tallest = _sizes_title(sizes), max(one.rows for one in bins)
    told = ", ".join(f"{one.rows:,} rows in groups of {one.label}" for one in bins)
    columns = [Bar(_compact(one.first), one.rows / tallest, _compact(one.rows)) for one in bins]
    mark = f"k = {k:,}" if bins[0].first == k else ""
    drawn = histogram("sizes", title, f"Rows by the size of their group: {told}.", columns, mark)
    rows = [(one.label, f"{one.groups:,}", f"{one.rows:,}") for one in bins]
    table = text_table("Groups by size", ("Rows in the group", "Groups", "Rows in all"), rows, (1, 2))
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>{drawn}"
        '<p class="note">Upright: number of rows. Along: size of the group, from k.</p></figure>' + table
    )


def _sizes_title(sizes: Mapping[int, int]) -> str:
    smallest, largest = min(sizes), max(sizes)
    if smallest == largest:
        return f"Every row is in a group of {smallest:,} look-alikes"
    rows, half = 0, sum(size * groups for size, groups in sizes.items()) / 2
    for middle in sorted(sizes):
        rows += middle * sizes[middle]
        if rows >= half:
            break
    return (
        f"Every row is in a group of {smallest:,} to {largest:,} look-alikes, half of them in groups up to {middle:,}"
    )


def _compact(count: int) -> str:
    """A count that fits under a narrow column: 1,200 is 1.2k."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}".rstrip("0").rstrip(".") + letter
    return str(count)


def _risk(release: Reported) -> str:
    chances = risk(release)
    measured = _measurements([one for one in release.measurements if _is_risk(one)], "Every measure of the risk")
    if chances is None:
        return "<p>The table has no rows, so nobody can be picked out.</p>"
    title = f"The best guess about one person is right in at most {one_in(chances.largest)} cases"
    points = (
        (f"● largest: {one_in(chances.largest)}", chances.largest),
        (f"○ mean: {one_in(chances.mean)}", chances.mean),
    )
    described = f"{points[0][0]}, {points[1][0]}, limit: 1 in {release.plan.k}."
    drawn = gauge("gauge", title, described, points, 1 / release.plan.k)
    rows = [
        ("Largest", one_in(chances.largest), percent(chances.largest)),
        ("Mean", one_in(chances.mean), percent(chances.mean)),
        ("Limit (1 in k)", one_in(1 / release.plan.k), percent(1 / release.plan.k)),
    ]
    who = "For an attacker who knows that a person is in the table, and knows all recognisable columns about them."
    if kind_of(release) != "classes":
        who = weaker_sections.risk_words(release)
    return (
        f"<p>{escape(who)}</p>"
        f"<figure><figcaption>{escape(title)}</figcaption>{drawn}"
        '<p class="note">Dashed line: the limit, 1 in k. Logarithmic.</p></figure>'
        + text_table("Chance of picking the right row", ("Which", "Chance", "In per cent"), rows, (1, 2))
        + measured
    )


def _limits() -> str:
    return "<ul>" + "".join(f"<li>{escape(one)}</li>" for one in NOT_COVERED) + "</ul>"


def _verify(release: Reported) -> str:
    secret = kind_of(release) == "boxes" and release.plan.seed is None
    again = "with the same boxes, but a new secret draw" if secret else "with the same bytes as result"
    return (
        "<p>In the folder that holds this report:</p><pre><code>shoal check .</code></pre>"
        "<p>It reads the table from its file, judges it against <code>plan.toml</code> and compares each file with its "
        "SHA-256 in <code>manifest.json</code>. It ends with exit code 0 if everything holds and 1 if not.</p>"
        f"<p>To repeat the whole run from the original, {again}:</p>"
        "<pre><code>shoal anonymize ORIGINAL --plan plan.toml -o again</code></pre>"
    )


def _words() -> str:
    told = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in GLOSSARY.items())
    return f"<dl>{told}</dl>"
