# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page: no network, no script, readable on paper, in the dark and without eyes.

Everything that comes from outside (column names, labels, statements) is escaped, and no cell of the original is ever
shown. The same release gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import math
from html import escape

from shoal import __version__
from shoal.reports import weaker_sections
from shoal.reports.findings import MARKS, Reported, kind_of, main_loss, per_cell, risk
from shoal.reports.pieces import text_table
from shoal.reports.sections import (
    columns,
    done,
    glossary,
    groups,
    holds,
    learned,
    limits,
    lost,
    promise,
    together,
    verify,
)
from shoal.reports.sections import (
    risk as risks,
)
from shoal.reports.style import STYLE
from shoal.reports.text import one_in, percent
from shoal.reports.words import NOT_LEGAL

SECTIONS = {
    "promise": promise,
    "done": done,
    "holds": holds,
    "lost": lost,
    "columns": columns,
    "together": together,
    "groups": groups,
    "risk": risks,
    "learned": learned,
    "limits": limits,
    "verify": verify,
    "words": glossary,
}
"""In the order of the page, by the name that links use."""


def html(release: Reported) -> str:
    """The whole page."""
    links = "".join(f'<li><a href="#{name}">{part.HEADING}</a></li>' for name, part in SECTIONS.items())
    body = "".join(
        f'<section id="{name}" aria-labelledby="{name}-h"><h2 id="{name}-h">{part.HEADING}</h2>'
        f"{part.section(release)}</section>\n"
        for name, part in SECTIONS.items()
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>shoal release report</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}"><style>{STYLE}</style></head>\n'
        f'<body class="report"><a class="skip" href="#main">Skip to the report</a>'
        f'<header><p class="kicker">shoal release report</p><h1>{_headline(release)}</h1>'
        f"{_made(release)}{_glance(release)}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>\n'
        f'<main id="main">{body}</main>\n<footer><p>{escape(NOT_LEGAL)}</p></footer></body></html>\n'
    )


def card(release: Reported) -> str:
    """A few lines for a notebook; styled by the notebook itself."""
    loss, found = main_loss(release), risk(release)
    promised = [("k", str(release.plan.k))]
    if kind_of(release) != "classes":
        promised = weaker_sections.promised_rows(release)
    rows = [("Verdict", MARKS[release.verdict.holds][1]), *promised, ("Method", release.plan.method)]
    rows.append(("Rows", f"{len(release.released):,}"))
    if loss:
        rows.append((f"Loss per cell ({loss.metric})", percent(per_cell(loss))))
    if found:
        rows.append(("Largest risk", one_in(found.largest)))
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


def _made(release: Reported) -> str:
    plan = release.plan
    seed = "" if plan.seed is None else f", seed {plan.seed}"
    return f'<p class="note">Made by shoal {escape(__version__)} with the method {escape(plan.method)}{seed}.</p>'


def _glance(release: Reported) -> str:
    """The figures that are asked for first."""
    loss, found, facts = main_loss(release), risk(release), release.facts
    style, word = MARKS[release.verdict.holds]
    tiles = [("Verdict", f'<span class="{style}">{word}</span>', "by an independent checker")]
    if loss and math.isfinite(per_cell(loss)):
        tiles.append(("Detail blurred", percent(per_cell(loss)), f"{escape(loss.metric)}, per cell"))
    given = release.certificate
    if given and math.isfinite(given.gap):
        times = math.ceil(100 * given.gap - 1e-9) / 100
        tiles.append(("Against the smallest loss possible", f"at most {times:.2f} ×", "by a proven lower bound"))
    if found:
        tiles.append(("Best guess about a person", one_in(found.largest), f"{one_in(found.mean)} on average"))
    left_out = facts.get("suppressed", 0)
    tiles.append(("Rows released", f"{len(release.released):,}", f"{left_out:,} left out"))
    warnings = len(release.verdict.warnings)
    tiles.append(("Warnings", f"{warnings:,}", "leaks that break no model"))
    return '<dl class="facts">' + "".join(_tile(*tile) for tile in tiles) + "</dl>"


def _tile(name: str, value: str, note: str) -> str:
    return f"<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>"
