# SPDX-License-Identifier: Apache-2.0
"""Greedy k-member and k-members as the papers tell them: every step looks at every record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from tests.reference.losses import Loss, Point, grow, hull, ticks


def cheapest(loss: Loss, points: Sequence[Point], live: Iterable[int], lo: Point, hi: Point) -> int:
    """The live record that makes the hull cost least; the lowest of equals; -1 if there is none."""
    return min(live, key=lambda row: (ticks(loss.grown(lo, hi, points[row])), row), default=-1)


def furthest(loss: Loss, points: Sequence[Point], live: Iterable[int], lo: Point, hi: Point) -> int:
    """The live record that makes the hull cost most; the lowest of equals; -1 if there is none."""
    return min(live, key=lambda row: (-ticks(loss.grown(lo, hi, points[row])), row), default=-1)


def grow_class(loss: Loss, points: Sequence[Point], live: set[int], seed: int, k: int) -> list[int]:
    """A class of k records around a seed, in the order in which they joined; they leave ``live``."""
    members = [seed]
    live.remove(seed)
    lo, hi = points[seed], points[seed]
    while len(members) < k:
        row = cheapest(loss, points, live, lo, hi)
        lo, hi = grow(lo, hi, points[row])
        live.remove(row)
        members.append(row)
    return members


def place_leftovers(loss: Loss, points: Sequence[Point], classes: list[list[int]], rows: Iterable[int]) -> None:
    """Each row, in order, to the class whose total loss grows least; the lowest class of equals."""
    for row in rows:
        increases = []
        for number, members in enumerate(classes):
            lo, hi = hull([points[one] for one in members])
            increases.append((ticks(increase(loss, lo, hi, len(members), points[row])), number))
        classes[min(increases)[1]].append(row)


def increase(loss: Loss, lo: Point, hi: Point, size: int, point: Point) -> float:
    """By how much the total loss of a class grows with one more record: its new loss, and what the others pay."""
    low, high = grow(lo, hi, point)
    after = growth = 0  # stays exact with fractions
    for j in range(len(lo)):
        after += loss.term(j, low[j], high[j])
        growth += loss.term(j, low[j], high[j]) - loss.term(j, lo[j], hi[j])
    return after + size * growth


def k_member(encoded: Encoded, k: int, start: int, seed_rule: str) -> list[int]:
    """Byun et al. 2007: seeds as far as possible from the previous seed, or from the last record added."""
    loss, points = Loss(encoded), encoded.points.tolist()
    live, classes = set(range(len(points))), []
    previous = start
    while len(live) >= k:
        from_start = not classes and seed_rule == "seed"
        seed = start if from_start else furthest(loss, points, live, points[previous], points[previous])
        classes.append(grow_class(loss, points, live, seed, k))
        previous = seed if seed_rule == "seed" else classes[-1][-1]
    place_leftovers(loss, points, classes, sorted(live))
    return labels(classes, len(points))


def k_members(encoded: Encoded, k: int, order: Sequence[int]) -> list[int]:
    """Wang, Liu and Gao: seeds, and at the end the leftovers, in a random order."""
    loss, points = Loss(encoded), encoded.points.tolist()
    live, classes = set(range(len(points))), []
    while len(live) >= k:
        seed = next(row for row in order if row in live)
        classes.append(grow_class(loss, points, live, seed, k))
    place_leftovers(loss, points, classes, [row for row in order if row in live])
    return labels(classes, len(points))


def labels(classes: Sequence[Sequence[int]], n: int) -> list[int]:
    """Class of each record, classes numbered by their smallest member."""
    found = np.full(n, -1, dtype=np.int64)
    for number, members in enumerate(sorted(classes, key=min)):
        found[list(members)] = number
    return found.tolist()
