# SPDX-License-Identifier: Apache-2.0
"""Text cells that a spreadsheet would run as a formula when a released table is opened in it.

A cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return may be executed; plain numbers such as
``-5`` are harmless. The plan says whether such cells are kept or get an apostrophe in front.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from shoal.tables.different import different
from shoal.tables.table import TEXT_TYPES, Table

DANGEROUS = r"^[=+\-@\t\r]"
HARMLESS = r"^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$"


def formula_cells(table: Table) -> dict[str, int]:
    """How many cells of each column would run as a formula; columns without any are left out.

    >>> formula_cells(Table(pl.DataFrame({"note": ["=1+1", "-5", "fine"]})))
    {'note': 1}
    """
    counts = {name: int(_dangerous(column).sum()) for name, column in _texts(table).items()}
    return {name: count for name, count in counts.items() if count}


def prefix_formulas(table: Table) -> Table:
    """The same table with an apostrophe before such cells; a categorical column that has any becomes text."""
    changed = []
    for name, column in _texts(table).items():
        dangerous = _dangerous(column)
        if dangerous.any():
            text = column.cast(pl.String)
            changed.append(("'" + text).zip_with(dangerous, text).alias(name))
    return replace(table, frame=table.frame.with_columns(changed)) if changed else table


def _texts(table: Table) -> dict[str, pl.Series]:
    frame = table.frame
    return {name: frame.get_column(name) for name in frame.columns if frame.schema[name] in TEXT_TYPES}


def _dangerous(column: pl.Series) -> pl.Series:
    """Which cells would run; only the different ones are looked at."""
    numbers, rows = different(column)
    text = column.gather(rows).cast(pl.String)
    return (text.str.contains(DANGEROUS) & ~text.str.contains(HARMLESS)).fill_null(False).gather(numbers)
