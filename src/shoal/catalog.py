# SPDX-License-Identifier: Apache-2.0
"""Finds implementations by file name and lists them without importing them.

A *room* is a folder of the package whose every public file is one implementation: ``algorithms/mdav.py``
is the method ``mdav``. Nothing is registered anywhere; a file that appears is listed, examined and usable.
Other distributions may add to a room through an entry point group ``shoal.<room>``.

Listing reads only the first line of each docstring (with ``ast``), so ``shoal methods`` needs neither numpy
nor numba.
"""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from shoal.errors import UnknownNameError, listed, nearest

PACKAGE = Path(__file__).parent

#: What the user calls an inhabitant of each room.
ROOMS = {
    "algorithms": "method",
    "privacy_models": "model",
    "metrics": "metric",
    "attacks": "attack",
    "leaks": "leak",
    "tables.formats": "format",
    "generalizing.renderings": "rendering",
    "hierarchies.kinds": "kind of hierarchy",
    "cli": "command",
}


@dataclass(frozen=True)
class Entry:
    """One implementation: its public name and where it lives."""

    room: str
    name: str
    module: str
    path: Path | None = None

    @property
    def docstring(self) -> str:
        """The module's docstring, read without importing it where the file is ours."""
        if self.path is None:
            return importlib.import_module(self.module).__doc__ or ""
        return ast.get_docstring(ast.parse(self.path.read_text(encoding="utf-8"))) or ""

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.docstring.partition("\n")[0].strip()

    def load(self) -> ModuleType:
        """Import the implementation."""
        return importlib.import_module(self.module)


@cache
def entries(room: str) -> dict[str, Entry]:
    """All implementations of a room, by name, in alphabetical order."""
    found: dict[str, Entry] = {}
    for path in sorted((PACKAGE / room.replace(".", "/")).glob("*.py")):
        if not path.name.startswith("_"):
            found[path.stem] = Entry(room, path.stem, f"shoal.{room}.{path.stem}", path)
    for point in _outside(room):
        found.setdefault(point.name, Entry(room, point.name, point.value))
    return dict(sorted(found.items()))


def _outside(room: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=f"shoal.{room}"))


def names(room: str) -> list[str]:
    """The public names of a room."""
    return list(entries(room))


def find(room: str, name: str) -> Entry:
    """The entry of that name, or an error that names the nearest one."""
    known = entries(room)
    if isinstance(name, str) and name in known:
        return known[name]
    word = ROOMS.get(room, "name")
    raise UnknownNameError(
        f"There is no {word} of that name.",
        where=word,
        allowed=listed(known, limit=40),
        received=repr(name),
        todo=nearest(name, known) or f"choose one of the {word}s above",
    )


def load(room: str, name: str) -> ModuleType:
    """Import one implementation by its public name."""
    return find(room, name).load()
