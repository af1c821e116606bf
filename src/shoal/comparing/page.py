# SPDX-License-Identifier: Apache-2.0
"""A comparison as one HTML page, and as a card for a notebook: no network, no script, no cell of the table."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from typing import TYPE_CHECKING

from shoal.comparing.grid import CHANGES
from shoal.comparing.outcome import Outcome
from shoal.comparing.picture import STYLE as PLOT_STYLE
from shoal.comparing.picture import Picture
from shoal.comparing.plots import CHANGED
from shoal.comparing.standing import recommendation, seconds
from shoal.reports.pieces import text_table
from shoal.reports.style import STYLE
from shoal.reports.text import one_in, percent

if TYPE_CHECKING:
    from shoal.comparing.attribution import Attribution
    from shoal.comparing.comparison import Comparison

MEASURED = (
    "Each cell of the grid ran the whole flow, from the table to the judged release, in a process of its own. Loss is "
    "per cell of the table, from 0 (unchanged) to 100 % (nothing left). Seconds leave out starting up and compiling; "
    "memory is the peak of the process, libraries and table included. Nothing was published."
)
PAGE_STYLE = (
    "main,header,footer{max-width:58rem}@media (max-width:40rem){.wide .shoal-plot{max-width:none}}"  # plots scroll
)
PLOTTED = {"loss_k": "How much is lost", "loss_time": "How long it takes", "columns": "Where it is lost"}
HEADS = ("Method", "Loss", "Times the bound", "Largest risk", "Classes", "Sizes", "Seconds", "Memory")


def page(found: Comparison) -> str:
    """The whole page."""
    style = STYLE + PLOT_STYLE + PAGE_STYLE
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'"
    ks = ", ".join(f"{k:,}" for k in found.bounds)
    methods = len({one.method for one in found.outcomes})
    body = "".join(f"<section><h2>{escape(head)}</h2>{content}</section>" for head, content in _sections(found))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>shoal comparison</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><style>{style}</style></head>\n'
        f'<body><header><p class="kicker">shoal comparison</p><h1>{methods} methods on {found.rows:,} rows, '
        f"k = {ks}</h1></header>\n<main>{body}</main>\n<footer><p>{escape(MEASURED)}</p></footer></body></html>\n"
    )


def card(found: Comparison) -> str:
    """A few lines and a picture for a notebook."""
    return (
        f"<div><strong>shoal comparison</strong>{_recommended(found)}{found.plot('loss_k').svg}{_tables(found)}</div>"
    )


def attribution_card(found: Attribution) -> str:
    """The same for an attribution."""
    return f"<div><strong>shoal attribution</strong>{_effects(found)}</div>"


def _sections(found: Comparison) -> list[tuple[str, str]]:
    sections = [("Recommendation", _recommended(found))]
    if any(found.standings.values()):
        sections += [(head, _figure(found.plot(kind))) for kind, head in PLOTTED.items()]
    sections.append(("Every cell", _tables(found)))
    if left := [one for one in found.outcomes if not one.done]:
        sections.append(("Without a table", _reasons(left)))
    for one in found.attributions:
        sections.append((f"What each column costs at k = {one.k:,}", _figure(one.plot()) + _effects(one)))
    return sections


def _figure(plot: Picture) -> str:
    return f'<figure class="wide">{plot.inline}</figure>'


def _recommended(found: Comparison) -> str:
    return "".join(f"<p>{escape(one)}</p>" for one in recommendation(found.standings, found.bounds))


def _tables(found: Comparison) -> str:
    made = []
    for k in found.bounds:
        done = sorted((one for one in found.outcomes if one.done and one.k == k), key=lambda one: one.loss or 0.0)
        if done:
            caption = f"k = {k:,}, lowest loss first"
            made.append(text_table(caption, HEADS, [figures_in_words(one) for one in done], range(1, len(HEADS))))
    return "".join(made)


def figures_in_words(one: Outcome) -> tuple[str, ...]:
    """One cell of the grid as short texts, in the order of HEADS; a star marks what is weaker."""
    sizes = "" if one.smallest_class is None else f"{one.smallest_class:,} to {one.largest_class:,}"
    seed = f" (seed {one.seed})" if one.seed else ""
    return (
        one.method + seed + "*" * (one.releases != "classes"),
        percent(one.loss) if one.loss is not None else "undefined",
        f"{one.gap:.2f}" if one.gap is not None else "",
        one_in(one.risk) if one.risk else "",
        f"{one.classes:,}" if one.classes is not None else one.releases,
        sizes,
        seconds(one.seconds) if one.seconds is not None else "",
        f"{one.memory:,.0f} MB" if one.memory is not None else "",
    )


def _reasons(left: list[Outcome]) -> str:
    rows = [(one.method, f"{one.k:,}", one.status, one.reason) for one in left]
    return text_table("", ("Method", "k", "What happened", "Why"), rows)


def _effects(found: Attribution) -> str:
    said = "".join(f"<li>{escape(one)}</li>" for one in found.findings)
    heads = ("Column", "Its own loss", "Share of the loss", *(f"Others, if {CHANGED[change]}" for change in CHANGES))
    rows = [
        (
            name,
            percent(loss) if loss is not None else "undefined",
            percent(found.shares[name]),
            *(_after(found, name, change) for change in CHANGES),
        )
        for name, loss in found.per_column.items()
    ]
    caption = f"{found.method}, k = {found.k:,}: loss of the other columns after each change"
    return f"<ul>{said}</ul>{text_table(caption, heads, rows, range(1, len(heads)))}"


def _after(found: Attribution, name: str, change: str) -> str:
    effect = found.effect(name, change)
    if effect is None or effect.others is None or effect.others_before is None:
        return "–"
    return f"{percent(effect.others)} (now {percent(effect.others_before)})"
