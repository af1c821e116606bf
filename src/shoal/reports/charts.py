# SPDX-License-Identifier: Apache-2.0
"""Small SVG charts: bars, a histogram and a gauge, drawn with classes and no styles of their own.

Widths are percentages and letters have a fixed size, so a chart fits a telephone and a sheet of paper alike without
its text shrinking. Every chart carries a title (the finding) and a description (the numbers) for those who cannot see
it. Bars are hatched: colour alone never says anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log10
from typing import NamedTuple

ROW = 44
"""Height of one bar with its label, in pixels."""
PLOT = 180
"""Height of the columns of a histogram."""
MARGIN = 0.04
"""Share of the width between the mark of a histogram and its first column."""
CROWDED = 10
"""From so many columns on every other label is hidden where the page is narrow."""


class Bar(NamedTuple):
    """One bar: what it stands for, its share of the whole width (0 to 1), and the number in words."""

    label: str
    share: float
    text: str


def bars(name: str, title: str, description: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars, the label and the number above each; the track is the largest possible value."""
    parts = []
    for number, row in enumerate(rows):
        top = number * ROW
        parts += [
            f'<text class="label" x="0" y="{top + 16}">{escape(_short(row.label))}</text>',
            f'<text class="number" x="100%" y="{top + 16}">{escape(row.text)}</text>',
            f'<rect class="track" x="0" y="{top + 22}" width="100%" height="14"/>',
        ]
        if row.share > 0:
            parts.append(_hatched(name, "0", top + 22, _percent(row.share), 14))
    return _svg(name, title, description, len(rows) * ROW, parts)


def histogram(name: str, title: str, description: str, columns: Sequence[Bar], mark: str = "") -> str:
    """Upright columns; ``share`` is relative to the tallest. ``mark`` names the dashed line at the left edge."""
    width = (1 - MARGIN) / max(len(columns), 1)
    base = PLOT + 40
    parts = []
    for number, column in enumerate(columns):
        left, middle = MARGIN + (number + 0.1) * width, MARGIN + (number + 0.5) * width
        height = round(column.share * PLOT)
        if column.share > 0:
            parts.append(_hatched(name, _percent(left), base - max(height, 1), _percent(width * 0.8), max(height, 1)))
        style = "tick spare" if len(columns) >= CROWDED and number % 2 else "tick"
        for y, told in ((base + 18, column.label), (base - height - 6, column.text)):
            parts.append(f'<text class="{style}" x="{_percent(middle)}" y="{y}">{escape(told)}</text>')
    parts.append(f'<line class="axis" x1="0" y1="{base}" x2="100%" y2="{base}"/>')
    if mark:
        parts.append(f'<line class="mark" x1="0.5" y1="0" x2="0.5" y2="{base}"/>')
        parts.append(f'<text class="label" x="6" y="12">{escape(mark)}</text>')
    return _svg(name, title, description, base + 26, parts)


def gauge(name: str, title: str, description: str, points: Sequence[tuple[str, float]], limit: float) -> str:
    """Chances on a strip from 1 in 1 (left) to 1 in 1,000 (right), logarithmic; a line stands at the limit."""
    parts = ['<line class="axis" x1="2%" y1="70" x2="98%" y2="70"/>']
    for exponent in range(4):
        at = _percent(_place(10.0**-exponent))
        parts.append(f'<line class="axis" x1="{at}" y1="64" x2="{at}" y2="76"/>')
        anchor = ("tick first", "tick", "tick spare", "tick last")[exponent]
        parts.append(f'<text class="{anchor}" x="{at}" y="96">1 in {10**exponent:,}</text>')
    at = _percent(_place(limit))
    parts.append(f'<line class="mark" x1="{at}" y1="40" x2="{at}" y2="84"/>')
    for row, (label, chance) in enumerate(points):
        at, side = _percent(_place(chance)), "tick last" if _place(chance) > 0.5 else "tick first"
        parts.append(f'<circle class="point p{row}" cx="{at}" cy="70" r="7"/>')
        parts.append(f'<text class="{side}" x="{at}" y="{16 + 20 * row}">{escape(label)}</text>')
    return _svg(name, title, description, 104, parts)


def _place(chance: float) -> float:
    """Where a chance stands on the strip, as a share of its width."""
    decades = -log10(min(max(chance, 1e-3), 1.0))
    return 0.02 + 0.96 * decades / 3


def _hatched(name: str, x: str, y: int, width: str, height: int) -> str:
    box = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect class="bar" {box}/><rect class="hatch" {box} fill="url(#{name}-hatch)"/>'


def _svg(name: str, title: str, description: str, height: int, parts: Sequence[str]) -> str:
    hatch = (
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<path class="stripe" d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2"/></pattern></defs>'
    )
    return (
        f'<svg class="chart" role="img" aria-labelledby="{name}-title {name}-desc" width="100%" height="{height}">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
        f"{hatch}{''.join(parts)}</svg>"
    )


def _percent(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"


def _short(label: str, limit: int = 32) -> str:
    """The whole name stands in the table below the chart."""
    return label if len(label) <= limit else label[: limit - 1] + "…"
