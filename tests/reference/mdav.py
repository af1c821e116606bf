# SPDX-License-Identifier: Apache-2.0
"""MDAV and V-MDAV as the papers tell them: every step looks at every record, every mean is computed afresh."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import axes
from tests.reference.growing import labels
from tests.reference.losses import ticks

Distance = Callable[[int], int]


class Space:
    """The records of a table with their squared distances, as whole ticks."""

    def __init__(self, encoded: Encoded, scale: str) -> None:
        made = axes(encoded, scale)
        self.rows = made.points.tolist()
        self.names = made.names.tolist()
        self.weight = [
            weight / made.unit**2 if is_name else weight for weight, is_name in zip(made.weight.tolist(), self.names)
        ]

    def between(self, a: int, b: int) -> int:
        """Squared distance of two records."""
        total = 0.0
        for x, y, is_name, weight in zip(self.rows[a], self.rows[b], self.names, self.weight):
            total += weight * (float(x != y) if is_name else (x - y) * (x - y))
        return ticks(total)

    def from_mean(self, members: Iterable[int]) -> Distance:
        """Squared distance of a record from the mean of some: exact sums of numbers, shares of names."""
        chosen = [self.rows[row] for row in members]
        size = len(chosen)
        sums = [math.fsum(column) for column in zip(*chosen)]
        counts = [Counter(column) for column in zip(*chosen)]

        def distance(row: int) -> int:
            total = 0.0
            for j, x in enumerate(self.rows[row]):
                if self.names[j]:
                    squares = sum(count * count for count in counts[j].values())
                    total += self.weight[j] * (0.5 * (1.0 + squares / (size * size)) - counts[j][x] / size)
                else:
                    gap = x - sums[j] / size
                    total += self.weight[j] * (gap * gap)
            return ticks(total)

        return distance

    def take_around(self, seed: int, live: set[int], k: int) -> list[int]:
        """A record and its k - 1 nearest; they leave ``live``."""
        live.remove(seed)
        near = sorted(live, key=lambda row: (self.between(seed, row), row))[: k - 1]
        live.difference_update(near)
        return [seed, *near]


def furthest(live: Iterable[int], distance: Distance) -> int:
    """The record at the greatest distance; the lowest of equals."""
    return min(live, key=lambda row: (-distance(row), row))


def mdav(encoded: Encoded, k: int, scale: str) -> list[int]:
    """Domingo-Ferrer and Torra: two classes at a time, at opposite ends of what is left."""
    space = Space(encoded, scale)
    live, classes = set(range(len(encoded))), []
    while len(live) >= 3 * k:
        far = furthest(live, space.from_mean(live))
        classes.append(space.take_around(far, live, k))
        opposite = furthest(live, lambda row, far=far: space.between(far, row))
        classes.append(space.take_around(opposite, live, k))
    if len(live) >= 2 * k:
        classes.append(space.take_around(furthest(live, space.from_mean(live)), live, k))
    if live:
        classes.append(sorted(live))
    return labels(classes, len(encoded))


def v_mdav(encoded: Encoded, k: int, scale: str, gamma: float) -> list[int]:
    """Solanas and Martinez-Balleste: classes grow while the next record is nearer to them than to its own kind."""
    space = Space(encoded, scale)
    live, classes = set(range(len(encoded))), []
    whole = space.from_mean(live)
    while len(live) >= 2 * k:
        members = space.take_around(furthest(live, whole), live, k)
        while len(members) < 2 * k - 1:
            inside = {row: min(space.between(one, row) for one in members) for row in live}
            nearest = min(live, key=lambda row: (inside[row], row))
            outside = min(space.between(nearest, row) for row in live if row != nearest)
            if not inside[nearest] < math.floor(gamma * gamma * outside + 0.5):
                break
            members.append(nearest)
            live.remove(nearest)
        classes.append(members)
    if len(live) >= k:
        classes.append(sorted(live))
    else:
        joined = {
            row: min((space.between(row, one), c) for c, some in enumerate(classes) for one in some) for row in live
        }
        for row, (_, number) in joined.items():
            classes[number].append(row)
    return labels(classes, len(encoded))
