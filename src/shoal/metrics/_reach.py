# SPDX-License-Identifier: Apache-2.0
"""How far the published cell of every single row reaches, beside the original values: what boxes are judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import ShoalError
from shoal.metrics._cells import column_of, labels_of, positions_of, value_positions
from shoal.metrics._lines import Line
from shoal.metrics._protocol import Evidence

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Reach:
    """One column: where the original values lie, and what each released row allows."""

    positions: Floats
    """[original row], missing = NaN."""
    low: Floats
    """[released row] first position that the cell allows; -inf if anything, NaN if only missing."""
    high: Floats
    shares: Floats
    """[released row] share of the column's range or leaves that the cell leaves open."""
    problem: str = ""

    def holds(self, rows: NDArray[np.int64], wildcard: bool) -> Flags:
        """[released row] whether its cell allows the value of the original row named for it."""
        at = self.positions[rows]
        inside = (self.low <= at) & (at <= self.high)
        empty, missing = np.isnan(self.low), np.isnan(at)
        if wildcard:
            return inside | empty | missing
        return inside | (missing & (empty | np.isinf(self.low)))


def reach_of(evidence: Evidence, name: str) -> Reach:
    """Read a quasi-identifier row by row; what cannot be read is told as a problem."""
    nothing = np.zeros(0)
    try:
        column = column_of(evidence, name)
        if isinstance(column, Line):
            return _on_a_line(evidence, name, column)
        codes, labels = labels_of(evidence, name, column.read)
        read = [column.read(label) for label in labels]
        if None in read:
            return Reach(nothing, nothing, nothing, nothing, f"column {name!r}: labels that cannot be read")
        nodes = np.array([one[0] for one in read if one is not None], dtype=np.int64)
        tree = column.hierarchy
        low = np.where(nodes == 0, -np.inf, tree.first[nodes])
        high = np.where(nodes == 0, np.inf, tree.last[nodes])
        leaves = tree.last[nodes] - tree.first[nodes] + 1
        shares = np.where(leaves > 1, leaves / tree.n_leaves, 0.0)
    except ShoalError as problem:
        return Reach(nothing, nothing, nothing, nothing, f"{problem.where}: {problem.what}")
    return Reach(
        column.positions, np.append(low, np.nan)[codes], np.append(high, np.nan)[codes], np.append(shares, 0.0)[codes]
    )


def _on_a_line(evidence: Evidence, name: str, line: Line) -> Reach:
    if evidence.plan.rendering(name) == "bounds":
        low, high = (positions_of(evidence.released, shown, line) for shown in evidence.plan.published(name))
        unknown = np.isnan(low)  # missing, or missing and present mixed: the bounds do not tell which
        low, high = np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high)
    else:
        values = value_positions(evidence.released, name, line)
        if values is not None:
            low = high = values
        else:
            codes, labels = labels_of(evidence, name, line.read)
            read = [line.read(label) for label in labels]
            if None in read:
                nothing = np.zeros(0)
                return Reach(nothing, nothing, nothing, nothing, f"column {name!r}: labels that cannot be read")
            ends = np.array([*read, (np.nan, np.nan)], dtype=np.float64)[codes]
            low, high = ends[:, 0], ends[:, 1]
    open_ended = np.isinf(low)
    plain = [np.where(open_ended | np.isnan(low), 0.0, one) for one in (low, high)]
    shares = np.where(open_ended, line.share_of_anything, line.shares(*plain))
    return Reach(line.positions, low, high, shares)
