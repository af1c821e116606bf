# SPDX-License-Identifier: Apache-2.0
"""Databases by their address: which one is meant, what of it may be shown, reading, and writing whole or not at all.

A place is a URL, ``postgresql://user@host/database``, or the file of a database, ``people.db``. ``sqlite:///people.db``
is that file, too; a fourth slash makes the path start at the root. An address may carry a password, so nothing but its
scheme, host and database is ever shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shoal.ground import catalog
from shoal.ground.errors import OutputError, PlanError, listed
from shoal.tables.reading import Reading
from shoal.tables.sql import Database, parts_of, quoted, read_from
from shoal.tables.table import Table

ROOM = "formats"
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")


class Place(NamedTuple):
    """An open door to a database."""

    module: ModuleType
    address: str
    """A path, or a URL that may hold a password."""
    shown: str
    """How messages call it."""

    def connect(self, *, writable: bool = False) -> AbstractContextManager[Database]:
        """One transaction."""
        opened: AbstractContextManager[Database] = self.module.connect(
            self.address, where=f"database {self.shown!r}", writable=writable
        )
        return opened


def is_url(place: object) -> bool:
    """Whether a text is an address and not a path."""
    return isinstance(place, str | Path) and URL.match(str(place)) is not None


def masked(url: str) -> str:
    """What of an address may be shown.

    >>> masked("postgresql://ann:secret@db.example:5433/health?sslmode=require&password=secret")
    'postgresql://db.example:5433/health'
    """
    scheme = url.partition(":")[0]
    try:
        parts = urlsplit(url)
        host = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}"
    except ValueError:
        return f"{scheme}://..."
    if "@" in parts.path or ":" in parts.path:  # a slash too few, and the password is part of the path
        return f"{scheme}://..."
    return f"{scheme}://{host}{parts.path}"


def place_of(text: str | Path) -> Place:
    """The database that a URL or a path names."""
    if is_url(text):
        return _place_of_url(str(text))
    path = Path(text)
    for module in _modules():
        if path.name.lower().endswith(tuple(module.EXTENSIONS) or ("\0",)):
            return Place(module, str(path), str(path))
    endings = [ending for module in _modules() for ending in module.EXTENSIONS]
    raise PlanError(
        "The place is no database.",
        where="--to",
        allowed=f"an address such as {listed(_schemes())}://..., or a file that ends in {listed(endings)}",
        received=repr(str(text)),
        todo="write the address of a database, or the path of its file",
    )


def read_database(url: str, reading: Reading) -> tuple[Table, str]:
    """The table that a reading names, and the public name of its format."""
    place = place_of(url)
    table = read_from(place.module.connect, place.address, f"database {place.shown!r}", reading)
    return table, place.module.__name__.rpartition(".")[2]


def check_target(place: Place, names: Sequence[str], *, overwrite: bool) -> None:
    """Refuse, before any work, a database that cannot be reached or has tables of these names."""
    new_file = place.module.EXTENSIONS and not Path(place.address).exists()
    if new_file:
        _check_folder(Path(place.address), place)
        return
    with place.connect() as database:
        taken = [name for name in names if database.has(parts_of(name))]
    if taken and not overwrite:
        raise _taken("The database has such a table already.", place, taken)


def write_database(
    place: Place, tables: Mapping[str, Table], *, overwrite: bool, approve: Callable[[list[Table]], None]
) -> None:
    """Write tables in one transaction, and commit only after ``approve`` has seen what can be read back."""
    with place.connect(writable=True) as database:
        for name, table in tables.items():
            parts = parts_of(name)
            if database.has(parts):
                if not overwrite:
                    raise _taken("A table of that name has appeared in the database meanwhile.", place, [name])
                database.drop(parts)
            database.create(parts, table)
        approve([Table.of(database.select(f"select * from {quoted(parts_of(name))}")) for name in tables])


def _taken(what: str, place: Place, names: Sequence[str]) -> OutputError:
    return OutputError(
        what,
        where=f"database {place.shown!r}",
        allowed="a name that is free; with --overwrite also one that is taken",
        received=listed(map(repr, names)),
        todo="choose another name with --to-table, or add --overwrite to replace the table",
    )


def _check_folder(path: Path, place: Place) -> None:
    if not path.parent.is_dir():
        raise OutputError(
            "There is no folder for the database.",
            where=f"database {place.shown!r}",
            allowed="a file in a folder that exists",
            received="no such folder",
            todo="make the folder, or check the path (sqlite:////four/slashes start at the root)",
        )


def _place_of_url(url: str) -> Place:
    scheme = url.partition(":")[0].lower()
    for module in _modules():
        if scheme in module.SCHEMES:
            if not module.EXTENSIONS:
                return Place(module, url, masked(url))
            path = unquote(urlsplit(url).path).removeprefix("/")
            return Place(module, path, path)
    raise PlanError(
        "The address is of no known database.",
        where=f"database {masked(url)!r}",
        allowed=f"{listed(f'{known}://...' for known in _schemes())}, or the path of a file",
        received=f"{scheme}://",
        todo="check the address; other databases can be exported to CSV or Parquet",
    )


def _modules() -> list[ModuleType]:
    loaded = [catalog.load(ROOM, name) for name in catalog.names(ROOM)]
    return [module for module in loaded if hasattr(module, "SCHEMES")]


def _schemes() -> list[str]:
    return [scheme for module in _modules() for scheme in module.SCHEMES]
