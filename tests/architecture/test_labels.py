# SPDX-License-Identifier: Apache-2.0
"""Published labels are read in one place, through the few names that it offers."""

from __future__ import annotations

import ast
from pathlib import Path

import shoal.judging.labels

ROOM = "shoal.judging.labels"
PACKAGE = Path(__file__).resolve().parents[2] / "src" / "shoal"
OFFERED = {
    "spelling": {"ANYTHING", "ends_in", "members", "readings"},
    "letters": {"skeleton"},
    "ends": {"Ends", "bounds_together", "ends_of"},
    "lines": {"EVERYTHING", "Line", "Stretch", "line_of", "order_line", "span_of"},
    "values": {"figure_of", "moment_of"},
    "noting": {"as_read"},
    "trees": {"LabelTree"},
    "reach": {
        "CENTRES",
        "RowReach",
        "bounds_of",
        "column_of",
        "labels_of",
        "reach_of",
        "value_positions",
    },
    "cells": {"PublishedCells", "cells_of"},
}


def taken(path: Path) -> set[str]:
    """What a file imports from the room, as ``module.name``."""
    found = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ImportFrom)]
    inside = [node for node in found if f"{node.module}.".startswith(f"{ROOM}.")]
    return {f"{node.module}.{alias.name}".removeprefix(f"{ROOM}.") for node in inside for alias in node.names}


def test_others_take_what_is_offered() -> None:
    """No room reaches past the interface; what nobody takes is no longer offered."""
    outside = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE / "judging" / "labels"]
    used = set().union(*map(taken, outside))
    assert used == {f"{module}.{name}" for module, names in OFFERED.items() for name in names}


def test_the_room_says_what_it_offers() -> None:
    """A reader finds every offered name in the docstring of the room."""
    said = shoal.judging.labels.__doc__ or ""
    assert [name for names in OFFERED.values() for name in names if f"``{name}``" not in said] == []


def test_nobody_else_takes_ranges_apart() -> None:
    """The brackets of a range are known to the room alone, and to the leak that looks for broken ones."""
    readers = [path for path in PACKAGE.rglob("*.py") if r"[\])\[]" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(PACKAGE).as_posix() for path in readers] == ["judging/labels/spelling.py"]
