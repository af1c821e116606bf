# SPDX-License-Identifier: Apache-2.0
"""An order of the rows of a table that depends on nothing but its cells.

Columns are sorted by their different cells, of which there are few, and rows by the places that these have.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.ground.arrays import Ints
from shoal.tables.columns import different
from shoal.tables.table import Table

LARGEST_PLACE = 2**62
"""What the product of the numbers of different cells stays below."""


def sorted_rows(table: Table) -> Ints:
    """Row numbers as a sort by all columns has them, missing cells first, equal rows in row order."""
    place, count = np.zeros(len(table), dtype=np.int64), 1
    for name in table.names:
        ranks, number = _ranks(table, name)
        if count * number >= LARGEST_PLACE:
            kept, place = np.unique(place, return_inverse=True)
            count = len(kept)
        place, count = place * number + ranks, count * number
    order = pl.DataFrame({"place": place}).select(pl.arg_sort_by("place", maintain_order=True))
    return order.to_series().cast(pl.Int64).to_numpy()


def _ranks(table: Table, name: str) -> tuple[Ints, int]:
    """Where each cell of a column stands among its different cells, and how many these are.

    Cells that have no order stand by their hash.
    """
    column = table.frame.get_column(name)
    if column.dtype == pl.String:
        codes, texts = table.once(("codes", name), lambda: table.sorted_texts(name))
        return codes.astype(np.int64) + 1, len(texts) + 1
    if _sortable(column.dtype):
        numbers, rows = table.different(name)
    else:
        column = column.hash(seed=0)
        numbers, rows = different(column)
    rank = np.empty(len(rows), dtype=np.int64)
    rank[column.gather(rows).arg_sort(nulls_last=False).to_numpy()] = np.arange(len(rows))
    return rank[numbers], max(len(rows), 1)


def _sortable(kind: pl.DataType) -> bool:
    return not kind.is_nested() and kind not in (pl.Object, pl.Categorical)
