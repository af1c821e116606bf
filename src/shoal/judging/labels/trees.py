# SPDX-License-Identifier: Apache-2.0
"""Columns published as nodes of a tree (categories, code prefixes): what a label says about which leaf it was.

The tree is the plan's, or flat over the values of the original column. Where the original column has missing
cells, missing is one more leaf under the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.judging.labels.spelling import ANYTHING, members
from shoal.plan.columns import ColumnPlan
from shoal.plan.roles import TEXT_PREFIX
from shoal.tables.table import Table


@dataclass(frozen=True)
class LabelTree:
    """One column of the original table as leaf numbers (missing = NaN), and how its labels are read."""

    hierarchy: Hierarchy
    """With the leaf of the missing value, if there is any."""
    nodes: Mapping[str, int]
    """Node of each label; of a label repeated up a single branch the lowest, which means the same."""
    positions: Floats
    uncovered: int
    """How many distinct values of the original column are no leaf of the tree."""

    def read(self, label: str) -> tuple[int, int] | None:
        """The node a label stands for and the number of leaves it allows, or None if it cannot be read."""
        stretches = self.stretches(label)
        if stretches is None:
            return None
        if label in self.nodes or label == ANYTHING:
            ((first, last),) = stretches
            return self.nodes.get(label, 0), last - first + 1
        leaves = {leaf for first, last in stretches for leaf in range(first, last + 1)}
        return self.hierarchy.lca(min(leaves), max(leaves)), len(leaves)

    def stretches(self, label: str) -> list[tuple[int, int]] | None:
        """First and last leaf of each node that a label names, one or the members of a set; None: no such label."""
        if label in self.nodes or label == ANYTHING:
            nodes = [self.nodes.get(label, 0)]
        else:
            listed = members(label)
            if listed is None or not all(value in self.nodes for value in listed):
                return None
            nodes = [self.nodes[value] for value in listed]
        return [(int(self.hierarchy.first[node]), int(self.hierarchy.last[node])) for node in nodes]


def tree_of(original: Table, name: str, column: ColumnPlan) -> LabelTree:
    """The tree of an original column."""
    codes, values = original.codes(name)
    tree = column.hierarchy if isinstance(column.hierarchy, Hierarchy) else _own_tree(column, values)
    if len(tree.labels) == 1 and values:  # a root that is its own only leaf could not take the missing leaf beside it
        tree = Hierarchy.flat(tree.labels)
    nodes = {label: node for node, label in enumerate(tree.labels)}  # parents come first, so the lowest stays
    numbers = tree.leaf_numbers
    positions = np.array([*(numbers.get(value, np.nan) for value in values), np.nan])[codes]
    whole = tree.with_missing() if values and (codes < 0).any() else tree
    return LabelTree(whole, nodes, positions, tree.uncovered(values))


def _own_tree(column: ColumnPlan, values: list[str]) -> Hierarchy:
    return prefix_hierarchy(values) if column.kind == TEXT_PREFIX else Hierarchy.flat(values)
