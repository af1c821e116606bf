# SPDX-License-Identifier: Apache-2.0
"""One quasi-identifier seen class by class: what every rendering starts from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import EncodedColumn
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.tables.column_types import written_moment
from shoal.tables.notation import PLAIN, Notation, written_date, written_number
from shoal.tables.table import MICROSECONDS_OF_A_DAY, gather

ANYTHING = "*"
"""Published where a class mixes missing and present cells of a range column."""

EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True, eq=False)
class ClassedColumn:
    """A column and the class of each of its (kept) rows."""

    column: EncodedColumn
    labels: Ints
    n_classes: int
    typed: bool
    """Whether its cells have a type; else numbers and dates are written as text, in its notation."""
    notation: Notation = PLAIN
    by_class: Ints | None = None
    """All rows by class and then in row order, where somebody has sorted them."""

    @cached_property
    def absent(self) -> Flags:
        """[row] the cell is missing."""
        column = self.column
        if column.holes is not None:
            return column.holes
        if column.missing is None:
            return np.zeros(len(self.labels), dtype=bool)
        absent: Flags = column.points == column.missing
        return absent

    @cached_property
    def present(self) -> Ints:
        """Rows whose cell is not missing, by class and then in row order."""
        rows = np.argsort(self.labels, kind="stable") if self.by_class is None else self.by_class
        return rows[~self.absent[rows]] if self.absent.any() else rows

    @cached_property
    def n_present(self) -> Ints:
        """[class] how many cells are present."""
        return np.bincount(self.labels[self.present], minlength=self.n_classes)

    @cached_property
    def hidden(self) -> Flags:
        """[class] mixes missing and present cells, and missing is a value of its own: only "anything" is true."""
        if self.column.holes is not None:
            return np.zeros(self.n_classes, dtype=bool)
        mixed = np.bincount(self.labels[self.absent], minlength=self.n_classes) > 0
        return mixed & (self.n_present > 0)

    @cached_property
    def hull(self) -> tuple[Floats, Floats]:
        """[class] smallest and largest coordinate of the present cells (any number where none is)."""
        lo, hi = np.zeros(self.n_classes), np.zeros(self.n_classes)
        starts = np.concatenate([[0], np.cumsum(self.n_present)])[:-1]
        filled = self.n_present > 0
        points = self.column.points[self.present]
        if len(points):
            lo[filled] = np.minimum.reduceat(points, starts[filled])
            hi[filled] = np.maximum.reduceat(points, starts[filled])
        return lo, hi

    @cached_property
    def hulls(self) -> tuple[Floats, Ints]:
        """The different pairs of a smallest and a largest coordinate, and which of them each class has."""
        both = np.column_stack(self.hull).view(np.complex128).ravel()  # these are sorted as pairs are, only faster
        pairs, index = np.unique(both, return_inverse=True)
        return pairs.view(np.float64).reshape(-1, 2), index

    @cached_property
    def members(self) -> Floats:
        """[present row] its class and its coordinate."""
        return np.column_stack([self.labels[self.present], self.column.points[self.present]])

    @cached_property
    def means(self) -> Floats:
        """[class] mean coordinate of the present cells; rounding does not lead outside the class."""
        rows = self.present
        sums = np.bincount(self.labels[rows], weights=self.column.points[rows], minlength=self.n_classes)
        return np.clip(sums / np.maximum(self.n_present, 1), *self.hull)

    @cached_property
    def whole_days(self) -> bool:
        """Whether all moments of the column are midnights: days, in a frame that has no type for them."""
        points = self.column.points[self.present]
        return bool((points % MICROSECONDS_OF_A_DAY == 0).all())

    # -- writing ------------------------------------------------------------------------------------------

    def cells(self, shown: Sequence[Any], index: Ints, mixed: Any = ANYTHING) -> Any:
        """One cell per row: ``shown[index[class]]``, missing where the class or the cell has nothing to show."""
        missing_at, mixed_at = len(shown), len(shown) + 1
        picked = np.where(self.n_present > 0, index, missing_at)
        picked = np.where(self.hidden, mixed_at, picked)[self.labels]
        if self.column.holes is not None:
            picked = np.where(self.column.holes, missing_at, picked)
        return gather([*shown, None, mixed], picked)

    def write(self, coordinate: float) -> str:
        """A coordinate as the text a reader expects: ``37``, ``2020-01-31``, a category."""
        column = self.column
        if column.tree is not None:
            return column.tree.leaf_labels[int(coordinate)]
        if column.style == "ordered":
            return column.order[int(coordinate)] if column.order else ""  # no label where every cell is missing
        if column.zone:
            return written_moment(round(coordinate), column.zone)
        value = self.typed_value(coordinate)
        if not isinstance(value, date):
            return written_number(value, self.notation)
        if self.notation.date_format:
            return written_date(value, self.notation)
        return (value.date() if isinstance(value, datetime) and self.whole_days else value).isoformat()

    def typed_value(self, coordinate: float) -> Any:
        """A coordinate as a number, date or moment (in universal time, if a zone is known)."""
        style = self.column.style
        if style == "date":
            return (EPOCH + timedelta(days=round(coordinate))).date()
        if style == "datetime":
            return EPOCH + timedelta(microseconds=round(coordinate))
        return int(coordinate) if style == "integer" else float(coordinate)

    def centre_cells(self, centres: Floats) -> Any:
        """One representative per class, typed where the table is; a mixed class shows a missing cell."""
        distinct, index = np.unique(centres, return_inverse=True)
        as_text = not self.typed or self.column.tree is not None or self.column.style == "ordered"
        writer: Callable[[float], Any] = self.write if as_text else self.typed_value
        return self.cells([writer(centre) for centre in distinct], index, mixed=None)
