# SPDX-License-Identifier: Apache-2.0
"""New rows to classes that are published: into one whose label is true of them, else where they cost least.

What a class publishes stays as it is; a new row only joins those who show it. Where a column publishes a range, a node,
a set or bounds, that must be true of the row. A centre claims nothing about a single row, so any class will do, and the
one is taken whose loss would rise least. Ties go to the class with the lowest loss, then to the lowest number. A record
of the fitted table goes to its own class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.losses import node_losses
from shoal.engine.generalizing.groups import ClassedColumn
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import TableError, column_words
from shoal.plan.plan import Plan
from shoal.tables.table import Table

NOWHERE = -1
UNKNOWN = np.inf
"""Stands for a name that the fitted table does not have; NaN stands for a missing cell."""
LARGEST_BLOCK = 4_000_000
"""Most pairs of a row and a class that are compared at once."""
DECIMALS = 12


@dataclass(frozen=True, eq=False)
class ColumnOfClasses:
    """One quasi-identifier: what each class holds and publishes."""

    column: EncodedColumn
    groups: ClassedColumn
    rendering: str
    loss: str

    @classmethod
    def of(cls, column: EncodedColumn, labels: Ints, rendering: str, loss: str) -> ColumnOfClasses:
        """The column of a fitted table whose classes are known."""
        return cls(column, ClassedColumn(column.written, labels, int(labels.max()) + 1, True), rendering, loss)

    @property
    def wildcard(self) -> bool:
        """Whether a missing cell matches anything."""
        return self.column.holes is not None

    @cached_property
    def anything(self) -> Flags:
        """[class] publishes what is true of every cell, of missing ones and of names never seen, too."""
        roots = self.nodes == 0 if self.column.tree is not None and self.rendering == "ancestor" else False
        empty: Flags = self.groups.n_present == 0
        return self.groups.hidden | (empty & self.wildcard) | (roots & ~empty)

    @cached_property
    def nodes(self) -> Ints:
        """[class] the node above its present leaves, the root where it mixes them with missing ones."""
        tree = self.column.tree
        assert tree is not None
        pairs, index = self.groups.hulls
        nodes = np.array([tree.lca(int(low), int(high)) for low, high in pairs], dtype=np.int64)
        return np.where(self.groups.hidden, 0, nodes[index])

    @cached_property
    def reach(self) -> tuple[Floats, Floats]:
        """[class] first and last coordinate that its label allows."""
        if self.column.tree is None or self.rendering != "ancestor":
            return self.groups.hull
        tree = self.column.tree
        return tree.first[self.nodes].astype(np.float64), tree.last[self.nodes].astype(np.float64)

    # -- is it true? --------------------------------------------------------------------------------------

    def fits(self, at: Floats) -> Flags:
        """[row, class] whether what the class publishes is true of the row's cell."""
        if self.rendering not in ("interval", "ancestor", "set", "bounds"):
            return np.ones((len(at), self.groups.n_classes), dtype=bool)
        here = at[:, None]
        low, high = self.reach
        inside = (low <= here) & (here <= high) & (self.groups.n_present > 0)
        if self.rendering == "set":
            inside &= self._member(at)
        only_missing = (self.groups.n_present == 0) | self.wildcard
        return np.where(np.isnan(here), only_missing, inside) | self.anything

    def _member(self, at: Floats) -> Flags:
        """[row, class] whether the class holds the very value."""
        rows = self.groups.present
        values, code = np.unique(self.groups.column.points[rows], return_inverse=True)
        held = np.zeros((len(values) + 1, self.groups.n_classes), dtype=bool)
        held[code, self.groups.labels[rows]] = True
        place = np.minimum(np.searchsorted(values, at), max(len(values) - 1, 0))
        known = values[place] == at if len(values) else np.zeros(len(at), dtype=bool)
        return held[np.where(known, place, len(values))]

    # -- what does it cost? -------------------------------------------------------------------------------

    @cached_property
    def costs(self) -> Floats:
        """[class] what it loses in this column."""
        if self.column.tree is not None:
            lost = node_losses(self.column.tree, self.loss)[self.nodes] * self.column.weight
        else:
            low, high = self.groups.hull
            lost = np.where(self.groups.hidden, self.column.weight, self._of_range(low, high))
        return np.where((self.groups.n_present == 0) & ~self.groups.hidden, 0.0, lost)

    def _of_range(self, low: Floats, high: Floats) -> Floats:
        share = self.column.shares(low, high) if self.column.span > 0 else (high > low).astype(np.float64)
        lost: Floats = self.column.weight * share
        return lost

    def joined(self, at: Floats) -> Floats:
        """[row, class] what the class would lose with the row in it."""
        here = at[:, None]
        missing, unknown = np.isnan(here), np.isinf(here)
        whole = np.full((len(at), self.groups.n_classes), self.column.weight)
        if self.column.tree is not None:
            whole *= node_losses(self.column.tree, self.loss)[0]
            present = self._with_leaf(at)
        else:
            low, high = self.groups.hull
            known = np.where(missing | unknown, low, here)
            present = self._of_range(np.minimum(low, known), np.maximum(high, known))
        empty = (self.groups.n_present == 0) & ~self.groups.hidden
        lost = np.where(unknown | self.groups.hidden | (empty & ~missing), whole, present)
        lost = np.where(empty & ~missing & self.wildcard, 0.0, lost)
        kept = np.broadcast_to(self.costs, lost.shape)
        alone = empty | self.groups.hidden | self.wildcard
        return np.where(missing, np.where(alone, kept, whole), lost)

    def _with_leaf(self, at: Floats) -> Floats:
        """[row, class] loss of the node above a class and one more leaf; any number for cells that are no leaf."""
        tree = self.column.tree
        assert tree is not None
        losses = node_losses(tree, self.loss) * self.column.weight
        leaves, leaf = np.unique(np.where(np.isfinite(at), at, 0.0).astype(np.int64), return_inverse=True)
        nodes, node = np.unique(self.nodes, return_inverse=True)
        meet = [
            [losses[tree.lca(min(int(tree.first[one]), int(new)), max(int(tree.last[one]), int(new)))] for one in nodes]
            for new in leaves
        ]
        return np.array(meet)[leaf.ravel()][:, node.ravel()]


@dataclass(frozen=True, eq=False)
class FittedClasses:
    """The classes of a fitted table. Holds the coordinates of its records: as private as the table."""

    columns: tuple[ColumnOfClasses, ...]
    labels: Ints

    @classmethod
    def of(cls, encoded: Encoded, labels: Ints, plan: Plan) -> FittedClasses:
        """What is needed to assign new rows, of a completed plan."""
        made = [ColumnOfClasses.of(own, labels, plan.rendering(own.name), encoded.loss) for own in encoded.columns]
        return cls(tuple(made), labels)

    def assign(self, table: Table) -> Ints:
        """The class of each new row; NOWHERE if no label is true of it."""
        places = np.column_stack([coordinates(held.column.written, table) for held in self.columns])
        known = self._known(places)
        assigned = known.copy()
        open_rows = np.flatnonzero(known == NOWHERE)
        step = max(LARGEST_BLOCK // max(int(self.labels.max()) + 1, 1), 1)
        for start in range(0, len(open_rows), step):
            rows = open_rows[start : start + step]
            assigned[rows] = self._cheapest(places[rows])
        return assigned

    def _cheapest(self, places: Floats) -> Ints:
        """The admissible class whose loss rises least, then the one with the lowest loss, then the first."""
        own = np.sum([column.costs for column in self.columns], axis=0)
        fits = np.all([column.fits(places[:, j]) for j, column in enumerate(self.columns)], axis=0)
        rise = np.sum([column.joined(places[:, j]) for j, column in enumerate(self.columns)], axis=0) - own
        rise = np.where(fits, np.round(rise, DECIMALS), np.inf)
        least = rise == rise.min(axis=1, keepdims=True)
        best = np.where(least, np.round(own, DECIMALS), np.inf).argmin(axis=1)
        return np.where(fits.any(axis=1), best, NOWHERE)

    # -- records of the fitted table ----------------------------------------------------------------------

    @cached_property
    def _records(self) -> tuple[Floats, NDArray[np.uint64], Ints]:
        """Coordinates of the fitted records, their fingerprints in order, and which record each is of."""
        points = np.column_stack([_marked(held.column.written) for held in self.columns])
        prints = _fingerprints(points)
        order = np.argsort(prints, kind="stable")
        return points, prints[order], order

    def _known(self, places: Floats) -> Ints:
        """The class of the first fitted record that is equal in every cell, or NOWHERE."""
        points, prints, order = self._records
        wanted = _fingerprints(places)
        first, last = (np.searchsorted(prints, wanted, side=side) for side in ("left", "right"))
        labels = np.full(len(places), NOWHERE, dtype=np.int64)
        for offset in range(int((last - first).max(initial=0))):  # beyond the first only where fingerprints collide
            rows = np.flatnonzero((labels == NOWHERE) & (first + offset < last))
            if not len(rows):
                break
            record = order[first[rows] + offset]
            same = ((points[record] == places[rows]) | (np.isnan(points[record]) & np.isnan(places[rows]))).all(axis=1)
            labels[rows[same]] = self.labels[record[same]]
        return labels


def _marked(column: EncodedColumn) -> Floats:
    """The coordinates of a fitted column with NaN for missing cells."""
    absent = column.holes if column.holes is not None else column.points == column.missing
    return np.where(absent, np.nan, column.points)


def _fingerprints(points: Floats) -> NDArray[np.uint64]:
    """One number per row, equal for equal rows."""
    bits = np.ascontiguousarray(np.where(np.isnan(points), np.nan, points + 0.0)).view(np.uint64)
    odd = np.random.default_rng(0).integers(1, 2**63, size=(2, points.shape[1]), dtype=np.uint64) * np.uint64(2)
    with np.errstate(over="ignore"):
        mixed = (bits ^ (bits >> np.uint64(29))) * (odd[0] + np.uint64(1))
        return np.asarray(((mixed ^ (mixed >> np.uint64(32))) * (odd[1] + np.uint64(1))).sum(axis=1, dtype=np.uint64))


def coordinates(column: EncodedColumn, table: Table) -> Floats:
    """New cells as the fitted column counts them: missing is NaN, a name that was never seen UNKNOWN."""
    name = column.name
    if column.tree is None and column.style != "ordered":
        numbers = table.numbers(name)
        quantities = ("integer", "real")
        alike = numbers.style == column.style or (numbers.style in quantities and column.style in quantities)
        if not alike and not np.isnan(numbers.values).all():
            raise TableError(
                "A column is of another kind than the one that was fitted.",
                where=column_words(name),
                allowed=f"cells of style {column.style!r}, or missing ones",
                received=f"cells of style {numbers.style!r}",
                todo="convert the column to the type that it had in fit",
            )
        return numbers.values
    codes, values = table.codes(name)
    known = column.order if column.tree is None else _own_leaves(column)
    number = {value: float(place) for place, value in enumerate(known)}
    return np.array([*(number.get(value, UNKNOWN) for value in values), np.nan])[codes]


def _own_leaves(column: EncodedColumn) -> list[str]:
    """The leaves of a tree without the one, last, that stands for missing cells."""
    assert column.tree is not None
    extra = column.missing is not None or (column.holes is not None and bool(column.holes.any()))
    return column.tree.leaf_labels[:-1] if extra else column.tree.leaf_labels
