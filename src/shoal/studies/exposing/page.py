# SPDX-License-Identifier: Apache-2.0
"""The risk of a table as one HTML page, and as a card for a notebook: no network, no script, no cell of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.ground import pages
from shoal.ground.cards import card
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.wording import percent, phrase
from shoal.releases.reports.charts import Amount, bars, histogram
from shoal.releases.reports.html import STYLE
from shoal.studies.exposing.telling import (
    COLUMN_HEADS,
    ROW_HEADS,
    alone_sentence,
    column_rows,
    expected_sentence,
    exposed_rows,
    household_sentences,
    smallest_sets,
    special_sentence,
)

if TYPE_CHECKING:
    from shoal.studies.exposing.risk import RiskReport

MEANING = {
    "alone": "share of the rows that the column singles out by itself",
    "adds": "share of the rows that it makes alone when it comes to others, on average over all sets of others",
    "without": "share of the rows that would be alone if it were left out",
    "special": "its part in the scores of special uniques; a set of three columns counts for all three",
}
"""What the heads of the table of columns mean."""
MISSING = {
    "own": "a missing cell is a value like any other",
    "wildcard": "a missing cell matches anything",
    "refuse": "no cell of these columns is missing",
}


def page(risk: RiskReport) -> str:
    """The whole page."""
    numbers = range(1, len(COLUMN_HEADS))
    return pages.page(
        "studies/exposing/templates/page.html",
        STYLE,
        risk=risk,
        sentences=[alone_sentence(risk), expected_sentence(risk), *household_sentences(risk)],
        below=_below(risk),
        sets=_sets(risk),
        special=special_sentence(risk),
        columns=_columns(risk),
        table=TextTable("What each column does", COLUMN_HEADS, column_rows(risk), numbers),
        meaning=MEANING,
        missing=MISSING[risk.missing],
        rows=TextTable("Rows by number; the first row is 1", ROW_HEADS, exposed_rows(risk), (1, 2)),
    )


def risk_card(risk: RiskReport) -> str:
    """A few lines for a notebook."""
    said = [(alone_sentence(risk),), (special_sentence(risk),)]
    return card("shoal risk", ((), said), (COLUMN_HEADS, column_rows(risk)))


def _below(risk: RiskReport) -> Figure:
    shares = {k: rows / max(risk.rows, 1) for k, rows in risk.below.items()}
    amounts = [Amount(f"{k}", share, f"{100 * share:.3g} %") for k, share in shares.items()]
    told = ", ".join(f"{percent(share)} have fewer than {k} look-alikes" for k, share in shares.items())
    title = f"{percent(shares[2])} of the rows are alone with these columns"
    rows = [(f"{k}", f"{risk.below[k]:,}", percent(share)) for k, share in shares.items()]
    table = TextTable("Rows with fewer than k look-alikes", ("k", "Rows", "Share"), rows, (1, 2))
    note = "Rows like which there are fewer than k, themselves included; below 2 they are alone."
    return Figure(title, histogram("below", title, f"{told}.", amounts), table, note)


def _sets(risk: RiskReport) -> Figure | None:
    best = smallest_sets(risk.sets)
    if not best:
        return None
    shares = [(phrase(one.columns), one.rows / max(risk.rows, 1)) for one in best]
    title = f"The {len(best[-1].columns)} columns that single out the most rows do so for {percent(shares[-1][1])}"
    told = ", ".join(f"{percent(share)} by {names}" for names, share in shares)
    amounts = [Amount(names, share, percent(share)) for names, share in shares]
    rows = [
        (phrase(one.columns), f"{len(one.columns)}", f"{one.rows:,}", percent(one.rows / max(risk.rows, 1)))
        for one in risk.sets
    ]
    table = TextTable("The worst sets of each size", ("Columns", "How many", "Rows", "Share"), rows, (1, 2, 3))
    note = "Of each size the set that singles out the most rows; a size that adds nobody is left out."
    return Figure(title, bars("sets", title, f"{told}.", amounts), table, note)


def _columns(risk: RiskReport) -> Figure:
    ordered = sorted(risk.columns.items(), key=lambda item: -item[1].adds)
    first, most = ordered[0]
    title = f"{first} adds most: it makes {percent(most.adds)} of the rows alone, on average"
    told = ", ".join(f"{name} {percent(one.adds)}" for name, one in ordered)
    amounts = [Amount(name, max(one.adds, 0.0), percent(one.adds)) for name, one in ordered]
    return Figure(title, bars("columns", title, f"{told}.", amounts))
