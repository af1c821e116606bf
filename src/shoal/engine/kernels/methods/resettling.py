# SPDX-License-Identifier: Apache-2.0
"""Records that move, one after the other, to the cluster where the total loss is least: the loop of sequential.

Clusters stand in a class tree; those that were made since it was built are looked at one by one, and when they are many
the tree is built anew. Records of a cluster are a list linked both ways, so that a cluster is refitted when one leaves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.dice import below
from shoal.engine.kernels.hull import increase, stretch, ticks
from shoal.engine.kernels.methods.joining import NO_RECORD
from shoal.engine.kernels.trees.class_tree import ClassTree, best_class, build_classes, drop, mend
from shoal.ground.arrays import Floats, Ints, Words


class Clusters(NamedTuple):
    """Clusters that take and give records; a number without records is free for another cluster."""

    lo: Floats
    """[cluster, attribute] the hull."""
    hi: Floats
    sizes: Ints
    cluster_of: Ints
    """[row] its cluster."""
    head: Ints
    """[cluster] one of its rows."""
    next: Ints
    prev: Ints
    """[row] its neighbours in the list of its cluster; -1: none."""
    free: Ints
    """Numbers of clusters to be made, the next one last."""
    loose: Ints
    """Clusters that are not in the tree."""
    counts: Ints
    """How many numbers are free, how many clusters are loose, and how many there are."""


FREE, LOOSE, MANY = 0, 1, 2


@kernel
def new_clusters(points: Floats, cluster_of: Ints, n_clusters: int) -> Clusters:
    """Clusters of records, numbered from 0 without gaps; there may be as many as there are records."""
    n, d = points.shape
    nobody = np.full((4, n), NO_RECORD)
    clusters = Clusters(
        np.full((n, d), np.inf), np.full((n, d), -np.inf), np.zeros(n, np.int64), nobody[0], nobody[1], nobody[2],
        nobody[3], np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(3, np.int64),
    )  # fmt: skip
    for row in range(n):
        put_in(points, clusters, row, cluster_of[row])
    for label in range(n - 1, n_clusters - 1, -1):
        clusters.free[clusters.counts[FREE]] = label
        clusters.counts[FREE] += 1
    clusters.counts[MANY] = n_clusters
    return clusters


@kernel
def put_in(points: Floats, clusters: Clusters, row: int, label: int) -> None:
    """A record comes to a cluster."""
    first = clusters.head[label]
    clusters.next[row], clusters.prev[row] = first, NO_RECORD
    if first != NO_RECORD:
        clusters.prev[first] = row
    clusters.head[label] = row
    clusters.cluster_of[row] = label
    clusters.sizes[label] += 1
    stretch(clusters.lo[label], clusters.hi[label], points, row)


@kernel
def take_out(points: Floats, clusters: Clusters, row: int) -> int:
    """A record leaves its cluster, whose number is returned."""
    label, before, after = clusters.cluster_of[row], clusters.prev[row], clusters.next[row]
    if before == NO_RECORD:
        clusters.head[label] = after
    else:
        clusters.next[before] = after
    if after != NO_RECORD:
        clusters.prev[after] = before
    clusters.sizes[label] -= 1
    _refit(points, clusters, label)
    return label


@kernel
def _refit(points: Floats, clusters: Clusters, label: int) -> None:
    clusters.lo[label], clusters.hi[label] = np.inf, -np.inf
    row = clusters.head[label]
    while row != NO_RECORD:
        stretch(clusters.lo[label], clusters.hi[label], points, row)
        row = clusters.next[row]


@kernel
def _changed(hulls: Any, tree: ClassTree, clusters: Clusters, label: int) -> None:
    """Tell the tree of a cluster that gave or took; one without records is gone."""
    held, counts = tree.leaf[label] >= 0, clusters.counts
    if clusters.sizes[label] > 0:
        if held:
            mend(hulls, tree, label)
        return
    counts[MANY] -= 1
    clusters.free[counts[FREE]] = label
    counts[FREE] += 1
    if held:
        drop(tree, label)
        return
    counts[LOOSE] -= 1
    for at in range(counts[LOOSE]):
        if clusters.loose[at] == label:
            clusters.loose[at] = clusters.loose[counts[LOOSE]]


@kernel
def _best(hulls: Any, tree: ClassTree, clusters: Clusters, points: Floats, row: int, guess: int) -> tuple[int, float]:
    """The cluster that takes a record at the least cost, and the cost in ticks; ties to the lowest number."""
    chosen, best = best_class(hulls, tree, points, row, True, guess)
    for at in range(clusters.counts[LOOSE]):
        label = clusters.loose[at]
        cost = ticks(increase(hulls, clusters.lo[label], clusters.hi[label], clusters.sizes[label], points, row, 1))
        if cost < best or (cost == best and label < chosen):
            chosen, best = label, cost
    return chosen, best


@kernel
def _split(points: Floats, clusters: Clusters, label: int, dice: Words) -> int:
    """Part a cluster at random; returns the number of the new one, which holds the smaller half."""
    rows = np.empty(clusters.sizes[label], np.int64)
    row = clusters.head[label]
    for at in range(len(rows)):
        rows[at], row = row, clusters.next[row]
    rows.sort()
    clusters.counts[FREE] -= 1
    other = clusters.free[clusters.counts[FREE]]
    for left in range(len(rows), len(rows) - len(rows) // 2, -1):
        drawn = below(dice, left)
        take_out(points, clusters, rows[drawn])
        put_in(points, clusters, rows[drawn], other)
        rows[drawn] = rows[left - 1]
    clusters.loose[clusters.counts[LOOSE]] = other
    clusters.counts[LOOSE] += 1
    clusters.counts[MANY] += 1
    return other


@kernel
def tree_of(hulls: Any, clusters: Clusters) -> ClassTree:
    """A tree over all clusters."""
    clusters.counts[LOOSE] = 0
    return build_classes(hulls, clusters.lo, clusters.hi, clusters.sizes, np.flatnonzero(clusters.sizes))


@kernel
def resettle(
    hulls: Any, tree: ClassTree, clusters: Clusters, points: Floats, rows: Ints, most: int, dice: Words
) -> tuple[ClassTree, int]:
    """Each of the rows in turn moves where the total loss is least; how many moved, and the tree as it is now.

    A record that is alone always moves. A cluster of more than ``most`` records is parted.
    """
    hulls, points, moved = lent(hulls), lent(points), 0
    for row in rows:
        if clusters.counts[MANY] == 1 and clusters.sizes[clusters.cluster_of[row]] <= most:
            break
        was = take_out(points, clusters, row)
        alone = clusters.sizes[was] == 0
        _changed(hulls, tree, clusters, was)
        into, cost = _best(hulls, tree, clusters, points, row, -1 if alone else was)
        if not alone and into != was:
            stay = ticks(increase(hulls, clusters.lo[was], clusters.hi[was], clusters.sizes[was], points, row, 1))
            into = was if stay <= cost else into
        put_in(points, clusters, row, into)
        moved += into != was
        if clusters.sizes[into] > most:
            _split(points, clusters, into, dice)
        _changed(hulls, tree, clusters, into)
        if clusters.counts[LOOSE] ** 2 > clusters.counts[MANY]:
            tree = tree_of(hulls, clusters)
    return tree, moved
