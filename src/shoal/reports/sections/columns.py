# SPDX-License-Identifier: Apache-2.0
"""Every column before and after, drawn on labels and ends that the released table shows."""

from __future__ import annotations

from html import escape

from shoal.portraits.portrait import Bar, ColumnPortrait
from shoal.reports.charts import Change, Step, paired, shape
from shoal.reports.findings import Reported, in_words
from shoal.reports.pieces import figure, folded, key, paragraphs, text_table
from shoal.reports.text import share

HEADING = "Before and after, column by column"

READING = (
    "Outlined are the original rows, filled the released ones. Only labels and numbers that the released table shows "
    "are named: original rows are counted under the narrowest published label that fits them, so what a coarser label "
    "gained, narrower ones lost. A range is spread evenly over the values it covers. Shape kept is the share of rows "
    "that both have in common. {few}"
)
FEW = "No figure stands for fewer than {k:,} original rows."
LEFT_OUT = "The {rows:,} rows that were left out are in no figure."
UNKNOWN = "Nothing is known about the original here, so there is nothing to compare."
NONE = "has no value in any row"


def section(release: Reported) -> str:
    """A card for each column."""
    portrait = release.portrait
    if portrait is None:
        return paragraphs(UNKNOWN)
    suppressed = int(release.facts.get("suppressed", 0))
    words = READING.format(few=FEW.format(k=release.plan.k) if release.plan.k > 1 else "")
    gone = LEFT_OUT.format(rows=suppressed) if suppressed else ""
    left = f"Not drawn, for their number: {in_words(list(portrait.left))}." if portrait.left else ""
    cards = "".join(_card(place, one) for place, one in enumerate(portrait.columns))
    return paragraphs(words, gone) + key("before", "after") + f'<div class="cards">{cards}</div>' + paragraphs(left)


def _card(place: int, column: ColumnPortrait) -> str:
    tag = f'<span class="tag">{escape(column.role)}</span>'
    body = paragraphs(f"It cannot be drawn: {column.problem}.") if column.problem else _drawn(place, column)
    return f'<div class="card"><h3>{escape(column.name)}{tag}</h3>{body}</div>'


def _drawn(place: int, column: ColumnPortrait) -> str:
    title, name = finding(column), f"column-{place}"
    rows = [(one.label, share(one.before), share(one.after)) for one in column.bins]
    rows += [(_label(one), _before(one), share(one.after)) for one in column.bars]
    if not rows:
        return paragraphs(f"{title}.")
    numbers = "; ".join(f"{label}: {_way(before, after)}" for label, before, after in rows)
    drawn = ""
    if column.bins:
        was = column.changed
        steps = [Step(one.start, one.end, one.low, one.before if was else None, one.after) for one in column.bins]
        drawn = shape(name, title, f"Shares of rows, before and after. {numbers}.", steps, column.last)
    elif column.bars:
        drawn = _bars(name, title, numbers, column)
    aside = "; ".join(f"{_label(one)}: {_way(_before(one), share(one.after))}" for one in column.bars)
    note = f"Besides, {aside}." if column.bins and aside else ""
    table = text_table("", ("Label" if not column.bins else "Range", "Before", "After"), rows, (1, 2))
    return figure(title, drawn, note) + folded(f"Numbers of {column.name}", table)


def finding(column: ColumnPortrait) -> str:
    """What the picture shows, in words."""
    if not column.bins and not column.bars:
        return f"{column.name} {NONE}"
    return f"Keeps {share(column.kept)} of its shape" if column.changed else "Published as it is"


def _bars(name: str, title: str, numbers: str, column: ColumnPortrait) -> str:
    longest = max(max(one.before or 0.0, one.after) for one in column.bars) or 1.0
    rows = [
        Change(
            _label(one),
            None if one.before is None or not column.changed else one.before / longest,
            one.after / longest,
            _way(_before(one), share(one.after)),
        )
        for one in column.bars
    ]
    return paired(name, title, f"Shares of rows, before and after. {numbers}.", rows)


def _label(bar: Bar) -> str:
    return bar.label if bar.kind == "label" else f"({bar.label})"


def _before(bar: Bar) -> str:
    return "fewer than k rows" if bar.before is None else share(bar.before)


def _way(before: str, after: str) -> str:
    return after if before == after else f"{before} → {after}"
