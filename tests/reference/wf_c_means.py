# SPDX-License-Identifier: Apache-2.0
"""WF-C-means as the paper tells it: every record is compared with every centre in every pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.encoding.features import axes, spread
from tests.reference.losses import ticks

Point = Sequence[float]


@dataclass
class Run:
    """Where a run ended."""

    labels: list[int]
    unmerged: list[int]
    weights: list[float]
    passes: int
    converged: bool


def squared(one: Point, other: Point, weights: Point) -> int:
    """Weighted squared distance in ticks."""
    total = 0.0
    for x, y, weight in zip(one, other, weights):
        total += weight * ((x - y) * (x - y))
    return ticks(total)


def mean(points: Sequence[Point]) -> list[float]:
    """The mean, added in order."""
    sums = [0.0] * len(points[0])
    for point in points:
        sums = [total + x for total, x in zip(sums, point)]
    return [total / len(points) for total in sums]


def spread_by_column(pairs: Sequence[tuple[float, Point, Point]], column: Sequence[int], n_columns: int) -> list[float]:
    """Per column, the sum of count times squared difference over pairs of points."""
    per_feature = [0.0] * len(column)
    for count, one, other in pairs:
        for j in range(len(column)):
            gap = one[j] - other[j]
            per_feature[j] += count * (gap * gap)
    found = [0.0] * n_columns
    for j, place in enumerate(column):
        found[place] += per_feature[j]
    return found


def wf_c_means(
    encoded: Encoded, k: int, scale: str, init: Sequence[int], merge: str, passes: int = 100, names: str = "tree"
) -> Run:
    """Chiu and Tsai: C-means with learnt weights of columns, then merging of small classes."""
    matrix, _, feature_column = spread(axes(encoded, scale), encoded if names == "tree" else None)
    points, column, n_columns = matrix.tolist(), feature_column.tolist(), len(encoded.columns)
    given = [one.weight for one in encoded.columns]
    weights = [one / sum(given) for one in given] if sum(given) else [1 / n_columns] * n_columns
    centres = [points[row] for row in init]
    middle = mean(points)
    total = spread_by_column([(1, point, middle) for point in points], column, n_columns)
    labels: list[int] = []
    done, converged = 0, False
    while done < passes and not converged:
        by_feature = [weights[place] for place in column]
        now = [min(range(len(centres)), key=lambda c: (squared(point, centres[c], by_feature), c)) for point in points]
        done, converged, labels = done + 1, now == labels, now
        members = [[point for point, label in zip(points, labels) if label == c] for c in range(len(centres))]
        centres = [mean(some) if some else centre for some, centre in zip(members, centres)]
        within = spread_by_column([(1, p, centres[c]) for p, c in zip(points, labels)], column, n_columns)
        sizes = [len(some) for some in members]
        between = spread_by_column([(s, c, middle) for s, c in zip(sizes, centres)], column, n_columns)
        weights = learnt(weights, between, within, total)
    by_feature = [weights[place] for place in column]
    target = {"paper": into_legal, "any": into_any}[merge](
        centres, [labels.count(c) for c in range(len(init))], by_feature, k
    )
    return Run([target[label] for label in labels], labels, weights, done, converged)


def learnt(weights: Point, between: Point, within: Point, total: Point) -> list[float]:
    """Half-way to each column's share of "between over within"."""
    ratios = [f / (e + 1e-9 * t) if t > 0 else 0.0 for f, e, t in zip(between, within, total)]
    shares = [one / sum(ratios) if sum(ratios) > 0 else 1 / len(ratios) for one in ratios]
    return [(weight + share) / 2 for weight, share in zip(weights, shares)]


def into_legal(centres: list[Point], sizes: list[int], weights: Point, k: int) -> list[int]:
    """All classes that are too small at once to the nearest that is not."""
    legal = [c for c, size in enumerate(sizes) if size >= k]
    return [
        c if not 0 < size < k else min(legal, key=lambda o, c=c: (squared(centres[c], centres[o], weights), o))
        for c, size in enumerate(sizes)
    ]


def into_any(centres: list[Point], sizes: list[int], weights: Point, k: int) -> list[int]:
    """The smallest class that is too small to its nearest, again and again."""
    centres, sizes, target = list(centres), list(sizes), list(range(len(centres)))
    while illegal := [(size, c) for c, size in enumerate(sizes) if 0 < size < k]:
        size, small = min(illegal)
        others = [c for c in range(len(sizes)) if sizes[c] > 0 and c != small]
        into = min(others, key=lambda c: (squared(centres[small], centres[c], weights), c))
        both = size + sizes[into]
        centres[into] = [(size * x + sizes[into] * y) / both for x, y in zip(centres[small], centres[into])]
        sizes[into], sizes[small] = both, 0
        target = [into if one == small else one for one in target]
    return target
