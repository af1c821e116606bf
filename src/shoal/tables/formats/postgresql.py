# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL: a table or a query of a server, read in batches, and written inside one transaction; extra postgres.

Carries names, order, numbers of all sizes, decimals, text, booleans, dates, moments with and without time zone, times,
binary cells and ordered categories (enum types, read only). Other types, such as json, arrays and intervals, are read
as text.

Read: postgresql://user@host:port/database with --table or --query. The transaction is read-only and undone at its end.
A query is one select, calls no function that the server holds to have effects, and reads no system table that is not
open to everybody. User and password come
from the address, from PGUSER and PGPASSWORD, or from ~/.pgpass, and are never shown or stored. A release folder holds
the table as Parquet; --to also writes it to a database.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.errors import TableError, names_shown
from shoal.tables.formats._postgresql_queries import refuse_what_has_effects
from shoal.tables.sql import Parts, in_our_words, quoted
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = ()
SCHEMES = ("postgresql", "postgres")
EXTRA = "postgres"
RELEASED_AS = "parquet"
KEEPS = "names, their order, types, binary cells, time zones (as UTC), empty text beside missing cells"
EXACT = "convert_to(cast({} as text), 'UTF8')"
"""A cell in SQL as it is stored, whatever collation its column has; missing stays missing."""
LOSES = {
    "size of small numbers": "8 bits come back as 16; whole numbers without a sign as the next larger with one",
    "categories": "come back as text",
    "order of categories": "gone where written, kept where read from an enum type",
    "time zones": "come back as UTC",
    "nanoseconds": "rounded to microseconds",
    "spans": "come back as text",
    "text with NUL": "refused",
    "names of more than 63 bytes": "refused",
    "labels": "gone",
    "nested cells": "refused",
}

BYTES_AT_ONCE = 1 << 24
ROWS_AT_ONCE = 50_000
LONGEST_NAME = 63
SETTINGS = "set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601'"
WHOLE = {21: pl.Int16(), 23: pl.Int32(), 20: pl.Int64(), 26: pl.Int64()}
REAL = {700: pl.Float32(), 701: pl.Float64()}
BOOLEAN, BINARY, NUMERIC, DATE, TIME, MOMENT, MOMENT_WITH_ZONE = 16, 17, 1700, 1082, 1083, 1114, 1184
MOMENT_FORM = "%Y-%m-%d %H:%M:%S%.f"
WORDS = {
    "28": "a user or a password that the server does not accept",
    "3D": "a database that is not on the server",
    "08": "a server that cannot be reached, or a connection that broke",
    "42501": "a request for which the user has no right",
    "42P01": "a table that is not in the database",
    "42P07": "a table that is there already",
    "42601": "a query that is not SQL",
    "25006": "a query that would change the database",
    "2BP01": "a table on which other things depend, such as a view",
    "42": "a query that does not fit the tables of the database",
    "53": "a server without room or memory",
    "57": "a server that is shutting down, or a request that was cancelled",
}


@contextmanager
def connect(place: str, *, where: str, writable: bool = False) -> Iterator[_Postgres]:
    """Open a server for one transaction, which is undone unless the block ends well."""
    psycopg = library("psycopg", extra=EXTRA, what="A PostgreSQL database")
    with in_our_words(psycopg.Error, _in_words, where, writable=writable):
        connection = psycopg.connect(place, application_name="shoal", client_encoding="utf8")
        try:
            connection.read_only = not writable
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.execute(SETTINGS)
            yield _Postgres(connection, where, writable=writable)
            if writable:
                connection.commit()
        finally:
            connection.close()  # what is not committed by now is undone


class _Postgres:
    """An open connection."""

    def __init__(self, connection: Any, where: str, *, writable: bool) -> None:
        self.connection = connection
        self.where = where
        self.writable = writable

    def names(self) -> list[str]:
        """Tables and views on the search path."""
        asked = "select table_name from information_schema.tables where table_schema = any(current_schemas(false))"
        return sorted(name for (name,) in self.connection.execute(asked).fetchall())

    def has(self, table: Parts) -> bool:
        """Whether there is a table of that name."""
        (there,) = self.connection.execute("select to_regclass(%s) is not null", [quoted(table)]).fetchone()
        return bool(there)

    def select(self, statement: str) -> pl.DataFrame:
        """The rows of a query, copied out as text in batches and typed by what the server says of its columns."""
        if not self.writable:  # else the statement is one of ours
            refuse_what_has_effects(self.connection, statement, self.where)
        with self.connection.cursor() as cursor:
            cursor.execute(f"select * from ({statement}\n) as wanted limit 0".encode())
            described = cursor.description
            orders = self._orders({column.type_code for column in described})
            types = [(column.type_code, column.precision, column.scale) for column in described]
            parts = [_typed(part, types, orders) for part in _copied_out(cursor, statement, len(types))]
        frame = pl.concat(parts, how="vertical_relaxed") if parts else _typed(_texts(b"", len(types)), types, orders)
        settled = [
            _numeric(column, *types[place][1:]) if types[place][0] == NUMERIC else column
            for place, column in enumerate(frame)
        ]
        # Renamed at the end: a query may give a name twice, which the caller refuses.
        return _named(settled, [column.name for column in described], self.where)

    def drop(self, table: Parts) -> None:
        """Remove a table."""
        self.connection.execute(f"drop table {quoted(table)}".encode())

    def create(self, table: Parts, content: Table) -> None:
        """Make a table and copy the rows in."""
        _check_limits(content, table, self.where)
        columns = {name: _stored(content, name) for name in content.names}
        declared = ", ".join(f"{quoted((name,))} {kind}" for name, (kind, _) in columns.items())
        self.connection.execute(f"create table {quoted(table)} ({declared})".encode())
        with (
            self.connection.cursor() as cursor,
            cursor.copy(f"copy {quoted(table)} from stdin (format csv)".encode()) as copy,
        ):
            for start in range(0, len(content), ROWS_AT_ONCE):
                copy.write(_lines([text.slice(start, ROWS_AT_ONCE) for _, text in columns.values()]))

    def _orders(self, types: set[int]) -> dict[int, list[str]]:
        """The labels of enum types, in their order."""
        asked = "select enumtypid::bigint, enumlabel from pg_enum where enumtypid = any(%s) order by 1, enumsortorder"
        orders: dict[int, list[str]] = {}
        for kind, label in self.connection.execute(asked, [list(types)]).fetchall():
            orders.setdefault(kind, []).append(label)
        return orders


# -- reading -------------------------------------------------------------------------------------------------


def _copied_out(cursor: Any, statement: str, width: int) -> Iterator[pl.DataFrame]:
    """Batches of text cells. The number behind each row keeps a row of one missing cell from being an empty line."""
    held, size, rows = [], 0, 0
    with cursor.copy(
        f"copy (select wanted.*, 1 from ({statement}\n) as wanted) to stdout (format csv)".encode()
    ) as copy:
        for row in copy:
            held.append(bytes(row))
            size += len(row)
            rows += 1
            if size >= BYTES_AT_ONCE:
                yield _checked(_texts(b"".join(held), width), rows)
                held, size, rows = [], 0, 0
    if rows:
        yield _checked(_texts(b"".join(held), width), rows)


def _texts(lines: bytes, width: int) -> pl.DataFrame:
    schema = {str(place): pl.String() for place in range(width + 1)}
    if not lines:
        return pl.DataFrame(schema=schema).drop(str(width))
    return pl.read_csv(io.BytesIO(lines), has_header=False, schema=schema, quote_char='"').drop(str(width))


def _checked(part: pl.DataFrame, rows: int) -> pl.DataFrame:
    if part.height != rows:
        raise TableError(
            "The rows that the server sent cannot be taken apart.",
            where="PostgreSQL",
            allowed=f"{rows} rows",
            received=f"{part.height} rows",
            todo="cast unusual columns to text in a --query",
        )
    return part


def _typed(part: pl.DataFrame, types: list[tuple[int, Any, Any]], orders: Mapping[int, list[str]]) -> pl.DataFrame:
    return part.with_columns(_cast(part[place], types[int(place)][0], orders) for place in part.columns)


def _cast(text: pl.Series, kind: int, orders: Mapping[int, list[str]]) -> pl.Series:
    """Text in the type that the server names; cells that do not fit, such as the day infinity, keep it text."""
    made = text
    if kind in WHOLE or kind in REAL:
        made = text.cast(WHOLE.get(kind) or REAL[kind], strict=False)
    elif kind in orders:
        made = text.cast(pl.Enum(orders[kind]), strict=False)
    elif kind == BOOLEAN:
        made = text.replace_strict({"t": True, "f": False}, return_dtype=pl.Boolean)
    elif kind == BINARY:
        made = text.str.strip_prefix("\\x").str.decode("hex", strict=False)
    elif kind == DATE:
        made = text.str.to_date("%Y-%m-%d", strict=False)
    elif kind == TIME:
        made = ("1970-01-01 " + text).str.strptime(pl.Datetime("us"), MOMENT_FORM, strict=False).cast(pl.Time)
    elif kind in (MOMENT, MOMENT_WITH_ZONE):
        plain = text.str.strip_suffix("+00") if kind == MOMENT_WITH_ZONE else text
        made = plain.str.strptime(pl.Datetime("us"), MOMENT_FORM, strict=False)
        made = made.dt.replace_time_zone("UTC") if kind == MOMENT_WITH_ZONE else made
    return made.alias(text.name) if made.null_count() == text.null_count() else text


def _numeric(text: pl.Series, precision: int | None, declared: int | None) -> pl.Series:
    """Numbers of any length: decimals as declared, whole ones, decimals of up to 38 digits, else real ones."""
    if precision is not None and precision <= 38 and declared:
        made = text.cast(pl.Decimal(precision, declared), strict=False)
        if made.null_count() == text.null_count():
            return made
    distinct = text.drop_nulls().unique()
    digits = distinct.str.extract(r"^-?(\d+)", 1).str.len_chars().max()
    scale = distinct.str.extract(r"\.(\d+)$", 1).str.len_chars().max() or 0
    plain = distinct.str.contains(r"^-?\d+(?:\.\d+)?$").all()
    if not plain or not isinstance(digits, int) or not isinstance(scale, int) or digits + scale > 38:
        return text.cast(pl.Float64, strict=False).fill_nan(None)
    return text.cast(pl.Int64) if not scale and digits <= 18 else text.cast(pl.Decimal(38, scale))


def _named(columns: list[pl.Series], names: list[str], where: str) -> pl.DataFrame:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise TableError(
            "Some columns of the query have the same name.",
            where=where,
            allowed="a different name for every column",
            received=names_shown(repeated, quoted=True),
            todo="give each a name of its own: select a.id as patient, b.id as visit",
        )
    return pl.DataFrame([column.alias(name) for column, name in zip(columns, names, strict=True)])


# -- writing -------------------------------------------------------------------------------------------------


def _stored(table: Table, name: str) -> tuple[str, pl.Series]:
    """The declaration of a column, and its cells as text that the server understands."""
    column = table.frame.get_column(name)
    kind = column.dtype
    whole = {
        "smallint": (pl.Int8, pl.UInt8, pl.Int16),
        "integer": (pl.UInt16, pl.Int32),
        "bigint": (pl.UInt32, pl.Int64),
    }
    for declared, kinds in whole.items():
        if kind in kinds:
            return declared, column.cast(pl.String)
    if kind.is_integer():
        return "numeric", column.cast(pl.String)
    if kind.is_float():
        return "real" if kind == pl.Float32 else "double precision", column.fill_nan(None).cast(pl.String)
    if isinstance(kind, pl.Decimal):
        return f"numeric({kind.precision or 38}, {kind.scale})", column.cast(pl.String)
    if kind in (pl.Boolean, pl.Date, pl.Time):
        return {pl.Boolean: "boolean", pl.Date: "date", pl.Time: "time"}[type(kind)], table.texts(name)
    if isinstance(kind, pl.Datetime):
        if kind.time_zone is None:
            return "timestamp", column.cast(pl.String)
        return "timestamptz", column.dt.convert_time_zone("UTC").dt.replace_time_zone(None).cast(pl.String) + "+00"
    if kind == pl.Binary:
        return "bytea", "\\x" + column.bin.encode("hex")
    return "text", table.texts(name)


def _lines(texts: list[pl.Series]) -> bytes:
    """Rows as CSV in which every cell is quoted and a missing one is nothing at all."""
    cells = ['"' + text.str.replace_all('"', '""', literal=True) + '"' for text in texts]
    content = io.BytesIO()
    frame = pl.DataFrame([cell.alias(str(place)) for place, cell in enumerate(cells)])
    frame.write_csv(content, include_header=False, quote_style="never", null_value="", line_terminator="\n")
    return content.getvalue()


def _check_limits(table: Table, name: Parts, where: str) -> None:
    """Refuse what PostgreSQL would cut (long names) or cannot hold (NUL)."""
    long = [part for part in (*name, *table.names) if len(part.encode()) > LONGEST_NAME]
    texts = [column for column in table.frame.get_columns() if column.dtype == pl.String]
    nul = [column.name for column in texts if column.str.contains("\0", literal=True).any()]
    if long or nul:
        longer, with_nul = (names_shown(names, quoted=True) for names in (long, nul))
        raise TableError(
            "The table holds something that PostgreSQL cannot.",
            where=where,
            allowed=f"names of up to {LONGEST_NAME} bytes, and text without the NUL character",
            received=f"longer names: {longer}; columns with NUL: {with_nul}",
            todo="rename the columns, or remove the character",
        )


def _in_words(problem: Exception) -> str:
    code = getattr(problem, "sqlstate", None) or ""
    if code:
        return WORDS.get(code) or WORDS.get(code[:2], "a failure of the server")
    # A connection that fails has no code, only words, and those are not passed on.
    said = str(problem).lower()
    if "password" in said or "authentication" in said:
        return WORDS["28"]
    return WORDS["3D"] if "does not exist" in said else WORDS["08"]
