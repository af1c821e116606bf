# SPDX-License-Identifier: Apache-2.0
"""What pages for contributors say of the package is what the package says of itself."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path

import pytest

from shoal.ground import catalog

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FOLDERS = {room.folder: name for name, room in catalog.ROOMS.items()}
SIGNATURE = re.compile(r"`(\w+)\(([\w, ]*)\)")
ROW = re.compile(r"^\| an? [\w ]+ \| `([\w/]+)/x\.py` \| (.+) \|$", re.MULTILINE)


def test_the_lists_of_rooms_are_up_to_date() -> None:
    """Rooms, their sentences and their files are what ``make docs`` would write now."""
    found = importlib.util.spec_from_file_location("generate_architecture", DOCS / "generate_architecture.py")
    generator = importlib.util.module_from_spec(found)
    found.loader.exec_module(generator)
    text = generator.PAGE.read_text(encoding="utf-8")
    assert generator.page(text) == text, "run make docs"


def quoted() -> list[tuple[str, str, list[str]]]:
    """Folder, function and parameters of every signature that CONTRIBUTING quotes."""
    rows = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    return [
        (folder, name, [one.strip() for one in given.split(",") if one.strip()])
        for folder, cells in rows
        for name, given in SIGNATURE.findall(cells)
    ]


def test_signatures_are_quoted() -> None:
    """The test below has something to look at."""
    assert len(quoted()) >= 4


@pytest.mark.parametrize(("folder", "name", "parameters"), quoted(), ids=str)
def test_quoted_signatures_are_true(folder: str, name: str, parameters: list[str]) -> None:
    """What CONTRIBUTING tells a newcomer to write is what every implementation has."""
    room = FOLDERS[folder]
    for entry in catalog.entries(room).values():
        function = getattr(entry.load(), name, None)
        if function is not None:
            assert list(inspect.signature(function).parameters) == parameters, entry.name
