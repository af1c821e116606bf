# SPDX-License-Identifier: Apache-2.0
"""The hull losses ``ncp``, ``height``, ``eloss`` and ``lm``: what an interval of leaves or numbers costs, 0 to 1.

Numbers cost their share of the column's range under every loss. A node of a tree costs

* ``height`` (Byun et al. 2007): its height over the root's height;
* ``ncp`` (Xu et al. 2006): its share of the leaves, nothing for a single leaf;
* ``eloss`` (Wang, He & Zhu 2022): how far up it is, counted from the root's depth;
* ``lm`` (Iyengar 2002): leaves less one, over all leaves less one.

A tree of one leaf, and a column of one value, cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shoal.engine.kernels.hull import CLIMB, FLAT, LARGEST_WHOLE, RANGE, TABLE, TICKS, Hulls
from shoal.ground.arrays import Floats
from shoal.hierarchies.hierarchy import Hierarchy

LARGEST_TABLE = 512
"""Most leaves for which the cost of every (lo, hi) is tabulated: 512² floats are 2 MB."""

SMALLEST_SPAN = 1e-300
"""A column whose numbers differ by no more is constant: shares of such a range are lost in rounding."""


def _height(tree: Hierarchy) -> Floats:
    return tree.heights / max(int(tree.heights[0]), 1)


def _ncp(tree: Hierarchy) -> Floats:
    return np.where(tree.leaf_counts > 1, tree.leaf_counts / tree.n_leaves, 0.0)


def _eloss(tree: Hierarchy) -> Floats:
    return np.where(tree.leaf_counts > 1, 1.0 - tree.depths / max(tree.levels - 1, 1), 0.0)


def _lm(tree: Hierarchy) -> Floats:
    return (tree.leaf_counts - 1) / max(tree.n_leaves - 1, 1)


NODE_LOSSES: dict[str, Callable[[Hierarchy], Floats]] = {
    "height": _height,
    "ncp": _ncp,
    "eloss": _eloss,
    "lm": _lm,
    "sse": _ncp,
}
"""Squared errors have no hulls; what needs some beside them takes those of ``ncp``."""


def node_losses(tree: Hierarchy, loss: str) -> Floats:
    """Cost of publishing each node of a tree."""
    if tree.n_leaves <= 1:
        return np.zeros(len(tree.labels))
    return NODE_LOSSES[loss](tree)


@dataclass(frozen=True)
class HullTerm:
    """One attribute's part of the hull loss, before it is laid out for the kernels."""

    kind: int
    scale: float = 0.0
    cap: float = 0.0
    size: int = 0
    table: Floats = field(default_factory=lambda: np.zeros(0))
    ancestors: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))

    @classmethod
    def of_range(cls, span: float, has_missing: bool, weight: float) -> HullTerm:
        """A column published as a range; mixing missing and present costs the whole weight."""
        scale = weight / span if span > SMALLEST_SPAN else (weight if has_missing else 0.0)
        return cls(RANGE, scale=scale, cap=weight)

    @classmethod
    def of_tree(cls, tree: Hierarchy, loss: str, weight: float) -> HullTerm:
        """A column published as a node of its tree."""
        return cls.of_nodes(tree, node_losses(tree, loss) * weight)

    @classmethod
    def of_nodes(cls, tree: Hierarchy, costs: Floats) -> HullTerm:
        """The same with the cost of each node given; it must not fall on the way up."""
        if tree.is_flat:
            return cls(FLAT, cap=float(costs[0]))
        above = tree.ancestors
        if tree.n_leaves <= LARGEST_TABLE:
            return cls(TABLE, size=tree.n_leaves, table=_pair_table(above, costs).ravel())
        return cls(CLIMB, size=tree.n_leaves, table=costs[above].ravel(), ancestors=above.ravel())


def _pair_table(above: NDArray[np.int32], costs: Floats) -> Floats:
    """Cost of the common ancestor of every pair of leaves, filled from the root down."""
    pairs = np.full((above.shape[1], above.shape[1]), costs[0])
    for level in range(len(above) - 2, -1, -1):
        meet = above[level][:, None] == above[level][None, :]
        pairs[meet] = np.broadcast_to(costs[above[level]][:, None], pairs.shape)[meet]
    return pairs


def for_totals(hulls: Hulls, records: int) -> Hulls:
    """The same losses divided by a power of two, so that those of so many records together have at most 43 bits.

    What is paid less what is saved is then as exact as its parts, and ties of such differences are found in ticks.
    """
    blocks = np.split(hulls.tables, hulls.start[1:])
    dearest = np.where(hulls.size > 0, [block.max(initial=0.0) for block in blocks], hulls.cap)
    unit = 1.0
    while records * dearest.sum() * unit * TICKS > LARGEST_WHOLE:
        unit /= 2
    return hulls._replace(scale=hulls.scale * unit, cap=hulls.cap * unit, tables=hulls.tables * unit)


def hull_kernel_arrays(terms: Sequence[HullTerm]) -> Hulls:
    """Lay the terms of all attributes end to end."""
    lengths = [len(term.table) for term in terms]
    starts = np.concatenate([[0], np.cumsum(lengths)])[: len(terms)]
    ancestors = [term.ancestors if len(term.ancestors) else np.zeros(len(term.table), dtype=np.int32) for term in terms]
    return Hulls(
        kind=np.array([term.kind for term in terms], dtype=np.int64),
        scale=np.array([term.scale for term in terms], dtype=np.float64),
        cap=np.array([term.cap for term in terms], dtype=np.float64),
        start=starts.astype(np.int64),
        size=np.array([term.size for term in terms], dtype=np.int64),
        tables=np.concatenate([*(term.table for term in terms), np.zeros(1)]),
        ancestors=np.concatenate([*ancestors, np.zeros(1, dtype=np.int32)]),
    )
