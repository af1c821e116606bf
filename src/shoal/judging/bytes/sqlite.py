# SPDX-License-Identifier: Apache-2.0
"""SQLite by its cells: each has a type of its own, so that 1, 1.0 and '1' may stand in one column."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import polars as pl

from shoal.judging.bytes.spellings import unstable
from shoal.tables.reading import Reading

ROWS_AT_ONCE = 50_000
COLUMNS_AT_ONCE = 200
TYPES = ("integer", "real", "text", "blob")


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column whose cells may be of several types, or written in several ways."""
    where = f"file {str(path)!r}"
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            database.execute("pragma query_only = on")
            return _fetched(database, names, _query(database, reading))
    except sqlite3.Error:
        raise unstable(where) from None


def _query(database: sqlite3.Connection, reading: Reading) -> str:
    if reading.query is not None:
        return reading.query.strip().rstrip(";")
    tables = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite^_%' escape '^'"
    known = {name.casefold(): name for (name,) in database.execute(tables)}
    wanted = reading.table or next(iter(known.values()))
    name = known.get(wanted.casefold()) or wanted.rpartition(".")[2].strip('"')
    return f"select * from {_named(name)}"


def _named(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fetched(database: sqlite3.Connection, names: Sequence[str], query: str) -> dict[str, pl.Series]:
    """All columns but those of whole numbers alone, which are stored in one way."""
    kinds = _kinds(database, names, query)
    wanted = [name for name in names if kinds[name] - {"integer"}]
    if not wanted:
        return {}
    rows = database.execute(f"select {', '.join(map(_named, wanted))} from ({query}\n)")
    parts = [pl.DataFrame(schema=dict.fromkeys(wanted, pl.String))]
    while batch := rows.fetchmany(ROWS_AT_ONCE):
        columns = zip(wanted, zip(*batch, strict=True), strict=True)
        parts.append(pl.DataFrame([_written(name, cells, kinds[name]) for name, cells in columns]))
    return {column.name: column for column in pl.concat(parts).get_columns()}


def _kinds(database: sqlite3.Connection, names: Sequence[str], query: str) -> dict[str, set[str]]:
    """The types of the cells that each column has."""
    found: dict[str, set[str]] = {}
    for start in range(0, len(names), COLUMNS_AT_ONCE):
        some = names[start : start + COLUMNS_AT_ONCE]
        asked = ", ".join(f"max(typeof({_named(name)}) = '{kind}')" for name in some for kind in TYPES)
        flags = iter(database.execute(f"select {asked} from ({query}\n)").fetchone())
        found |= {name: {kind for kind in TYPES if next(flags)} for name in some}
    return found


def _written(name: str, cells: Sequence[object], kinds: set[str]) -> pl.Series:
    """Texts as they are where there is nothing else, else cells as Python writes them, each with its type."""
    plain = cells if kinds == {"text"} else [None if cell is None else repr(cell) for cell in cells]
    return pl.Series(name, plain, dtype=pl.String)
