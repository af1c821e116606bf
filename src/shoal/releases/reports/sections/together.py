# SPDX-License-Identifier: Apache-2.0
"""Which columns went together before, and how much of that is left."""

from __future__ import annotations

from shoal.ground.pages import render
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.wording import percent
from shoal.judging.evidence import Measurement
from shoal.judging.metrics.information_kept import pairs_told
from shoal.judging.portraits.portrait import Pair
from shoal.releases.reports.charts import BESIDE, Change, moved
from shoal.releases.reports.findings import Reported, measurement_of

CHARTED = 6
LISTED = 60


def section(release: Reported) -> str:
    """A chart of the strongest pairs, and a table."""
    portrait = release.portrait
    return render(
        "releases/reports/templates/together.html",
        chart=_chart(portrait.pairs) if portrait and portrait.pairs else None,
        sample=portrait.sample if portrait else 0,
        information=_information(measurement_of(release, "information_kept")),
    )


def _chart(pairs: tuple[Pair, ...]) -> Figure:
    title = finding(pairs)
    signed = any(min(pair.before, pair.after) < 0 for pair in pairs[:CHARTED])
    rows = [_row(pair, signed) for pair in pairs[:CHARTED]]
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    ends = ("-1", "0", "1") if signed else ("0", "0.5", "1")
    listed = [(f"{one.one}, {one.other}", f"{one.before:.2f}", f"{one.after:.2f}", one.measure) for one in pairs]
    more = f" (the {LISTED} strongest of {len(pairs)})" if len(pairs) > LISTED else ""
    return Figure(
        title,
        moved("pairs", title, f"Before and after: {numbers}.", rows, ends),
        TextTable("", ("Columns", "Before", "After", "Measure"), listed[:LISTED], (1, 2)),
        f"The {CHARTED} strongest of {len(pairs)} pairs." if len(pairs) > CHARTED else "",
        ("before", "after"),
        f"All pairs{more}",
    )


def _information(measured: Measurement | None) -> Figure | None:
    """The same by mutual information, where that was measured."""
    pairs = list(pairs_told(measured)) if measured else []
    if not pairs or measured is None:
        return None
    title = f"{percent(measured.value)} of what columns tell of each other is kept (mutual information)"
    rows = [Change(names, before, after, f"{before:.2f} → {after:.2f}") for names, before, after in pairs]
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    drawn = moved("information", title, f"Before and after: {numbers}.", rows[:LISTED], ("0", "0.5", "1"))
    listed = [(names, f"{before:.4f}", f"{after:.4f}") for names, before, after in pairs]
    table = TextTable("", ("Columns", "Before", "After"), listed, (1, 2))
    return Figure(title, drawn, table, key=("before", "after"))


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
    before, after = ((value + 1) / 2 if signed else value for value in (pair.before, pair.after))
    return Change(f"{pair.one}{BESIDE}{pair.other}", before, after, f"{pair.before:.2f} → {pair.after:.2f}")
