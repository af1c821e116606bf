# SPDX-License-Identifier: Apache-2.0
"""What a plan will cost, before it runs: about how much detail, about how long, and what each further column adds.

Some of the rows, spread evenly, are parted into classes, one after the other: around a record that is left, from those
left the record that widens the class least, again and again, until there are k. Classes whose records fit cheaper among
the others are dissolved. A search then finds classes that lose less, by about the same share on all tables. Rows that
are some of many have their neighbours farther away; how much that costs is told by classes that may share records,
grown among these rows and among all. Nothing is compiled for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

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
from shoal.studies.dissolving import Parted, dissolved
from shoal.studies.duration import ANYWAY, expected_seconds, is_of_names, numbers_in, spoken
from shoal.suggesting.suggestion import Suggestion
from shoal.tables.table import Table

CELLS = 60_000_000
"""Cells that are looked at for classes that may share records: about a second."""
FEWEST, MOST, FEW = 12, 250, 40
"""Such classes, and those that are to compare columns."""
JOINED = 2_500
"""Records that are put into them, all in all."""
NEAREST = 200
"""Records near its first one that a class is grown from; twice k where that is more."""
PARTED = 2_000
"""Rows, spread evenly, that are parted into classes: half a second."""
SWEPT = 3
"""Quasi-identifiers up to which they are parted in the order of each of them, too."""
SEARCHED = 0.85
"""What a search leaves of the loss of such classes. Of 98 runs (30 tables of 32 to 5,000 rows, k from 3 to 20) 90 lost
0.8 to 1.2 times the forecast: 43 of 44 with four quasi-identifiers or more, and 47 of 54 with one to three, which lost
0.68 to 1.45 times at the utmost, where next to nothing was lost."""
WITHIN = "a fifth"
"""The same in words."""
SHARED = 1.3
"""About how much more classes lose that share no records."""
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
    rows: int = 0
    """Rows that were parted into classes; of a larger table what others lose is known by classes that share records."""
    of_rows: int = 0
    """Rows of the table."""
    further: dict[str, float] = field(default_factory=dict)
    """For each further column, by how much the loss per cell of the others would rise."""

    def __str__(self) -> str:
        told = f"about {percent(float(f'{self.loss:.2g}'))} of the detail in the quasi-identifiers will be lost"
        tried = f"tried out on {self.rows:,} of {self.of_rows:,} rows, " if self.rows < self.of_rows else ""
        return f"{told} ({tried}mostly right to {WITHIN}); the run takes about {spoken(self.seconds)}"

    def to_dict(self) -> dict[str, Any]:
        """The figures, for JSON."""
        counts = {"classes": self.classes, "rows": self.rows}
        return {"loss": self.loss, "seconds": self.seconds, **counts, "further": self.further}


def forecast(suggestion: Suggestion) -> Forecast:
    """What the plan of a suggestion will cost on its table, and what each of the next quasi-identifiers would."""
    table, plan = suggestion.table, suggestion.plan
    if table is None or not plan.quasi_identifiers:
        return Forecast(0.0, ANYWAY, 0)
    loss, classes, rows = _expected_loss(table, plan)
    size, numbers = (len(table), len(table.names)), numbers_in(table, plan)
    seconds = expected_seconds(*size, plan, numbers, names=is_of_names(table, plan))
    return Forecast(loss, seconds, classes, rows, len(table), _further(table, suggestion))


def _expected_loss(table: Table, plan: Plan) -> tuple[float, int, int]:
    """Loss per cell that a run is likely to come to, and how many classes of how many rows told so."""
    wanted = max(PARTED, FEWEST * plan.k)
    part = table.take(spread_rows(len(table), wanted)) if len(table) > wanted else table
    records = _Records.of(part, plan)
    parted, classes = records.parted(plan.k)
    loss = parted * SEARCHED
    if len(part) < len(table):
        few, grown = records.shared(plan.k, MOST)
        all_, others = _Records.of(table, plan).shared(plan.k, MOST)
        loss *= all_ / few if few else 1.0
        classes += grown + others
    return min(loss, 1.0), classes, len(part)


def _further(table: Table, suggestion: Suggestion) -> dict[str, float]:
    """By how much each of the next quasi-identifiers would raise the loss of the others, on a part of the rows."""
    following = [name for name, column in suggestion.columns.items() if column.next]
    if not following:
        return {}
    part = table.take(spread_rows(len(table), FURTHER_ROWS))
    smaller = replace(suggestion.plan, k=min(suggestion.plan.k, max(len(part) // 2, 1)))
    before, _ = _Records.of(part, smaller).shared(smaller.k, FEW)
    found = {}
    for name in following[:FURTHER]:
        column = suggestion.columns[name]
        planned = ColumnPlan(QUASI_IDENTIFIER, column.kind, column.hierarchy, order=column.order)
        records = _Records.of(part, smaller.with_columns({name: planned}))
        after, _ = records.shared(smaller.k, FEW, besides=name)
        found[name] = max(SHARED * (after - before), 0.0)
    return found


@dataclass(frozen=True, eq=False)
class _Records:
    """The different records of a table, ready to be put into classes."""

    columns: tuple[_Column, ...]
    counts: Ints
    """How often each occurs."""
    places: Ints
    """The record of every row."""

    @classmethod
    def of(cls, table: Table, plan: Plan) -> _Records:
        """Those of a table in the quasi-identifiers of a plan."""
        encoded = encode(table, complete(plan, table))
        rows, places, counts = _atoms(encoded)
        return cls(tuple(_Column(column, encoded.loss, rows) for column in encoded.columns), counts, places)

    def shared(self, k: int, most: int, besides: str = "") -> tuple[float, int]:
        """Loss per cell, one column aside, of classes around records drawn by chance, which may share records."""
        counted = [column.name != besides for column in self.columns]
        usual = min(most, max(JOINED // k, FEW))
        wanted = int(np.clip(CELLS // max(len(self.counts) * len(self.columns), 1), FEWEST, usual))
        drawn = self.places[np.random.default_rng(0).integers(0, len(self.places), wanted)]
        everything = np.arange(len(self.counts))
        grown = [_grown(self.columns, self.counts, int(first), k, everything) for first in drawn.tolist()]
        return float(np.mean([one.costs[counted].sum() for one in grown])) / self._weight(counted), wanted

    def parted(self, k: int) -> tuple[float, int]:
        """Loss per cell of classes that share no record, and how many they are.

        Their first records come as chance draws them. Where few columns leave many rows alike, most depends on what is
        left at the end, so there they also come in the order of each column, and the best of these counts.
        """
        orders = [np.random.default_rng(0).permutation(len(self.counts))]
        if len(self.columns) <= SWEPT:
            points = [column.points for column in self.columns]
            orders += [np.lexsort([*points[:at], *points[at + 1 :], points[at]]) for at in range(len(points))]
        loss, classes = min(dissolved(self.columns, self._classes(order.tolist(), k)) for order in orders)
        return loss / max(len(self.places), 1) / self._weight([True] * len(self.columns)), classes

    def _classes(self, order: Sequence[int], k: int) -> Iterator[Parted]:
        """Classes around the first of the records that are left, again and again.

        Of the last kind of record a class takes no more rows than it needs. The last rows of all, which may be fewer
        than k, are a class, too.
        """
        left = self.counts.copy()
        for first in order:
            while left[first]:
                one = _grown(self.columns, left, first, k, np.flatnonzero(left))
                last, rows = one.members[-1], left[one.members]
                left[one.members] = 0
                left[last] = max(one.size - k, 0) if last != first else 0
                rows[-1] -= left[last]
                yield Parted(one.members, rows)

    def _weight(self, counted: Sequence[bool]) -> float:
        return max(math.fsum(column.cap for column, one in zip(self.columns, counted) if one), 1e-12)


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
        self.name = column.name
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

    def between(self, lows: Floats, highs: Floats) -> Floats:
        """Cost of each hull."""
        if self.tree is None:
            return np.minimum((highs - lows) * self.scale, self.cap)
        above, first, last = self.tree.ancestors, lows.astype(np.int64), highs.astype(np.int64)
        costs = np.full(len(lows), self.costs[0])
        for level in range(len(above) - 2, -1, -1):
            meet = above[level][first] == above[level][last]
            costs[meet] = self.costs[above[level][first[meet]]]
        return costs

    def _by_leaf(self, low: int, high: int) -> Floats:
        """The same for every leaf of the tree: that of the lowest node above all."""
        leaves = np.arange(self.tree.ancestors.shape[1])  # type: ignore[union-attr]
        return self.between(np.minimum(leaves, low), np.maximum(leaves, high))


class _Grown(NamedTuple):
    """A class that was grown around a record."""

    costs: Floats
    """Per column."""
    members: Ints
    size: int
    """Rows of all members."""


def _grown(columns: Sequence[_Column], counts: Ints, first: int, k: int, left: Ints) -> _Grown:
    """A class of at least k rows, if there are so many left, grown from a record by the cheapest neighbours."""
    lows = [float(column.points[first]) for column in columns]
    highs, have, members = list(lows), int(counts[first]), [first]
    near = _nearest(columns, lows, left[left != first], max(NEAREST, 2 * k)) if have < k else left[:0]
    while have < k and len(near):
        parts = np.array([column.joined(low, high, near) for column, low, high in zip(columns, lows, highs)])
        best = int(parts.sum(axis=0).argmin())
        for place, column in enumerate(columns):
            point = float(column.points[near[best]])
            lows[place], highs[place] = min(lows[place], point), max(highs[place], point)
        members.append(int(near[best]))
        have += int(counts[near[best]])
        near = np.delete(near, best)
    alone = np.array([first])
    costs = [float(column.joined(low, high, alone)[0]) for column, low, high in zip(columns, lows, highs)]
    return _Grown(np.array(costs), np.array(members), have)


def _nearest(columns: Sequence[_Column], lows: Sequence[float], others: Ints, wanted: int) -> Ints:
    """The so many records that are nearest to one."""
    if len(others) <= wanted:
        return others
    far = np.sum([column.joined(low, low, others) for column, low in zip(columns, lows)], axis=0)
    near: Ints = others[np.argpartition(far, wanted)[:wanted]]
    return near
