# SPDX-License-Identifier: Apache-2.0
"""Cells that say the same but are written differently: in quasi-identifiers they count as different labels.

How a cell is written is a column of anything (``written``): bytes of a field, bits of a number. Whatever is written
alike must be read alike, else the two readers disagree about the file, and it is refused. Of several ways to write one
value the commonest keeps the value as its label; the others get labels of their own, and look-alikes fall apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.ground.arrays import Ints
from shoal.ground.errors import Refusal, TableError
from shoal.tables.columns import different
from shoal.tables.table import Table

MARK = ", written otherwise "

Written = Mapping[str, pl.Series]
"""How the cells of columns are written."""
NOTHING_HIDDEN: Written = {}
DISAGREEMENT = Refusal(
    TableError,
    "Two readers disagree about what the table holds, so it cannot be judged.",
    allowed="a file that can be read in one way only",
    todo="write the table again, e.g. by reading and saving it with one program",
)


@dataclass(frozen=True)
class _Spelling:
    """A column by value and by the way it is written."""

    value: Ints
    """[row] its value."""
    form: Ints
    """[row] its place among the ways to write its value, the commonest first."""


def told_apart(table: Table, written: Mapping[str, pl.Series], shown: Collection[str], where: str) -> Table:
    """The table as the judge sees it: cells that are written differently are different in the columns ``shown``.

    ``written`` holds the columns of which a reader could see more than their values. In how many rows a column is
    written in another way than usual is told by :attr:`Table.variants`.
    """
    refuse_unjudgeable(table, where)
    variants: dict[str, int] = {}
    labels: dict[str, pl.Series] = {}
    for name, forms in written.items():
        spelling = _spelling(table.frame.get_column(name), forms, where)
        if spelling is None:
            continue
        variants[name] = int((spelling.form > 0).sum())
        if name in shown:
            labels[name] = _labels(table, name, spelling)
    return replace(table, frame=table.frame.with_columns(**labels), variants=variants) if variants else table


def refuse_unjudgeable(table: Table, where: str) -> None:
    """Refuse columns whose cells hold more than one value, or bytes: nothing here looks inside them."""
    for name, kind in table.frame.schema.items():
        if kind.is_nested() or kind in (pl.Binary, pl.Object) or isinstance(kind, pl.BaseExtension):
            raise unjudgeable(name, f"type {kind}", where)


def unjudgeable(name: str, received: str, where: str) -> TableError:
    """The refusal of a column that cannot be looked into."""
    return TableError(
        "A column holds nested or binary cells, which cannot be judged.",
        where=f"{where}, column {name!r}",
        allowed="numbers, text, booleans, dates, moments, times",
        received=received,
        todo="unpack it into plain columns, or leave it out of the release",
    )


def refused(what: str, where: str, allowed: str, received: str) -> TableError:
    """The refusal of something whose bytes tell more than its cells do."""
    todo = "write the table again, every row in the same way, e.g. by reading and saving it with one program"
    return TableError(what, where=where, allowed=allowed, received=received, todo=todo)


def unstable(where: str) -> TableError:
    """The refusal of a database that could be read once, but not again."""
    return TableError(
        "The database cannot be read a second time.",
        where=where,
        allowed="a file that nobody changes meanwhile",
        received="one that fails",
        todo="close other programs that use it, and try again",
    )


def _spelling(cells: pl.Series, forms: pl.Series, where: str) -> _Spelling | None:
    """How a column is written; None if every value is written in one way."""
    if len(forms) != len(cells):
        raise DISAGREEMENT(where, f"{len(cells)} and {len(forms)} rows")
    if cells.dtype == forms.dtype and cells.equals(forms):
        return None
    value, values = different(cells)
    form, examples = different(forms)
    ways = len(examples)
    if ways == len(values) and np.array_equal(value[examples][form], value):
        return None  # one way for each value
    pairs, which, rows = np.unique(value * ways + form, return_inverse=True, return_counts=True)
    if len(pairs) > ways:
        raise DISAGREEMENT(where, f"column {cells.name!r} with cells that are written alike and read differently")
    if len(pairs) == len(values):
        return None
    order = np.lexsort((-rows, pairs // max(ways, 1)))
    rank = np.empty(len(pairs), dtype=np.int64)
    owner = pairs[order] // ways
    begin = np.flatnonzero(np.diff(owner, prepend=-1))
    rank[order] = np.arange(len(pairs)) - np.repeat(begin, np.diff(begin, append=len(pairs)))
    return _Spelling(value, rank[which.ravel()])


def _labels(table: Table, name: str, spelling: _Spelling) -> pl.Series:
    """Text that is different wherever cells are written differently."""
    usual = table.texts(name)
    mark = MARK
    while usual.str.contains(mark, literal=True).any():
        mark += "#"
    number = pl.Series(spelling.form).cast(pl.String)
    other = usual.fill_null("missing") + mark + number
    return other.zip_with(pl.Series(spelling.form > 0), usual).alias(name)
