# SPDX-License-Identifier: Apache-2.0
"""DuckDB by its cells: real numbers as they are stored, and types that hold several values in a cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.ground.catalog import library
from shoal.ground.interrupts import interruptible, stopping_at_once
from shoal.judging.bytes._queries import query_of
from shoal.judging.bytes.bits import bits
from shoal.judging.bytes.spellings import unjudgeable, unstable
from shoal.tables.reading import Reading
from shoal.tables.sql import quoted

NESTED = re.compile(r".*\[\d*\]|(STRUCT|MAP|UNION)\(.*\)|BLOB|JSON|VARIANT|BIT|GEOMETRY", re.DOTALL)
LOCKED = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
}


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """The columns of real numbers by their bits; types that nobody can look into are refused."""
    duckdb = library("duckdb", extra="duckdb", what="A DuckDB database")
    where = f"file {str(path)!r}"
    try:
        opened = duckdb.connect(str(path), read_only=True, config=LOCKED)
        with interruptible(), opened as database, stopping_at_once(opened.interrupt):
            query = query_of(reading, database.sql, "table_catalog = current_database()")
            described = database.sql(f"describe select * from ({query}\n) as wanted").fetchall()
            types = {row[0]: row[1] for row in described}
            for name, kind in types.items():
                if NESTED.fullmatch(kind):
                    raise unjudgeable(name, f"type {kind.partition('(')[0]}", where)
            real = [name for name, kind in types.items() if kind in ("FLOAT", "DOUBLE")]
            if not real:
                return {}
            wanted = ", ".join(quoted((name,)) for name in real)
            fetched = database.sql(f"select {wanted} from ({query}\n) as wanted").fetchnumpy()
    except duckdb.Error:
        raise unstable(where) from None
    return {name: _bits(name, fetched[name]) for name in real}


def _bits(name: str, cells: Any) -> pl.Series:
    """Numbers of NumPy, masked where they are missing, by their bits."""
    missing = pl.Series(np.ma.getmaskarray(cells))
    return bits(pl.Series(name, np.ma.getdata(cells))).zip_with(~missing, pl.Series([None], dtype=pl.UInt64))
