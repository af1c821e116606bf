# SPDX-License-Identifier: Apache-2.0
"""Encoded: the quasi-identifiers of a table as coordinates, with the loss of a hull over them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.engine.encoding.losses import SMALLEST_SPAN, HullTerm, hull_kernel_arrays
from shoal.engine.encoding.missing import place_beyond
from shoal.engine.encoding.scales import LossScale
from shoal.engine.encoding.steps import in_steps
from shoal.engine.kernels.hull import Hulls, class_hulls, total_loss
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.hierarchies.hierarchy import Hierarchy

LARGEST_WEIGHT = 1e30
"""Of the multiples of the smallest weight; what has less beside this counts for nothing in any sum of floats."""


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """One quasi-identifier as coordinates on a line: its numbers, or the leaf numbers of its tree.

    Numbers whose loss is counted on another scale have their places there as coordinates, and themselves in ``plain``.
    """

    name: str
    points: Floats
    weight: float = 1.0
    tree: Hierarchy | None = None
    """The tree (with a leaf for missing, if any is), None for a column published as a range."""
    missing: float | None = None
    """The coordinate that stands for a missing cell; None if none is missing."""
    style: str = "real"
    """How a number is written: integer, real, date, datetime; ``ordered`` for ranks."""
    order: tuple[str, ...] = ()
    """The labels behind the ranks of an ordered column."""
    holes: Flags | None = None
    """Cells that are missing and match anything; their coordinate is only a stand-in."""
    zone: str = ""
    """Time zone in which moments are shown."""
    step: float = 1.0
    """What a difference of 1 between coordinates stands for."""
    scale: LossScale | None = None
    """Where the loss is counted on another scale: how numbers become coordinates."""
    plain: EncodedColumn | None = None
    """There, the same column with its numbers as coordinates: what classes publish."""
    behind: EncodedColumn | None = None
    """The column itself, where coordinates are the numbers of bands that all classes share."""
    whole_span: float | None = None
    """The span of the whole column, where this is a part of it whose loss is to be counted as that of the whole."""

    @property
    def itself(self) -> EncodedColumn:
        """The column as it would be without common bands."""
        return self.behind or self

    @property
    def written(self) -> EncodedColumn:
        """The column as it is published, its numbers themselves as coordinates."""
        return self.itself.plain or self.itself

    @cached_property
    def span(self) -> float:
        """Largest minus smallest number, missing cells aside."""
        if self.whole_span is not None:
            return self.whole_span
        present = self.points if self.missing is None else self.points[self.points != self.missing]
        return float(present.max() - present.min()) if len(present) else 0.0

    def in_steps(self) -> EncodedColumn:
        """The same column for methods alone, its numbers counted in steps from the smallest one."""
        if self.tree is not None or self.style == "ordered":
            return self
        holes = self.points == self.missing
        counted, step = in_steps(self.points[~holes])
        if self.span <= SMALLEST_SPAN:
            counted = np.zeros(len(counted))
        line = np.full(len(holes), np.nan)
        line[~holes] = counted
        points, beyond = place_beyond(line)
        return replace(self, points=points, missing=beyond, step=self.step * step, scale=None, plain=None)

    def lighter(self, times: float) -> EncodedColumn:
        """The same column with a weight that many times smaller."""
        behind = None if self.behind is None else self.behind.lighter(times)
        return replace(self, weight=self.weight / times, behind=behind)

    def take(self, rows: Ints) -> EncodedColumn:
        """The same column, these rows only."""
        holes = None if self.holes is None else self.holes[rows]
        plain, behind = (None if one is None else one.take(rows) for one in (self.plain, self.behind))
        return replace(self, points=self.points[rows], holes=holes, plain=plain, behind=behind)

    def shares(self, low: Floats, high: Floats) -> Floats:
        """What ranges of numbers cost, as shares of the column's own, with weight 1."""
        if self.scale is not None:
            low, high = self.scale(low), self.scale(high)
        width = high - low
        return np.minimum(width / self.span, 1.0) if self.span > SMALLEST_SPAN else np.zeros(width.shape)

    def term(self, loss: str) -> HullTerm:
        """How the loss of this attribute is looked up."""
        if self.tree is not None:
            return HullTerm.of_tree(self.tree, loss, self.weight)
        return HullTerm.of_range(self.span, self.missing is not None, self.weight)


@dataclass(frozen=True, eq=False)
class Encoded:
    """All quasi-identifiers, ready for the algorithms."""

    columns: tuple[EncodedColumn, ...]
    loss: str = "ncp"

    @cached_property
    def points(self) -> Floats:
        """[record, attribute] coordinates, C order; negative zero is made positive so that equal means equal bits."""
        if not self.columns:
            return np.zeros((0, 0))
        return np.ascontiguousarray(np.column_stack([column.points for column in self.columns]) + 0.0)

    @cached_property
    def hulls(self) -> Hulls:
        """The loss of a hull, as the kernels take it."""
        return hull_kernel_arrays([column.term(self.loss) for column in self.columns])

    @cached_property
    def unitless(self) -> Encoded:
        """The table as methods see it: numbers counted in steps, weights as multiples of the smallest one.

        So classes do not change, not even by ties, when a column is given in another unit, or counted from another
        zero, or when all weights are multiplied by the same number.
        """
        weights = [column.itself.weight for column in self.columns if column.itself.weight > 0] or [1.0]
        unit = max(min(weights), max(weights) / LARGEST_WEIGHT)
        return Encoded(tuple(column.in_steps().lighter(unit) for column in self.columns), self.loss)

    @cached_property
    def full(self) -> float:
        """What a record costs of which nothing is left."""
        return math.fsum(column.itself.weight for column in self.columns)

    @cached_property
    def fixed(self) -> float:
        """What all records cost by the bands that all classes share, however they are grouped."""
        return math.fsum(
            total_of(Encoded((column.behind,), self.loss), column.points.astype(np.int64))
            for column in self.columns
            if column.behind is not None
        )

    @cached_property
    def strata(self) -> Ints | None:
        """[record] its combination of common bands, within which a class must stay; None if there are none."""
        bands = [column.points for column in self.columns if column.behind is not None]
        return np.unique(np.column_stack(bands), axis=0, return_inverse=True)[1].ravel() if bands else None

    def is_crossed(self, labels: Ints) -> bool:
        """Whether some class lies across common bands."""
        if self.strata is None:
            return False
        pairs = np.unique(np.column_stack([labels, self.strata])[labels >= 0], axis=0)
        return len(np.unique(pairs[:, 0])) < len(pairs)

    def take(self, rows: Ints) -> Encoded:
        """The same table, these rows only."""
        return Encoded(tuple(column.take(rows) for column in self.columns), self.loss)

    def within(self, rows: Ints) -> Encoded:
        """The same table, these rows only, their loss counted as in the whole."""
        parts = [replace(column.take(rows), whole_span=column.span) for column in self.columns]
        return Encoded(tuple(parts), self.loss)

    def part(self, places: Sequence[int]) -> Encoded:
        """Some of the quasi-identifiers, by their places."""
        return replace(self, columns=tuple(self.columns[place] for place in places))

    def __len__(self) -> int:
        return len(self.columns[0].points) if self.columns else 0


def total_of(encoded: Encoded, labels: Ints) -> float:
    """Total loss of a partition; records of no class (-1) cost nothing."""
    return float(total_loss(encoded.hulls, *class_hulls(encoded.points, labels, int(labels.max()) + 1)))
