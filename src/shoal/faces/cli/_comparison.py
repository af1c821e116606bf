# SPDX-License-Identifier: Apache-2.0
"""A comparison on a terminal: a table per k, what gave none, the recommendation, the costs of columns.

What does not fit a narrow terminal is left out column by column, the least telling first; the files have it all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from shoal.ground.wording import percent
from shoal.studies.comparing.attribution import Attribution
from shoal.studies.comparing.comparison import Comparison
from shoal.studies.comparing.grid import CHANGES
from shoal.studies.comparing.outcome import Outcome
from shoal.studies.comparing.page import HEADS, figures_in_words
from shoal.studies.comparing.plots import CHANGED
from shoal.studies.comparing.standing import recommendation, winner

SPARE = (7, 5, 4, 3, 2)
"""Columns of HEADS that may go, in this order."""
BETWEEN = 3
"""Blanks that a column has around it."""
FIGURE = re.compile(r"(?<=\d) (?=(?:%|MB|s)(?!\w))")
"""Between a figure and its sign."""
SENTENCES = 5
"""Most sentences about the costs of columns."""


def told(found: Comparison) -> str:
    """The whole comparison as text for this terminal."""
    console = Console(highlight=False)
    with console.capture() as caught:
        for k in found.bounds:
            _at(console, found, k)
        _left(console, [one for one in found.outcomes if not one.done])
        for line in recommendation(found.standings, found.bounds, found.rank):
            _say(console, line)
        for one in found.attributions:
            console.print()
            _costs(console, one)
    return caught.get().rstrip("\n")


def _at(console: Console, found: Comparison, k: int) -> None:
    done = sorted((one for one in found.outcomes if one.done and one.k == k), key=lambda one: one.loss or 0.0)
    if not done:
        return
    bound = found.bounds[k]
    limit = f", lower bound {percent(bound)}" if bound is not None else ""
    console.print(Text(f"k = {k:,}: loss per cell ({found.loss}){limit}", style="bold"))
    _print(console, HEADS, [figures_in_words(one, bound) for one in done], SPARE)
    if bound is not None and any(one.bound is None and not one.weaker for one in done):
        _say(console, "† shows sets or centres, or leaves rows out; the bound does not speak of it")
    if any(one.weaker for one in done):
        _say(console, "* publishes less than one k-anonymous table; no bound speaks of it")
    if best := winner(found.standings[k]):
        losses = sorted(best.per_column.items(), key=lambda one: -one[1])
        _say(console, f"{best.method} by column: " + ", ".join(f"{name} {percent(loss)}" for name, loss in losses))
    console.print()


def _left(console: Console, left: Sequence[Outcome]) -> None:
    """Cells without a table; those with the same reason share a line."""
    reasons: dict[tuple[str, str], list[Outcome]] = {}
    for one in left:
        reasons.setdefault((one.method, one.reason), []).append(one)
    for (method, reason), cells in reasons.items():
        ks = ", ".join(dict.fromkeys(f"{one.k:,}" for one in cells))
        _say(console, f"{method}, k = {ks}, {cells[0].status}: {reason}")
    if left:
        console.print()


def _costs(console: Console, found: Attribution) -> None:
    console.print(Text(f"What each column costs: {found.method}, k = {found.k:,}", style="bold"))
    heads = ("Column", "Own loss", "Others now", *(CHANGED[change].capitalize() for change in CHANGES))
    rows = []
    for name, loss in found.per_column.items():
        effects = [found.effect(name, change) for change in CHANGES]
        before = next((one.others_before for one in effects if one), None)
        rows.append((name, *map(_share, (loss, before, *(one.others if one else None for one in effects)))))
    _print(console, heads, rows, (1,))
    for line in found.findings[:SENTENCES]:
        _say(console, line)


def _say(console: Console, text: str) -> None:
    """A sentence, on as many lines as it needs; no figure is parted from its sign."""
    together = FIGURE.sub("\N{NO-BREAK SPACE}", text)
    for line in wrap(together, console.width, break_long_words=False, break_on_hyphens=False) or [""]:
        console.print(Text(line.replace("\N{NO-BREAK SPACE}", " "), no_wrap=True, overflow="ignore"), crop=False)


def _share(value: float | None) -> str:
    return "–" if value is None else percent(value)


def _print(console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[int]) -> None:
    """A table of as many columns as fit; the best row stands first and bold."""
    shown = [place for place, _ in enumerate(heads) if place == 0 or any(row[place] for row in rows)]
    widths = [max(len(cell) for cell in (heads[place], *(row[place] for row in rows))) for place in range(len(heads))]
    for place in spare:
        if sum(widths[one] + BETWEEN for one in shown) > console.width and place in shown:
            shown.remove(place)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for place in shown:
        table.add_column(Text(heads[place]), justify="right" if place else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(row[place]) for place in shown))
    console.print(table)
    console.print()
