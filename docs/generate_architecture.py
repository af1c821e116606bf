# SPDX-License-Identifier: Apache-2.0
"""Writes the lists of ``docs/architecture.md`` from the package itself: every room, its sentence, its files.

``python docs/generate_architecture.py`` rewrites what stands between the marks of the page; a test fails when it is
out of date.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from shoal.ground import catalog

PAGE = Path(__file__).parent / "architecture.md"
FLOW = (
    "ground",
    "tables",
    "hierarchies",
    "plan",
    "suggesting",
    "engine",
    "judging",
    "releases",
    "pipeline",
    "large",
    "studies",
    "faces",
    "testing",
)
MARKS = re.compile(r"(<!-- rooms: written by docs/generate_architecture.py -->\n).*?(<!-- /rooms -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with its lists as the package is now."""
    return MARKS.sub(lambda mark: mark[1] + "\n" + "\n".join(lists()) + "\n" + mark[2], text)


def lists() -> list[str]:
    """The rooms in the order of the flow, then the parts of each room that has any."""
    rooms = [catalog.PACKAGE / name for name in FLOW]
    lines = table("room", rooms)
    for room in rooms:
        if parts := folders(room):
            lines += ["", f"## Inside `{room.name}/`", "", *table("part", parts)]
    return lines


def table(head: str, places: list[Path]) -> list[str]:
    """One line per room: its name, its sentence, its files or what each of its files is."""
    lines = [f"| {head} | what it is | files |", "|---|---|---|"]
    for place in places:
        name = f"`{shown(place)}/`" if place.is_dir() else f"`{place.name}.py`"
        lines.append(f"| {name} | {sentence(place)} | {contents(place)} |")
    return lines


def shown(folder: Path) -> str:
    """A room by its name, a part by its path from the room."""
    inside = folder.relative_to(catalog.PACKAGE).parts
    return "/".join(inside[1:] or inside)


def folders(room: Path) -> list[Path]:
    """The sub-rooms, also those of sub-rooms."""
    return sorted(inside.parent for inside in room.rglob("*/__init__.py"))


def sentence(place: Path) -> str:
    """The first sentence of the docstring, as the page writes it."""
    source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    said = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split()).replace("``", "`").replace("|", "or")


def contents(place: Path) -> str:
    """Names of the files; of a folder of implementations what one file is, and how many there are."""
    if not place.is_dir():
        return ""
    below = place.relative_to(catalog.PACKAGE).as_posix()
    for room, entry in catalog.ROOMS.items():
        if entry.folder == below:
            return f"one per {entry.word}: {len(catalog.names(room))}"
    return ", ".join(f"`{one.stem}`" for one in sorted(place.glob("[!_]*.py")))


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
