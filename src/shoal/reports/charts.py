# SPDX-License-Identifier: Apache-2.0
"""Small SVG charts, drawn with classes and no styles of their own.

Widths are percentages and letters have a fixed size, so a chart fits a telephone and a sheet of paper alike without
its text shrinking. Every chart carries a title (the finding) and a description (the numbers) for those who cannot see
it. Everywhere *before* is an outline and *after* is filled, so that colour alone never says anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, log10
from typing import NamedTuple

ROW = 38
"""Height of one row with its label, in pixels."""
PLOT = 150
"""Height of the columns of a histogram and of a shape."""
MARGIN = 0.04
"""Share of the width between the mark of a histogram and its first column."""
CROWDED = 8
"""From so many columns on every other label is hidden where the page is narrow."""
TICKS_APART = 0.13
"""Least distance of two labels below a shape, as a share of its width."""
LETTER = 0.012
"""Width of a letter there, as a share of the width of a narrow chart."""
DEEPEST = 6
"""Most decades of a strip of chances."""


class Bar(NamedTuple):
    """One bar: what it stands for, its share of the whole width (0 to 1), and the number in words."""

    label: str
    share: float
    text: str


class Change(NamedTuple):
    """One row with two values, as shares of the whole width; before is None where it is not told."""

    label: str
    before: float | None
    after: float
    text: str


class Step(NamedTuple):
    """One bin of a shape: where it lies, and its share of the rows before (None: not told) and after."""

    start: float
    end: float
    label: str
    before: float | None
    after: float


def bars(name: str, title: str, description: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars, the label and the number above each; the track is the largest possible value."""
    parts = []
    for number, row in enumerate(rows):
        top = number * ROW
        parts += _texts(top, row.label, row.text)
        parts.append(f'<rect class="track" x="0" y="{top + 20}" width="100%" height="10" rx="2"/>')
        if row.share > 0:
            parts.append(f'<rect class="bar" x="0" y="{top + 20}" width="{_percent(row.share)}" height="10" rx="2"/>')
    return _svg(name, title, description, len(rows) * ROW, parts)


def paired(name: str, title: str, description: str, rows: Sequence[Change]) -> str:
    """A bar for each row: filled after, outlined before."""
    parts = []
    for number, row in enumerate(rows):
        top = number * ROW
        parts += _texts(top, row.label, row.text)
        if row.after > 0:
            parts.append(f'<rect class="now" x="0" y="{top + 20}" width="{_percent(row.after)}" height="11"/>')
        if row.before:
            parts.append(f'<rect class="was" x="0" y="{top + 20}" width="{_percent(row.before)}" height="11"/>')
        parts.append(f'<line class="axis" x1="0" y1="{top + 18}" x2="0" y2="{top + 33}"/>')
    return _svg(name, title, description, len(rows) * ROW, parts)


def moved(name: str, title: str, description: str, rows: Sequence[Change], ends: tuple[str, str, str]) -> str:
    """A dot for each row on a scale: from before (open) to after (filled). ``ends`` name both ends and the middle."""
    parts = []
    for number, row in enumerate(rows):
        top, after = number * ROW, _inside(row.after)
        y = top + 25
        parts += _texts(top, row.label, row.text)
        parts.append(f'<line class="rail" x1="1%" y1="{y}" x2="99%" y2="{y}"/>')
        if row.before is not None:
            before = _inside(row.before)
            parts.append(f'<line class="way" x1="{before}" y1="{y}" x2="{after}" y2="{y}"/>')
            parts.append(f'<circle class="dot was" cx="{before}" cy="{y}" r="5"/>')
        parts.append(f'<circle class="dot" cx="{after}" cy="{y}" r="5"/>')
    base = len(rows) * ROW + 12
    for told, at, side in zip(ends, ("1%", "50%", "99%"), ("first", "", "last"), strict=True):
        parts.append(f'<text class="tick {side}" x="{at}" y="{base}">{escape(told)}</text>')
    return _svg(name, title, description, base + 6, parts)


def shape(name: str, title: str, description: str, steps: Sequence[Step], last: str) -> str:
    """A distribution to scale, areas are shares of rows: filled after, a stepped line before."""
    first, width = steps[0].start, steps[-1].end - steps[0].start
    heights = {"now": [one.after / (one.end - one.start) for one in steps]}
    if steps[0].before is not None:
        heights["was"] = [(one.before or 0.0) / (one.end - one.start) for one in steps]
    tallest = max(max(one) for one in heights.values()) or 1.0
    drawn = ""
    for style, tall in heights.items():
        path = f"M0,{PLOT}"
        for one, height in zip(steps, tall, strict=True):
            left, right = (round(1000 * (end - first) / width, 1) for end in (one.start, one.end))
            y = round(PLOT * (1 - height / tallest), 1)
            path += f"L{left:g},{y:g}L{right:g},{y:g}"
        drawn += f'<path class="{style}" d="{path}L1000,{PLOT}"/>'
    parts = [
        f'<svg x="0" y="4" width="100%" height="{PLOT}" viewBox="0 0 1000 {PLOT}" preserveAspectRatio="none">'
        f"{drawn}</svg>",
        f'<line class="axis" x1="0" y1="{PLOT + 4}" x2="100%" y2="{PLOT + 4}"/>',
        *_scale([((one.start - first) / width, one.label) for one in steps], last),
    ]
    return _svg(name, title, description, PLOT + 26, parts)


def histogram(name: str, title: str, description: str, columns: Sequence[Bar], mark: str = "") -> str:
    """Upright columns; ``share`` is relative to the tallest. ``mark`` names the dashed line at the left edge."""
    width = (1 - MARGIN) / max(len(columns), 1)
    base = PLOT + 40
    parts = []
    for number, column in enumerate(columns):
        left, middle = MARGIN + (number + 0.1) * width, MARGIN + (number + 0.5) * width
        height = round(column.share * PLOT)
        if column.share > 0:
            box = f'x="{_percent(left)}" y="{base - max(height, 1)}" width="{_percent(width * 0.8)}"'
            parts.append(f'<rect class="bar" {box} height="{max(height, 1)}"/>')
        style = "tick spare" if len(columns) >= CROWDED and number % 2 else "tick"
        above = column.text if column.share > 0 else ""
        for y, told in ((base + 18, column.label), (base - height - 6, above)):
            parts.append(f'<text class="{style}" x="{_percent(middle)}" y="{y}">{escape(told)}</text>')
    parts.append(f'<line class="axis" x1="0" y1="{base}" x2="100%" y2="{base}"/>')
    if mark:
        parts.append(f'<line class="mark" x1="1" y1="0" x2="1" y2="{base}"/>')
        parts.append(f'<text class="label" x="8" y="12">{escape(mark)}</text>')
    return _svg(name, title, description, base + 26, parts)


def chances(name: str, title: str, description: str, points: Sequence[Bar], limit: float) -> str:
    """Chances on a strip from 1 in 1 (left) to 1 in 1,000 or more (right), logarithmic; a line stands at the limit.

    The ``share`` of each point is its chance.
    """
    least = min([limit, *(point.share for point in points)])
    decades = min(max(ceil(-log10(max(least, 1e-9)) - 1e-9), 3), DEEPEST)
    base = len(points) * ROW + 4
    at = _percent(_place(limit, decades))
    parts = []
    for number, point in enumerate(points):
        top, place = number * ROW, _percent(_place(point.share, decades))
        parts += _texts(top, point.label, point.text)
        parts.append(f'<line class="rail" x1="1%" y1="{top + 25}" x2="99%" y2="{top + 25}"/>')
        parts.append(f'<line class="mark" x1="{at}" y1="{top + 17}" x2="{at}" y2="{top + 33}"/>')
        parts.append(f'<circle class="dot" cx="{place}" cy="{top + 25}" r="5"/>')
    for exponent in range(decades + 1):
        side = "first" if exponent == 0 else "last" if exponent == decades else "spare" if exponent % 2 == 0 else ""
        x = _percent(_place(10.0**-exponent, decades))
        parts.append(f'<text class="tick {side}" x="{x}" y="{base + 14}">1 in {10**exponent:,}</text>')
    return _svg(name, title, description, base + 20, parts)


def _place(chance: float, decades: int) -> float:
    """Where a chance stands on the strip, as a share of its width."""
    return 0.01 + 0.98 * min(-log10(min(max(chance, 1e-9), 1.0)), decades) / decades


def _scale(ticks: Sequence[tuple[float, str]], last: str) -> list[str]:
    """Labels below a shape, as many as fit; the first and the last always stand."""
    y = PLOT + 22
    shown = [f'<text class="tick first" x="0" y="{y}">{escape(_short(ticks[0][1], 12))}</text>']
    free = max(TICKS_APART, LETTER * len(ticks[0][1]) + 0.03)
    for number, (at, label) in enumerate(ticks[1:], 1):
        half = LETTER * len(label) / 2
        if at - half >= free and at + half <= 1 - LETTER * len(last) - 0.03:
            style = "tick spare" if len(label) > 6 and number % 2 else "tick"
            shown.append(f'<text class="{style}" x="{_percent(at)}" y="{y}">{escape(_short(label, 12))}</text>')
            free = at + max(TICKS_APART, 2 * half + 0.02) - half
    return [*shown, f'<text class="tick last" x="100%" y="{y}">{escape(_short(last, 12))}</text>']


def _texts(top: int, label: str, number: str) -> list[str]:
    """The line above a bar: what it is on the left, how much on the right."""
    return [
        f'<text class="label" x="0" y="{top + 14}">{escape(_short(label))}</text>',
        f'<text class="number" x="100%" y="{top + 14}">{escape(number)}</text>',
    ]


def _svg(name: str, title: str, description: str, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" role="img" aria-labelledby="{name}-title {name}-desc" width="100%" height="{height}">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _inside(share: float) -> str:
    return _percent(0.01 + 0.98 * min(max(share, 0.0), 1.0))


def _percent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"


def _short(label: str, limit: int = 32) -> str:
    """The whole name stands in the table below the chart."""
    return label if len(label) <= limit else label[: limit - 1] + "…"
