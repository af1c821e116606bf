# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/architecture.md: who may import whom, and which library lives in which room."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import shoal

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "shoal"
FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = [path for path in FILES if path != PACKAGE / "__init__.py"]

LEVELS = {
    **dict.fromkeys(["ground"], 0),
    **dict.fromkeys(["tables"], 1),
    **dict.fromkeys(["hierarchies"], 2),
    **dict.fromkeys(["plan"], 3),
    **dict.fromkeys(["suggesting"], 4),
    **dict.fromkeys(["engine", "judging"], 5),  # the wall stands between the two
    **dict.fromkeys(["releases"], 6),
    **dict.fromkeys(["pipeline"], 7),
    **dict.fromkeys(["studies", "large"], 8),
    **dict.fromkeys(["faces", "testing"], 9),
    **dict.fromkeys(["__main__", "spark"], 10),
}
"""A room imports lower rooms only."""
INNER = {
    "engine": {
        "kernels": 0,
        "encoding": 1,
        **dict.fromkeys(["methods", "threads"], 2),
        **dict.fromkeys(["algorithms", "bounds", "generalizing"], 3),
        "refining": 4,
        **dict.fromkeys(["levels_told", "cells"], 5),
    },
    "judging": {
        **dict.fromkeys(["verdicts", "evidence", "attempts", "bytes"], 0),
        **dict.fromkeys(["labels", "leak_search", "associations", "gates", "survey"], 1),
        **dict.fromkeys(["linking", "containers", "private_values", "special_uniques", "tallying"], 2),
        **dict.fromkeys(["look_alikes", "exposures", "analyst"], 3),
        **dict.fromkeys(["privacy_models", "metrics", "leaks", "attacks"], 4),
        **dict.fromkeys(["common_levels", "persons", "portraits"], 5),
        **dict.fromkeys(["checking", "promises"], 6),
        **dict.fromkeys(["boxes", "subtables", "by_counts"], 7),
        "in_database": 8,
    },
}
"""Inside the two large rooms, the same for their files and folders."""
MOST_ENTRIES = 14
HOMES = {
    "numba": "engine.kernels",
    "llvmlite": "engine.kernels",
    "polars": ("tables", "judging.bytes"),  # where the judge looks at bytes without the engine's readers
    "pandas": "tables",
    "pyarrow": ("tables", "faces.spark"),  # in which Spark hands rows over
    "pyspark": "faces.spark",
    "narwhals": "tables",
    "sklearn": "faces.estimating",
    "click": "faces.cli",
    "rich": "faces.cli",
    "jinja2": "ground.pages",
    "markupsafe": "ground.pages",
    "starlette": "faces.app",
    "uvicorn": "faces.app",
}
NICKNAMES = {"pl": "polars", "pd": "pandas", "pa": "pyarrow", "nw": "narwhals", "nb": "numba"}


def inside(path: Path) -> str:
    """Path below the package, with slashes."""
    return path.relative_to(PACKAGE).as_posix()


def dotted(path: Path) -> str:
    """The module of a file, without the package: ``engine.kernels.hull``."""
    return inside(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def place_of(module: str) -> str:
    """Where a module stands: its room, or its part of one of the two large rooms."""
    room, *rest = module.split(".")
    return f"{room}.{rest[0]}" if rest and room in INNER else room


def level_of(place: str) -> int:
    """How high a place stands among those it is compared with."""
    room, _, part = place.partition(".")
    return INNER[room][part] if part else LEVELS[room]


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names of all imports of a file, those inside functions and for type checkers included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def modules_imported(path: Path) -> set[str]:
    """Names of shoal that a file imports, without the package."""
    found = imported(ast.parse(path.read_text(encoding="utf-8")))
    return {name.removeprefix("shoal.") for name in found if name.startswith("shoal.")} - {"__version__"}


def wrongly_imported(module: str, names: set[str]) -> list[str]:
    """Imports that do not point down, by the levels of rooms and, inside a large room, of its parts."""
    wrong = []
    for name in names:
        here, there = place_of(module), place_of(name)
        if here.partition(".")[0] != there.partition(".")[0]:
            here, there = here.partition(".")[0], there.partition(".")[0]
        if here != there and "." in here + there and (here.count(".") != there.count(".")):
            continue  # a package that speaks of its own parts
        if here != there and level_of(there) >= level_of(here):
            wrong.append(name)
    return wrong


def test_imports_point_down() -> None:
    """A room imports only lower rooms and itself; nobody looks sideways."""
    wrong = {inside(path): wrongly_imported(dotted(path), modules_imported(path)) for path in MODULES}
    assert {path: names for path, names in wrong.items() if names} == {}


def test_the_wall() -> None:
    """The judge shares no code with the accused, nor the accused with the judge."""
    other_side = {"judging": "engine", "engine": "judging"}
    sides = [
        (inside(path), name)
        for path in MODULES
        for name in modules_imported(path)
        if name.partition(".")[0] == other_side.get(dotted(path).partition(".")[0])
    ]
    assert sides == []


LENIENT = ("tables.formats", "tables.meanings", "tables.letters", "tables.side_doors")
"""Where the engine takes different bytes for one cell, or different cells for one value."""
JUDGES_OWN = ("judging.bytes", "judging.private_values", "judging.labels.letters")


def test_the_judge_reads_bytes_by_itself() -> None:
    """Where the engine reads leniently the judge has code of its own, so that one gap is not on both sides."""
    shared = [
        (inside(path), name)
        for path in MODULES
        for name in modules_imported(path)
        if dotted(path).startswith(JUDGES_OWN) and name.startswith(LENIENT)
    ]
    assert shared == []


def test_every_format_has_a_reader_of_the_judge() -> None:
    """A format that can be read can be judged by its bytes: one file of the same name on each side."""
    public = {path.stem for path in (PACKAGE / "tables" / "formats").glob("[a-z]*.py")}
    assert public - {path.stem for path in (PACKAGE / "judging" / "bytes").glob("[a-z]*.py")} == set()


def test_what_is_judged_counts_values_by_the_judges_code() -> None:
    """In a model, ``requirement`` asks the engine's view of private values, ``check`` the judge's, never the other."""
    for path in sorted((PACKAGE / "judging" / "privacy_models").glob("[a-z]*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = {node.name: names_in(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert "meaning_codes" not in used["check"], path.name
        assert "private_codes" not in used["requirement"], path.name


def names_in(function: ast.FunctionDef) -> set[str]:
    """Names that a function uses."""
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def test_private_modules_stay_in_their_folder() -> None:
    """What begins with an underscore is imported by its neighbours in the same folder alone."""
    wrong = [
        (inside(path), name)
        for path in MODULES
        for name in modules_imported(path)
        for place, part in enumerate(name.split("."))
        if part.startswith("_") and name.split(".")[:place] != inside(path).split("/")[:-1]
    ]
    assert wrong == []


def test_the_house_is_small() -> None:
    """About a dozen entries at the top, beside what every package has."""
    entries = [one.name for one in PACKAGE.iterdir() if not one.name.startswith("__") and one.name != "py.typed"]
    assert len(entries) <= MOST_ENTRIES


def test_libraries_stay_in_their_rooms() -> None:
    """The compiler only in kernels, dataframes only in tables, click and rich only in the command line."""
    wrong = [
        (inside(path), name)
        for path in FILES
        for name in libraries_of(path)
        if name in HOMES and not dotted(path).startswith(HOMES[name])
    ]
    assert wrong == []


def libraries_of(path: Path) -> set[str]:
    """Top names of all that a file imports, or names in quoted annotations or by a nickname."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {name.partition(".")[0] for name in imported(tree)}
    named |= {NICKNAMES[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in NICKNAMES}
    return named | set(_libraries_in_quoted_annotations(tree))


def _libraries_in_quoted_annotations(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            first = annotation.value.partition(".")[0]
            yield NICKNAMES.get(first, first)


def test_every_room_has_a_level_and_a_line_in_the_architecture_page() -> None:
    """A new room must say where it stands before it can be used."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = {place_of(dotted(path)) for path in FILES if "/" in inside(path)} - set(INNER) | {"pipeline"}
    assert [place for place in places if place not in LEVELS and not known_inside(place)] == []
    names = {place.partition(".")[2] or place for place in places}
    assert [name for name in names if not re.search(rf"`{name}(/|\.py)?`", page)] == []


def known_inside(place: str) -> bool:
    """Whether a part of a large room has a level."""
    room, _, part = place.partition(".")
    return part in INNER.get(room, {})


def test_a_planted_violation_is_found(tmp_path: Path) -> None:
    """The import reader sees imports in functions, for type checkers and of whole packages."""
    planted = tmp_path / "planted.py"
    planted.write_text(
        "if True:\n    from shoal.engine.algorithms import k_member\n"
        "def f():\n    import numba.core\n    from shoal.engine import kernels\n    x: 'pl.DataFrame'\n"
    )
    tree = ast.parse(planted.read_text())
    assert modules_imported(planted) == {"engine.algorithms.k_member", "engine.kernels"}
    assert wrongly_imported("judging.checking", {"faces.cli.check"}) == ["faces.cli.check"]
    assert wrongly_imported("engine.encoding.encode", {"engine.algorithms.mdav"}) == ["engine.algorithms.mdav"]
    assert "numba.core" in set(imported(tree))
    assert list(_libraries_in_quoted_annotations(tree)) == ["polars"]


def test_all_public_names_resolve() -> None:
    """Everything the front door promises is there."""
    assert [name for name in shoal.__all__ if getattr(shoal, name, None) is None] == []


@pytest.mark.parametrize("statement", ["import shoal", "import shoal.faces.cli", "import shoal.ground.catalog"])
def test_starting_is_light(statement: str) -> None:
    """Importing the front door loads none of the heavy libraries, so help answers at once."""
    heavy = "numpy polars numba pandas pyarrow narwhals rich jinja2".split()
    code = f"{statement}; import sys; print(*[one for one in {heavy} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
