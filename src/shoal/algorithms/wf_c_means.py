# SPDX-License-Identifier: Apache-2.0
"""Weighted-feature C-means: k-means that learns which columns matter, then merges classes that are too small.

Idea: n // k records are drawn as centres; every record joins its nearest centre, centres move to the means of their
records, and each column's weight moves half-way to its share of the ratio "spread between classes over spread within";
again, until no record changes class. Then every class of fewer than k records joins the nearest class that has
k (``merge="paper"``), or, smallest first, the nearest class of any size (``merge="any"``). Means are published.

Paper: C.-C. Chiu, C.-Y. Tsai, "A k-anonymity clustering method for effective data privacy preservation", ADMA 2007.
Ours are: scaling by range unless ``scale="none"``, as in the paper, is asked for; an empty class keeps its centre
while records move and is dropped before merging; a column without spread within classes gets (nearly) all the weight;
names as 0/1 features that share their column's weight (over 128 names: one feature, in leaf order), ordered categories
by rank; the weights of the columns, normalised, to begin with. :func:`fit` tells the learnt weights, the
number of passes and whether they came to rest; that is not proved, so there are at most ``passes``.

Cost: O(n² / k) per pass as published; here a box tree over the centres is built for each pass, near-linear in n.
``merge="any"`` costs about (n / k) to the power of 1.5.

When not to use it: classes have no upper bound, results vary with the seed, and on large tables the weight tends to
settle on few columns, the others pay. On numbers ``mdav`` usually has much less squared error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._euclidean import scale_parameter, tree_over
from shoal.algorithms._merging import merge_into_any, merge_into_legal
from shoal.algorithms._protocol import Capabilities, Partition
from shoal.encoding.encoded import Encoded
from shoal.encoding.features import axes, spread
from shoal.errors import PlanError
from shoal.kernels.moving_centres import assign, move, spreads, spreads_between
from shoal.parameters import parameter
from shoal.progress import Progress
from shoal.requirements import Requirement

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CAPABILITIES = Capabilities(losses=(), random=True, class_sizes="k..", render="mean")

RIDGE = 1e-9
"""Share of a column's whole spread that is added to its spread within classes, which may be 0."""

POINTS_PER_SLICE = 10_000


@dataclass(frozen=True)
class Parameters:
    """Parameters of wf_c_means."""

    merge: str = parameter(
        "paper", "classes that are too small join the nearest large enough, or the nearest", choices=("paper", "any")
    )
    scale: str = scale_parameter("range")
    passes: int = parameter(100, "most passes over the records", least=1, advanced=True)
    init: tuple[int, ...] = parameter(
        (), "rows that are the first centres, n // k of them; drawn with the seed if not given", advanced=True
    )


@dataclass(frozen=True, eq=False)
class Fit:
    """What a run has learnt."""

    labels: Ints
    """Class of each record after merging; numbers of classes as in ``centres``."""
    unmerged: Ints
    """Class of each record before merging."""
    centres: Floats
    """[class, feature] before merging, unweighted."""
    weights: Floats
    """[column] learnt weights; they add up to 1."""
    n_iter: int
    """Passes over the records, the last one included, which changed nothing if the run converged."""
    converged: bool


@dataclass(frozen=True, eq=False)
class _Space:
    """The distinct records as features, and what does not change while classes do."""

    points: Floats
    point_of: Ints
    column: Ints
    """[feature] its column."""
    middle: Floats
    total: Floats
    """[column] sum of squared distances from the middle."""


def cluster(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Partition:
    """Classes of k and more records."""
    return Partition.of(fit(encoded, requirement, parameters, random, progress).labels)


def fit(
    encoded: Encoded,
    requirement: Requirement,
    parameters: Parameters,
    random: np.random.Generator,
    progress: Progress,
) -> Fit:
    """The classes with all that was learnt on the way."""
    n, size = len(encoded), requirement.size
    space = _space(encoded, parameters.scale)
    init = _init(parameters.init, n, n // size) if parameters.init else random.choice(n, n // size, replace=False)
    centres = space.points[space.point_of[init]]
    weights = _first_weights(encoded)
    labels = np.full(len(space.points), -1, dtype=np.int64)
    n_iter, converged = 0, False
    while n_iter < parameters.passes and not converged:
        changed = _assign_all(space, centres, weights, labels, n_iter, parameters.passes, progress)
        n_iter, converged = n_iter + 1, not changed
        if changed:
            sizes = move(space.points, space.point_of, labels, centres)
            weights = _new_weights(space, labels, centres, sizes, weights)
    progress(parameters.passes * len(space.points), parameters.passes * len(space.points))
    merge = merge_into_legal if parameters.merge == "paper" else merge_into_any
    target = merge(centres, sizes, weights[space.column], size)
    unmerged = labels[space.point_of]
    return Fit(target[unmerged], unmerged, centres, weights, n_iter, converged)


def _space(encoded: Encoded, scale: str) -> _Space:
    matrix, _, column = spread(axes(encoded, scale))
    tree = tree_over(matrix, np.zeros(matrix.shape[1], dtype=bool), np.ones(matrix.shape[1]))
    points, point_of = tree.at, tree.slot[tree.point_of]  # neighbours are asked one after another
    everyone, n_columns = np.zeros(len(points), dtype=np.int64), len(encoded.columns)
    middle = np.zeros((1, points.shape[1]))
    move(points, point_of, everyone, middle)
    total = _by_column(column, spreads(points, point_of, everyone, middle), n_columns)
    return _Space(points, point_of, column, middle[0], total)


def _by_column(column: Ints, per_feature: Floats, n_columns: int) -> Floats:
    """Sums over the features of each column."""
    return np.bincount(column, weights=per_feature, minlength=n_columns).astype(np.float64)


def _init(given: tuple[int, ...], n: int, wanted: int) -> Ints:
    rows = np.array(given, dtype=np.int64)
    if len(np.unique(rows)) != wanted or len(rows) != wanted or rows.min() < 0 or rows.max() >= n:
        raise PlanError(
            "The first centres do not fit the table.",
            where="parameter 'init' of method 'wf_c_means'",
            allowed=f"{wanted} different row numbers from 0 to {n - 1}",
            received=f"{len(rows)} numbers, too few or too many, repeated or out of range",
            todo="correct the list, or leave it out",
        )
    return rows


def _first_weights(encoded: Encoded) -> Floats:
    """The weights of the columns, made to add up to 1."""
    given = np.array([column.weight for column in encoded.columns])
    return given / given.sum() if given.sum() > 0 else np.full(len(given), 1 / len(given))


def _assign_all(
    space: _Space, centres: Floats, weights: Floats, labels: Ints, n_iter: int, passes: int, progress: Progress
) -> int:
    """One pass over all points in slices; returns how many changed class."""
    lines = np.zeros(centres.shape[1], dtype=bool)
    weight = weights[space.column]
    tree = tree_over(centres, lines, weight)
    n_points, changed = len(space.points), 0
    for begin in range(0, n_points, POINTS_PER_SLICE):
        end = min(begin + POINTS_PER_SLICE, n_points)
        changed += assign(tree, lines, weight, space.points, begin, end, centres, labels)
        progress(n_iter * n_points + end, passes * n_points)
    return changed


def _new_weights(space: _Space, labels: Ints, centres: Floats, sizes: Ints, weights: Floats) -> Floats:
    """Half-way from the old weights to each column's share of "between over within" (equations 12 to 16)."""
    within = _by_column(space.column, spreads(space.points, space.point_of, labels, centres), len(weights))
    between = _by_column(space.column, spreads_between(centres, sizes, space.middle), len(weights))
    ratio = np.divide(between, within + RIDGE * space.total, out=np.zeros(len(within)), where=space.total > 0)
    share = ratio / ratio.sum() if ratio.sum() > 0 else np.full(len(ratio), 1 / len(ratio))
    return np.asarray((weights + share) / 2)
