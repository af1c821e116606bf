# SPDX-License-Identifier: Apache-2.0
"""Records in line along a Hilbert curve, cut into the cheapest runs of k to 2k - 1.

Idea: bring the records into one order in which neighbours are alike, then find the best way to cut that order
into runs by dynamic programming; the loss of a run is that of its hull over all attributes. The classes are optimal
among contiguous partitions of that order, not among all partitions: even on one column of numbers a class nested
inside another can be cheaper. Orders: ``hilbert`` (a curve through a grid of ``2 ** bits`` cells per attribute, names
by leaf number, missing numbers beyond the largest), ``lexicographic`` (first attribute, then the second, ...), and
``idistance`` (nearest of some reference records, then distance from it). Orders ignore the weights of columns, the
loss does not. If the only quasi-identifier is a tree, ``partition="dp"`` needs no order: an exact program over
the tree finds classes of the least possible loss.

Paper: G. Ghinita, P. Karras, P. Kalnis, N. Mamoulis, "Fast data anonymization with low information loss", VLDB 2007.
The reference records of ``idistance`` (furthest-first) are our reading of it; the tree program is our own.

Cost: O(n log n + d k n) as published and here; attributes are looked up only when the hull widens on them. The order
``idistance`` adds one pass over the records per reference. The tree program takes about k² per node that holds at
least k records.

When not to use it: for many attributes, a curve keeps few neighbours together, and ``k_member`` loses less.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._growing import in_slices
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import node_losses
from shoal.engine.kernels.methods.hilbert import hilbert_order, lexicographic_order, reference_order
from shoal.engine.kernels.methods.runs import extend, new_runs, runs_of, unit_of, whole_unit
from shoal.engine.kernels.methods.tree_classes import children_of, kept, labels_of, new_tables, new_tree, settle
from shoal.engine.methods import Capabilities, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Floats, Ints

CAPABILITIES = Capabilities(
    paper_loss="ncp",
    swayed_by={
        "column order": "the curve turns through the columns in their order",
        "halved column": "the curve gives each column the same room, whatever its weight",
    },
)


@dataclass(frozen=True)
class Parameters:
    """Parameters of hilbert."""

    order: str = choice("how records are brought into one order", "hilbert", "lexicographic", "idistance")
    bits: int = parameter(8, "the Hilbert curve runs through 2 ** bits cells per attribute", least=1, most=32)
    references: int = parameter(64, "how many reference records idistance uses", least=1, most=10_000)
    partition: str = choice(
        "cut the order into the best runs; dp: but a single tree by the exact program", "dp", "contiguous"
    )


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of k to 2k - 1 records."""
    if parameters.partition == "dp" and len(encoded.columns) == 1 and encoded.columns[0].tree is not None:
        return Partition.of(_classes_of_tree(encoded.columns[0], encoded.loss, requirement.size, progress))
    order = _order(encoded.points, parameters)
    runs = new_runs(len(order))
    unit = unit_of(encoded.hulls, encoded.points)
    settled = 0

    def lengthen(until: int) -> int:
        nonlocal settled
        settled = extend(encoded.hulls, encoded.points, order, requirement.size, unit, runs, settled + 1, until)
        return settled

    in_slices(lengthen, len(order), progress)
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = runs_of(runs.back)
    return Partition.of(labels)


def _order(points: Floats, parameters: Parameters) -> Ints:
    if parameters.order == "lexicographic":
        return lexicographic_order(points)
    if parameters.order == "idistance":
        return reference_order(points, parameters.references)
    return hilbert_order(points, parameters.bits)


def _classes_of_tree(column: EncodedColumn, loss: str, size: int, progress: Progress) -> Ints:
    """Classes of least loss for records that differ in one tree only."""
    tree = column.tree
    assert tree is not None
    leaf = column.points.astype(np.int64)
    counts = np.bincount(leaf, minlength=tree.n_leaves)
    costs = node_losses(tree, loss) * column.weight
    unit = whole_unit(len(leaf), float(costs.max()))
    given = new_tree(tree.parents, np.floor(costs * unit + 0.5).astype(np.int64), tree.leaves, counts, size)
    begin, children = children_of(given.parent)
    tables = new_tables(given, size)
    settled = 0

    def climb(until: int) -> int:
        nonlocal settled
        settled = settle(given, begin, children, tables, size, settled, until)
        return settled

    in_slices(climb, len(given.parent), progress)
    closed = kept(given, begin, children, tables)
    leaf_start = np.concatenate([[0], np.cumsum(counts)])
    return labels_of(closed, tree.first, tree.last, leaf_start, np.argsort(leaf, kind="stable"), size)
