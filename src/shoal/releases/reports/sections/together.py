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
UNMOVED = 0.005
"""Change below which nobody would see one in figures of two digits."""


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
    charted = _charted(pairs)
    signed = any(min(pair.before, pair.after) < 0 for pair in charted)
    rows = [_row(pair, signed) for pair in charted]
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    ends = ("-1", "0", "1") if signed else ("0", "0.5", "1")
    listed = [(f"{one.one}, {one.other}", f"{one.before:.2f}", f"{one.after:.2f}", one.measure) for one in pairs]
    more = f" (the {LISTED} strongest of {len(pairs)})" if len(pairs) > LISTED else ""
    return Figure(
        title,
        moved("pairs", title, f"Before and after: {numbers}.", rows, ends),
        TextTable("", ("Columns", "Before", "After", "Measure"), listed[:LISTED], (1, 2)),
        _which(pairs, charted),
        ("before", "after"),
        f"All pairs{more}",
    )


def _charted(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """The strongest pairs, and the one of which the title speaks."""
    most = _most_moved(pairs)
    if most in pairs[:CHARTED] or most.change < UNMOVED:
        return pairs[:CHARTED]
    return (*pairs[: CHARTED - 1], most)


def _which(pairs: tuple[Pair, ...], charted: tuple[Pair, ...]) -> str:
    """Which pairs the chart shows, unless it shows all."""
    if len(pairs) <= CHARTED:
        return ""
    if charted == pairs[:CHARTED]:
        return f"The {CHARTED} strongest of {len(pairs)} pairs."
    return f"The {CHARTED - 1} strongest of {len(pairs)} pairs, and the one that moved most."


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
    most = _most_moved(pairs)
    if most.change < UNMOVED:
        return "All pairs of columns go together as before"
    return (
        f"Pairs of columns moved by {mean:.2f} on average, the most {most.one} and {most.other} "
        f"({most.before:.2f} → {most.after:.2f})"
    )


def _most_moved(pairs: tuple[Pair, ...]) -> Pair:
    return max(pairs, key=lambda pair: pair.change)


def _row(pair: Pair, signed: bool) -> Change:
    before, after = ((value + 1) / 2 if signed else value for value in (pair.before, pair.after))
    return Change(f"{pair.one}{BESIDE}{pair.other}", before, after, f"{pair.before:.2f} → {pair.after:.2f}")
