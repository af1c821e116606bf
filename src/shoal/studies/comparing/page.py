# SPDX-License-Identifier: Apache-2.0
"""A comparison as one HTML page, and as a card for a notebook: no network, no script, no cell of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.ground import pages, svg
from shoal.ground.pieces import TextTable
from shoal.ground.wording import one_in, percent, seconds, times_at_most
from shoal.releases.reports.html import STYLE
from shoal.studies.comparing.grid import CHANGES
from shoal.studies.comparing.outcome import Outcome
from shoal.studies.comparing.plots import CHANGED
from shoal.studies.comparing.standing import recommendation

if TYPE_CHECKING:
    from shoal.studies.comparing.attribution import Attribution
    from shoal.studies.comparing.comparison import Comparison

TEMPLATES = "studies/comparing/templates/"
PLOTTED = {"loss_k": "How much is lost", "loss_time": "How long it takes", "columns": "Where it is lost"}
HEADS = ("Method", "Loss", "Times the bound", "Largest risk", "Classes", "Sizes", "Seconds", "Memory")


def page(comparison: Comparison) -> str:
    """The whole page."""
    plots = PLOTTED.items() if any(comparison.standings.values()) else ()
    left = [(one.method, f"{one.k:,}", one.status, one.reason) for one in comparison.outcomes if not one.done]
    return pages.page(
        TEMPLATES + "page.html",
        STYLE,
        svg.STYLE,
        TEMPLATES + "comparison.css",
        comparison=comparison,
        methods=len({one.method for one in comparison.outcomes}),
        ks=", ".join(f"{k:,}" for k in comparison.bounds),
        recommendation=recommendation(comparison.standings, comparison.bounds, comparison.rank),
        plots=[(head, comparison.plot(kind).inline) for kind, head in plots],
        tables=_tables(comparison),
        reasons=TextTable("", ("Method", "k", "What happened", "Why"), left),
        attributions=[(one, one.plot().inline, _effects(one)) for one in comparison.attributions],
    )


def card(comparison: Comparison) -> str:
    """A few lines and a picture for a notebook."""
    said = recommendation(comparison.standings, comparison.bounds, comparison.rank)
    return _card("shoal comparison", paragraphs=said, drawing=comparison.plot("loss_k").svg, tables=_tables(comparison))


def attribution_card(costs: Attribution) -> str:
    """The same for an attribution."""
    return _card("shoal attribution", points=costs.findings, tables=[_effects(costs)])


def _card(title: str, **parts: object) -> str:
    given = {"paragraphs": (), "points": (), "drawing": "", **parts}
    return str(pages.render(TEMPLATES + "card.html", title=title, **given))


def _tables(comparison: Comparison) -> list[TextTable]:
    """The cells of each k that gave a table."""
    made = []
    for k in comparison.bounds:
        done = sorted((one for one in comparison.outcomes if one.done and one.k == k), key=lambda one: one.loss or 0.0)
        if done:
            rows = [figures_in_words(one, comparison.bounds[k]) for one in done]
            made.append(TextTable(f"k = {k:,}, lowest loss first", HEADS, rows, range(1, len(HEADS))))
    return made


def figures_in_words(one: Outcome, bound: float | None = None) -> tuple[str, ...]:
    """One cell of the grid as short texts, in the order of HEADS.

    A star marks what is weaker, a dagger what the bound at its k is not about.
    """
    marks = "*" if one.weaker else "†" if bound is not None and one.bound is None else ""
    sizes = "" if one.smallest_class is None else f"{one.smallest_class:,} to {one.largest_class:,}"
    seed = f" (seed {one.seed})" if one.seed else ""
    return (
        one.method + seed + marks,
        percent(one.loss) if one.loss is not None else "undefined",
        times_at_most(one.gap) if one.gap is not None else "",
        one_in(one.risk) if one.risk else "",
        f"{one.classes:,}" if one.classes is not None else one.releases,
        sizes,
        seconds(one.seconds) if one.seconds is not None else "",
        f"{one.memory:,.0f} MB" if one.memory is not None else "",
    )


def _effects(costs: Attribution) -> TextTable:
    heads = ("Column", "Its own loss", "Share of the loss", *(f"Others, if {CHANGED[change]}" for change in CHANGES))
    rows = [
        (
            name,
            percent(loss) if loss is not None else "undefined",
            percent(costs.shares[name]),
            *(_after(costs, name, change) for change in CHANGES),
        )
        for name, loss in costs.per_column.items()
    ]
    caption = f"{costs.method}, k = {costs.k:,}: loss of the other columns after each change"
    return TextTable(caption, heads, rows, range(1, len(heads)))


def _after(costs: Attribution, name: str, change: str) -> str:
    effect = costs.effect(name, change)
    if effect is None or effect.others is None or effect.others_before is None:
        return "–"
    return f"{percent(effect.others)} (now {percent(effect.others_before)})"
