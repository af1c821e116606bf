# SPDX-License-Identifier: Apache-2.0
"""What KACPC and IKAC share: classes around centroids chosen by their distances to all earlier ones.

Both take as next centroid the record with the least (KACPC) or greatest (IKAC) mean distance to all earlier
centroids, give it the k - 1 nearest records, and send the few left over to the nearest centroid. They differ in
the first centroid and in the distance of two leaves. Numbers are ``|a - b| / range`` apart; missing is a leaf under
the root, or a whole range from every number.

Two box trees hold the same records: ``near`` finds the nearest, and ``far``, over ranks, the sums of distances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.engine.algorithms._growing import in_slices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.engine.kernels.hull import CLIMB, FLAT, RANGE
from shoal.engine.kernels.methods.centroid_sums import BLOCK_BITS, NAMES, NUMBER, TREE, CentroidSums
from shoal.engine.kernels.methods.centroids import Trees, centre_on, grow_around_centroids
from shoal.engine.kernels.trees.additive_queries import LINE, STEP, VECTOR, Additive, nearest_rows
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.methods import Partition, Progress
from shoal.ground.arrays import Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy

SHAPES = {NUMBER: LINE, NAMES: STEP, TREE: VECTOR}


@dataclass(frozen=True, eq=False)
class LeafDistance:
    """``(rise[h, a] * share[p]) * (rise[h, b] * other_share[p]) * scale`` for two leaves that meet in node p.

    h is the height of p, counted so that the root of a tree of three levels has 3; a and b tell how many levels
    each leaf lies below p.
    """

    share: Floats
    other_share: Floats
    rise: Floats
    scale: float = 1.0

    @classmethod
    def by_leaves(cls, tree: Hierarchy) -> LeafDistance:
        """The share of all leaves that lie below the common node."""
        share = tree.leaf_counts / tree.n_leaves
        return cls(share, np.ones_like(share), np.ones((tree.levels + 1, tree.levels)))

    @classmethod
    def by_rise(cls, tree: Hierarchy) -> LeafDistance:
        """DistC of Wang, He and Zhu (2022), equations 4 and 5: how high, how far and how wide it is generalised."""
        levels, share = tree.levels, tree.leaf_counts / tree.n_leaves
        rise = np.zeros((levels + 1, levels))
        for height in range(2, levels + 1):
            rise[height, :height] = [float(height * below) ** (height / levels) for below in range(height)]
        return cls(share, share, rise)

    def times(self, factor: float) -> LeafDistance:
        """The same distance, so much larger."""
        return replace(self, scale=self.scale * factor)

    def to_unit(self, tree: Hierarchy) -> LeafDistance:
        """The same distance, divided so that no two leaves are further apart than 1."""
        furthest = float(self.reach(tree).max())
        return self.times(1.0 / furthest) if furthest > 0 else self

    def reach(self, tree: Hierarchy) -> Floats:
        """Greatest distance of two leaves that meet in each node: those deepest below two of its children."""
        bottom, second = tree.depths.copy(), np.full(len(tree.labels), -1, dtype=np.int64)
        for node in range(len(tree.labels) - 1, 0, -1):
            above, depth = tree.parents[node], bottom[node]
            if depth > bottom[above]:
                if bottom[above] > tree.depths[above]:
                    second[above] = bottom[above]
                bottom[above] = depth
            elif depth > second[above]:
                second[above] = depth
        height = tree.levels - tree.depths
        deepest = self.rise[height, bottom - tree.depths] * self.share
        next_deepest = self.rise[height, np.maximum(second - tree.depths, 0)] * self.other_share
        return np.where(second >= 0, deepest * next_deepest * self.scale, 0.0)


Between = Callable[[Hierarchy], LeafDistance]
"""The distance of two leaves of a tree."""


@dataclass(frozen=True, eq=False)
class Branches:
    """A tree of more than two levels, and how far its leaves are apart."""

    tree: Hierarchy
    distance: LeafDistance
    leaves: Ints
    """The leaves that occur; their position is their code."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One quasi-identifier as the kernels see it."""

    kind: int
    values: Floats
    """Its distinct coordinates; numbers and leaves of a tree ascend, names go from the commonest to the rarest."""
    codes: Ints
    """[row] which of them."""
    numbers: int
    """NUMBER: how many of the values are numbers; one more may stand for missing."""
    term: HullTerm
    """Cost of an interval: of coordinates for numbers, of codes for leaves."""
    branches: Branches | None = None

    @classmethod
    def of(cls, column: EncodedColumn, between: Between) -> Axis:
        """Numbers on a line, names under one root, or the leaves of a tree."""
        if column.tree is None:
            values, codes = np.unique(column.points, return_inverse=True)
            return cls(NUMBER, values, codes, len(values) - (column.missing is not None), column.term("ncp"))
        leaves, codes = _numbered(column.points.astype(np.int64))
        distance = between(column.tree).times(column.weight)
        reach = distance.reach(column.tree)
        if column.tree.is_flat:  # sums differ by how common names are: in that order, boxes bound them closely
            order = np.argsort(-np.bincount(codes), kind="stable")
            return cls(
                NAMES,
                leaves[order].astype(np.float64),
                np.argsort(order)[codes],
                0,
                HullTerm(FLAT, cap=float(reach[0])),
            )
        above = np.ascontiguousarray(column.tree.ancestors[:, leaves])
        climb = HullTerm(CLIMB, size=len(leaves), table=reach[above].ravel(), ancestors=above.ravel())
        return cls(TREE, leaves.astype(np.float64), codes, 0, climb, Branches(column.tree, distance, leaves))

    @property
    def places(self) -> Floats:
        """[row] where a record stands: its number, or the code of its leaf."""
        return self.values[self.codes] if self.kind == NUMBER else self.codes.astype(np.float64)

    @property
    def rank_term(self) -> HullTerm:
        """Cost of an interval of codes."""
        if self.kind != NUMBER:
            return self.term
        return HullTerm(RANGE, scale=self.term.cap / max(self.numbers - 1, 1), cap=self.term.cap)

    @property
    def commonest(self) -> float:
        """Where the commonest value stands, the lowest of equals."""
        code = int(np.bincount(self.codes).argmax())
        return float(self.values[code]) if self.kind == NUMBER else float(code)


def _numbered(leaves: Ints) -> tuple[Ints, Ints]:
    """The leaves that occur, ascending, and which of them each row has: looked up, without sorting the rows."""
    occur = np.bincount(leaves) > 0
    return np.flatnonzero(occur), (np.cumsum(occur) - 1)[leaves]


def around_centroids(
    encoded: Encoded, size: int, between: Between, sign: float, first: int | None, progress: Progress
) -> tuple[Partition, Ints]:
    """Classes of ``size`` or more around centroids of least (``sign`` 1) or greatest (-1) mean distance; and those.

    ``first`` is the row of the first centroid; None for the record nearest to the commonest values.
    """
    axes = [Axis.of(column, between) for column in encoded.columns]
    places = np.column_stack([axis.places for axis in axes]) + 0.0
    codes = np.column_stack([axis.codes for axis in axes]).astype(np.float64)
    hulls = hull_kernel_arrays([axis.term for axis in axes])
    near = build(hulls, places, False)
    far = build(hull_kernel_arrays([axis.rank_term for axis in axes]), codes, False)
    costs, trees, sums = _costs(axes), _trees(axes), _sums(axes)
    n, label = len(encoded), 0
    labels, centroids = np.full(n, -1, dtype=np.int64), np.zeros(n // size, dtype=np.int64)
    if first is None:
        centre_on(costs, trees, np.array([[axis.commonest for axis in axes]]), 0)
        first = int(nearest_rows(costs, near, 1)[0])
    centroids[0] = first

    def grow(until: int) -> int:
        nonlocal label
        label = grow_around_centroids(
            near, far, costs, trees, sums, places, codes, size, sign, label, until, labels, centroids
        )
        return label

    in_slices(grow, n // size, progress)
    around = build(hulls, places[centroids], False)
    for row in np.flatnonzero(labels < 0).tolist():
        centre_on(costs, trees, places, row)
        labels[row] = nearest_rows(costs, around, 1)[0]
    return Partition.of(labels), centroids


# -- arrays for the kernels ------------------------------------------------------------------------------------


def _costs(axes: Sequence[Axis]) -> Additive:
    """Distances from one record, yet to be centred on it."""
    sizes = [len(axis.values) if axis.kind == TREE else 0 for axis in axes]
    lengths = [size * size.bit_length() for size in sizes]
    return Additive(
        shape=np.array([SHAPES[axis.kind] for axis in axes]),
        centre=np.zeros(len(axes)),
        scale=np.array([axis.term.scale for axis in axes]),
        cap=np.array([axis.term.cap for axis in axes]),
        squared=np.zeros(len(axes), dtype=np.bool_),
        start=_starts(lengths),
        size=np.array(sizes, dtype=np.int64),
        low=np.zeros(sum(lengths)),
    )


def _sums(axes: Sequence[Axis]) -> CentroidSums:
    """Sums of distances to no centroid yet."""
    numbers = np.array([axis.numbers for axis in axes], dtype=np.int64)
    blocks = 2 * ((numbers >> BLOCK_BITS) + 1)
    own = [3 * axis.numbers if axis.kind == NUMBER else 2 * len(axis.values) for axis in axes]
    start, block = np.split(_starts([*own, *blocks]), 2)
    cells = np.zeros(sum(own) + int(blocks.sum()))
    for axis, at in zip(axes, start):
        if axis.numbers:
            shares = (axis.values[: axis.numbers] - axis.values[0]) * axis.term.scale
            cells[at : at + 3 * axis.numbers : 3] = shares
    return CentroidSums(
        kind=np.array([axis.kind for axis in axes]),
        cap=np.array([axis.term.cap for axis in axes]),
        size=np.array([len(axis.values) for axis in axes], dtype=np.int64),
        present=numbers,
        start=start,
        block=block,
        cells=cells,
        seen=np.zeros(len(axes)),
        total=np.zeros(len(axes)),
        missing=np.zeros(len(axes)),
        valley=np.zeros(len(axes), dtype=np.int64),
    )


def _trees(axes: Sequence[Axis]) -> Trees:
    """All trees end to end; an axis without one takes no room."""
    every = [axis.branches for axis in axes]
    some = [branches for branches in every if branches]
    nodes = _starts([len(branches.tree.labels) for branches in some])
    return Trees(
        leaf_start=_starts([len(branches.leaves) if branches else 0 for branches in every]),
        leaf_node=_join([branches.tree.leaves[branches.leaves] + at for branches, at in zip(some, nodes)]),
        parent=_join(
            [np.where(branches.tree.parents < 0, -1, branches.tree.parents + at) for branches, at in zip(some, nodes)]
        ),
        first=_join([np.searchsorted(branches.leaves, branches.tree.first) for branches in some]),
        last=_join([np.searchsorted(branches.leaves, branches.tree.last, "right") - 1 for branches in some]),
        depth=_join([branches.tree.depths for branches in some]),
        levels=np.array([branches.tree.levels if branches else 0 for branches in every], dtype=np.int64),
        share=np.concatenate([np.zeros(0), *(branches.distance.share for branches in some)]),
        other_share=np.concatenate([np.zeros(0), *(branches.distance.other_share for branches in some)]),
        rise_start=_starts([branches.distance.rise.size if branches else 0 for branches in every]),
        rise=np.concatenate([np.zeros(0), *(branches.distance.rise.ravel() for branches in some)]),
        scale=np.array([branches.distance.scale if branches else 0.0 for branches in every]),
    )


def _starts(lengths: Sequence[int]) -> Ints:
    """Where blocks of these lengths begin when laid end to end."""
    return np.concatenate([[0], np.cumsum(lengths)])[: len(lengths)].astype(np.int64)


def _join(parts: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts]).astype(np.int64)
