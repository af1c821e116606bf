# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/architecture.md: who may import whom, and which library lives in which room."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import shoal

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "shoal"
FILES = sorted(PACKAGE.rglob("*.py"))

LEVELS = {
    **dict.fromkeys(["errors", "cards", "catalog", "requirements", "parameters", "progress", "kernels"], 0),
    "tables": 1,
    **dict.fromkeys(["roles", "hierarchies", "samples"], 2),
    **dict.fromkeys(["encoding", "plan", "plan_checks"], 3),
    **dict.fromkeys(["algorithms", "generalizing", "privacy_models", "metrics", "leaks", "judging"], 4),
    **dict.fromkeys(["pipeline", "weaker", "releases", "reports"], 5),
    **dict.fromkeys(["attacks", "bounds", "enforcing", "refining", "suppressing"], 4),
    "portraits": 4,
    "attacking": 5,
    "comparing": 5,
    "suggesting": 5,
    "analysing": 5,
    **dict.fromkeys(["cli", "estimating", "testing"], 6),
}
SIDEWAYS = {
    ("catalog", "errors"),
    ("parameters", "errors"),
    ("progress", "errors"),
    ("requirements", "errors"),
    ("kernels", "requirements"),
    ("samples", "hierarchies"),
    ("encoding", "plan"),
    ("plan", "plan_checks"),
    ("plan_checks", "plan"),  # for its type only
    ("judging", "privacy_models"),
    ("privacy_models", "metrics"),
    ("judging", "metrics"),
    ("judging", "leaks"),
    ("leaks", "metrics"),
    ("leaks", "privacy_models"),
    ("attacks", "metrics"),
    ("portraits", "attacks"),
    ("portraits", "metrics"),
    ("attacking", "releases"),
    ("comparing", "pipeline"),
    ("comparing", "releases"),
    ("comparing", "reports"),
    ("pipeline", "releases"),
    ("pipeline", "reports"),
    ("pipeline", "weaker"),
    ("weaker", "releases"),
    ("weaker", "reports"),
    ("releases", "reports"),
    ("suggesting", "releases"),
    ("reports", "releases"),
}
JUDGES = (
    "attacks/",
    "attacking.py",
    "privacy_models/",
    "metrics/",
    "leaks/",
    "portraits/",
    "judging.py",
    "tables/equivalence_classes.py",
)
ENGINE = {"algorithms", "encoding", "generalizing", "kernels", "pipeline", "weaker"} | {
    "bounds", "enforcing", "refining", "suppressing",
}  # fmt: skip
HOMES = {
    "numba": "kernels",
    "llvmlite": "kernels",
    "polars": "tables",
    "pandas": "tables",
    "pyarrow": "tables",
    "narwhals": "tables",
    "sklearn": "estimating",
    "click": "cli",
    "rich": "cli",
}
NICKNAMES = {"pl": "polars", "pd": "pandas", "pa": "pyarrow", "nw": "narwhals", "nb": "numba"}


def inside(path: Path) -> str:
    """Path below the package, with slashes."""
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    """The room, or the module at the top, that a file belongs to."""
    return inside(path).partition("/")[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names of all imports of a file, those inside functions and for type checkers included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_imported(path: Path) -> set[str]:
    """Rooms of shoal that a file imports."""
    dotted = [name.split(".") for name in imported(ast.parse(path.read_text(encoding="utf-8")))]
    return {parts[1] for parts in dotted if parts[0] == "shoal" and len(parts) > 1} - {"__version__"}


each_file = pytest.mark.parametrize("path", FILES, ids=inside)
each_module = pytest.mark.parametrize("path", [one for one in FILES if inside(one) != "__init__.py"], ids=inside)


@each_module
def test_imports_point_down(path: Path) -> None:
    """A room imports only lower rooms, itself, and the few neighbours written in SIDEWAYS."""
    room = room_of(path)
    wrong = [
        other
        for other in rooms_imported(path)
        if other != room and LEVELS[other] >= LEVELS[room] and (room, other) not in SIDEWAYS
    ]
    assert wrong == []


@each_module
def test_the_wall(path: Path) -> None:
    """The judge shares no code with the accused."""
    if inside(path).startswith(JUDGES):
        assert rooms_imported(path) & ENGINE == set()


@each_file
def test_libraries_stay_in_their_rooms(path: Path) -> None:
    """The compiler only in kernels, dataframes only in tables, click and rich only in the command line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {name.partition(".")[0] for name in imported(tree)}
    named |= {NICKNAMES[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in NICKNAMES}
    named |= set(_libraries_in_quoted_annotations(tree))
    wrong = [name for name in named if name in HOMES and HOMES[name] != room_of(path)]
    assert wrong == []


def _libraries_in_quoted_annotations(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            first = annotation.value.partition(".")[0]
            yield NICKNAMES.get(first, first)


def test_every_room_has_a_level_and_a_line_in_the_architecture_page() -> None:
    """A new room must say where it stands before it can be used."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {room_of(path) for path in FILES} - {"__init__"}
    assert rooms - set(LEVELS) == set()
    assert [room for room in rooms if f"{room}/`" not in page and f"{room}.py`" not in page] == []


def test_a_planted_violation_is_found(tmp_path: Path) -> None:
    """The import reader sees imports in functions, for type checkers and of whole packages."""
    planted = tmp_path / "planted.py"
    planted.write_text(
        "if True:\n    from shoal.algorithms import k_member\n"
        "def f():\n    import numba.core\n    from shoal import kernels\n    x: 'pl.DataFrame'\n"
    )
    tree = ast.parse(planted.read_text())
    assert rooms_imported(planted) == {"algorithms", "kernels"}
    assert "numba.core" in set(imported(tree))
    assert list(_libraries_in_quoted_annotations(tree)) == ["polars"]


def test_all_public_names_resolve() -> None:
    """Everything the front door promises is there."""
    assert [name for name in shoal.__all__ if getattr(shoal, name, None) is None] == []


@pytest.mark.parametrize("statement", ["import shoal", "import shoal.cli", "import shoal.catalog"])
def test_starting_is_light(statement: str) -> None:
    """Importing the front door loads none of the heavy libraries, so help answers at once."""
    heavy = "numpy polars numba pandas pyarrow narwhals rich".split()
    code = f"{statement}; import sys; print(*[one for one in {heavy} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
