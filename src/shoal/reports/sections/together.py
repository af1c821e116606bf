# SPDX-License-Identifier: Apache-2.0
"""Which columns went together before, and how much of that is left."""

from __future__ import annotations

from shoal.portraits.portrait import Pair
from shoal.reports.charts import Change, moved
from shoal.reports.findings import Reported
from shoal.reports.pieces import figure, folded, key, paragraphs, text_table

HEADING = "What still goes together"

CHARTED = 12
LISTED = 60
MEASURES = (
    "How strongly two columns go together: Spearman's rank correlation of two columns of numbers, dates or ordered "
    "values (of a range its middle), the correlation ratio of such a column and one of names, Cramér's V of two "
    "columns of names. 0 is nothing, 1 is everything; only the first can be negative."
)
SAMPLED = "Measured on {rows:,} rows, drawn evenly."
TOO_FEW = "There are no two columns of which this can be said."


def section(release: Reported) -> str:
    """A chart of the strongest pairs, and a table."""
    portrait = release.portrait
    if portrait is None or not portrait.pairs:
        return paragraphs(TOO_FEW)
    pairs, title = portrait.pairs, finding(portrait.pairs)
    sampled = SAMPLED.format(rows=portrait.sample) if portrait.sample else ""
    signed = any(min(pair.before, pair.after) < 0 for pair in pairs[:CHARTED])
    rows = [_row(pair, signed) for pair in pairs[:CHARTED]]
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    ends = ("-1", "0", "1") if signed else ("0", "0.5", "1")
    drawn = moved("pairs", title, f"Before and after: {numbers}.", rows, ends)
    few = f"The {CHARTED} strongest of {len(pairs)} pairs." if len(pairs) > CHARTED else ""
    listed = [
        (f"{one.one}, {one.other}", f"{one.before:.2f}", f"{one.after:.2f}", one.measure) for one in pairs[:LISTED]
    ]
    more = f" (the {LISTED} strongest of {len(pairs)})" if len(pairs) > LISTED else ""
    table = text_table("", ("Columns", "Before", "After", "Measure"), listed, (1, 2))
    return (
        paragraphs(MEASURES, sampled)
        + figure(title, drawn, few, key("before", "after", round_marks=True))
        + folded(f"All pairs{more}", table)
    )


def finding(pairs: tuple[Pair, ...]) -> str:
    """How far the pairs moved, in words."""
    mean = sum(pair.change for pair in pairs) / len(pairs)
    most = max(pairs, key=lambda pair: pair.change)
    if most.change < 0.005:
        return "All pairs of columns go together as before"
    return (
        f"Pairs of columns moved by {mean:.2f} on average, the most {most.one} and {most.other} "
        f"({most.before:.2f} → {most.after:.2f})"
    )


def _row(pair: Pair, signed: bool) -> Change:
    def place(value: float) -> float:
        return (value + 1) / 2 if signed else value

    text = f"{pair.before:.2f} → {pair.after:.2f}"
    return Change(f"{pair.one} · {pair.other}", place(pair.before), place(pair.after), text)
