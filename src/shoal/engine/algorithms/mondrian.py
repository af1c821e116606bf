# SPDX-License-Identifier: Apache-2.0
"""Mondrian: cut the table in two at the median of its widest attribute, again and again.

Idea: as long as some cut leaves at least k records on either side, take the one on the attribute on which the
part is widest (as a share of the whole table's range). ``strict`` cuts between two values; ``relaxed`` halves
the sorted records, so equal values may fall on both sides; with ``cuts="taxonomy"`` a name is cut into the
children of the part's common ancestor instead of at a median of its leaf order. Published are the hulls of
the records, not the cells of the cuts.

Paper: K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian multidimensional k-anonymity", ICDE 2006.

Cost: O(d n log n) per level of cuts; the fastest method here.

When not to use it: when loss matters; on trees and skewed columns it loses far more than the clustering methods.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.methods.cutting import CutAxes, cut_parts
from shoal.engine.kernels.parts import one_part
from shoal.engine.methods import Capabilities, Partition, Progress, Requirement, choice

CAPABILITIES = Capabilities(
    class_sizes="k..",
    losses=(),
    order_free=True,
    swayed_by={
        "column order": "of equally wide columns the first is cut",
        "halved column": "columns are cut one by one, and each half is half as wide",
    },
)

ROWS_PER_SLICE = 200_000


@dataclass(frozen=True)
class Parameters:
    """Parameters of mondrian."""

    mode: str = choice("cut between values, or halve the records", "strict", "relaxed")
    cuts: str = choice("cut names by their leaf order, or into the children of a node", "ordered", "taxonomy")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of at least k records (relaxed without taxonomy cuts: at most 2k - 1)."""
    n, relaxed = len(encoded), parameters.mode == "relaxed"
    axes = _axes(encoded, parameters.cuts == "taxonomy")
    rows, parts = np.arange(n), one_part(n, n + 1)
    labels = np.full(n, -1, dtype=np.int64)
    while parts.waiting[0] > 0:
        cut_parts(axes, encoded.points, rows, parts, requirement.size, relaxed, ROWS_PER_SLICE, labels)
        progress(int(parts.settled[0]), n)
    return Partition.of(labels)


def _axes(encoded: Encoded, taxonomy: bool) -> CutAxes:
    trees = [column.tree if taxonomy else None for column in encoded.columns]
    blocks = [tree.paths.ravel() if tree else np.zeros(0, dtype=np.int32) for tree in trees]
    widths = [
        tree.leaf_counts[tree.paths].ravel() / tree.n_leaves * column.weight if tree else np.zeros(0)
        for tree, column in zip(trees, encoded.columns)
    ]
    return CutAxes(
        scale=np.array([_unit(column) for column in encoded.columns]),
        cap=np.array([column.weight for column in encoded.columns]),
        levels=np.array([tree.levels if tree else 0 for tree in trees], dtype=np.int64),
        size=np.array([tree.n_leaves if tree else 0 for tree in trees], dtype=np.int64),
        start=np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.int64),
        paths=np.concatenate([*blocks, np.zeros(1, dtype=np.int32)]),
        widths=np.concatenate([*widths, np.zeros(1)]),
    )


def _unit(column: EncodedColumn) -> float:
    """Width of one unit: the whole range, or the whole leaf order, is as wide as the weight."""
    if column.tree is not None:
        return column.weight / max(column.tree.n_leaves - 1, 1)
    return column.term("ncp").scale
