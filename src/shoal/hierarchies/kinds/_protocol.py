# SPDX-License-Identifier: Apache-2.0
"""What every builder is given: the values of one column, and how they go along with other columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError
from shoal.hierarchies.hierarchy import Hierarchy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column as its table shows them; missing cells are none of them."""

    texts: tuple[str, ...]
    counts: Ints
    """Rows with each value."""
    others: tuple[Floats, ...] = ()
    """Per other column, ``[value, value of the other]``: rows with both."""
    decimal: str = "."
    """Decimal mark of numbers."""
    where: str = "hierarchy"
    """What messages call the column."""

    @classmethod
    def of(cls, texts: Iterable[str], counts: Sequence[int] | None = None) -> Values:
        """Values alone; each once, unless counts are given."""
        distinct = tuple(texts) if counts is not None else tuple(sorted(set(texts)))
        return cls(distinct, np.asarray(counts if counts is not None else [1] * len(distinct), dtype=np.int64))

    def numbers(self) -> Floats:
        """The values as numbers; refuses others, counted and not named."""
        read = [_number(text, self.decimal) for text in self.texts]
        bad = sum(one is None for one in read)
        if bad:
            raise HierarchyError(
                "Some values are no numbers, so they cannot be put into ranges.",
                where=self.where,
                allowed=f"finite numbers with decimal mark {self.decimal!r}",
                received=f"{bad} of {len(read)} distinct values that are none",
                todo="mark them as missing with --na, or build the tree by similarity or frequency",
            )
        return np.array(read, dtype=np.float64)


def tree_of(rows: Sequence[Sequence[str]], values: Values) -> Hierarchy:
    """The tree of level rows; over no values it is a bare root."""
    return Hierarchy.from_rows(rows, where=values.where) if rows else Hierarchy.flat([])


def free_label(wanted: str, taken: set[str]) -> str:
    """The label itself, or with a number behind it if it is taken; it is taken from now on.

    >>> free_label("other", {"other"})
    'other (2)'
    """
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted} ({number})"
    taken.add(found)
    return found


def _number(text: str, decimal: str) -> float | None:
    try:
        found = float(text.replace(decimal, ".") if decimal != "." else text)
    except ValueError:
        return None
    return found if np.isfinite(found) else None
