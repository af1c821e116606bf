# SPDX-License-Identifier: Apache-2.0
"""Weighted-feature C-means: k-means that learns which columns matter, then merges classes that are too small.

Idea: n // k records are drawn as centres; every record joins its nearest centre, centres move to the means of their
records, and each column's weight moves half-way to its share of the ratio "spread between classes over spread within";
again, until no record changes class. Then every class of fewer than k records joins the nearest class that has
k (``merge="paper"``), or, smallest first, the nearest class of any size (``merge="any"``). Means are published.

Paper: C.-C. Chiu, C.-Y. Tsai, "A k-anonymity clustering method for effective data privacy preservation", ADMA 2007.
Ours are: scaling by range unless ``scale="none"``, as in the paper, is asked for; an empty class keeps its centre
while records move and is dropped before merging; a column without spread within classes gets (nearly) all the weight;
ordered categories by rank; the weights of the columns, normalised, to begin with. :func:`fit` tells the learnt weights,
the number of passes and whether they came to rest; that is not proved, so there are at most ``passes``.

Names, which the paper leaves to future work: the squared distance of two names is the height at which they meet in
their tree over the height of the tree, so 1 for any two names without a tree. A name has one coordinate for each node
of its tree below the root, which is 0 unless the name is below that node; the centre of a class is the mean, i.e. the
share of its records below each node; the coordinates of a column share its weight. ``names="equal"`` looks at no tree:
two names are equal or are not. A tree of more than 128 nodes is cut below the last level that fits, and where not even
the first does, names stand on a line, in leaf order.

Cost: O(n² / k) per pass as published; here a box tree over the centres is built for each pass, near-linear in n.
``merge="any"`` costs about (n / k) to the power of 1.5.

When not to use it: classes have no upper bound, results vary with the seed, and on large tables the weight tends to
settle on few columns, the others pay. On numbers ``mdav`` usually has much less squared error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._euclidean import scale_parameter, tree_over
from shoal.engine.algorithms._given import first_rows
from shoal.engine.algorithms._merging import merge_into_any, merge_into_legal
from shoal.engine.encoding.features import axes, spread
from shoal.engine.kernels.methods.moving_centres import assign, move, spreads, spreads_between
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Floats, Ints

CAPABILITIES = Capabilities(
    losses=(),
    random=True,
    class_sizes="k..",
    render="mean",
    swayed_by={"halved column": "weights are learnt for each column, and each half learns that of the whole"},
)

RIDGE = 1e-9
"""Share of a column's whole spread that is added to its spread within classes, which may be 0."""

POINTS_PER_SLICE = 10_000


@dataclass(frozen=True)
class Parameters:
    """Parameters of wf_c_means."""

    merge: str = choice("classes that are too small join the nearest large enough, or the nearest", "paper", "any")
    scale: str = scale_parameter("range")
    names: str = choice("names are as far apart as they meet in their tree, or equal or not", "tree", "equal")
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
    unit: float
    """What the coordinates were divided by."""


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k and more records."""
    found = fit(encoded, requirement, parameters, random, progress)
    return Partition.of(found.labels, tuple(found.weights.tolist()))


def fit(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Fit:
    """The classes with all that was learnt on the way."""
    n, size = len(encoded), requirement.size
    space = _space(encoded, parameters.scale, parameters.names == "tree")
    init = first_rows(parameters.init, n, n // size, random, "The first centres", "wf_c_means")
    centres = space.points[space.point_of[init]]
    weights = _first_weights(encoded)
    labels = np.full(len(space.points), -1, dtype=np.int64)
    n_iter, converged = 0, False
    while n_iter < parameters.passes and not converged:
        changed = _assign_all(space, centres, weights, labels, n_iter, parameters.passes, progress)
        n_iter, converged = n_iter + 1, not changed
        sizes = move(space.points, space.point_of, labels, centres)
        weights = _new_weights(space, labels, centres, sizes, weights)  # in the last pass, too: figure 2, line 7
    progress(parameters.passes * len(space.points), parameters.passes * len(space.points))
    merge = merge_into_legal if parameters.merge == "paper" else merge_into_any
    target = merge(centres, sizes, weights[space.column], size)
    unmerged = labels[space.point_of]
    return Fit(target[unmerged], unmerged, centres * space.unit, weights, n_iter, converged)


def _space(encoded: Encoded, scale: str, by_tree: bool) -> _Space:
    made = axes(encoded, scale)
    matrix, _, column = spread(made, encoded if by_tree else None)
    tree = tree_over(matrix, np.zeros(matrix.shape[1], dtype=bool), np.ones(matrix.shape[1]))
    points, point_of = tree.at, tree.slot[tree.point_of]  # neighbours are asked one after another
    everyone, n_columns = np.zeros(len(points), dtype=np.int64), len(encoded.columns)
    middle = np.zeros((1, points.shape[1]))
    move(points, point_of, everyone, middle)
    total = _by_column(column, spreads(points, point_of, everyone, middle), n_columns)
    return _Space(points, point_of, column, middle[0], total, made.unit)


def _by_column(column: Ints, per_feature: Floats, n_columns: int) -> Floats:
    """Sums over the features of each column."""
    return np.bincount(column, weights=per_feature, minlength=n_columns).astype(np.float64)


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
