# SPDX-License-Identifier: Apache-2.0
"""SQLite: other tables, views, triggers and indexes, free pages, and files of unfinished transactions beside.

What lies in unused places of pages that are in use is not looked into, and the check says so.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from shoal.ground.wording import counted
from shoal.judging.containers.extras import CONTENT, INFORMATION, NAMED, NOTE, UNSEEN, Extra, OpenedFile

QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|`[^`]*`')
SAID = re.compile(r"--|/\*|\b(?:default|check|generated|references)\b", re.IGNORECASE)
TYPES = re.compile(
    r"(?:\b(?:(?:big|small|tiny|medium|unsigned|long)?\s?int(?:eger)?\d?|real|double|precision|float\d?|numeric|decimal|text"
    r"|n?(?:var|native )?char|character|varying|clob|n?text|string|blob|bool(?:ean)?|date|time|datetime|timestamp|json"
    r"|uuid|any|unsigned|long|with|without|zone)\b|\(\d+(?:, ?\d+)?\)|\s)*",
    re.IGNORECASE,
)
"""Types that columns are declared with; SQLite takes any words."""
BESIDE = ("-wal", "-journal", "-shm")
RESERVED = slice(72, 92)
"""Bytes of the header that are zero."""
DECLARED = "select type from pragma_table_info(?)"
INSIDE = "may hold bytes of deleted rows inside its pages, which are not looked into; VACUUM INTO a new file"


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Everything that the schema and the header tell besides one table."""
    with closing(sqlite3.connect(f"file:{quote(str(opened.path))}?mode=ro&immutable=1", uri=True)) as connection:
        schema = connection.execute("select type, name, sql from sqlite_master").fetchall()
        free = int(connection.execute("pragma freelist_count").fetchone()[0])
        pages = int(connection.execute("pragma page_count").fetchone()[0])
        size = int(connection.execute("pragma page_size").fetchone()[0])
        tables = [name for kind, name, _ in schema if kind == "table"]
        gaps = _gaps(connection, opened.plan.reading.table or tables[0])
        types = [kind for name in tables for (kind,) in connection.execute(DECLARED, [name])]
        marks = [connection.execute(f"pragma {name}").fetchone()[0] for name in ("user_version", "application_id")]
    others = len(schema) - 1
    if others > 0:
        kinds = sorted({kind for kind, name, _ in schema if kind != "table" or name != tables[0]})
        said = f"holds {counted(others, 'other thing')} ({', '.join(kinds)}), published with the table"
        yield Extra(CONTENT, said)
    if any(SAID.search(QUOTED.sub("", sql or "")) for _, _, sql in schema):
        yield Extra(NOTE, "carries comments, defaults or conditions in its schema")
    if not all(TYPES.fullmatch(kind or "") for kind in types):
        yield Extra(NOTE, "declares columns with words that are no types")
    for name in tables:
        yield Extra(NAMED, "a table", name=name)
    if gaps:
        yield Extra(CONTENT, "numbers its rows with gaps (rowid), as a table does from which others were deleted")
    if free:
        yield Extra(CONTENT, f"has {counted(free, 'free page')}, in which deleted rows may still be read")
    if len(opened.stored) > pages * size:
        yield Extra(CONTENT, "holds further bytes behind its last page")
    if any(opened.stored[RESERVED]):
        yield Extra(NOTE, "carries something in bytes of its header that mean nothing")
    if any(marks):
        yield Extra(NOTE, "carries a version or a mark of a program in its header", INFORMATION)
    if any(Path(f"{opened.path}{ending}").exists() for ending in BESIDE):
        yield Extra(CONTENT, "has the file of an unfinished transaction beside it, in which other rows may stand")
    yield Extra(UNSEEN, INSIDE, INFORMATION)


def _gaps(connection: sqlite3.Connection, table: str) -> bool:
    """Whether the hidden numbers of rows are not 1 to n: then they may be those of the original."""
    name = table.replace('"', '""')
    try:
        first, last, rows = connection.execute(f'select min(rowid), max(rowid), count(*) from "{name}"').fetchone()
    except sqlite3.Error:  # a table without such numbers
        return False
    return bool(rows) and (first, last) != (1, rows)
