# SPDX-License-Identifier: Apache-2.0
"""What scanners look at and what they answer; opening a file, and the way to its scanner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shoal.ground.errors import MissingExtraError
from shoal.ground.wording import counted
from shoal.judging.evidence import once
from shoal.judging.leak_search import INFORMATION, WARNING, LeakScene
from shoal.plan.plan import Plan
from shoal.tables.databases import is_url, place_of
from shoal.tables.sources import formats_by_extension
from shoal.tables.table import Table

CONTENT, NOTE, TYPE, UNSEEN, NAMED = "content", "note", "type", "unseen", "named"
"""Other content than the table; notes and properties; values in types that no cell shows; what was not looked into;
names that users give, of sheets and tables."""


@dataclass(frozen=True)
class Extra:
    """Something that a file holds besides the cells of its table."""

    sort: str
    """CONTENT, NOTE, TYPE, UNSEEN or NAMED."""
    said: str
    """What it is, without a cell; goes on after the name of the file."""
    severity: str = WARNING
    columns: tuple[str, ...] = ()
    name: str = ""
    """The name that was given; it is compared with cells, and never quoted."""


@dataclass(frozen=True)
class OpenedFile:
    """A file that a released table was read from."""

    path: Path
    table: Table
    """The released table as the check sees it."""
    plan: Plan

    @cached_property
    def stored(self) -> bytes:
        """Its bytes."""
        return self.path.read_bytes()

    @cached_property
    def shown(self) -> dict[str, set[str]]:
        """By column, the texts of its different cells."""
        return {name: set(self.table.codes(name)[1]) for name in self.table.names}


def files_behind(places: Iterable[str | Path]) -> Iterator[Path]:
    """The files that a table is read from: of a folder those in it, of an address the file of the database, if any."""
    for place in places:
        if is_url(place):
            database = place_of(place)
            if database.module.EXTENSIONS:
                yield Path(database.address)
        elif Path(place).is_dir():
            yield Path(place)
            yield from (path for path in sorted(Path(place).iterdir()) if path.is_file() and not _is_skipped(path))
        else:
            yield Path(place)


def _is_skipped(path: Path) -> bool:
    """Whether readers of a folder skip a file: hidden ones, and those of data engines."""
    return path.name.startswith((".", "_"))


def extras_in(scene: LeakScene, *sorts: str) -> Iterator[tuple[Path, Extra]]:
    """What of some sorts the files of a released table hold; each file is looked into once."""
    for path in scene.files:
        for extra in once(scene.read, ("extras", path), partial(_extras, path, scene)):
            if extra.sort in sorts:
                yield path, extra


def _extras(path: Path, scene: LeakScene) -> list[Extra]:
    return list(_looked(OpenedFile(path, scene.released, scene.plan)))


def _looked(opened: OpenedFile) -> Iterator[Extra]:
    if opened.path.is_dir():
        skipped = [
            path for path in opened.path.iterdir() if _is_skipped(path) and (path.is_dir() or path.stat().st_size)
        ]
        if skipped:
            yield Extra(CONTENT, f"is a folder with {counted(len(skipped), 'file')} that readers of the table skip")
        return
    format = _format_of(opened.path)
    where = f"{__package__}.{format}"
    if format is None or find_spec(where) is None:
        yield Extra(UNSEEN, "is of a format that is not looked into besides its cells")
        return
    packing = opened.path.suffix.lower().removeprefix(".")
    for scanner in ([f"{__package__}.packing"] if packing in ("gz", "bz2", "xz", "zst") else []) + [where]:
        try:
            yield from import_module(scanner).look(opened)
        except MissingExtraError as problem:
            yield Extra(UNSEEN, f"was not looked into besides its cells: {problem.received}; {problem.todo}")
        except Exception as problem:  # a message of a library could quote cells, so only its type is told
            yield Extra(UNSEEN, f"could not be looked into besides its cells ({type(problem).__name__})")


def _format_of(path: Path) -> str | None:
    known = formats_by_extension()
    ending = max((one for one in known if path.name.lower().endswith(one)), key=len, default=None)
    return None if ending is None else known[ending]


def unseen_values(column: str, number: int, where: str) -> Extra:
    """Values that a column's type, dictionary or labels list and no cell shows."""
    said = f"lists {counted(number, 'value')} in {where} of column {column!r} that no cell shows"
    return Extra(TYPE, said, columns=(column,))


def uneven_parts(sizes: Sequence[int]) -> Iterator[Extra]:
    """Rows that a file sets apart: parts are about equally long, but the last."""
    if len(sizes) > 1 and min(sizes[:-1]) < max(sizes) / 2:
        yield Extra(NOTE, f"is stored in {len(sizes):,} parts of different lengths, which set rows apart")


def text_of(value: Any) -> str:
    """A code as the cells show it: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


__all__ = [
    "CONTENT",
    "INFORMATION",
    "NAMED",
    "NOTE",
    "TYPE",
    "UNSEEN",
    "Extra",
    "OpenedFile",
    "extras_in",
    "text_of",
    "uneven_parts",
    "unseen_values",
]
