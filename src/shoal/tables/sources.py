# SPDX-License-Identifier: Apache-2.0
"""Paths in, Table out, and back: finds the format of a file and joins several files into one table.

A table may be one file, several files of one format, or a folder of such files. What had to be guessed on the way
(separator, encoding) comes back in :attr:`Source.reading`, so that a plan replays the reading exactly.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from types import ModuleType

import polars as pl

from shoal.ground import catalog
from shoal.ground.errors import OutputError, TableError, listed, looks_like_a_cell
from shoal.ground.limits import refuse_no_file
from shoal.tables.databases import is_url, masked, read_database
from shoal.tables.reading import PACKINGS, Reading, is_utf8
from shoal.tables.table import TEXT_TYPES, Table

ROOM = "formats"
PLAIN_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
LARGEST = 2**127
Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True)
class Source:
    """A table that was read, and how."""

    table: Table
    format: str
    """Public name of the format, as ``shoal formats`` lists it."""
    reading: Reading
    """The settings asked for, completed by what was guessed."""
    places: tuple[Path | str, ...] = ()
    """The files, or the address of the database, that it was read from."""

    @property
    def released_as(self) -> str:
        """The format in which a release of this table is written unless another is asked for."""
        return released_format(self.format)


def read_table(paths: Paths, reading: Reading | None = None, format: str | None = None) -> Source:
    """Read one file, several files or a folder as one table; the format is that of the extension unless named.

    The address of a database is read, too; the reading then names the table or the query.
    """
    reading = reading or Reading()
    addresses = [str(place) for place in _listed(paths) if is_url(place)]
    if addresses:
        return _from_database(addresses, len(_listed(paths)), reading)
    files = _files(paths)
    chosen = format or _format_of(files)
    module = catalog.load(ROOM, chosen)
    tables: list[Table] = []
    for path in files:
        table, reading = _read_one(module, path, reading)
        tables.append(table)
    table = _joined(tables, files)
    if not table.names:
        raise TableError(
            "The table has no columns.",
            where=f"file {str(files[0])!r}",
            allowed="at least one column",
            received="0 columns",
            todo="check that the right file was given",
        )
    return Source(with_missing(table, reading.na), chosen, reading, tuple(files))


def read_released(paths: Paths, reading: Reading) -> Source:
    """Read a table that is judged by the plan of its input: in the encoding of that, or in UTF-8 as it is written."""
    try:
        return read_table(paths, reading)
    except TableError as problem:
        if not is_utf8(problem.encoding) or not is_utf8(reading.written_in):
            raise
        return read_table(paths, replace(reading, encoding=None))


def read_in_parts(path: Path, reading: Reading, format: str) -> Iterator[tuple[Table, Reading]]:
    """The table of one file and how it was read: some records at a time where its format can, else all at once."""
    module = catalog.load(ROOM, format)
    if not hasattr(module, "read_parts"):
        source = read_table(path, reading, format)
        yield source.table, source.reading
        return
    refuse_no_file(path, f"file {str(path)!r}", TableError)
    try:
        for table, found in module.read_parts(path, reading):
            yield with_missing(table, found.na), found
    except OSError as problem:
        raise _unreadable(path, problem) from None


def format_and_files(paths: Paths) -> tuple[str, list[Path]]:
    """The files of a table and their one format; nothing is read."""
    refuse_unreadable(paths)
    files = _files(paths)
    return _format_of(files), files


def refuse_unreadable(paths: Paths) -> None:
    """Refuse at once what could not be read later: no such file, a folder of folders, no known format."""
    if any(is_url(place) for place in _listed(paths)):
        return
    files = _files(paths)
    for path in files:
        refuse_no_file(path, f"file {str(path)!r}", TableError)
        try:
            path.open("rb").close()
        except OSError as problem:
            raise _unreadable(path, problem) from None
    _format_of(files)


def write_table(table: Table, path: str | Path, format: str, reading: Reading | None = None) -> None:
    """Write a table to one file of that format; read it again with ``reading.as_written()``."""
    module = require_writable(format)
    try:
        module.write(table, Path(path), reading or Reading())
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise OutputError(
            "The table cannot be written.",
            where=f"file {str(path)!r}",
            allowed="a place with enough room where you may write",
            received=_reason(problem),
            todo="choose another place, or make room there",
        ) from None


def require_writable(format: str) -> ModuleType:
    """The module of a format that can be written as a file; others are refused."""
    module = catalog.load(ROOM, format)
    if not hasattr(module, "write"):
        able = [name for name in catalog.names(ROOM) if hasattr(catalog.load(ROOM, name), "write")]
        raise OutputError(
            "The format cannot be written as a file.",
            where="--format / [release] format",
            allowed=listed(able, 20),
            received=repr(format),
            todo=f"choose another format, such as {released_format(format)}",
        )
    return module


def released_format(format: str) -> str:
    """The format in which a table of that format is released: the same, unless it cannot be written as a file."""
    return str(getattr(catalog.load(ROOM, format), "RELEASED_AS", format))


def extension(format: str, reading: Reading | None = None) -> str:
    """The usual extension of a format: ``.csv``, ``.tsv`` (separated by tabs), ``.csv.gz`` (packed), ``.parquet``."""
    module = catalog.load(ROOM, format)
    known: tuple[str, ...] = module.EXTENSIONS
    reading = reading or Reading()
    usual = ".tsv" if reading.separator == "\t" and ".tsv" in known else known[0]
    packed = reading.compression and getattr(module, "PACKED", False)
    return f"{usual}.{reading.compression}" if packed else usual


def formats_by_extension() -> dict[str, str]:
    """Which format each extension stands for."""
    return {one: name for name in catalog.names(ROOM) for one in catalog.load(ROOM, name).EXTENSIONS}


# -- which files ---------------------------------------------------------------------------------------------


def _listed(paths: Paths) -> list[str | Path]:
    return [paths] if isinstance(paths, str | Path) else list(paths)


def _from_database(addresses: list[str], given: int, reading: Reading) -> Source:
    if given > 1:
        raise TableError(
            "Several places were named, and one of them is a database.",
            where=f"database {masked(addresses[0])!r}",
            allowed="one database, or files",
            received=f"{given} places",
            todo="join tables in a --query, or export them to files of one format",
        )
    table, format = read_database(addresses[0], reading)
    return Source(with_missing(table, reading.na), format, reading, (addresses[0],))


def _files(paths: Paths) -> list[Path]:
    given = [Path(place) for place in _listed(paths)]
    files = [file for place in given for file in (_inside(place) if os.path.isdir(place) else [place])]
    if not files:
        raise TableError(
            "No file was given to read.",
            where="TABLE",
            allowed="a file, several files of one format, or a folder of such files",
            received="no path",
            todo="name a file",
        )
    return files


def _inside(folder: Path) -> list[Path]:
    """The files of a folder by name, without those that begin with a dot or with the underscore of data engines."""
    where = f"folder {str(folder)!r}"
    try:
        paths = [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "_"))]
    except OSError as problem:
        raise _unreadable(folder, problem) from None
    nested = sum(path.is_dir() for path in paths)
    if nested or not paths:
        raise TableError(
            "The folder cannot be read as one table.",
            where=where,
            allowed="a folder that holds files of one format and nothing else",
            received=f"{nested} folder{'s' * (nested > 1)} inside it"
            if nested
            else "no files (hidden ones do not count)",
            todo="name the files themselves",
        )
    return paths


def _format_of(files: list[Path]) -> str:
    """The one format of all files, by their extensions."""
    known = formats_by_extension()
    chosen: dict[str, Path] = {}
    for path in files:
        ending = max((one for one in known if path.name.lower().endswith(one)), key=len, default=None)
        if ending is None:
            _refuse_absent(path)
            raise TableError(
                "The extension of the file belongs to no known format.",
                where=f"file {str(path)!r}",
                allowed="; ".join(f"{name}: {_endings(name)}" for name in catalog.names(ROOM)),
                received=f"extension {path.suffix!r}" if path.suffix else "no extension",
                todo="rename the file, or convert it to one of these formats",
            )
        chosen.setdefault(known[ending], path)
    if len(chosen) > 1:
        raise TableError(
            "The files are of different formats.",
            where=f"files {listed([repr(str(path)) for path in chosen.values()])}",
            allowed="several files of one format",
            received=listed(chosen),
            todo="convert them to one format, or name only those that belong together",
        )
    return next(iter(chosen))


def _refuse_absent(path: Path) -> None:
    """That there is no such file comes before what its name ends with."""
    try:
        path.stat()
    except OSError as problem:
        raise _unreadable(path, problem) from None


def _endings(name: str) -> str:
    """The endings of a format for a message, or the address of a database."""
    module = catalog.load(ROOM, name)
    packed = tuple(f".{packing}" for packing in PACKINGS) if getattr(module, "PACKED", False) else ()
    plain = [ending for ending in module.EXTENSIONS if not packed or not ending.endswith(packed)]
    plain = plain or [f"{scheme}://..." for scheme in module.SCHEMES]
    return listed(plain, 20) + (f" (also with {listed(packed)})" if packed else "")


# -- reading and joining -------------------------------------------------------------------------------------


def _read_one(module: ModuleType, path: Path, reading: Reading) -> tuple[Table, Reading]:
    refuse_no_file(path, f"file {str(path)!r}", TableError)
    try:
        table, completed = module.read(path, reading)
    except OSError as problem:
        raise _unreadable(path, problem) from None
    return table, completed


def _unreadable(path: Path, problem: OSError) -> TableError:
    missing = isinstance(problem, FileNotFoundError)
    return TableError(
        "There is no such file." if missing else "The file cannot be read.",
        where=f"file {str(path)!r}",
        allowed="a file or folder that exists and that you may read",
        received="nothing of that name" if missing else _reason(problem),
        todo="check the spelling and the folder" if missing else "check the permissions of the file and its folder",
    )


def _reason(problem: BaseException) -> str:
    """The operating system's words for an error; other libraries' words may quote cells."""
    if isinstance(problem, OSError) and problem.errno:
        return os.strerror(problem.errno)
    return "a failure while writing (no room, or a type that the format cannot carry)"


def _joined(tables: list[Table], files: list[Path]) -> Table:
    first = tables[0]
    if len(tables) == 1:
        return first
    for table, path in zip(tables[1:], files[1:]):
        refuse_other_columns(first, table, files[0], path)
    return replace(first, frame=pl.concat([table.frame.select(first.names) for table in tables], rechunk=True))


def refuse_other_columns(first: Table, table: Table, first_path: Path, path: Path) -> None:
    """Refuse files that are not of one table."""
    lacking = [name for name in first.names if name not in table.names]
    added = [name for name in table.names if name not in first.names]
    types = [name for name in first.names if name in table.names and first.frame[name].dtype != table.frame[name].dtype]
    if not (lacking or added or types):
        return
    differences = {
        "lacking": _shown(lacking, first), "in addition": _shown(added, table), "of another type": _shown(types, first),
    }  # fmt: skip
    raise TableError(
        "The files do not have the same columns.",
        where=f"file {str(path)!r}",
        allowed=f"the columns of {str(first_path)!r}, with the same types",
        received="; ".join(f"{how}: {names}" for how, names in differences.items() if names),
        todo="name only files that belong to one table; if they have no header, say --no-header",
    )


def _shown(names: list[str], table: Table) -> str:
    """Columns for a message: by position where the "header" of a file may really be a record."""
    if names and (table.headed or any(map(looks_like_a_cell, names))):
        return f"column {listed(table.names.index(name) + 1 for name in names)}"
    return listed(map(repr, names)) if names else ""


def with_missing(table: Table, marks: tuple[str, ...]) -> Table:
    """The table with the user's marks for missing turned into missing cells."""
    if not marks:
        return table
    schema = table.frame.schema
    column = pl.col([name for name, kind in schema.items() if kind in TEXT_TYPES])
    whole = pl.col([name for name, kind in schema.items() if kind.is_integer()])
    real = pl.col([name for name, kind in schema.items() if kind.is_numeric() and not kind.is_integer()])
    unmarked = [pl.when(column.cast(pl.String).is_in(list(marks))).then(None).otherwise(column).name.keep()]
    codes = [Decimal(mark) for mark in marks if PLAIN_NUMBER.fullmatch(mark)]
    exact = pl.Series([int(code) for code in codes if code == int(code) and abs(code) < LARGEST], dtype=pl.Int128)
    if codes:  # whole numbers by all their digits: beyond 2^53 a real number would stand for several
        unmarked.append(pl.when(whole.cast(pl.Int128).is_in(exact)).then(None).otherwise(whole).name.keep())
        rounded = [float(code) for code in codes]
        unmarked.append(pl.when(real.cast(pl.Float64).is_in(rounded)).then(None).otherwise(real).name.keep())
    return replace(table, frame=table.frame.with_columns(unmarked))
