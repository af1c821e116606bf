# SPDX-License-Identifier: Apache-2.0
"""What columns may be called, and which of the cells of one are different."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from shoal.ground.arrays import Ints
from shoal.ground.errors import TableError, listed


def check_names(names: Sequence[str], where: str, todo: str) -> None:
    """Refuse empty and repeated names, by position: a header may turn out to be a record."""

    def problem(what: str, allowed: str, received: str) -> TableError:
        return TableError(what, where=where, allowed=allowed, received=f"{received} (of {len(names)})", todo=todo)

    empty = [number + 1 for number, name in enumerate(names) if not name]
    if empty:
        received = f"an empty name for column {listed(empty)}"
        raise problem("Some columns have no name.", "a name for every column", received)
    often = {name for name, times in Counter(names).items() if times > 1}
    repeated = [number + 1 for number, name in enumerate(names) if name in often]
    if repeated:
        received = f"names that repeat for columns {listed(repeated)}"
        raise problem("Some columns have the same name.", "a different name for every column", received)


def different(column: pl.Series) -> tuple[Ints, Ints]:
    """The number of each cell, equal for equal cells and without gaps; and the row of one cell of each number.

    Missing cells are equal to each other and to nothing else. Whole numbers that lie close together, and categories,
    are looked up by their place; other cells are grouped.

    >>> numbers, rows = different(pl.Series(["b", None, "a", "b"]))
    >>> (numbers == numbers[0]).tolist(), len(rows)
    ([True, False, False, True], 3)
    """
    places = _close_places(column)
    if places is None:
        return grouped(column)
    row_of = np.full(int(places.max(initial=-1)) + 1, -1, dtype=np.int64)
    row_of[places] = np.arange(len(places))
    taken = np.flatnonzero(row_of >= 0)
    number = np.empty(len(row_of), dtype=np.int64)
    number[taken] = np.arange(len(taken))
    return number[places], row_of[taken]


def _close_places(column: pl.Series) -> Ints | None:
    """Each cell as a place from 0 on, missing last; None unless there are about as few places as rows."""
    if isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Date):
        column = column.to_physical()
    if not column.dtype.is_integer():
        return None
    whole = column.cast(pl.Int64, strict=False)
    if whole.null_count() == len(whole) or whole.null_count() > column.null_count():
        return None
    low, high = int(whole.min()), int(whole.max())  # type: ignore[arg-type]
    return None if high - low > len(whole) else (whole - low).fill_null(high - low + 1).to_numpy()


def grouped(column: pl.Series) -> tuple[Ints, Ints]:
    """The same for cells of any kind: numbered by the first row that shows them, which is the row of each."""
    cells = pl.DataFrame({"cell": column}).with_row_index("row")
    first = cells.select(pl.col("row").first().over("cell")).to_series().to_numpy()
    begins = first == np.arange(len(first))
    numbers: Ints = np.cumsum(begins, dtype=np.int64) - 1
    return numbers[first], np.flatnonzero(begins)


def known_texts(frame: pl.DataFrame, known: Mapping[Any, Any]) -> dict[str, tuple[pl.Series, pl.Series]]:
    """Of columns of text whose :func:`different` cells are known these, and which of them each row shows.

    What is to be done with every cell is done with a few, and rows look up what came of it.
    """
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    found = {name: known["different", name] for name in texts if ("different", name) in known}
    return {name: (frame.get_column(name).gather(rows), pl.Series(numbers)) for name, (numbers, rows) in found.items()}


def reordered(frame: pl.DataFrame, known: Mapping[Any, Any], order: Ints) -> pl.DataFrame:
    """All rows, in another order."""
    texts = {name: cells.gather(which.gather(order)) for name, (cells, which) in known_texts(frame, known).items()}
    return pl.DataFrame([texts[one.name] if one.name in texts else one.gather(order) for one in frame.get_columns()])
