# SPDX-License-Identifier: Apache-2.0
"""Adds up the loss of all published cells; the loss metrics differ only in what a node of a tree costs.

With rows i and quasi-identifiers j of weight w_j, each cell costs between 0 (unchanged) and 1 (nothing is left):

    total = Σ_j w_j Σ_i cost_ij        per cell = total / (n Σ_j w_j)

On a line (numbers, dates, ordered categories) a cell costs its width over the range of the original column, of those
rows that were released where it is known which. Every cell of a suppressed row costs 1, and n counts suppressed rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.evidence import Evidence
from shoal.judging.labels.cells import PublishedCells, cells_of

NodeCost = Callable[[Hierarchy, Ints, Ints], Floats]
"""(tree, nodes, leaves they allow) -> cost of each, 0 to 1; never called for a tree of one leaf."""


@dataclass(frozen=True)
class Loss:
    """The loss of one release under one metric."""

    total: float
    largest: float
    """The total if nothing were left: n Σ w."""
    per_column: Mapping[str, float]
    """Mean loss of a cell of each quasi-identifier."""
    note: str

    @property
    def per_cell(self) -> float:
        """The total over the largest possible."""
        return self.total / self.largest if self.largest else math.nan

    @property
    def unweighted(self) -> float:
        """Mean loss of a cell with all weights 1."""
        return sum(self.per_column.values()) / len(self.per_column) if self.per_column else math.nan


def loss_of(evidence: Evidence, node_cost: NodeCost) -> Loss:
    """The loss of a release, given what a node of a tree costs."""
    weights = {name: evidence.plan.columns[name].weight for name in evidence.plan.quasi_identifiers}
    rows = evidence.rows + evidence.suppressed
    sums: dict[str, float] = {}
    notes: dict[str, None] = {}
    for name in weights:
        cells = cells_of(evidence, name)
        notes[cells.problem or cells.remark] = None
        sums[name] = math.nan if cells.problem else _sum(cells, node_cost) + evidence.suppressed
    largest = rows * math.fsum(weights.values())
    if not largest:
        notes["no cell has weight: a loss per cell is undefined"] = None
    counted = [weight * sums[name] for name, weight in weights.items() if weight]
    return Loss(
        total=math.fsum(counted),
        largest=largest,
        per_column={name: one / rows if rows else math.nan for name, one in sums.items()},
        note="; ".join(note for note in notes if note),
    )


def _sum(cells: PublishedCells, node_cost: NodeCost) -> float:
    if cells.tree is None:
        costs = cells.shares
    elif cells.tree.n_leaves <= 1:
        return 0.0
    else:  # a node over a single leaf tells that leaf, so it costs nothing
        costs = np.where(cells.leaves > 1, node_cost(cells.tree, cells.nodes, cells.leaves), 0.0)
    return float(np.dot(cells.rows, costs))
