# SPDX-License-Identifier: Apache-2.0
"""Dataframes by their cells: NaN beside None, -0.0 beside 0.0, and Python objects of several types in one column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from shoal.judging.bytes.bits import bits, bits_of

FRAME = "the dataframe"


def written_in(frame: Any) -> Mapping[str, pl.Series]:
    """Columns of a frame of pandas, Polars or PyArrow of which a reader could see more than their values."""
    if isinstance(frame, pl.DataFrame):
        return bits_of(frame)
    if hasattr(frame, "iloc"):
        columns = {str(name): _of_pandas(frame[name]) for name in frame.columns}
    else:
        columns = {name: written_in_arrow(frame.column(name)) for name in frame.column_names}
    return {name: column for name, column in columns.items() if column is not None}


def _of_pandas(column: Any) -> pl.Series | None:
    kind = column.dtype
    if hasattr(kind, "categories"):  # categories that show the same text may be different objects
        return pl.Series(column.cat.codes.to_numpy())
    if hasattr(kind, "pyarrow_dtype"):
        return written_in_arrow(column.array.__arrow_array__())
    if hasattr(kind, "numpy_dtype"):  # nullable: NaN may stand beside what is missing
        return _masked(column) if kind.numpy_dtype.kind == "f" else None
    if kind.kind == "f":
        return bits(pl.Series(column.to_numpy()))
    if kind.kind == "O":
        return pl.Series([f"{type(cell).__name__} {cell!r}" for cell in column.tolist()], dtype=pl.String)
    return None


def _masked(column: Any) -> pl.Series:
    missing = pl.Series(np.asarray(column.array._mask))
    return bits(pl.Series(np.asarray(column.array._data))).zip_with(~missing, pl.Series([None], dtype=pl.UInt64))


def written_in_arrow(column: Any) -> pl.Series | None:
    """Real numbers by their bits; of dictionaries their places, since two of them may hold one value."""
    kind = str(column.type)
    if kind.startswith("dictionary"):
        chunks = column.chunks if hasattr(column, "chunks") else [column]
        return pl.concat([_places(chunk) for chunk in chunks]) if chunks else None
    if kind in ("halffloat", "float", "double"):
        return bits(pl.Series(column))
    return None


def _places(chunk: Any) -> pl.Series:
    """Cells of a dictionary as their word and which of its places for that word they name."""
    words = pl.DataFrame({"word": pl.Series(chunk.dictionary).cast(pl.String).fill_null("missing")})
    which = words.select(pl.int_range(pl.len()).over("word").cast(pl.String) + " " + pl.col("word")).to_series()
    return which.gather(pl.Series(chunk.indices).cast(pl.Int64))
