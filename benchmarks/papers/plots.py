# SPDX-License-Identifier: Apache-2.0
"""The pictures of the pages: a figure along a setting, a line per method, its spread as a bar at each point."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import LARGEST, SMALLEST, Chart
from shoal.ground.svg import COLOURS, Picture, Scale, Svg, decades, dot, line, path, spread, text, ticks, width_of

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 380, 70, 56, 150, 56
ROW = 16
"""Height of a name."""
DECADES = 30.0
"""A figure whose largest value is so many times its smallest one is drawn by decades."""
WORDS = {"k": "k", "columns": "number of quasi-identifiers", "rows": "rows"}

Line = Mapping[float, tuple[float, float]]
"""Mean and spread for each value of the setting."""


def lines_of(chart: Chart, figures: Figures) -> dict[str, Line]:
    """The line of each method, in the order of the script; empty where the figures have none."""
    ends = {LARGEST: max, SMALLEST: min}
    where = {name: ends[value](figures.values(name)) if value in ends else value for name, value in chart.where.items()}
    part = figures.where(**where)
    found: dict[str, Line] = {}
    for method in dict.fromkeys(row["method"] for row in part.rows):
        one = part.where(method=method)
        means, spreads = one.line(chart.figure, chart.over), one.line(f"{chart.figure}_spread", chart.over)
        found[method] = {at: (means[at], spreads[at]) for at in means}
    return found


def picture(chart: Chart, lines: Mapping[str, Line]) -> Picture:
    """The picture of a chart."""
    settings = sorted({at for each in lines.values() for at in each})
    across = Scale(settings[0], settings[-1], LEFT + 12, WIDTH - RIGHT - 12)
    up, marks = _upright([end for each in lines.values() for mean, by in each.values() for end in (mean, mean + by)])
    parts = [*_ground(up, marks, chart), *_settings(across, settings, chart.over)]
    ends = []
    for number, (method, each) in enumerate(lines.items()):
        ink = number % COLOURS
        places = [(across(at), up(mean)) for at, (mean, _) in each.items()]
        parts += [_bar(across(at), up, mean, by, ink) for at, (mean, by) in each.items() if by > 0]
        parts.append(path(places, f"line s{ink}", method))
        parts += [
            dot(x, y, 3.5, f"f{ink} ring", f"{method}, {chart.over} = {at:,}: {told(*value)}")
            for (x, y), (at, value) in zip(places, each.items())
        ]
        ends.append((method, *places[-1], f"t{ink}"))
    numbers = "; ".join(
        f"{method}: " + ", ".join(f"{told(*value)} at {at:,}" for at, value in each.items())
        for method, each in lines.items()
    )
    title = text(16, 28, chart.title, "head")
    return Picture(chart.name, chart.title, f"{numbers}.", WIDTH, HEIGHT, (title, *parts, *_names(ends)))


def _upright(values: Sequence[float]) -> tuple[Scale, list[float]]:
    """The upright scale and its marks: from 0, or by decades where values are far apart."""
    low, high = min(values), max(values)
    if low > 0 and high / low > DECADES:
        marks = decades(low, high)
        return Scale(marks[0], marks[-1], HEIGHT - BOTTOM, TOP, log=True), marks
    marks = ticks(high)
    return Scale(0.0, marks[-1], HEIGHT - BOTTOM, TOP), marks


def _ground(up: Scale, marks: Sequence[float], chart: Chart) -> list[Svg]:
    parts = [text(16, 46, chart.axis + ", by decades" * up.log, "soft")]
    for mark in marks:
        style = "axis" if mark == marks[0] else "grid"
        parts += [
            line(LEFT, up(mark), WIDTH - RIGHT, up(mark), style),
            text(LEFT - 8, up(mark) + 4, f"{mark:,.0f}" if mark >= 1_000 else f"{mark:g}", "soft end"),
        ]
    return parts


def _settings(across: Scale, settings: Sequence[float], over: str) -> list[Svg]:
    bottom = HEIGHT - BOTTOM
    parts = [text((LEFT + WIDTH - RIGHT) / 2, bottom + 42, WORDS.get(over, over), "soft mid")]
    free = 0.0
    for at in settings:
        x, half = across(at), width_of(f"{at:,}") / 2
        parts.append(line(x, bottom, x, bottom + 5, "axis"))
        if x - half >= free:
            parts.append(text(x, bottom + 20, f"{at:,}", "soft mid"))
            free = x + half + 6
    return parts


def _bar(x: float, up: Scale, mean: float, by: float, ink: int) -> Svg:
    low = max(mean - by, up.low) if up.log else mean - by
    return line(x, up(low), x, up(mean + by), f"s{ink}")


def _names(ends: Sequence[tuple[str, float, float, str]]) -> list[Svg]:
    """Names at the ends of lines, pushed apart where they would touch."""
    right = WIDTH - RIGHT + 16
    parts = []
    for (name, x, y, ink), at in zip(ends, spread([y for _, _, y, _ in ends], ROW, TOP, HEIGHT - BOTTOM)):
        parts += [path([(x + 6, y), (right - 12, at), (right - 4, at)], "lead"), text(right, at + 4, name, ink)]
    return parts


def told(mean: float, by: float) -> str:
    """A mean with its spread."""
    return shown(mean) + (f" ± {shown(by, digits_of(mean))}" if by > 0 else "")


def digits_of(value: float) -> int:
    """Decimals that leave four digits of a figure, at most four."""
    return 4 if value == 0 else min(max(3 - math.floor(math.log10(abs(value))), 0), 4)


def shown(value: float, digits: int | None = None) -> str:
    """A figure as pages show it.

    >>> shown(0.123456), shown(1234.56), shown(0)
    ('0.1235', '1,235', '0.0000')
    """
    return f"{value:,.{digits_of(value) if digits is None else digits}f}"
