# SPDX-License-Identifier: Apache-2.0
"""Agglomerative clustering from single records: each step measures every pair of classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from tests.reference.growing import labels
from tests.reference.losses import ticks, whole


def linkage(encoded: Encoded, k: int, link: str, stop: str, scale: str, distance: str) -> list[int]:
    """Class of each record."""
    far = distances(encoded, scale, distance)
    n = len(encoded)
    classes = {row: [row] for row in range(n)}
    height = 0  # equal records are together on every level

    def apart(one: int, other: int) -> int:
        pairs = [far[a][b] for a in classes[one] for b in classes[other]]
        if link == "average":
            return whole(math.fsum(pairs) / len(pairs) * 1e9)
        return ticks(min(pairs) if link == "single" else max(pairs))

    while len(classes) > 1:
        small = {number for number, members in classes.items() if len(members) < k}
        pairs = [
            (apart(one, other), one, other)
            for one, other in combinations(sorted(classes), 2)
            if stop == "cut" or one in small or other in small or k == 1
        ]
        if not pairs or (not small and (stop == "restricted" or min(pairs)[0] > height) and min(pairs)[0] > 0):
            break
        reached, one, other = min(pairs)
        height = max(height, reached)
        classes[one] += classes.pop(other)
    return labels(list(classes.values()), n)


def distances(encoded: Encoded, scale: str, distance: str) -> list[list[float]]:
    """Distance of every two records."""
    places = [_places(column, scale) for column in encoded.columns]

    def between(one: int, other: int) -> float:
        total = 0.0
        for column, (line, names) in zip(encoded.columns, places):
            if line:
                step = abs(line[one] - line[other])
                total += column.weight * (step if distance == "manhattan" else step**2)
            if names:
                total += column.weight * (names[one] != names[other])
        return total if distance == "manhattan" else math.sqrt(total)

    rows = range(len(encoded))
    return [[between(one, other) for other in rows] for one in rows]


def _places(column: EncodedColumn, scale: str) -> tuple[Sequence[float], Sequence[object]]:
    """Places on a line, and names (or whether a number is missing); either may be empty."""
    values = column.points.tolist()
    if column.tree is not None:
        return [], values
    holes = [column.missing is not None and value == column.missing for value in values]
    present = [value for value, hole in zip(values, holes) if not hole]
    if not present or max(present) == min(present):
        return [], holes
    low, span = (min(present), max(present) - min(present)) if scale != "none" else (0.0, 1.0)
    placed = [(value - low) / span for value in present]
    middle = math.fsum(placed) / len(placed)
    unit = math.sqrt(math.fsum((one - middle) ** 2 for one in placed) / len(placed)) if scale == "std" else 1.0
    line = [(middle if hole else (value - low) / span) / unit for value, hole in zip(values, holes)]
    return line, holes
