# SPDX-License-Identifier: Apache-2.0
"""Classes around centroids: each new centroid by its distances to the earlier ones, with its nearest records.

The distance of two records adds up over the attributes: numbers on a line, names that are equal or not, and
leaves of a tree. For leaves ``u`` and ``v`` below their lowest common node p it is
``scale * (rise[h, u] * share[p]) * (rise[h, v] * other_share[p])``, with h the height of p and ``rise`` looked up by
how far a leaf lies below p. A whole row of such distances is made for each centroid by walking up from its leaf,
so no table of all pairs is ever needed.
"""

from __future__ import annotations

from typing import NamedTuple

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.methods.centroid_sums import CentroidSums, add_centroid, least_sum
from shoal.engine.kernels.trees.additive_queries import VECTOR, Additive, fill_minima, nearest_rows
from shoal.engine.kernels.trees.box_tree import BoxTree, delete
from shoal.ground.arrays import Floats, Ints


class Trees(NamedTuple):
    """The trees of all attributes, end to end; codes number the leaves that occur in the table."""

    leaf_start: Ints
    """[attribute] where its leaves begin."""
    leaf_node: Ints
    """[leaf] its node."""
    parent: Ints
    """[node] the node above it, -1 for a root."""
    first: Ints
    """[node] lowest code below it."""
    last: Ints
    """[node] highest code below it; less than ``first`` if none occurs."""
    depth: Ints
    levels: Ints
    """[attribute] number of levels of its tree."""
    share: Floats
    """[node]"""
    other_share: Floats
    """[node]"""
    rise_start: Ints
    """[attribute] where its (height, levels below) table begins; rows of ``levels`` entries."""
    rise: Floats
    scale: Floats
    """[attribute]"""


@kernel
def fill_row(trees: Trees, attribute: int, code: int, row: Floats, first: int) -> None:
    """Distances of one leaf to all leaves that occur, into ``row`` from ``first`` on."""
    start, parent, low, high = trees.leaf_start[attribute], trees.parent, trees.first, trees.last
    leaf_node, depth, rise = trees.leaf_node, trees.depth, trees.rise
    levels, scale, rises = trees.levels[attribute], trees.scale[attribute], trees.rise_start[attribute]
    child = leaf_node[start + code]
    mine = depth[child]
    row[first + code] = 0.0
    node = parent[child]
    while node >= 0:
        base = rises + (levels - depth[node]) * levels - depth[node]
        near = rise[base + mine] * trees.share[node]
        other_share = trees.other_share[node]
        for other in range(low[node], high[node] + 1):
            if other < low[child] or other > high[child]:
                row[first + other] = near * (rise[base + depth[leaf_node[start + other]]] * other_share) * scale
        child = node
        node = parent[node]


@kernel
def centre_on(costs: Additive, trees: Trees, places: Floats, row: int) -> None:
    """Make ``costs`` the distance from one record."""
    low = costs.low
    for j in range(places.shape[1]):
        costs.centre[j] = places[row, j]
        if costs.shape[j] != VECTOR:
            continue
        start, size = costs.start[j], costs.size[j]
        fill_row(trees, j, int(places[row, j]), low, start)
        fill_minima(low, start, size)


@kernel
def grow_around_centroids(
    near: BoxTree, far: BoxTree, costs: Additive, trees: Trees, sums: CentroidSums, places: Floats, codes: Floats,
    size: int, sign: float, label: int, until: int, labels: Ints, centroids: Ints,
) -> int:  # fmt: skip
    """Make classes ``label .. until-1``: the record of least (greatest) mean distance, and those nearest to it.

    ``near`` holds the records as ``places``, ``far`` as ``codes``; ``centroids[0]`` is given.
    """
    while label < until and near.live[0] >= size:
        centroid = centroids[0] if label == 0 else least_sum(sums, far, sign, label)
        centroids[label] = centroid
        centre_on(costs, trees, places, centroid)
        add_centroid(sums, codes, centroid, costs.low, costs.start, sign)
        labels[centroid] = label
        delete(near, centroid)
        delete(far, centroid)
        for row in nearest_rows(costs, near, size - 1):
            labels[row] = label
            delete(near, row)
            delete(far, row)
        label += 1
    return label
