# SPDX-License-Identifier: Apache-2.0
"""Drawing in SVG: elements with escaped texts, scales, whole pictures.

All charts are put together from what stands here; nobody else writes a tag. What is made here says so by its type,
:class:`Svg`, and pages place it as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import NamedTuple

from shoal.ground import pages
from shoal.ground.writing import write_files

STYLE = "ground/templates/picture.css"
"""The look of pictures, light and dark by itself."""
COLOURS = 7
"""Inks s0, s1, ... of that style sheet (f0, t0 where they fill, or colour a text)."""

Point = tuple[float, float]


class Svg(str):
    """SVG whose texts are escaped."""

    __slots__ = ()

    def __html__(self) -> str:
        """As templates ask for what they may place unescaped."""
        return self


def element(tag: str, *content: str, **attributes: object) -> Svg:
    """An element; ``class_`` is class, ``stroke_width`` is stroke-width, and what is empty is left out.

    >>> element("text", "a < b", class_="soft", x=1.25, y=2, id="")
    '<text class="soft" x="1.2" y="2">a &lt; b</text>'
    """
    named = ""
    for name, value in attributes.items():
        written = f"{value:.1f}" if isinstance(value, float) else str(value)
        named += f' {name.removesuffix("_").replace("_", "-")}="{escape(written)}"' * (written != "")
    inside = joined(content)
    return Svg(f"<{tag}{named}>{inside}</{tag}>" if inside else f"<{tag}{named}/>")


def joined(parts: Iterable[str]) -> Svg:
    """Parts after each other; those that are not drawn yet are texts."""
    return Svg("".join(part if isinstance(part, Svg) else escape(part) for part in parts))


def text(x: float | str, y: float, told: str, style: str = "", **attributes: object) -> Svg:
    """A line of text."""
    return element("text", told, class_=style, x=x, y=y, **attributes)


def line(x1: float | str, y1: float, x2: float | str, y2: float, style: str) -> Svg:
    """A straight line."""
    return element("line", class_=style, x1=x1, y1=y1, x2=x2, y2=y2)


def box(x: float | str, y: float, width: float | str, height: float, style: str = "", **attributes: object) -> Svg:
    """A rectangle."""
    return element("rect", class_=style, x=x, y=y, width=width, height=height, **attributes)


def dot(x: float | str, y: float, radius: float, style: str = "", tip: str = "", **attributes: object) -> Svg:
    """A point that may say what it is when pointed at."""
    return element("circle", *_tip(tip), class_=style, cx=x, cy=y, r=radius, **attributes)


def path(drawn: str | Sequence[Point], style: str = "", tip: str = "", **attributes: object) -> Svg:
    """A line through points, or along a path."""
    way = drawn if isinstance(drawn, str) else "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in drawn)
    return element("path", *_tip(tip), class_=style, d=way, **attributes)


def _tip(told: str) -> list[Svg]:
    return [element("title", told)] if told else []


def described(name: str, title: str, description: str, parts: Iterable[str], **attributes: object) -> Svg:
    """A whole drawing with its finding and its numbers for those who cannot see it."""
    names = (element("title", title, id=f"{name}-title"), element("desc", description, id=f"{name}-desc"))
    labels = f"{name}-title {name}-desc"
    return element("svg", *names, *parts, **attributes, role="img", aria_labelledby=labels)


def sized(
    name: str, title: str, description: str, width: int, height: int, parts: Iterable[str], **attributes: object
) -> Svg:
    """The same with a size of its own, fit for a file."""
    space = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    return described(name, title, description, parts, **space, width=width, height=height, **attributes)


@dataclass(frozen=True)
class Picture:
    """A finished plot: shown by notebooks, saved as a file, placed into a page.

    Colours stand in a style sheet of classes that travels with every saved picture and is left out where a page has
    it already. Lines and points are labelled where they are; colour only helps the eye.
    """

    name: str
    title: str
    description: str
    width: int
    height: int
    parts: tuple[Svg, ...] = field(repr=False)

    @property
    def svg(self) -> Svg:
        """A file of its own."""
        return joined((self._drawn(element("style", Svg(pages.style(STYLE)))), "\n"))

    @property
    def inline(self) -> Svg:
        """For a page that has the style sheet."""
        return self._drawn()

    def save(self, path: str | Path) -> Path:
        """Write the SVG file."""
        write_files({Path(path): self.svg})
        return Path(path)

    def _drawn(self, *looks: Svg) -> Svg:
        paper = element("rect", class_="paper", width=self.width, height=self.height)
        parts = (*looks, paper, *self.parts)
        return sized(self.name, self.title, self.description, self.width, self.height, parts, class_="shoal-plot")

    def _repr_html_(self) -> str:
        return self.svg


def width_of(told: str, size: float = 12) -> float:
    """About how wide a text is."""
    return 0.6 * size * len(told)


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
