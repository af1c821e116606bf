# SPDX-License-Identifier: Apache-2.0
"""Finds implementations by file name and lists them without importing them.

A *room* is a folder of the package whose every public file is one implementation: ``algorithms/mdav.py``
is the method ``mdav``. Nothing is registered anywhere; a file that appears is listed, examined and usable.
Other distributions may add to a room through an entry point group ``shoal.<room>``.

Listing reads only the first line of each docstring (with ``ast``), so ``shoal methods`` needs neither numpy
nor numba. Libraries that only some implementations need are found here, too, or the extra that brings them.
"""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from shoal.ground.errors import MissingExtraError, UnknownNameError, unknown

PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Room:
    """A folder of implementations, and what the user calls one of them."""

    folder: str
    word: str


ROOMS = {
    "algorithms": Room("engine/algorithms", "method"),
    "privacy_models": Room("judging/privacy_models", "model"),
    "metrics": Room("judging/metrics", "metric"),
    "attacks": Room("judging/attacks", "attack"),
    "leaks": Room("judging/leaks", "leak"),
    "formats": Room("tables/formats", "format"),
    "renderings": Room("engine/generalizing/renderings", "rendering"),
    "hierarchy_kinds": Room("hierarchies/kinds", "kind of hierarchy"),
    "commands": Room("faces/cli", "command"),
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

    def constants(self, *names: str) -> dict[str, Any]:
        """Constants of the module; plain literals are read without importing it where the file is ours."""
        if self.path is None:
            return {name: value for name, value in vars(self.load()).items() if name in names}
        found = {}
        for line in ast.parse(self.path.read_text(encoding="utf-8")).body:
            target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
            if isinstance(line, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and target.id in names:
                try:
                    found[target.id] = ast.literal_eval(line.value) if line.value else None
                except ValueError:  # made of what another file says
                    found[target.id] = getattr(self.load(), target.id)
        return found

    def declared(self, name: str, field: str) -> Any:
        """What a constant has for a field; None if nothing. Where the source says it in a call, it is not imported."""
        lines = [] if self.path is None else ast.parse(self.path.read_text(encoding="utf-8")).body
        for line in lines:
            if not isinstance(line, ast.Assign) or not isinstance(line.value, ast.Call):
                continue
            if [target.id for target in line.targets if isinstance(target, ast.Name)] == [name]:
                given = {one.arg: one.value for one in line.value.keywords}
                return ast.literal_eval(given[field]) if field in given else None
        return getattr(getattr(self.load(), name, None), field, None)

    def load(self) -> ModuleType:
        """Import the implementation."""
        return importlib.import_module(self.module)


@cache
def entries(room: str) -> dict[str, Entry]:
    """All implementations of a room, by name, in alphabetical order."""
    known: dict[str, Entry] = {}
    folder = ROOMS[room].folder
    for path in sorted((PACKAGE / folder).glob("*.py")):
        if not path.name.startswith("_"):
            known[path.stem] = Entry(room, path.stem, f"shoal.{folder.replace('/', '.')}.{path.stem}", path)
    for point in _outside(room):
        known.setdefault(point.name, Entry(room, point.name, point.value))
    return dict(sorted(known.items()))


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
    word = ROOMS[room].word
    what, todo = f"There is no {word} of that name.", f"choose one of the {word}s above"
    raise unknown(name, known, what, where=word, otherwise=todo, kind=UnknownNameError)


def knows(room: str, name: str) -> bool:
    """Whether there is an entry of that name."""
    try:
        find(room, name)
    except UnknownNameError:
        return False
    return True


def load(room: str, name: str) -> ModuleType:
    """Import one implementation by its public name."""
    return find(room, name).load()


def library(name: str, *, extra: str, what: str) -> Any:
    """The module of that name; ``what`` needs it, ``extra`` brings it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError(
            f"{what} needs a library that is not installed.",
            where=f"extra {extra!r} of shoal",
            allowed=f"an installation with the extra {extra!r}",
            received=f"no module {name!r}",
            todo=f"pip install 'shoal[{extra}]'",
        ) from None
