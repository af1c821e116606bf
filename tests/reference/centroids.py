# SPDX-License-Identifier: Apache-2.0
"""KACPC, IKAC and MDAV-generic as the papers tell them: every step looks at every record."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.hierarchies.hierarchy import Hierarchy
from tests.reference.growing import labels
from tests.reference.losses import Point, below, common_ancestor, range_loss, ticks, up

Distance = Callable[[Point, Point], float]


# -- distances of leaves ---------------------------------------------------------------------------------------


def rise(tree: Hierarchy, leaf: int, node: int) -> float:
    """Equation 4 of Wang, He and Zhu: how far a leaf is generalised to a node above it."""
    levels = max(len(up(tree, int(one))) for one in tree.leaves)
    height = levels - (len(up(tree, node)) - 1)
    height_of_leaf = levels - (len(up(tree, int(tree.leaves[leaf]))) - 1)
    power = float(height * (height - height_of_leaf)) ** (height / levels)
    return power * (len(below(tree, node)) / tree.n_leaves)


def dist_c(tree: Hierarchy, one: int, other: int) -> float:
    """Equation 5 of Wang, He and Zhu."""
    if one == other:
        return 0.0
    node = common_ancestor(tree, [one, other])
    return rise(tree, one, node) * rise(tree, other, node)


@cache
def largest(tree: Hierarchy) -> float:
    """The largest distance of two leaves."""
    return max(dist_c(tree, a, b) for a in range(tree.n_leaves) for b in range(tree.n_leaves))


def unit_dist_c(tree: Hierarchy, one: int, other: int) -> float:
    """The same, over the largest in this tree."""
    return dist_c(tree, one, other) * (1.0 / largest(tree)) if largest(tree) else 0.0


def shared_leaves(tree: Hierarchy, one: int, other: int) -> float:
    """Share of all leaves below the common node of two different ones."""
    return 0.0 if one == other else len(below(tree, common_ancestor(tree, [one, other]))) / tree.n_leaves


# -- KACPC and IKAC --------------------------------------------------------------------------------------------


def record_distance(encoded: Encoded, between: Callable[[Hierarchy, int, int], float]) -> Distance:
    """Sum over the columns, in their order."""

    @cache
    def term(j: int, a: float, b: float) -> float:
        column = encoded.columns[j]
        if column.tree is None:
            return range_loss(column, min(a, b), max(a, b))
        return between(column.tree, int(a), int(b)) * column.weight

    def distance(one: Point, other: Point) -> float:
        total = 0.0
        for j in range(len(one)):
            total += term(j, one[j], other[j])
        return total

    return distance


def commonest(encoded: Encoded) -> list[float]:
    """The mode of every column, the smallest of equals."""
    found = []
    for column in encoded.points.T.tolist():
        counts = Counter(column)
        found.append(min(counts, key=lambda value: (-counts[value], value)))
    return found


def kacpc(encoded: Encoded, k: int, scale: str = "paper") -> tuple[list[int], list[int]]:
    """Labels and centroids; the next centroid is nearest to all earlier ones on average."""
    distance = record_distance(encoded, dist_c if scale == "paper" else unit_dist_c)
    points, virtual = encoded.points.tolist(), commonest(encoded)
    first = min(range(len(points)), key=lambda row: (ticks(distance(virtual, points[row])), row))
    return around(points, k, distance, first, 1)


def ikac(encoded: Encoded, k: int, first: int) -> tuple[list[int], list[int]]:
    """Labels and centroids; the next centroid is furthest from all earlier ones on average."""
    return around(encoded.points.tolist(), k, record_distance(encoded, shared_leaves), first, -1)


def around(points: list[list[float]], k: int, distance: Distance, first: int, sign: int) -> tuple[list[int], list[int]]:
    """Classes around centroids; leftovers to the nearest of these."""
    live, centroids, classes = set(range(len(points))), [], []
    sums = [0.0] * len(points)
    while len(live) >= k:
        centroid = first
        if centroids:
            means = {row: math.floor(sums[row] * (1e9 / len(centroids)) + 0.5) for row in live}
            centroid = min(live, key=lambda row: (sign * means[row], row))
        live.remove(centroid)
        classes.append([centroid, *nearest(points, live, distance, centroid, k - 1)])
        centroids.append(centroid)
        live -= set(classes[-1])
        for row in live:
            sums[row] += distance(points[centroid], points[row])
    for row in sorted(live):
        gaps = [(ticks(distance(points[row], points[one])), number) for number, one in enumerate(centroids)]
        classes[min(gaps)[1]].append(row)
    return labels(classes, len(points)), centroids


def nearest(points: list[list[float]], live: set[int], distance: Distance, row: int, many: int) -> list[int]:
    """The live records nearest to one, ties to the lowest row."""
    return sorted(live, key=lambda other: (ticks(distance(points[row], points[other])), other))[:many]


# -- MDAV-generic ----------------------------------------------------------------------------------------------


def mdav_generic(encoded: Encoded, k: int, scale: str = "std") -> list[int]:
    """Classes in turn around the record furthest from the centre of the rest and the one furthest from that."""
    points, distance = encoded.points.tolist(), mixed_distance(encoded, scale)
    live, classes = set(range(len(points))), []

    def take(middle: Point) -> int:
        seed = min(live, key=lambda row: (-ticks(distance(middle, points[row])), row))
        live.remove(seed)
        classes.append([seed, *nearest(points, live, distance, seed, k - 1)])
        live.difference_update(classes[-1])
        return seed

    while len(live) >= 3 * k:
        seed = take(centre(encoded, sorted(live)))
        take(points[seed])
    if len(live) >= 2 * k:
        take(centre(encoded, sorted(live)))
    if live:
        classes.append(sorted(live))
    return labels(classes, len(points))


def mixed_distance(encoded: Encoded, scale: str) -> Distance:
    """Squared differences in deviations, ranges or ranks; 0 or 1 for names; a whole range to what is missing."""
    units = [unit(column, scale) for column in encoded.columns]

    def term(column: EncodedColumn, one_unit: float, a: float, b: float) -> float:
        if a == b:
            return 0.0
        if column.tree is not None or (column.span == 0 and column.missing is not None):
            return column.weight
        if column.missing in (a, b):
            return (column.span * one_unit) ** 2
        return (abs(a - b) * one_unit) ** 2

    def distance(one: Point, other: Point) -> float:
        total = 0.0
        for column, one_unit, a, b in zip(encoded.columns, units, one, other):
            total += term(column, one_unit, a, b)
        return total

    return distance


def unit(column: EncodedColumn, scale: str) -> float:
    """Root of the weight over the deviation or range."""
    present = column.points[column.points != column.missing]
    if column.tree is not None or column.span == 0:
        return 0.0
    if scale == "range" or column.style == "ordered":
        return math.sqrt(column.weight) / column.span
    deviation = float(np.std((present - present.min()) / column.span)) * column.span
    return math.sqrt(column.weight) / deviation


def centre(encoded: Encoded, rows: Sequence[int]) -> list[float]:
    """Mean of numbers, lower median of ranks, mode of names; of the cells that are not missing."""
    found: list[float] = []
    for column in encoded.columns:
        values = column.points[rows].tolist()
        if column.tree is not None:
            counts = Counter(values)
            found.append(min(counts, key=lambda value: (-counts[value], value)))
            continue
        present = sorted(value for value in values if value != column.missing)
        if not present:
            assert column.missing is not None
            found.append(column.missing)
        elif column.style == "ordered":
            found.append(present[(len(present) - 1) // 2])
        else:
            found.append(math.fsum(present) / len(present))
    return found
