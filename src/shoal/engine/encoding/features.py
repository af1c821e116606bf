# SPDX-License-Identifier: Apache-2.0
"""Records as points of a Euclidean space, for the methods that work with means and squared distances.

Every quasi-identifier becomes one *axis* (two, if it is a number with missing cells):

* numbers and dates are points on a line: as they are (``none``, all divided by a power of two that the narrowest
  column sets), as shares of the column's range (``range``), or in standard deviations from its mean (``std``);
* ordered categories stand at rank / (m - 1), names are 0/1: two records that differ add 1 to the squared distance;
* a missing number stands at the mean of its column and differs on a second axis, present or missing. Mixing
  the two therefore costs 1, plus the squared distance of the present number from the mean;
* the weight of a column multiplies its part of the squared distance.

Trees are not looked at: a wrong name is wrong, however near it is in the tree. :func:`axes` keeps names as codes, one
axis per column, for methods that can do with "equal or not"; :func:`features` spreads each name over a 0/1 feature of
its own, divided by the square root of 2, so that plain squared distances and plain means are right.

:func:`spread` can look at trees: then a name has one feature for each node below the root, which is 0 where the name is
not below the node, and else the square root of half of what the node's parent is higher than the node, as a share of
the height of the tree. The squared distance of two names is thus the height at which they meet, as such a share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import SMALLEST_SPAN
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy

SCALES = ("none", "range", "std")

MOST_NAMES = 128
"""A column of more names than this gets no 0/1 features: its names stand in leaf order, as shares of
the last one's number. A tree of more nodes is cut below the last level that fits."""

WIDEST = 1e100
"""How many times wider than the unit the widest line may be: its squares must not overflow."""


@dataclass(frozen=True, eq=False)
class FeatureAxes:
    """Squared distance: the sum over axes of weight times the squared difference, on a line or of names."""

    points: Floats
    """[record, axis] place on a line, or number of a name; C order."""
    names: Flags
    """[axis] whether it holds names."""
    weight: Floats
    """[axis] weight of its column."""
    column: Ints
    """[axis] its column."""
    unit: float = 1.0
    """What lines were divided by; a difference of names is 1 over it, too."""


def axes(encoded: Encoded, scale: str) -> FeatureAxes:
    """One axis per column, and one more for each line with missing cells."""
    made = [
        (points, is_names, column.weight, place)
        for place, column in enumerate(encoded.columns)
        for points, is_names in _axes(column, scale)
    ]
    lines, are_names, weights, columns = zip(*made)
    points, names = np.column_stack(lines).astype(np.float64), np.array(are_names)
    unit = _unit(points[:, ~names], bool(names.any())) if scale == "none" else 1.0
    points[:, ~names] /= unit
    points = np.ascontiguousarray(points) + 0.0  # no negative zero: equal means equal bits
    return FeatureAxes(points, names, np.array(weights), np.array(columns, dtype=np.int64), unit)


def _unit(lines: Floats, has_names: bool) -> float:
    """A power of two by which no line, and no difference of names, becomes too small for ticks, nor too large."""
    spans = np.ptp(lines, axis=0) if len(lines) else np.zeros(0)
    sizes = np.append(spans[spans > SMALLEST_SPAN], [1.0] * has_names)
    if not len(sizes):
        return 1.0
    return float(2.0 ** np.floor(np.log2(max(sizes.min(), sizes.max() / WIDEST))))


def _axes(column: EncodedColumn, scale: str) -> Iterator[tuple[Floats, bool]]:
    """The axes of one column, each with whether it holds names."""
    if column.tree is not None:
        yield column.points, True
        return
    holes = np.zeros(len(column.points), dtype=bool) if column.missing is None else column.points == column.missing
    yield _line(column, holes, scale), False
    if holes.any():
        yield holes.astype(np.float64), True


def _line(column: EncodedColumn, holes: Flags, scale: str) -> Floats:
    """Places on a line; missing cells stand at the mean of the others."""
    present = column.points[~holes]
    if len(present) == 0 or column.span <= SMALLEST_SPAN:
        return np.zeros(len(holes)) if scale != "none" or len(present) == 0 else np.full(len(holes), present[0])
    if column.style == "ordered":
        placed = present / max(len(column.order) - 1, 1)
    elif scale == "none":
        placed = present * column.step
    else:
        placed = (present - present.min()) / column.span
        if scale == "std":
            placed = (placed - placed.mean()) / placed.std()
    line = np.full(len(holes), placed.mean())
    line[~holes] = placed
    return line


def features(encoded: Encoded, scale: str) -> Floats:
    """[record, feature] coordinates whose plain squared distances are those of :func:`axes`, weights included."""
    matrix, weight, _ = spread(axes(encoded, scale))
    return np.ascontiguousarray(matrix * np.sqrt(weight))


def spread(given: FeatureAxes, trees: Encoded | None = None) -> tuple[Floats, Floats, Ints]:
    """Unweighted features, 0/1 ones divided by the square root of 2; weight and column of each.

    With the table whose axes are given, names are told apart by its trees.
    """
    blocks = [_features(given, j, trees) for j in range(len(given.names))]
    axis = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    return np.hstack(blocks), given.weight[axis], given.column[axis]


def _features(given: FeatureAxes, j: int, trees: Encoded | None) -> Floats:
    """The features of one axis."""
    points, column = given.points[:, j], None if trees is None else trees.columns[given.column[j]]
    if not given.names[j]:
        return points[:, None]
    if column is None or column.tree is None or column.tree.is_flat:
        return _block(points) / given.unit
    return _branches(points.astype(np.int64), column.tree) / given.unit


def _block(codes: Floats) -> Floats:
    """The 0/1 features of the names that occur, or their places in leaf order if they are too many."""
    present, place = np.unique(codes, return_inverse=True)
    if len(present) > MOST_NAMES:
        return np.asarray(codes / codes.max())[:, None]
    block = np.zeros((len(codes), len(present)))
    block[np.arange(len(codes)), place] = np.sqrt(0.5)
    return block


def _branches(leaves: Ints, tree: Hierarchy) -> Floats:
    """The features of names in a tree; its levels as far down as there is room for all nodes that occur."""
    present, place = np.unique(leaves, return_inverse=True)
    paths = tree.paths[1:, present]
    nodes = [np.unique(level) for level in paths]
    fitting = [depth for depth in range(len(nodes)) if len(np.unique(paths[: depth + 1])) <= MOST_NAMES]
    if not fitting:
        return _block(leaves.astype(np.float64))
    lowest, drops = fitting[-1], {}
    for depth in range(lowest + 1):
        for node in nodes[depth]:
            height = tree.heights[node] if depth < lowest else 0
            drops[node] = tree.heights[tree.parents[node]] - height
    block = np.zeros((len(present), len(drops)))
    for feature, (node, drop) in enumerate(drops.items()):
        below = (tree.first[node] <= present) & (present <= tree.last[node])
        block[below, feature] = np.sqrt(drop / (2 * tree.heights[0]))
    return block[place]
