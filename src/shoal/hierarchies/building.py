# SPDX-License-Identifier: Apache-2.0
"""From a column of a table to its hierarchy: the only file of this room that looks at tables."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import TableError, in_parts
from shoal.ground.parameters import build
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.review import review
from shoal.hierarchies.values import Values
from shoal.tables.detecting import UNTOLD, Told
from shoal.tables.frames import as_table
from shoal.tables.notations import found_notation
from shoal.tables.table import Table

ROOM = "hierarchy_kinds"
MOST_ROWS = 50_000
"""Rows that are looked at to see which values go along with which; evenly spread over the table."""
BINS = 8
"""Groups into which another column's values are put where it has many."""


def build_hierarchy(
    data: Any,
    column: str,
    kind: str = "similarity",
    *,
    date_format: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    **settings: Any,
) -> Hierarchy:
    """The hierarchy of a column of a frame or file, built in one of the ways that ``shoal hierarchy kinds`` lists.

    ``settings`` are the builder's parameters: ``build_hierarchy(frame, "age", "nice_numbers", width=5)``. How dates and
    numbers are written is found in the values; where they leave it open, ``date_format``, ``decimal`` and ``thousands``
    say it.
    """
    table = as_table(data)
    table.require([column], where=f"hierarchy of {column!r}")
    others = [name for name in table.names if name != column] if kind == "similarity" else []
    told = Told(decimal, thousands, date_format)
    tree = build_from(values_of(table, column, others, told), kind, settings)
    if kind == "mapping" and (lone := review(tree).ungrouped):
        said = f"{lone} of the {tree.n_leaves} values of column {column!r} are in no group of the mapping"
        what = in_parts(f"{said}: they become * at once", next="name their groups in the mapping, too")
        warnings.warn(what, stacklevel=2)
    return tree


def build_from(values: Values, kind: str, settings: Mapping[str, Any]) -> Hierarchy:
    """The hierarchy of values that were taken out of a table."""
    module = catalog.load(ROOM, kind)
    parameters = build(module.Parameters, settings, where=f"hierarchy {kind!r}")
    tree: Hierarchy = module.build(values, parameters)
    return tree


def values_of(table: Table, column: str, others: Sequence[str] = (), told: Told = UNTOLD) -> Values:
    """The values of a column with their rows, and how they go along with those of other columns."""
    codes, texts = table.codes(column)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.int64)
    where, words = f"column {column!r}", table.labels.said(column, texts)
    found = found_notation(table, column, told)
    if not others or len(texts) < 2:
        return Values(tuple(texts), counts, (), found, where, words, column)
    rows = spread_rows(len(table), MOST_ROWS)
    sample = table.take(rows) if len(rows) < len(table) else table
    inside = codes[rows]
    together = tuple(counted_together(inside, len(texts), few_codes(sample, other)) for other in others)
    return Values(tuple(texts), counts, together, found, where, words, column)


def spread_rows(n: int, most: int) -> Ints:
    """At most so many row numbers, spread evenly over the table."""
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.linspace(0, n - 1, most).astype(np.int64)


def few_codes(table: Table, name: str) -> Ints:
    """A column as few codes: quantiles of numbers and dates, the commonest values of others; missing is one more."""
    numbers = _numbers(table, name)
    if numbers is not None:
        present = numbers[~np.isnan(numbers)]
        borders = np.unique(np.quantile(present, np.arange(1, BINS) / BINS)) if len(present) else np.zeros(0)
        bins = np.searchsorted(borders, numbers, side="left")
        return np.where(np.isnan(numbers), len(borders) + 1, bins).astype(np.int64)
    codes, texts = table.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    rank = np.empty(len(texts) + 1, dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(texts))
    rank[-1] = -1
    return np.minimum(rank[codes], BINS * BINS) + 1


def _numbers(table: Table, name: str) -> Floats | None:
    """A column of numbers or dates as numbers; None if it holds anything else, or none to compute with."""
    if table.natural_kind(name) not in ("numeric", "date"):
        return None
    try:
        return table.numbers(name).values
    except TableError:
        return None


def counted_together(codes: Ints, n_values: int, others: Ints) -> Floats:
    """Rows with each value of a column and each code of another."""
    width = int(others.max(initial=0)) + 1
    present = codes >= 0
    flat = np.bincount(codes[present] * width + others[present], minlength=n_values * width)
    return flat.reshape(n_values, width).astype(np.float64)
