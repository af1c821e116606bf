# SPDX-License-Identifier: Apache-2.0
"""Several tables as one: their columns side by side, or their rows one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from shoal.tables.table import Table


def side_by_side(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """These columns, each from the first of the tables that has it; rows are put together as they stand."""
    taken = [(name, next(table for table in tables if name in table.names)) for name in names]
    return replace(tables[0], frame=pl.DataFrame([table.frame.get_column(name) for name, table in taken]))


def stacked(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """These columns of several tables, one below the other; a column of different types becomes text."""
    columns = []
    for name in names:
        same = len({table.frame.schema[name] for table in tables}) == 1
        columns.append(pl.concat([table.frame.get_column(name) if same else table.texts(name) for table in tables]))
    return replace(tables[0], frame=pl.DataFrame(columns))
