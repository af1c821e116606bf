# SPDX-License-Identifier: Apache-2.0
"""What an estimator may be given, as a table, with the way back: an array gives an array, a frame the same kind.

Rows stay in their order here, since whoever uses an estimator joins its results to other columns by position or index.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal.faces.estimating.refusals import InvalidInputError
from shoal.ground.errors import ShoalError
from shoal.tables.frames import Taken, is_frame, take_in
from shoal.tables.side_doors import array_of, table_of
from shoal.tables.table import Table


@dataclass(frozen=True)
class Given:
    """The input of one call."""

    table: Table
    checked: Any = field(repr=False)
    """What scikit-learn may look at for the number and the names of the columns."""
    taken: Taken | None = field(default=None, repr=False)
    """The caller's frame; None if it was an array."""

    @property
    def is_array(self) -> bool:
        """Whether it was an array, or something that can be made one."""
        return self.taken is None

    def as_fitted(self, names: list[str]) -> Given:
        """The same with the columns of the fitted table where one of the two was an array, which has no names."""
        if self.table.names == names:
            return self
        return Given(self.table.renamed(names), self.checked)

    def back(self, released: Table, changed: Set[str]) -> Any:
        """A table of the same rows as the caller's kind."""
        return array_of(released) if self.taken is None else self.taken.in_place(released, changed)


def given(data: Any) -> Given:
    """A frame or an array as a table."""
    if is_frame(data):
        taken = take_in(data)
        taken.check_index()
        return Given(taken.table, taken.native, taken)
    array = _array(data)
    return Given(table_of(array, [f"x{place}" for place in range(array.shape[1])]), array)


def _array(data: Any) -> Any:
    """A two-dimensional array of at least one column; no message shows what is in it, as those of a library would."""
    if hasattr(data, "tocsr"):
        raise _refused("Sparse data was passed, but it must be dense.", "a dense array or a frame", "sparse data")
    try:
        array = np.asarray(data)
    except (ValueError, TypeError):
        raise _refused("The rows are not alike.", "as many cells in each row", "rows of different shapes") from None
    if np.iscomplexobj(array):
        raise _refused("Complex data not supported.", "real numbers, text, truth values or dates", "complex numbers")
    if array.ndim != 2:
        raise _refused(
            "The array has no rows and columns.",
            "an array of two dimensions",
            f"{array.ndim} dimensions",
            "Reshape your data, e.g. with X.reshape(-1, 1) if it is one column",
        )
    if array.shape[1] == 0:
        received = f"0 feature(s) (shape={array.shape}) while a minimum of 1 is required."
        raise _refused("The array has no columns.", "at least one column", received)
    if array.dtype.kind in "fc" and np.isinf(array).any():
        count = int(np.isinf(array).sum())
        raise _refused("The array holds infinity.", "finite numbers or NaN", f"{count} infinite cells")
    return array


def _refused(what: str, allowed: str, received: str, todo: str = "convert the data first") -> ShoalError:
    return InvalidInputError(what, where="X", allowed=allowed, received=received, todo=todo)
