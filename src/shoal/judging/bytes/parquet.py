# SPDX-License-Identifier: Apache-2.0
"""Parquet by its cells: real numbers by their bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from shoal.judging.bytes.bits import bits_of
from shoal.tables.reading import Reading


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """The columns of real numbers by their bits; other types have one way to store a cell."""
    stored = pl.scan_parquet(path)
    real = [name for name, kind in stored.collect_schema().items() if kind.is_float()]
    return bits_of(stored.select(real).collect())
