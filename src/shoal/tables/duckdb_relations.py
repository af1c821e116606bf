# SPDX-License-Identifier: Apache-2.0
"""Relations of DuckDB as Arrow tables and back.

A relation does not tell its connection, so what comes back belongs to DuckDB's default one; it can be queried,
written and fetched like any other, but not joined with relations of another connection.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

from shoal.errors import TableError
from shoal.tables.extras import library


def is_relation(frame: Any) -> bool:
    """Whether something is a relation of DuckDB; whoever has one has imported it."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(frame, duckdb.DuckDBPyRelation)


def fetched(relation: Any) -> Any:
    """All rows of a relation as an Arrow table."""
    library("pyarrow", extra="frames", what="A relation of DuckDB")
    try:
        return relation.to_arrow_table()
    except Exception:  # of DuckDB, whose messages quote cells
        raise TableError(
            "The relation cannot be fetched.",
            where="the relation of DuckDB",
            allowed="a query that runs, and types that Arrow knows",
            received="one that fails",
            todo="try relation.fetchall(), and mend the query",
        ) from None


def as_relation(table: Any, source: Any, kept: Collection[str]) -> Any:
    """An Arrow table as a relation; the columns that were kept get the types that they had in the source."""
    duckdb = sys.modules["duckdb"]
    types = {name: kind for name, kind in zip(source.columns, source.types) if name in kept}
    shown = [
        f"CAST({_quoted(name)} AS {types[name]}) AS {_quoted(name)}" if name in types else _quoted(name)
        for name in table.column_names
    ]
    return duckdb.from_arrow(table).project(", ".join(shown))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
