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
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._growing import in_slices
from shoal.algorithms._leaf_distance import LeafDistance
from shoal.algorithms._protocol import Partition
from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.kernels.additive_queries import LINE, STEP, VECTOR, Additive, best
from shoal.kernels.box_tree import build
from shoal.kernels.centroid_sums import BLOCK_BITS, NAMES, NUMBER, TREE, Sums
from shoal.kernels.centroids import Trees, centre_on, grow_around_centroids
from shoal.kernels.hull import CLIMB, FLAT, RANGE
from shoal.progress import Progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Between = Callable[[Hierarchy], LeafDistance]
"""The distance of two leaves of a tree."""

SHAPES = {NUMBER: LINE, NAMES: STEP, TREE: VECTOR}


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
        values, codes = np.unique(column.points, return_inverse=True)
        if column.tree is None:
            return cls(NUMBER, values, codes, len(values) - (column.missing is not None), column.term("ncp"))
        distance = between(column.tree).times(column.weight)
        reach = distance.reach(column.tree)
        if column.tree.is_flat:  # sums differ by how common names are: in that order, boxes bound them closely
            order = np.argsort(-np.bincount(codes), kind="stable")
            return cls(NAMES, values[order], np.argsort(order)[codes], 0, HullTerm(FLAT, cap=float(reach[0])))
        leaves = values.astype(np.int64)
        above = np.ascontiguousarray(column.tree.ancestors[:, leaves])
        climb = HullTerm(CLIMB, size=len(leaves), table=reach[above].ravel(), ancestors=above.ravel())
        return cls(TREE, values, codes, 0, climb, Branches(column.tree, distance, leaves))

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
        first = int(best(costs, near, 1, 1.0)[0])
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
        labels[row] = best(costs, around, 1, 1.0)[0]
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


def _sums(axes: Sequence[Axis]) -> Sums:
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
    return Sums(
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
    some = [one for one in every if one]
    nodes = _starts([len(one.tree.labels) for one in some])
    return Trees(
        leaf_start=_starts([len(one.leaves) if one else 0 for one in every]),
        leaf_node=_join([one.tree.leaves[one.leaves] + at for one, at in zip(some, nodes)]),
        parent=_join([np.where(one.tree.parents < 0, -1, one.tree.parents + at) for one, at in zip(some, nodes)]),
        first=_join([np.searchsorted(one.leaves, one.tree.first) for one in some]),
        last=_join([np.searchsorted(one.leaves, one.tree.last, "right") - 1 for one in some]),
        depth=_join([one.tree.depths for one in some]),
        levels=np.array([one.tree.levels if one else 0 for one in every], dtype=np.int64),
        share=np.concatenate([np.zeros(0), *(one.distance.share for one in some)]),
        other_share=np.concatenate([np.zeros(0), *(one.distance.other_share for one in some)]),
        rise_start=_starts([one.distance.rise.size if one else 0 for one in every]),
        rise=np.concatenate([np.zeros(0), *(one.distance.rise.ravel() for one in some)]),
        scale=np.array([one.distance.scale if one else 0.0 for one in every]),
    )


def _starts(lengths: Sequence[int]) -> Ints:
    """Where blocks of these lengths begin when laid end to end."""
    return np.concatenate([[0], np.cumsum(lengths)])[: len(lengths)].astype(np.int64)


def _join(parts: Sequence[NDArray[np.int64]]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts]).astype(np.int64)
