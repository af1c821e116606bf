# SPDX-License-Identifier: Apache-2.0
"""SQLite databases: a table or a query of a file, read in batches, and written inside one transaction.

Carries names, whole and real numbers, text, binary cells, and by their declared type booleans, dates and moments.
SQLite types cells and not columns: a column that mixes text and numbers is read as text, and so are dates in another
form than ISO.

Read: a file (.sqlite, .sqlite3, .db) or sqlite:///path; of several tables one has to be named (--table), or a query
given (--query), which is one statement that reads this file and nothing else. Written: a new table; in a release folder
the file holds one table, called released.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from shoal.tables.columns import check_names
from shoal.tables.formats._plain_columns import canonical_text, dated, rounds
from shoal.tables.sql import (
    Parts,
    in_our_words,
    no_single_query,
    one_transaction,
    quoted,
    read_file,
    refuse_names_alike,
    write_file,
)
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".sqlite", ".sqlite3", ".db")
SCHEMES = ("sqlite",)
KEEPS = "names, their order, text, numbers, booleans, dates, moments, binary cells, empty text beside missing cells"
EXACT = "nullif(quote({}), 'NULL')"
"""A cell in SQL as it is stored, type and all, whatever collation its column has; missing stays missing."""
LOSES = {
    "names that differ in case only": "refused",
    "size of numbers": "comes back as 64 bits",
    "decimals": "come back as real numbers, as text if they have too many digits",
    "categories": "come back as text",
    "order of categories": "gone",
    "time zones": "come back as text",
    "times and spans": "come back as text",
    "nanoseconds": "moments that have some come back as text",
    "labels": "gone",
    "nested cells": "refused",
}

ROWS_AT_ONCE = 20_000
COLUMNS_AT_ONCE = 200
WORDS = {
    sqlite3.SQLITE_NOTADB: "a file that is no SQLite database (a DuckDB file is named duckdb:///path)",
    sqlite3.SQLITE_CANTOPEN: "no file that can be opened there",
    sqlite3.SQLITE_READONLY: "a place, or a query, that must not be written to",
    sqlite3.SQLITE_BUSY: "a database that another program keeps locked",
    sqlite3.SQLITE_LOCKED: "a database that another program keeps locked",
    sqlite3.SQLITE_FULL: "a disk without room",
    sqlite3.SQLITE_AUTH: "a query that does something else than reading tables of this database",
    sqlite3.SQLITE_CORRUPT: "a damaged database",
    sqlite3.SQLITE_ERROR: "a query, a table or a column that SQLite does not understand",
}
READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
LEAVING = ("load_extension", "fts3_tokenizer", "readfile", "writefile", "edit", "lsmode", "fsdir")
"""Functions that reach beyond the database, in whatever way SQLite was built."""
INSTRUCTIONS_AT_ONCE = 1_000_000
STORED = WHOLE, REAL, TEXT, BINARY = "integer", "real", "text", "blob"


@contextmanager
def connect(place: str, *, where: str, writable: bool = False) -> Iterator[_Sqlite]:
    """Open a file for one transaction, which is undone unless the block ends well."""
    new = writable and not Path(place).exists()
    _undo_what_was_killed(place)
    with in_our_words(sqlite3.Error, _in_words, where, writable=writable):
        mode = "rwc" if writable else "ro"
        connection = sqlite3.connect(f"file:{quote(place)}?mode={mode}", uri=True, isolation_level=None)
        with one_transaction(connection, "begin immediate" if writable else "begin", [place] if new else []):
            if not writable:
                connection.execute("pragma trusted_schema = off")
                connection.set_progress_handler(_keep_going, INSTRUCTIONS_AT_ONCE)
            yield _Sqlite(connection, where)


read, write = partial(read_file, connect), partial(write_file, connect)


def _keep_going() -> int:
    """Called by a query that runs, so that an interrupt can stop it."""
    return 0


@contextmanager
def _reading_only(connection: sqlite3.Connection) -> Iterator[None]:
    """Let statements read, and do nothing else; asked of SQLite twice, in case one lock has a gap."""
    connection.execute("pragma query_only = on")
    connection.set_authorizer(_permitted)
    try:
        yield
    finally:
        connection.set_authorizer(None)
        connection.execute("pragma query_only = off")


def _permitted(action: int, what: str | None, function: str | None, *_others: str | None) -> int:
    """The authorizer of queries: reading is allowed, and functions but those that leave the database."""
    allowed = action in READING and not (action == sqlite3.SQLITE_FUNCTION and str(function).lower() in LEAVING)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _undo_what_was_killed(place: str) -> None:
    """Let SQLite undo a transaction whose program was killed; whoever only reads may not do so."""
    if Path(f"{place}-journal").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{quote(place)}?mode=rw", uri=True)) as connection:
            connection.execute("select count(*) from sqlite_master").fetchone()


class _Sqlite:
    """An open SQLite database."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self.connection = connection
        self.where = where

    def names(self) -> list[str]:
        """Tables and views but SQLite's own."""
        asked = (
            "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite^_%' escape '^'"
        )
        return sorted(name for (name,) in self.connection.execute(asked))

    def has(self, table: Parts) -> bool:
        """Whether there is a table of that name; SQLite does not mind its case."""
        own = len(table) == 1 or table[:-1] == ("main",)
        return own and table[-1].casefold() in [name.casefold() for name in self.names()]

    def select(self, statement: str) -> pl.DataFrame:
        """The rows of a query, through a view that tells the declared types."""
        self._check_query(statement)
        self.connection.execute(f"create temp view wanted as {statement}")
        try:
            declared = {row[1]: row[2].lower() for row in self.connection.execute("pragma temp.table_info(wanted)")}
            with _reading_only(self.connection):
                return self._fetched(declared, self._classes(list(declared)))
        finally:
            self.connection.execute("drop view temp.wanted")

    def drop(self, table: Parts) -> None:
        """Remove a table."""
        self.connection.execute(f"drop table {quoted(table[-1:])}")

    def create(self, table: Parts, content: Table) -> None:
        """Make a table and fill it."""
        refuse_names_alike(content.names, self.where)
        columns = [_stored(content, name) for name in content.names]
        declared = ", ".join(
            f"{quoted((name,))} {kind}" for name, (kind, _) in zip(content.names, columns, strict=True)
        )
        self.connection.execute(f"create table {quoted(table[-1:])} ({declared})")
        marks = ", ".join("?" * len(columns))
        for start in range(0, len(content), ROWS_AT_ONCE):
            cells = [column.slice(start, ROWS_AT_ONCE).to_list() for _, column in columns]
            self.connection.executemany(f"insert into {quoted(table[-1:])} values ({marks})", zip(*cells, strict=True))

    def _check_query(self, statement: str) -> None:
        """Refuse what is not one query that reads, and names that repeat, which a view would make different."""
        try:
            with _reading_only(self.connection), closing(self.connection.execute(statement)) as rows:
                given = rows.description
        except (sqlite3.ProgrammingError, sqlite3.Warning):  # several statements
            raise no_single_query(self.where) from None
        if given is None:
            raise no_single_query(self.where)
        check_names([column[0] for column in given], self.where, "give every column a name of its own: select a as b")

    def _classes(self, names: list[str]) -> dict[str, set[str]]:
        """The storage classes that occur in each column."""
        classes: dict[str, set[str]] = {}
        for start in range(0, len(names), COLUMNS_AT_ONCE):
            some = names[start : start + COLUMNS_AT_ONCE]
            asked = [f"max(typeof({quoted((name,))}) = '{kind}')" for name in some for kind in STORED]
            flags = iter(self.connection.execute(f"select {', '.join(asked)} from temp.wanted").fetchone())
            classes |= {name: {kind for kind in STORED if next(flags)} for name in some}
        return classes

    def _fetched(self, declared: dict[str, str], classes: dict[str, set[str]]) -> pl.DataFrame:
        mixed = {name for name, kinds in classes.items() if len(kinds - {WHOLE, REAL}) and len(kinds) > 1}
        wanted = [f"cast({quoted((name,))} as text)" if name in mixed else quoted((name,)) for name in declared]
        schema = {name: _kind(declared[name], {TEXT} if name in mixed else classes[name]) for name in declared}
        rows = self.connection.execute(f"select {', '.join(wanted)} from temp.wanted")
        parts = [pl.DataFrame(schema=schema)]
        while batch := rows.fetchmany(ROWS_AT_ONCE):
            cells = zip(schema.items(), zip(*batch, strict=True), strict=True)
            parts.append(pl.DataFrame([pl.Series(name, of, dtype=kind) for (name, kind), of in cells]))
        frame = pl.concat(parts)
        return frame.with_columns(_as_declared(frame[name], kind) for name, kind in declared.items())


def _kind(declared: str, held: set[str]) -> pl.DataType:
    """The type of a column: by what it holds, by its declaration if it holds nothing."""
    if not held:
        real = pl.Float64()
        types = {"int": pl.Int64(), "real": real, "floa": real, "doub": real, "blob": pl.Binary()}
        return next((kind for word, kind in types.items() if word in declared), pl.String())
    if held == {BINARY}:
        return pl.Binary()
    if TEXT in held:
        return pl.String()
    return pl.Float64() if REAL in held else pl.Int64()


def _as_declared(column: pl.Series, declared: str) -> pl.Series:
    """Booleans, dates and moments, where declaration and content agree; an empty column goes by the declaration."""
    empty = column.null_count() == len(column)
    if "bool" in declared and (empty or (column.dtype == pl.Int64 and column.drop_nulls().is_in([0, 1]).all())):
        return column.cast(pl.Int64).cast(pl.Boolean)
    if not declared.startswith(("date", "timestamp")):
        return column
    if empty:
        return column.cast(pl.String).cast(pl.Date if declared == "date" else pl.Datetime("us"))
    if column.dtype != pl.String:
        return column
    return dated(column if declared == "date" else column.str.replace(" ", "T", literal=True))


def _stored(table: Table, name: str) -> tuple[str, pl.Series]:
    """The declaration of a column, and its cells as SQLite stores them."""
    column = table.frame.get_column(name)
    kind = column.dtype
    if kind == pl.Boolean:
        return "boolean", column.cast(pl.Int64)
    if kind.is_integer() and kind not in (pl.UInt64, pl.Int128, pl.UInt128):
        return "integer", column
    if (kind.is_float() or kind.is_decimal()) and not rounds(column):
        return "real", column.cast(pl.Float64).fill_nan(None)
    if kind == pl.Binary:
        return "blob", column
    if kind == pl.Date:
        return "date", canonical_text(column)
    if isinstance(kind, pl.Datetime) and kind.time_zone is None:
        return "datetime", canonical_text(column).str.replace("T", " ", literal=True)
    return "text", table.texts(name)


def _in_words(problem: Exception) -> str:
    code: Any = getattr(problem, "sqlite_errorcode", None)
    return WORDS.get(code & 0xFF, "a failure of SQLite") if isinstance(code, int) else "a failure of SQLite"
