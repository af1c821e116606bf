# SPDX-License-Identifier: Apache-2.0
"""The small charts of the report, drawn with classes and no styles of their own.

Widths are percentages and letters have a fixed size, so a chart fits a telephone and a sheet of paper alike without
its text shrinking. It is known about how wide texts are, and how narrow a chart may get: what would run into its
neighbour is cut or left out, and the table below a chart has it whole. Every chart carries a title (the finding) and a
description (the numbers) for those who cannot see it. Everywhere *before* is an outline and *after* is filled, so that
colour alone never says anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from math import ceil, log10
from typing import NamedTuple

from shoal.ground.svg import Svg, box, described, dot, element, line, path, text
from shoal.ground.wording import shortened

ROW = 30
"""Height of one row with its label, in pixels."""
PLOT = 88
"""Height of the columns of a histogram and of a shape."""
NARROW, ROOMY, WHOLE, CARD = 280.0, 390.0, 520.0, 196.0
"""Least width of a chart on a telephone, beside another, by itself, and in a card, in pixels of letters not smaller."""
LETTER = 8.8
"""Width of a letter of a label."""
SMALL = 8.0
"""Width of a letter below an axis, and of all letters in cards."""
AIR = 10.0
"""Least distance of two texts."""
BESIDE = " · "
"""Between two names in one label."""
EDGE, GAP = 0.14, 0.04
"""Width of an end that is not to scale, and of the gap before it, as shares of a shape."""
DEEPEST = 6
"""Most decades of a strip of chances."""


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d")


class Amount(NamedTuple):
    """One bar or point: what it stands for, its share of the whole width (0 to 1), and the number in words."""

    label: str
    share: float
    text: str


class Change(NamedTuple):
    """One row with two values, as shares of the whole width; before is None where it is not told."""

    label: str
    before: float | None
    after: float
    text: str


class Span(NamedTuple):
    """One bin of a shape: where it lies, and its share of the rows before (None: not told) and after."""

    start: float
    end: float
    label: str
    before: float | None
    after: float
    beyond: bool = False
    """Far from the others: it stands behind a gap, as wide as there is room for."""


def bars(name: str, title: str, description: str, rows: Sequence[Amount]) -> Svg:
    """Horizontal bars, the label and the number above each; the track is the largest possible value."""
    parts: list[Svg] = []
    for top, row in zip(count(0, ROW), rows):
        parts += [*_texts(top, row), box("0", top + 18, "100%", 7, "track", rx=2)]
        if row.share > 0:
            parts.append(box("0", top + 18, _percent(row.share), 7, "bar", rx=2))
    return _chart(name, title, description, len(rows) * ROW, parts)


def paired(name: str, title: str, description: str, rows: Sequence[Change]) -> Svg:
    """A bar for each row of a card: filled after, outlined before."""
    parts: list[Svg] = []
    for top, row in zip(count(0, ROW), rows):
        words = shortened(row.label, _letters(CARD, row.text, SMALL))
        parts += [text("0", top + 12, words, "label"), text("100%", top + 12, row.text, "number")]
        for share, style in ((row.after, "now"), (row.before, "was")):
            if share:
                parts.append(box("0", top + 17, _percent(share), 9, style))
        parts.append(line("0", top + 15, "0", top + 28, "axis"))
    return _chart(name, title, description, len(rows) * ROW, parts, "chart small")


def moved(name: str, title: str, description: str, rows: Sequence[Change], ends: tuple[str, str, str]) -> Svg:
    """A dot for each row on a scale: from before (open) to after (filled). ``ends`` name both ends and the middle."""
    parts: list[Svg] = []
    for top, row in zip(count(0, ROW), rows):
        y, after = top + 22, _inside(row.after)
        parts += [*_texts(top, row, WHOLE), line("1%", y, "99%", y, "rail")]
        if row.before is not None:
            before = _inside(row.before)
            parts += [line(before, y, after, y, "way"), dot(before, y, 5, "dot was")]
        parts.append(dot(after, y, 5, "dot"))
    base = len(rows) * ROW + 12
    for end, at, side in zip(ends, ("1%", "50%", "99%"), ("first", "", "last"), strict=True):
        parts.append(text(at, base, end, f"tick {side}"))
    return _chart(name, title, description, base + 6, parts)


def shape(name: str, title: str, description: str, spans: Sequence[Span], last: str) -> Svg:
    """A distribution to scale in a card, areas are shares of rows: filled after, a stepped line before.

    The axis is broken before an end that is not to scale.
    """
    places, base = _places(spans), PLOT + 4
    wide = [right - left for left, right in places]
    heights = {"now": [one.after / width for one, width in zip(spans, wide)]}
    if spans[0].before is not None:
        heights["was"] = [(one.before or 0.0) / width for one, width in zip(spans, wide)]
    tallest = max(max(one) for one in heights.values()) or 1.0
    runs = _runs(spans)
    drawn = [path(_steps(places, [one / tallest for one in tall], runs), style) for style, tall in heights.items()]
    stretched = {"viewBox": f"0 0 1000 {PLOT}", "preserveAspectRatio": "none"}
    ticks = [*((left, one.label) for (left, _), one in zip(places, spans)), (1.0, last)]
    parts = [
        element("svg", *drawn, x=0, y=4, width="100%", height=PLOT, **stretched),
        *(line(_percent(places[run[0]][0]), base, _percent(places[run[-1]][1]), base, "axis") for run in runs),
        *_axis([(at, shortened(label, 11)) for at, label in _without_clocks(ticks)], base + 17, CARD, CARD),
    ]
    return _chart(name, title, description, PLOT + 26, parts, "chart small")


def _places(spans: Sequence[Span]) -> list[tuple[float, float]]:
    """From where to where each bin reaches, as shares of the width; ends that are not to scale stand at the edges.

    >>> [(round(left, 2), round(right, 2)) for left, right in _places([Span(0, 5, "0", 1, 1), Span(5, 20, "5", 1, 1)])]
    [(0.0, 0.25), (0.25, 1.0)]
    """
    scaled = [one for one in spans if not one.beyond]
    start, end = (EDGE + GAP if spans[place].beyond else 0.0 for place in (0, -1))
    first, width = scaled[0].start, (scaled[-1].end - scaled[0].start) / (1 - start - end)
    places = [(start + (one.start - first) / width, start + (one.end - first) / width) for one in scaled]
    return [(0.0, EDGE)] * bool(start) + places + [(1 - EDGE, 1.0)] * bool(end)


def _runs(spans: Sequence[Span]) -> list[range]:
    """Bins without a gap between them."""
    low, high = int(spans[0].beyond), len(spans) - spans[-1].beyond
    return [run for run in (range(low), range(low, high), range(high, len(spans))) if run]


def _steps(places: Sequence[tuple[float, float]], heights: Sequence[float], runs: Sequence[range]) -> str:
    """The outline of a shape, down to the axis at both ends of each run."""
    way = ""
    for run in runs:
        xs = [(round(1000 * left, 1), round(1000 * right, 1)) for left, right in (places[one] for one in run)]
        way += f"M{xs[0][0]:g},{PLOT}"
        for (left, right), one in zip(xs, run, strict=True):
            y = round(PLOT * (1 - heights[one]), 1)
            way += f"L{left:g},{y:g}L{right:g},{y:g}"
        way += f"L{xs[-1][1]:g},{PLOT}"
    return way


def _without_clocks(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Moments as their days, unless that would make two of them alike."""
    days = [label[:10] if _MOMENT.match(label) else label for _, label in ticks]
    return [(at, day) for (at, _), day in zip(ticks, days)] if len(set(days)) == len(days) else list(ticks)


def histogram(
    name: str, title: str, description: str, columns: Sequence[Amount], mark: tuple[int, str] | None = None
) -> Svg:
    """Upright columns; ``share`` is relative to the tallest. ``mark``: a column, and what the line on it says."""
    slot = 1 / max(len(columns), 1)
    base = PLOT + 44
    heights = [max(round(one.share * PLOT), int(one.share > 0)) for one in columns]
    parts = [
        box(_percent((number + 0.1) * slot), base - tall, _percent(0.8 * slot), tall, "bar")
        for number, tall in enumerate(heights)
        if tall
    ]
    parts += _below(columns, slot, base + 17)
    parts += _above(columns, slot, [base - tall - 6 for tall in heights])
    parts.append(line("0", base, "100%", base, "axis"))
    if mark:
        at = _percent((mark[0] + 0.1) * slot)
        parts += [line(at, 4, at, base, "mark"), text(at, 14, mark[1], "label strong", dx=7)]
    return _chart(name, title, description, base + 24, parts)


def _below(columns: Sequence[Amount], slot: float, y: int) -> list[Svg]:
    """What the columns of a histogram stand for, as many as there is room for."""
    ticks = [((number + 0.5) * slot, one.label) for number, one in enumerate(columns)]
    return _axis(ticks, y, NARROW, ROOMY, anchored=False)


def _above(columns: Sequence[Amount], slot: float, heights: Sequence[int]) -> list[Svg]:
    """Their numbers, each on top of its column, if all fit beside each other."""
    widest = max((SMALL * len(one.text) + AIR / 2 for one in columns), default=0.0)
    if widest > slot * ROOMY:
        return []
    style = "tick" if widest <= slot * NARROW else "tick spare"
    return [
        text(_percent((number + 0.5) * slot), y, one.text, style)
        for number, (one, y) in enumerate(zip(columns, heights, strict=True))
        if one.share > 0
    ]


def chances(name: str, title: str, description: str, points: Sequence[Amount], limit: float) -> Svg:
    """Chances on a strip from 1 in 1 (left) to 1 in 1,000 or more (right), logarithmic; a line stands at the limit.

    The ``share`` of each point is its chance.
    """
    least = min([limit, *(point.share for point in points)])
    decades = min(max(ceil(-log10(max(least, 1e-9)) - 1e-9), 3), DEEPEST)
    base = len(points) * ROW + 4
    at = _percent(_place(limit, decades))
    parts: list[Svg] = []
    for top, point in zip(count(0, ROW), points):
        parts += [*_texts(top, point), line("1%", top + 22, "99%", top + 22, "rail")]
        parts.append(line(at, top + 15, at, top + 29, "mark"))
        parts.append(dot(_percent(_place(point.share, decades)), top + 22, 5, "dot"))
    steps = [(_place(10.0**-exponent, decades), f"1 in {10**exponent:,}") for exponent in range(decades + 1)]
    return _chart(name, title, description, base + 20, [*parts, *_axis(steps, base + 14, NARROW, ROOMY)])


def _place(chance: float, decades: int) -> float:
    """Where a chance stands on the strip, as a share of its width."""
    return 0.01 + 0.98 * min(-log10(min(max(chance, 1e-9), 1.0)), decades) / decades


def _axis(
    ticks: Sequence[tuple[float, str]], y: int, narrow: float, roomy: float, *, anchored: bool = True
) -> list[Svg]:
    """Labels below an axis, as many as fit; fewer where the page is narrow. The ends stand inside if ``anchored``."""
    few, many = (_fitting(ticks, room, anchored) for room in (narrow, roomy))
    shown = []
    for number, (at, label) in enumerate(ticks):
        if number in few or number in many:
            seen = "" if number in few and number in many else " spare" if number in many else " tight"
            shown.append(text(_percent(at), y, label, f"tick{_side(number, len(ticks), anchored)}{seen}"))
    return shown


def _side(number: int, ticks: int, anchored: bool) -> str:
    if not anchored:
        return ""
    return " first" if number == 0 else " last" if number == ticks - 1 else ""


def _fitting(ticks: Sequence[tuple[float, str]], room: float, anchored: bool) -> set[int]:
    """Which labels stand beside each other with some air: the first, the last, and others in turn."""

    def stretch(number: int) -> tuple[float, float]:
        at, wide = ticks[number][0] * room, SMALL * len(ticks[number][1])
        side = _side(number, len(ticks), anchored)
        left = at if side == " first" else at - wide if side == " last" else at - wide / 2
        return left, left + wide

    first, *middle, last = range(len(ticks)) if len(ticks) > 1 else (0, 0)
    fits, free, end = {first}, stretch(first)[1], stretch(last)[0]
    for number in middle:
        left, right = stretch(number)
        if left >= free + AIR and right + AIR <= end:
            fits.add(number)
            free = right
    return fits | ({last} if end >= stretch(first)[1] + AIR else set())


def _texts(top: int, row: Amount | Change, room: float = ROOMY) -> list[Svg]:
    """The line above a bar: what it is on the left, how much on the right; whole names stand in the table below."""
    return [
        text("0", top + 13, _cut(row.label, _letters(NARROW, row.text, LETTER)), "label tight"),
        text("0", top + 13, _cut(row.label, _letters(room, row.text, LETTER)), "label spare"),
        text("100%", top + 13, row.text, "number"),
    ]


def _cut(label: str, letters: int) -> str:
    """A label that fits; of two names side by side the longer one is cut first.

    >>> _cut("age · length of stay in days", 20), _cut("length of stay · date of admission", 19)
    ('age · length of sta…', 'length … · date of…')
    """
    one, beside, other = label.partition(BESIDE)
    if len(label) <= letters or not beside:
        return shortened(label, letters)
    both = max(letters - len(beside), 4)
    first = min(len(one), max(both // 2, both - len(other)))
    return f"{shortened(one, first)}{beside}{shortened(other, both - first)}"


def _letters(room: float, beside: str, letter: float) -> int:
    """How many letters there is room for beside a text."""
    return max(int((room - AIR) / letter) - len(beside), 4)


def _chart(name: str, title: str, description: str, height: int, parts: Sequence[Svg], style: str = "chart") -> Svg:
    return described(name, title, description, parts, class_=style, width="100%", height=height)


def _inside(share: float) -> str:
    return _percent(0.01 + 0.98 * min(max(share, 0.0), 1.0))


def _percent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"
