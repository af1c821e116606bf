# SPDX-License-Identifier: Apache-2.0
"""What the databases have in common: names in SQL, which table is meant, and errors that quote nothing.

A database's own messages quote cells, queries and parts of the address, so none of them is passed on; each database
turns its error codes into words of ours.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import polars as pl

from shoal.ground.errors import OutputError, TableError, listed, names_shown, nearest
from shoal.tables.columns import check_names
from shoal.tables.reading import Reading
from shoal.tables.table import Table

RELEASED = "released"
"""Name of the table in a database that a release folder holds."""

Parts = tuple[str, ...]
NAME = re.compile(r'"(?:[^"]|"")+"|[^."]+')
WHOLE_NAME = re.compile(rf"(?:{NAME.pattern})(?:\.(?:{NAME.pattern}))*")


class Database(Protocol):
    """An open database inside one transaction, which ends with the block that opened it."""

    def names(self) -> list[str]:
        """Tables and views that need no schema in front of their name."""

    def has(self, table: Parts) -> bool:
        """Whether there is a table or view of that name."""

    def select(self, statement: str) -> pl.DataFrame:
        """The rows of a query, fetched in batches."""

    def drop(self, table: Parts) -> None:
        """Remove a table."""

    def create(self, table: Parts, content: Table) -> None:
        """Make a table and fill it in batches."""


Connect = Callable[..., AbstractContextManager[Database]]


def read_from(connect: Connect, place: str, where: str, reading: Reading) -> Table:
    """The table or the result of the query that a reading names."""
    with connect(place, where=where) as database:
        frame = database.select(_statement(database, reading, where))
    check_names(frame.columns, where, "give every column of the query a name of its own: select a as b")
    return Table.of(frame)


def read_file(connect: Connect, path: Path, reading: Reading) -> tuple[Table, Reading]:
    """The table or the result of the query that a reading names, from a database that is a file."""
    path.stat()  # the library would make a file that is not there
    return read_from(connect, str(path), f"file {str(path)!r}", reading), reading


def write_file(connect: Connect, table: Table, path: Path, reading: Reading) -> None:
    """A file with one table, made elsewhere and put in its place when it is whole."""
    with TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / "made"
        with connect(str(made), where=f"file {str(path)!r}", writable=True) as database:
            database.create((RELEASED,), table)
        shutil.copyfile(made, path)


@contextmanager
def one_transaction(connection: Any, begin: str, made: Sequence[str]) -> Iterator[None]:
    """Commit if the block ends well; else undo, and remove the files that were ``made`` for it."""
    try:
        connection.execute(begin)
        yield
        connection.execute("commit")
    except BaseException:
        connection.close()
        for path in made:
            Path(path).unlink(missing_ok=True)
        raise
    finally:
        connection.close()


def parts_of(name: str) -> Parts:
    """A name with schemas in front, taken apart; double quotes keep a dot.

    >>> parts_of("health.patients"), parts_of('"a.b"')
    (('health', 'patients'), ('a.b',))
    """
    if not WHOLE_NAME.fullmatch(name):  # a quote amid a name is a letter of it
        return (name,)
    return tuple(part[1:-1].replace('""', '"') if part.startswith('"') else part for part in NAME.findall(name))


def quoted(parts: Sequence[str]) -> str:
    """A name as SQL wants it, whatever characters it has.

    >>> quoted(("a", 'b"c'))
    '"a"."b""c"'
    """
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)


@contextmanager
def in_our_words(
    kind: type[Exception], words: Callable[[Exception], str], where: str, *, writable: bool
) -> Iterator[None]:
    """Turn a database's errors into ours; ``words`` says what its error codes mean."""
    try:
        yield
    except kind as problem:
        error = OutputError if writable else TableError
        raise error(
            "The database cannot be written." if writable else "The database cannot be read.",
            where=where,
            allowed="a database that can be reached, with the rights and the names that the request needs",
            received=words(problem),
            todo="check address, user, rights and names; the database's own words are withheld, they may quote cells",
        ) from None


def no_single_query(where: str) -> TableError:
    """The error for a query that is more, or something else, than one statement that reads."""
    return TableError(
        "The query is not one statement that only reads.",
        where=where,
        allowed="one select that reads tables of this database",
        received="several statements, or one that does something else",
        todo="write one query that begins with select or with; do anything else in the database itself",
    )


def refuse_names_alike(names: Sequence[str], where: str) -> None:
    """Refuse columns that differ in case only, for databases that do not tell them apart."""
    seen: dict[str, str] = {}
    alike = [name for name in names if seen.setdefault(name.casefold(), name) != name]
    if alike:
        raise TableError(
            "Some columns differ in upper and lower case only, which this database does not tell apart.",
            where=where,
            allowed="names that differ by more than case",
            received=names_shown(alike, quoted=True),
            todo="rename the columns, or choose another format",
        )


def source_of(database: Database, reading: Reading, where: str) -> str:
    """What a reading names, to stand behind ``from``; queries and tables alike."""
    return f"({_statement(database, reading, where)}\n) as released"


def named_source(reading: Reading) -> str:
    """The same without a look at the database; templates of a pipeline stay as they are.

    >>> named_source(Reading(table="open.patients")), named_source(Reading(table="{{ ref('patients') }}"))
    ('"open"."patients" as released', "{{ ref('patients') }} as released")
    >>> named_source(Reading(table='a"b'))
    '"a""b" as released'
    """
    if reading.query is not None:
        return f"({reading.query.strip().rstrip(';')}\n) as released"
    if reading.table is not None and reading.table.startswith("{{"):
        return f"{reading.table} as released"
    return f"{quoted(parts_of(reading.table or RELEASED))} as released"


def _statement(database: Database, reading: Reading, where: str) -> str:
    if reading.query is not None:
        return reading.query.strip().rstrip(";")
    if reading.table is not None:
        return f"select * from {quoted(_existing(database, reading.table, where))}"
    names = database.names()
    if len(names) != 1:
        raise TableError(
            "The database has several tables." if names else "The database has no table.",
            where=where,
            allowed=f"one of {listed(names)}" if names else "a database with a table",
            received="no choice",
            todo="name the table with --table, or give a --query"
            if names
            else "check that the right database was named",
        )
    return f"select * from {quoted((names[0],))}"


def _existing(database: Database, name: str, where: str) -> Parts:
    parts = (name,) if database.has((name,)) else parts_of(name)
    if database.has(parts):
        return parts
    names = database.names()
    raise TableError(
        "The database has no such table.",
        where=where,
        allowed=listed(names, 30),
        received=repr(name),
        todo=nearest(name, names) or "check the spelling; a table of another schema is written schema.table",
    )
