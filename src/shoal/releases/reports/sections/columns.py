# SPDX-License-Identifier: Apache-2.0
"""Every column before and after, drawn on labels and ends that the released table shows."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.ground.pages import render
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.svg import Svg
from shoal.ground.wording import phrase, share, visible
from shoal.judging.portraits.portrait import ColumnPortrait, LabelBar
from shoal.releases.reports.charts import Change, Span, paired, shape
from shoal.releases.reports.findings import Reported

SHOWN = 6
"""Most bars in a card; all labels are in the table below."""


def section(release: Reported) -> str:
    """A card for each column."""
    portrait = release.portrait
    return render(
        "releases/reports/templates/columns.html",
        portrait=portrait,
        k=release.plan.k,
        suppressed=int(release.facts.get("suppressed", 0)),
        cards=[(one, _drawn(place, one)) for place, one in enumerate(portrait.columns)] if portrait else [],
    )


def _drawn(place: int, column: ColumnPortrait) -> Figure | None:
    """The figure of a column; None where it has no value or cannot be drawn."""
    rows = [(one.label, share(one.before), share(one.after)) for one in column.bins]
    besides = [(_label(one), _before(one), share(one.after)) for one in column.bars]
    if column.problem or not rows + besides:
        return None
    title = f"Keeps {share(column.kept)} of its shape" if column.changed else "Published as it is"
    numbers = f"Shares of rows, before and after. {_told(rows + besides)}."
    head = "Range" if rows else "Label"
    return Figure(
        title,
        (_shape if rows else _bars)(f"column-{place}", title, numbers, column),
        TextTable("", (head, "Before", "After"), rows + besides, (1, 2)),
        note=_note(column, besides if rows else []),
        fold=f"Numbers of {column.name}",
    )


def _note(column: ColumnPortrait, besides: list[tuple[str, str, str]]) -> str:
    said = []
    if beyond := [one.label for one in column.bins if one.beyond]:
        said.append(f"Not to scale: {phrase(beyond)}.")
    if besides:
        said.append(f"Besides, {_told(besides)}.")
    if not column.bins and (more := len(column.bars) - SHOWN) > 0:
        said.append(f"And {more} more in the numbers.")
    return " ".join(said)


def _shape(name: str, title: str, numbers: str, column: ColumnPortrait) -> Svg:
    was = column.changed
    spans = [
        Span(one.start, one.end, one.low, one.before if was else None, one.after, one.beyond) for one in column.bins
    ]
    return shape(name, title, numbers, spans, column.last)


def _bars(name: str, title: str, numbers: str, column: ColumnPortrait) -> Svg:
    longest = max(max(one.before or 0.0, one.after) for one in column.bars) or 1.0
    rows = [
        Change(
            _label(one),
            None if one.before is None or not column.changed else one.before / longest,
            one.after / longest,
            _short_way(one, column.changed),
        )
        for one in _largest(column.bars)
    ]
    return paired(name, title, numbers, rows)


def _largest(bars: Sequence[LabelBar]) -> list[LabelBar]:
    """Those that hold most rows, before or after, in the order they have."""
    most = sorted(range(len(bars)), key=lambda place: -max(bars[place].before or 0.0, bars[place].after))
    return [bars[place] for place in sorted(most[:SHOWN])]


def _short_way(bar: LabelBar, changed: bool) -> str:
    """Both shares in whole per cent, for a narrow card."""
    if not changed or bar.before == bar.after:
        return share(bar.after)
    before = "few" if bar.before is None else f"{100 * bar.before:.0f}"
    return f"{before} → {100 * bar.after:.0f} %"


def _told(rows: list[tuple[str, str, str]]) -> str:
    return "; ".join(f"{label}: {_way(before, after)}" for label, before, after in rows)


def _label(bar: LabelBar) -> str:
    return visible(bar.label) if bar.kind == "label" else f"({bar.label})"


def _before(bar: LabelBar) -> str:
    return "fewer than k rows" if bar.before is None else share(bar.before)


def _way(before: str, after: str) -> str:
    return after if before == after else f"{before} → {after}"
