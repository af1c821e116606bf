# SPDX-License-Identifier: Apache-2.0
"""DuckDB: other tables, views, types, sequences, macros and comments, and the file of an unfinished transaction.

Blocks that are no longer in use are counted; what lies in those in use is not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shoal.ground.catalog import library
from shoal.ground.wording import counted
from shoal.judging.containers.extras import CONTENT, INFORMATION, NAMED, NOTE, UNSEEN, Extra, OpenedFile

LISTED = {
    "table": "duckdb_tables()",
    "view": "duckdb_views()",
    "index": "duckdb_indexes()",
    "sequence": "duckdb_sequences()",
    "macro": "duckdb_functions()",
    "type": "duckdb_types()",
    "schema": "duckdb_schemas()",
}
HEADERS = 3 * 4096
"""Bytes before the first block."""
INSIDE = "may hold bytes of deleted rows inside its blocks, which are not looked into; write the table to a new file"


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Everything that the catalogue tells besides one table."""
    duckdb = library("duckdb", extra="duckdb", what="A look into a DuckDB file")
    connection = duckdb.connect(str(opened.path), read_only=True, config={"enable_external_access": "false"})
    try:
        counts = {what: _count(connection, source) for what, source in LISTED.items()}
        noted = "select count(*) from {} where comment is not null and database_name = current_database()"
        comments = sum(
            int(connection.execute(noted.format(source)).fetchone()[0])
            for source in ("duckdb_tables()", "duckdb_columns()", "duckdb_views()")
        )
        told = "select count(*) from duckdb_columns() where column_default is not null and not internal"
        checks = "select count(*) from duckdb_constraints() where constraint_type = 'CHECK'"
        said = [int(connection.execute(asked).fetchone()[0]) for asked in (told, checks)]
        asked = "select free_blocks, total_blocks * block_size from pragma_database_size()"
        free, size = map(int, connection.execute(asked).fetchone())
        named = connection.execute("select table_name from duckdb_tables() where not internal").fetchall()
    finally:
        connection.close()
    counts["table"] -= 1
    others = {what: number for what, number in counts.items() if number > 0}
    if others:
        told = ", ".join(counted(number, what) for what, number in others.items())
        yield Extra(CONTENT, f"holds other things than the table: {told}")
    if comments:
        yield Extra(NOTE, f"carries {counted(comments, 'comment')} on tables or columns")
    if any(said):
        yield Extra(NOTE, "carries defaults or conditions in its schema")
    if free:
        yield Extra(CONTENT, f"has {counted(free, 'free block')}, in which deleted rows may still be read")
    if len(opened.stored) > HEADERS + size:
        yield Extra(CONTENT, "holds further bytes behind its last block")
    for (name,) in named:
        yield Extra(NAMED, "a table", name=name)
    if Path(f"{opened.path}.wal").exists():
        yield Extra(CONTENT, "has the file of an unfinished transaction beside it, in which other rows may stand")
    yield Extra(UNSEEN, INSIDE, INFORMATION)


def _count(connection: Any, source: str) -> int:
    asked = f"select count(*) from {source} where not internal and database_name = current_database()"
    if source == "duckdb_indexes()":
        asked = f"select count(*) from {source} where database_name = current_database()"
    if source == "duckdb_sequences()":
        asked = f"select count(*) from {source} where not temporary and database_name = current_database()"
    return int(connection.execute(asked).fetchone()[0])
