# SPDX-License-Identifier: Apache-2.0
"""Picture: a plot as plain SVG, light and dark by itself, shown by notebooks and saved as a file.

Colours stand in a style sheet of classes that travels with every saved picture and is left out where a page has it
already. Lines and points are labelled where they are; colour only helps the eye.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import NamedTuple

LIGHT = ("#1a66a8", "#b4460c", "#0b7a53", "#8b3a8e", "#8a6100", "#5a55c8", "#a01f4b")
DARK = ("#6cb4f2", "#ff9c66", "#5cd0a0", "#dd93e0", "#e2b84a", "#aaa6ff", "#ff8aae")
COLOURS = len(LIGHT)


def _inks(colours: Sequence[str]) -> str:
    return "".join(
        f".shoal-plot .s{i}{{stroke:{c}}}.shoal-plot .f{i}{{fill:{c}}}.shoal-plot text.t{i}{{fill:{c}}}"
        for i, c in enumerate(colours)
    )


STYLE = (
    ".shoal-plot{display:block;max-width:100%;height:auto;font:12px system-ui,'DejaVu Sans',sans-serif}"
    ".shoal-plot .paper{fill:#fff}.shoal-plot text{fill:#1b1f24}.shoal-plot .soft{fill:#4b5560}"
    ".shoal-plot .head{font-size:15px;font-weight:600}.shoal-plot .strong{font-weight:600}"
    ".shoal-plot .end{text-anchor:end}.shoal-plot .mid{text-anchor:middle}"
    ".shoal-plot .grid{stroke:#dfe5eb}.shoal-plot .axis{stroke:#868e99}"
    ".shoal-plot .line{fill:none;stroke-width:2;stroke-linejoin:round}.shoal-plot .bold{stroke-width:3.5}"
    ".shoal-plot .dim{stroke:#98a2ad}.shoal-plot .dimf{fill:#98a2ad}.shoal-plot text.dimt{fill:#4b5560}"
    ".shoal-plot .lead{fill:none;stroke:#98a2ad;stroke-width:.8}.shoal-plot .ring{stroke:#fff;stroke-width:1.5}"
    ".shoal-plot .bound{fill:none;stroke:#1b1f24;stroke-width:2;stroke-dasharray:7 5}"
    ".shoal-plot .never{fill:#1b1f24;opacity:.07}.shoal-plot .front{fill:none;stroke:#868e99;stroke-dasharray:2 4}"
    ".shoal-plot .track{fill:#edf1f5}.shoal-plot .mark{stroke:#1b1f24;stroke-width:1.5}"
    ".shoal-plot .halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
    f"{_inks(LIGHT)}"
    "@media (prefers-color-scheme:dark){"
    ".shoal-plot .paper{fill:#14181d}.shoal-plot text{fill:#e8ecf1}.shoal-plot .soft{fill:#b4bdc8}"
    ".shoal-plot .grid{stroke:#2b333c}.shoal-plot .axis{stroke:#7d8793}"
    ".shoal-plot .dim{stroke:#66717d}.shoal-plot .dimf{fill:#66717d}.shoal-plot text.dimt{fill:#b4bdc8}"
    ".shoal-plot .lead{stroke:#66717d}.shoal-plot .ring{stroke:#14181d}"
    ".shoal-plot .bound{stroke:#e8ecf1}.shoal-plot .never{fill:#e8ecf1;opacity:.10}.shoal-plot .front{stroke:#7d8793}"
    ".shoal-plot .track{fill:#252c34}.shoal-plot .mark{stroke:#e8ecf1}.shoal-plot .halo{stroke:#14181d}"
    f"{_inks(DARK)}}}"
)


@dataclass(frozen=True)
class Picture:
    """A finished plot."""

    name: str
    title: str
    description: str
    width: int
    height: int
    parts: tuple[str, ...] = field(repr=False)

    @property
    def svg(self) -> str:
        """A file of its own."""
        return self._drawn(f"<style>{STYLE}</style>") + "\n"

    @property
    def inline(self) -> str:
        """For a page that has the style sheet."""
        return self._drawn("")

    def save(self, path: str | Path) -> Path:
        """Write the SVG file."""
        Path(path).write_text(self.svg, encoding="utf-8")
        return Path(path)

    def _drawn(self, style: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="shoal-plot" role="img" viewBox="0 0 {self.width} '
            f'{self.height}" width="{self.width}" height="{self.height}" '
            f'aria-labelledby="{self.name}-title {self.name}-desc">'
            f'<title id="{self.name}-title">{escape(self.title)}</title>'
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>{style}'
            f'<rect class="paper" width="{self.width}" height="{self.height}"/>{"".join(self.parts)}</svg>'
        )

    def _repr_html_(self) -> str:
        return self.svg


# -- pieces --------------------------------------------------------------------------------------------------


def text(x: float, y: float, told: str, style: str = "") -> str:
    """A line of text."""
    named = f' class="{style}"' if style else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}">{escape(told)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """A straight line."""
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def path(points: Sequence[tuple[float, float]], style: str, tip: str = "") -> str:
    """A line through points."""
    named = f"<title>{escape(tip)}</title>" if tip else ""
    return f'<path class="{style}" d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in points)}">{named}</path>'


def dot(x: float, y: float, style: str, tip: str, radius: float = 4) -> str:
    """A point that says what it is when pointed at."""
    return f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"><title>{escape(tip)}</title></circle>'


def box(x: float, y: float, width: float, height: float, style: str) -> str:
    """A filled rectangle."""
    return f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}"/>'


def width_of(told: str, size: float = 12) -> float:
    """About how wide a text is."""
    return 0.6 * size * len(told)


def short(told: str, limit: int = 24) -> str:
    """A name that fits; the whole one stands in the tables."""
    return told if len(told) <= limit else told[: limit - 1] + "…"


# -- scales --------------------------------------------------------------------------------------------------


class Scale(NamedTuple):
    """From values to places, straight or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Where a value stands."""
        low, high, at = (math.log(one) if self.log else one for one in (self.low, self.high, value))
        share = (at - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)


def ticks(high: float, most: int = 6) -> list[float]:
    """Round numbers from 0 past a value.

    >>> ticks(0.37)
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    if high <= 0:
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(high / most))
    step = next(step * power for step in (1, 2, 5, 10) if high / (step * power) <= most)
    return [round(number * step, 12) for number in range(math.ceil(high / step - 1e-9) + 1)]


def decades(low: float, high: float) -> list[float]:
    """Powers of ten around two values, with 2 and 5 between where there are few.

    >>> decades(0.3, 4.0)
    [0.2, 0.5, 1.0, 2.0, 5.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = [step * 10.0**power for power in range(first, last + 1) for step in (1, 2, 5)]
    wanted = every if last - first <= 2 else every[::3]
    below = [one for one in wanted if one <= low * (1 + 1e-9)] or wanted[:1]
    above = [one for one in wanted if one >= high * (1 - 1e-9)] or wanted[-1:]
    return [float(f"{one:.6g}") for one in wanted if below[-1] <= one <= above[0]]


def spread(wanted: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places near the wanted ones, at least a gap apart, between top and bottom; the order is kept.

    >>> spread([10, 11, 12], 10, 0, 100)
    [1.0, 11.0, 21.0]
    """
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    groups: list[tuple[float, int]] = []  # sum of what the members want of the first, and their number
    for place in order:
        total, count = wanted[place], 1
        while groups and groups[-1][0] / groups[-1][1] + groups[-1][1] * gap > total / count:
            before, number = groups.pop()
            total, count = before + total - count * number * gap, number + count
        groups.append((total, count))
    placed = [total / count + number * gap for total, count in groups for number in range(count)]
    for number in range(len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + gap if number else top)
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], placed[number + 1] - gap if number + 1 < len(placed) else bottom)
    found = [0.0] * len(wanted)
    for place, at in zip(order, placed):
        found[place] = float(at)
    return found
