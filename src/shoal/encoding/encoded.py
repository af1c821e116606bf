# SPDX-License-Identifier: Apache-2.0
"""Encoded: the quasi-identifiers of a table as coordinates, with the loss of a hull over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.kernels.hull import Hulls


@dataclass(frozen=True, eq=False)
class EncodedColumn:
    """One quasi-identifier as coordinates on a line: its numbers, or the leaf numbers of its tree."""

    name: str
    points: NDArray[np.float64]
    weight: float = 1.0
    tree: Hierarchy | None = None
    """The tree (with a leaf for missing, if any is), None for a column published as a range."""
    missing: float | None = None
    """The coordinate that stands for a missing cell; None if none is missing."""
    style: str = "real"
    """How a number is written: integer, real, date, datetime; ``ordered`` for ranks."""
    order: tuple[str, ...] = ()
    """The labels behind the ranks of an ordered column."""
    holes: NDArray[np.bool_] | None = None
    """Cells that are missing and match anything; their coordinate is only a stand-in."""
    zone: str = ""
    """Time zone in which moments are shown."""

    @cached_property
    def span(self) -> float:
        """Largest minus smallest number, missing cells aside."""
        present = self.points if self.missing is None else self.points[self.points != self.missing]
        return float(present.max() - present.min()) if len(present) else 0.0

    def take(self, rows: NDArray[np.int64]) -> EncodedColumn:
        """The same column, these rows only."""
        holes = None if self.holes is None else self.holes[rows]
        return replace(self, points=self.points[rows], holes=holes)

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
    def points(self) -> NDArray[np.float64]:
        """[record, attribute] coordinates, C order; negative zero is made positive so that equal means equal bits."""
        if not self.columns:
            return np.zeros((0, 0))
        return np.ascontiguousarray(np.column_stack([column.points for column in self.columns]) + 0.0)

    @cached_property
    def hulls(self) -> Hulls:
        """The loss of a hull, as the kernels take it."""
        return hull_kernel_arrays([column.term(self.loss) for column in self.columns])

    def __len__(self) -> int:
        return len(self.columns[0].points) if self.columns else 0
