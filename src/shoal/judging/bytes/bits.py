# SPDX-License-Identifier: Apache-2.0
"""Real numbers by their bits: -0.0 beside 0.0, NaN beside missing, and the 2^52 kinds of NaN."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl


def bits(column: pl.Series) -> pl.Series:
    """The bits of real numbers, missing where the cell is."""
    wide = column.dtype == pl.Float64
    present = column.is_not_null()
    numbers = column.fill_null(0.0).to_numpy()
    whole = np.ascontiguousarray(numbers).view(np.uint64 if wide else np.uint32 if numbers.itemsize == 4 else np.uint16)
    return pl.Series(column.name, whole.astype(np.uint64)).zip_with(present, pl.Series([None], dtype=pl.UInt64))


def bits_of(frame: pl.DataFrame) -> Mapping[str, pl.Series]:
    """The bits of every column of real numbers."""
    return {column.name: bits(column) for column in frame.get_columns() if column.dtype.is_float()}
