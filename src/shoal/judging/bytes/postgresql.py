# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL by its cells: each as the server writes it, and types that hold several values in a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.judging.bytes._queries import query_of
from shoal.judging.bytes.spellings import unjudgeable, unstable
from shoal.tables.databases import masked
from shoal.tables.reading import Reading
from shoal.tables.sql import quoted

ROWS_AT_ONCE = 50_000
NESTED = "typcategory in ('A', 'C') or typname in ('json', 'jsonb', 'bytea', 'xml', 'hstore', 'bit', 'varbit')"


def written_cells(place: Any, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column as the text of its cells."""
    psycopg = library("psycopg", extra="postgres", what="A PostgreSQL database")
    where = f"database {masked(str(place))!r}"
    try:
        with psycopg.connect(str(place), application_name="shoal", client_encoding="utf8") as server:
            server.read_only = True
            query = query_of(reading, server.execute, "table_schema = any(current_schemas(false))")
            return _fetched(server, names, query, where)
    except psycopg.Error:
        raise unstable(where) from None


def _fetched(server: Any, names: Sequence[str], query: str, where: str) -> dict[str, pl.Series]:
    described = server.execute(f"select * from ({query}\n) as wanted limit 0".encode()).description
    nested = {code for (code,) in server.execute(f"select oid::bigint from pg_type where {NESTED}".encode()).fetchall()}
    for column in described:
        if column.type_code in nested:
            raise unjudgeable(column.name, "a type of several values, or of bytes", where)
    texts = ", ".join(f"{quoted((name,))}::text" for name in names)
    parts = [pl.DataFrame(schema=dict.fromkeys(names, pl.String))]
    with server.cursor(name="judged") as cursor:
        cursor.execute(f"select {texts} from ({query}\n) as wanted".encode())
        while batch := cursor.fetchmany(ROWS_AT_ONCE):
            columns = zip(names, zip(*batch, strict=True), strict=True)
            parts.append(pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in columns]))
    return {column.name: column for column in pl.concat(parts).get_columns()}
