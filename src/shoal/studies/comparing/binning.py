# SPDX-License-Identifier: Apache-2.0
"""One quasi-identifier made coarser before the run, and what its cells then cost, counted on the original values.

Numbers, dates and ordered categories are put into some twenty bins of a round width; values with a tree go one level
up, where short branches wait for the long ones. A class publishes whole bins, or a node above the leaves, so the column
itself costs more than its records alone would ask for; what the others save has to outweigh that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encoded import EncodedColumn
from shoal.engine.encoding.losses import node_losses
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, NUMERIC
from shoal.tables.table import Table, gather

BINS = 20
"""About so many bins over the range of a column."""
CALENDAR = (2.0, 7.0, 30.0, 91.0, 365.0)
"""Widths in days for which people have a word, or nearly."""
DAY = 86_400_000_000.0
"""A day in microseconds, the unit of times."""


@dataclass(frozen=True)
class Binning:
    """A way to make a column coarser: into bins of a width on a line, or (0) one level up in its tree."""

    column: EncodedColumn
    words: str
    width: float = 0.0

    def apply(self, table: Table, plan: Plan) -> tuple[Table, Plan]:
        """Table and plan with the column made coarser."""
        name = self.column.name
        if self.column.tree is None:
            cells, changed = self._floors(), replace(plan.columns[name], kind=NUMERIC)
        else:
            cells, changed = _one_level_up(table, name, self.column.tree), _with_coarse_tree(plan, self.column)
        return table.replace_columns({name: {name: cells}}), plan.with_columns({name: changed})

    def _floors(self) -> object:
        """The lower end of each cell's bin; missing cells stay missing."""
        points, gone = self.column.written.points, _missing(self.column.written)
        known, codes = np.unique(np.floor(points / self.width) * self.width, return_inverse=True)
        return gather([*known.tolist(), None], np.where(gone, len(known), codes.ravel()).astype(np.int64))

    def loss(self, labels: NDArray[np.int64], loss: str) -> float:
        """Mean loss of a cell of the coarse column, on the original scale; left-out records cost 1."""
        order = np.argsort(labels, kind="stable")[int((labels < 0).sum()) :]
        points, group = self.column.written.points[order], labels[order]
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        sizes = np.diff(starts, append=len(group))
        low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
        costs = self._costs(low, high, loss)
        if (missing := self.column.written.missing) is not None:
            absent = np.add.reduceat(points == missing, starts, dtype=np.int64)
            costs = np.where(absent == 0, costs, np.where(absent == sizes, 0.0, 1.0))
        return float((sizes @ costs + len(labels) - len(group)) / len(labels))

    def _costs(self, low: NDArray[np.float64], high: NDArray[np.float64], loss: str) -> NDArray[np.float64]:
        """Cost of a cell of each class, whose records reach from low to high."""
        column = self.column
        if column.tree is not None:
            costs = node_losses(column.tree, loss)
            pairs, which = np.unique(np.column_stack([low, high]).astype(np.int64), axis=0, return_inverse=True)
            nodes = np.array([_published(column.tree, int(lo), int(hi)) for lo, hi in pairs], dtype=np.int64)
            shown: NDArray[np.float64] = costs[nodes[which.ravel()]]
            return shown
        unit = 1.0 if column.written.style in ("integer", "date", "ordered") else 0.0
        first, last = (np.floor(end / self.width) * self.width for end in (low, high))
        return column.shares(first, last + self.width - unit)


def binning_of(column: EncodedColumn) -> Binning | None:
    """How a column can be made coarser; None where nothing lies between its values and the whole."""
    if column.tree is not None:
        return Binning(column, "one level up in its tree") if column.tree.levels > 2 else None
    style, span = column.written.style, column.written.span
    unit, word = {"date": (1.0, " days"), "datetime": (DAY, " days"), "ordered": (1.0, " ranks")}.get(style, (1.0, ""))
    wanted = span / unit / BINS
    width = _calendar(wanted) if word == " days" else _round(wanted)
    if style in ("integer", "ordered"):
        width = max(width, 2.0)
    if not 0 < width * unit < span:
        return None
    return Binning(column, f"in bins of {width:g}{word}", width * unit)


def _round(width: float) -> float:
    """The nearest of 1, 2, 5, 10, 20, ... from above.

    >>> [_round(width) for width in (3.65, 0.04, 730.0)]
    [5.0, 0.05, 1000.0]
    """
    if width <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(width))
    step = next(step for step in (1, 2, 5, 10) if width <= step * power * (1 + 1e-9))
    return float(f"{step * power:.12g}")


def _calendar(days: float) -> float:
    return next((width for width in CALENDAR if days <= width), _round(days / 365) * 365)


def _missing(column: EncodedColumn) -> NDArray[np.bool_]:
    if column.holes is not None:
        return column.holes
    gone: NDArray[np.bool_] = np.zeros(len(column.points), dtype=bool)
    return gone if column.missing is None else column.points == column.missing


def _published(tree: Hierarchy, low: int, high: int) -> int:
    """The node a class publishes: the common ancestor, or for a single leaf the node one level up."""
    return int(tree.ancestors[1][low]) if low == high else tree.lca(low, high)


def _one_level_up(table: Table, name: str, tree: Hierarchy) -> object:
    codes, values = table.codes(name)
    labels = [tree.labels[tree.ancestors[1][tree.leaf_numbers[value]]] for value in values]
    return gather([*labels, None], np.where(codes < 0, len(labels), codes).astype(np.int64))


def _with_coarse_tree(plan: Plan, column: EncodedColumn) -> ColumnPlan:
    """The tree without its lowest level; the leaf of missing values is left out, for it is grown again."""
    tree = column.tree
    assert tree is not None
    nodes = [node for node in dict.fromkeys(tree.ancestors[1].tolist()) if tree.labels[node] != ""]
    rows = [_climb(tree, node) for node in nodes]
    return replace(plan.columns[column.name], kind=CATEGORICAL, hierarchy=Hierarchy.from_rows(rows))


def _climb(tree: Hierarchy, node: int) -> list[str]:
    """Labels from a node up to the root."""
    row = []
    while node >= 0:
        row.append(tree.labels[node])
        node = int(tree.parents[node])
    return row
