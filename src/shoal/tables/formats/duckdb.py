# SPDX-License-Identifier: Apache-2.0
"""DuckDB databases: a table or a query of a file, read in batches, and written inside one transaction; extra duckdb.

Carries names, order, numbers of all sizes, text, booleans, dates, moments, times, decimals, ordered categories (ENUM),
lists and structures. Types that nobody else knows are read as text. Nothing is downloaded: extensions that are not
installed stay so.

Read: a file (.duckdb, .ddb) or duckdb:///path; of several tables one has to be named (--table), or a query given
(--query). A query is one statement that reads this file and nothing else: no other file, no address, no setting.
Written: a new table; in a release folder the file holds one table, called released. The same table gives
the same content; the bytes of the file may differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.interrupts import interruptible, stopping_at_once
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

EXTENSIONS: tuple[str, ...] = (".duckdb", ".ddb")
SCHEMES = ("duckdb",)
EXTRA = "duckdb"
KEEPS = "names, their order, types, order of categories, nested and binary cells, empty text beside missing cells"
EXACT = "encode(cast({} as varchar))"
"""A cell in SQL as it is stored, whatever collation its column has; missing stays missing."""
LOSES = {
    "bytes": "may differ between two writes of the same table",
    "names that differ in case only": "refused",
    "categories": "come back as text",
    "time zones": "come back as UTC",
    "spans": "come back as text",
    "labels": "gone",
}

PLAIN = re.compile(
    r"BOOLEAN|U?(?:TINY|SMALL|BIG)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\)|VARCHAR|UUID|BLOB|DATE|TIME(?:_NS)?"
    r"|TIMESTAMP(?: WITH TIME ZONE|_NS|_MS|_S)?|ENUM\(.*\)"
)
CONFINED = "set enable_external_access = false; set python_enable_replacements = false; set lock_configuration = true"
"""No file but the database itself, no variable of this program; and no query can take that back."""
ROWS = ("SELECT", "MULTI")
"""Kinds of statements that give rows; a pivot is of the second."""
NESTED = re.compile(r".*\[\d*\]|STRUCT\(.*\)")


@contextmanager
def connect(place: str, *, where: str, writable: bool = False) -> Iterator[_DuckDB]:
    """Open a file for one transaction, which is undone unless the block ends well."""
    duckdb = library("duckdb", extra=EXTRA, what="A DuckDB database")
    new = writable and not Path(place).exists()
    with in_our_words(duckdb.Error, _in_words, where, writable=writable), interruptible():
        config = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        connection = duckdb.connect(place, read_only=not writable, config=config)
        if not writable:
            connection.execute(CONFINED)
        made = [place, f"{place}.wal"] if new else []
        with one_transaction(connection, "begin", made), stopping_at_once(connection.interrupt):
            yield _DuckDB(connection, where, Path(place).parent)


read, write = partial(read_file, connect), partial(write_file, connect)


class ArrowStream:
    """Hands on a result as Arrow; Polars keeps the types it is given for good, and DuckDB complains about its own."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._result.__arrow_c_stream__()


class _DuckDB:
    """An open DuckDB database."""

    def __init__(self, connection: Any, where: str, folder: Path) -> None:
        self.connection = connection
        self.where = where
        self.folder = folder

    def names(self) -> list[str]:
        """Tables and views of the main schema."""
        return [name for schema, name in self._tables() if schema == "main"]

    def has(self, table: Parts) -> bool:
        """Whether there is a table of that name; DuckDB does not mind its case."""
        schema = table[-2] if len(table) > 1 else "main"
        wanted = (schema.casefold(), table[-1].casefold())
        return wanted in [(one.casefold(), name.casefold()) for one, name in self._tables()]

    def select(self, statement: str) -> pl.DataFrame:
        """The rows of a query; types that Arrow does not share are cast to text."""
        statements = self.connection.extract_statements(statement)
        if len(statements) != 1 or _kind(statements[0]) not in ROWS:
            raise no_single_query(self.where)
        described = self.connection.sql(f"describe {statement}").fetchall()
        types = {row[0]: row[1] for row in described}
        wanted = [
            quoted((name,)) if PLAIN.fullmatch(kind) or NESTED.fullmatch(kind) else _cast(name, kind)
            for name, kind in types.items()
        ]
        frame = pl.DataFrame(
            ArrowStream(self.connection.sql(f"select {', '.join(wanted)} from ({statement}\n) as wanted"))
        )
        return frame.with_columns(self._settled(frame[name], kind) for name, kind in types.items())

    def drop(self, table: Parts) -> None:
        """Remove a table."""
        self.connection.execute(f"drop table {quoted(table)}")

    def create(self, table: Parts, content: Table) -> None:
        """Make a table from a Parquet file, which lives as long as that takes."""
        refuse_names_alike(content.names, self.where)
        with TemporaryDirectory(dir=self.folder) as folder:
            stored = Path(folder) / "table.parquet"
            columns = [_stored(content, name).alias(name) for name in content.names]
            pl.DataFrame(columns).write_parquet(stored, row_group_size=1 << 17)
            wanted = [_as_declared(name, content.frame.schema[name]) for name in content.names]
            source = str(stored).replace("'", "''")
            self.connection.execute(
                f"create table {quoted(table)} as select {', '.join(wanted)} from read_parquet('{source}')"
            )

    def _tables(self) -> list[tuple[str, str]]:
        asked = "select table_schema, table_name from information_schema.tables where table_catalog"
        return sorted(self.connection.sql(f"{asked} = current_database()").fetchall())

    def _settled(self, column: pl.Series, kind: str) -> pl.Series:
        if kind.startswith("ENUM("):
            order = self.connection.sql(f"select unnest(enum_range(null::{kind}))").fetchall()
            return column.cast(pl.String).cast(pl.Enum([word for (word,) in order]))
        if isinstance(column.dtype, pl.Datetime) and column.dtype.time_zone is not None:
            return column.dt.convert_time_zone("UTC")
        return column


def _kind(statement: Any) -> str:
    """What a statement does; of some the library itself has no name."""
    try:
        return str(statement.type.name)
    except ValueError:
        return ""


def _cast(name: str, kind: str) -> str:
    """A column whose type nobody shares: whole numbers as such if they fit, else text."""
    wanted = "decimal(38, 0)" if kind in ("HUGEINT", "UHUGEINT", "BIGNUM") else "varchar"
    return f"cast({quoted((name,))} as {wanted}) as {quoted((name,))}"


def _stored(table: Table, name: str) -> pl.Series:
    """A column as Parquet hands it to DuckDB."""
    column = table.frame.get_column(name)
    kind = column.dtype
    if kind.is_nested() or kind == pl.Binary or (kind.is_numeric() and kind not in (pl.Int128, pl.UInt128)):
        return column.fill_nan(None) if kind.is_float() else column
    if kind in (pl.Boolean, pl.String, pl.Date, pl.Time, pl.Datetime):
        return column
    return table.texts(name)


def _as_declared(name: str, kind: pl.DataType) -> str:
    """A column of the Parquet file in the type that its table gets."""
    column = quoted((name,))
    if isinstance(kind, pl.Enum) and len(kind.categories):
        words = ", ".join("'" + word.replace("'", "''") + "'" for word in kind.categories)
        return f"cast({column} as enum({words})) as {column}"
    return column


def _in_words(problem: Exception) -> str:
    words = {
        "CatalogException": "a table, a column or a function that DuckDB does not know",
        "BinderException": "a query that does not fit the tables of the database",
        "ParserException": "a query that DuckDB does not understand",
        "IOException": "no DuckDB database that can be opened there, or one that another program keeps locked",
        "InvalidInputException": "a request that DuckDB does not take",
        "PermissionException": "a request that is not permitted",
    }
    return words.get(type(problem).__name__, "a failure of DuckDB")
