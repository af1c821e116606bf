# SPDX-License-Identifier: Apache-2.0
"""What every builder is given: the values of one column, and how they go along with other columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import HierarchyError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.tables.detecting import NOTHING, Found
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.notations import numbers_in, open_question


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of a column as its table shows them; missing cells are none of them."""

    texts: tuple[str, ...]
    counts: Ints
    """Rows with each value."""
    others: tuple[Floats, ...] = ()
    """Per other column, ``[value, value of the other]``: rows with both."""
    found: Found = NOTHING
    """How numbers and dates are written."""
    where: str = "hierarchy"
    """What messages call the column."""
    words: tuple[str, ...] = ()
    """What each value means, where labels tell; codes alone say little."""
    column: str = ""
    """Its name, for flags that messages advise."""

    @classmethod
    def of(cls, texts: Iterable[str], counts: Sequence[int] | None = None) -> Values:
        """Values alone; each once, unless counts are given."""
        distinct = tuple(texts) if counts is not None else tuple(sorted(set(texts)))
        return cls(distinct, np.asarray(counts if counts is not None else [1] * len(distinct), dtype=np.int64))

    @property
    def said(self) -> tuple[str, ...]:
        """What each value says: its label, or itself."""
        return self.words or self.texts

    @property
    def notation(self) -> Notation:
        """How numbers and dates are written; refused where the values leave that open."""
        if self.found.choices or self.found.mixed:
            raise open_question(self.column, self.found, "build the tree by similarity or frequency")
        return self.found.notation or PLAIN

    def numbers(self) -> Floats:
        """The values as numbers; refuses others, counted and not named."""
        notation = self.notation
        read = [_number(text) for text in self.texts] if notation == PLAIN else numbers_in(self.texts, notation)
        bad = sum(number is None for number in read)
        if bad:
            raise HierarchyError(
                "Some values are no numbers, so they cannot be put into ranges.",
                where=self.where,
                allowed=f"finite {notation.words}",
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
    label, number = wanted, 1
    while label in taken:
        number += 1
        label = f"{wanted} ({number})"
    taken.add(label)
    return label


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None
