# SPDX-License-Identifier: Apache-2.0
"""Puts names beside points so that no name lies on another or on a point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shoal.ground.svg import width_of

HIGH = 15.0
"""Height of a name."""
ASIDE = 9.0
"""Between a point and its name."""
PAD = 4.0
"""Air after a name."""
STEPS = 24
"""How many heights a name may move up or down."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height."""


class Spot(NamedTuple):
    """A point and its name."""

    told: str
    x: float
    y: float


class Label(NamedTuple):
    """Where a name goes, and the end of the thin line that leads to it, where it had to move away."""

    told: str
    x: float
    y: float
    leader: tuple[float, float] | None


def beside(spots: Sequence[Spot], frame: Rectangle, taken: Sequence[Rectangle] = ()) -> list[Label]:
    """A place for every name: right of its point if that is free, else the nearest free one.

    ``frame`` is left, top, right, bottom of the ground. The first spots choose first.

    >>> [label.y for label in beside([Spot("a", 10, 50), Spot("b", 10, 52)], (0, 0, 200, 100))]
    [54.0, 69.5]
    """
    occupied = [*taken, *((spot.x - 5, spot.y - 5, 10.0, 10.0) for spot in spots)]
    labels = []
    for spot in spots:
        wide = width_of(spot.told) + PAD
        own = (spot.x - 5, spot.y - 5, 10.0, 10.0)
        others = [one for one in occupied if one != own]
        first = (spot.x + ASIDE, spot.y - HIGH / 2)
        left, top = next((one for one in _places(spot, wide, frame) if _free((*one, wide, HIGH), others)), first)
        occupied.append((left, top, wide, HIGH))
        moved = abs(top + HIGH / 2 - spot.y) > HIGH
        near = left if left > spot.x else left + wide
        labels.append(Label(spot.told, left, top + HIGH - 3.5, (near, top + HIGH / 2) if moved else None))
    return labels


def _places(spot: Spot, wide: float, frame: Rectangle) -> Iterator[tuple[float, float]]:
    """Left upper corners that keep the name inside the ground, nearest first."""
    left, top, right, bottom = frame
    for step in range(STEPS):
        for side in (1, -1) if step else (1,):
            y = spot.y - HIGH / 2 + side * step * HIGH * 0.9
            further = ASIDE + min(step, 3) * 6
            for x in (spot.x + further, spot.x - further - wide):
                if left <= x and x + wide <= right and top <= y and y + HIGH <= bottom:
                    yield x, y


def _free(place: Rectangle, occupied: Sequence[Rectangle]) -> bool:
    x, y, wide, high = place
    return all(x + wide <= a or a + w <= x or y + high <= b or b + h <= y for a, b, w, h in occupied)
