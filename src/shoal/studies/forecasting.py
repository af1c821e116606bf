# SPDX-License-Identifier: Apache-2.0
"""What a plan will cost, before it runs: about how much detail, about how long, and what each further column adds.

Around some records, drawn evenly, a class is grown by itself: from all rows the record that widens it least, again and
again, until there are k. Classes that may share records lose less than those of a partition; by how much is much the
same on all tables, and set right by one factor. Nothing is compiled for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import node_losses
from shoal.ground.arrays import Floats, Ints
from shoal.ground.wording import percent
from shoal.hierarchies.building import spread_rows
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER
from shoal.studies.duration import ANYWAY, expected_seconds, numbers_in, spoken
from shoal.suggesting.suggestion import Suggestion
from shoal.tables.table import Table

CELLS = 60_000_000
"""Cells that are looked at for a forecast: about a second."""
FEWEST, MOST, FEW = 12, 120, 40
"""Classes that are grown, and those that are to compare columns."""
NEAREST = 200
"""Records near its first one that a class is grown from."""
DISJOINT = 1.3
"""How much more a partition loses than classes that may share records."""
FURTHER_ROWS, FURTHER = 2_000, 10
"""Rows, spread evenly, on which further columns are compared, and how many of these."""


@dataclass(frozen=True)
class Forecast:
    """What a plan will cost, about."""

    loss: float
    """Detail lost per cell of the quasi-identifiers, 0 to 1."""
    seconds: float
    """On this machine, kernels compiled."""
    classes: int
    """Classes that were grown to find out."""
    further: dict[str, float] = field(default_factory=dict)
    """For each further column, by how much the loss per cell of the others would rise."""

    def __str__(self) -> str:
        told = f"about {percent(self.loss)} of the detail in the quasi-identifiers will be lost"
        return f"{told}; the run takes about {spoken(self.seconds)}"

    def to_dict(self) -> dict[str, Any]:
        """The figures, for JSON."""
        return {"loss": self.loss, "seconds": self.seconds, "classes": self.classes, "further": self.further}


def forecast(suggestion: Suggestion) -> Forecast:
    """What the plan of a suggestion will cost on its table, and what each of the next quasi-identifiers would."""
    table, plan = suggestion.table, suggestion.plan
    if table is None or not plan.quasi_identifiers:
        return Forecast(0.0, ANYWAY, 0)
    loss, classes = _loss(table, plan, MOST)
    seconds = expected_seconds(len(table), len(table.names), plan, numbers_in(table, plan))
    return Forecast(loss, seconds, classes, _further(table, suggestion))


def _further(table: Table, suggestion: Suggestion) -> dict[str, float]:
    """By how much each of the next quasi-identifiers would raise the loss of the others, on a part of the rows."""
    following = [name for name, column in suggestion.columns.items() if column.next]
    if not following:
        return {}
    part = table.take(spread_rows(len(table), FURTHER_ROWS))
    smaller = replace(suggestion.plan, k=min(suggestion.plan.k, max(len(part) // 2, 1)))
    before, _ = _loss(part, smaller, FEW)
    found = {}
    for name in following[:FURTHER]:
        column = suggestion.columns[name]
        planned = ColumnPlan(QUASI_IDENTIFIER, column.kind, column.hierarchy, order=column.order)
        after, _ = _loss(part, smaller.with_columns({name: planned}), FEW, besides=name)
        found[name] = max(after - before, 0.0)
    return found


def _loss(table: Table, plan: Plan, most: int, besides: str = "") -> tuple[float, int]:
    """Loss per cell of classes grown around some records, one column aside; and how many were grown."""
    encoded = encode(table, complete(plan, table))
    if not len(encoded):
        return 0.0, 0
    rows, places, counts = _atoms(encoded)
    columns = [_Column(column, encoded.loss, rows) for column in encoded.columns]
    counted = [column.name != besides for column in encoded.columns]
    weight = math.fsum(column.weight for column, one in zip(encoded.columns, counted) if one)
    wanted = int(np.clip(CELLS // (len(rows) * len(columns)), FEWEST, most))
    drawn = places[np.random.default_rng(0).integers(0, len(encoded), wanted)]
    losses = [_grown(columns, counts, int(first), plan.k)[counted].sum() for first in drawn.tolist()]
    return min(float(np.mean(losses)) / max(weight, 1e-12) * DISJOINT, 1.0), wanted


def _atoms(encoded: Encoded) -> tuple[Ints, Ints, Ints]:
    """A row of each different record, the record of every row, and how often each occurs."""
    random = np.random.default_rng(0)
    marks = np.zeros(len(encoded), dtype=np.uint64)
    for column in encoded.columns:
        odd = np.uint64(int(random.integers(2**62)) * 2 + 1)
        with np.errstate(over="ignore"):
            bits = (column.points + 0.0).view(np.uint64) * odd
            marks = (marks ^ (bits ^ (bits >> np.uint64(31)))) * np.uint64(0x9E3779B97F4A7C15)
    _, rows, places, counts = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    return rows.astype(np.int64), places.astype(np.int64), counts.astype(np.int64)


class _Column:
    """One quasi-identifier: what a hull costs that also holds a record."""

    def __init__(self, column: EncodedColumn, loss: str, rows: Ints) -> None:
        self.points = column.points[rows]
        self.tree = column.tree
        self.leaves = self.points.astype(np.int64) if column.tree is not None else np.zeros(0, dtype=np.int64)
        self.costs = node_losses(column.tree, loss) * column.weight if column.tree is not None else np.zeros(0)
        self.scale, self.cap = column.term(loss).scale, column.weight

    def joined(self, low: float, high: float, atoms: Ints | slice) -> Floats:
        """Cost of the hull from low to high with each of some records."""
        if self.tree is None:
            points = self.points[atoms]
            width = np.maximum(points, high) - np.minimum(points, low)
            return np.minimum(width * self.scale, self.cap)
        by_leaf = self._by_leaf(int(low), int(high))
        shared: Floats = by_leaf[self.leaves[atoms]]
        return shared

    def _by_leaf(self, low: int, high: int) -> Floats:
        """The same for every leaf of the tree: that of the lowest node above all."""
        above = self.tree.ancestors  # type: ignore[union-attr]
        leaves = np.arange(above.shape[1])
        first, last = np.minimum(leaves, low), np.maximum(leaves, high)
        costs = np.full(len(leaves), self.costs[0])
        for level in range(len(above) - 2, -1, -1):
            meet = above[level][first] == above[level][last]
            costs[meet] = self.costs[above[level][first[meet]]]
        return costs


def _grown(columns: Sequence[_Column], counts: Ints, first: int, k: int) -> Floats:
    """Cost per column of a class of at least k records, grown from one by the cheapest neighbours."""
    lows = [float(column.points[first]) for column in columns]
    highs, have = list(lows), int(counts[first])
    if have >= k:
        return np.zeros(len(columns))
    far = np.sum([column.joined(low, low, slice(None)) for column, low in zip(columns, lows)], axis=0)
    far[first] = np.inf
    near = np.argpartition(far, min(NEAREST, len(far) - 1))[:NEAREST].astype(np.int64)
    near = near[np.isfinite(far[near])]
    while have < k and len(near):
        parts = np.array([column.joined(low, high, near) for column, low, high in zip(columns, lows, highs)])
        best = int(parts.sum(axis=0).argmin())
        for place, column in enumerate(columns):
            point = float(column.points[near[best]])
            lows[place], highs[place] = min(lows[place], point), max(highs[place], point)
        have += int(counts[near[best]])
        near = np.delete(near, best)
    alone = np.array([first])
    return np.array([float(column.joined(low, high, alone)[0]) for column, low, high in zip(columns, lows, highs)])
