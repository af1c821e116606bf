# SPDX-License-Identifier: Apache-2.0
"""Files of SPSS, Stata and SAS by their cells: kinds of missing that are read as one, and numbers by their bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.judging.bytes.spellings import refused

ROWS_AT_ONCE = 50_000


def written_by(reader: str, path: Path, names: Sequence[str]) -> Mapping[str, pl.Series]:
    """Every column as the library hands it out with nothing put in its own words: dates as numbers, missing by kind."""
    stat = library("pyreadstat", extra="stats-formats", what="A file of SPSS, Stata or SAS")
    plain = {"user_missing": True, "disable_datetime_conversion": True, "output_format": "dict"}
    parts: dict[str, list[pl.Series]] = {name: [] for name in names}
    try:
        batches = stat.read_file_in_chunks(getattr(stat, reader), str(path), chunksize=ROWS_AT_ONCE, **plain)
        for cells, _ in batches:
            for name in names:
                parts[name].append(_written(cells[name]))
    except (stat.ReadstatError, stat.PyreadstatError, ValueError, KeyError):
        where = f"file {str(path)!r}"
        raise refused("The file cannot be read a second time.", where, "a complete file", "one that fails") from None
    return {name: pl.concat(some) for name, some in parts.items() if some}


def _written(cells: Any) -> pl.Series:
    return pl.Series([None if cell is None else repr(cell) for cell in _plain(cells)], dtype=pl.String)


def _plain(cells: Any) -> list[Any]:
    held: list[Any] = cells.tolist() if hasattr(cells, "tolist") else list(cells)
    return held
