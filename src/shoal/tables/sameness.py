# SPDX-License-Identifier: Apache-2.0
"""Whether two tables say the same to whoever asks them anything."""

from __future__ import annotations

import numpy as np

from shoal.ground.errors import TableError
from shoal.tables.table import Table


def same_tables(one: Table, other: Table) -> bool:
    """Whether both have the same cells of the same types in the same places, read in the same way."""
    marks = (one.untyped, one.decimal, one.labels, one.variants) == (
        other.untyped, other.decimal, other.labels, other.variants
    )  # fmt: skip
    if not marks or one.frame.schema != other.frame.schema or not one.frame.equals(other.frame):
        return False
    return all(_read_alike(one, other, name) for name in one.names)


def _read_alike(one: Table, other: Table, name: str) -> bool:
    """Whether equal cells of a column are taken for the same: what is said of one table may be the usual of another."""
    if one.notations.get(name) == other.notations.get(name):
        return True
    if not one.untyped:  # beside a type, that something is told of the text counts by itself
        return False
    if one.notation(name) != other.notation(name) or one.natural_kind(name) != other.natural_kind(name):
        return False
    if one.natural_kind(name) not in ("numeric", "date"):
        return True
    try:
        first, second = one.numbers(name), other.numbers(name)
    except TableError:
        return False
    ways = [(numbers.style, numbers.zone) for numbers in (first, second)]
    return ways[0] == ways[1] and np.array_equal(first.values, second.values, equal_nan=True)
