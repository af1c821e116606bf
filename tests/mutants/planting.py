# SPDX-License-Identifier: Apache-2.0
"""Small faults: where they can be planted, and the source with one of them in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "shoal"
HARMLESS = Path(__file__).with_name("harmless.txt")
ROOMS = {
    "judging": ["tests/judging", "tests/attacks", "tests/test_defects.py"],
    "engine/refining": ["tests/engine/refining", "tests/test_needless_refusals.py"],
    "engine/kernels/enforcing": [
        "tests/engine/kernels/test_lacking.py",
        "tests/engine/kernels/test_exchanging.py",
        "tests/engine/refining/test_enforce.py",
        "tests/engine/refining/test_suppress.py",
    ],
    "releases": ["tests/releases", "tests/judging/attacks/test_attack.py"],
    "tables/formats": ["tests/tables"],
}
"""Where faults are planted -> the tests that must notice, from the root."""
DRAWINGS = ("releases/reports/charts.py",)
"""Looked at by people, not tested to the pixel."""

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


class Fault(NamedTuple):
    """One place and what is done there."""

    path: Path
    """From the package."""
    place: int
    """Number of the node among those of the file that a fault can turn."""
    line: int
    what: str
    text: str
    """The line as it was."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}: {self.text}"

    @property
    def key(self) -> str:
        """How a list names it: by its line of source, so that edits elsewhere in the file do not matter."""
        return f"{self.path}: {self.what}: {self.text}"

    @property
    def room(self) -> str:
        """Where it is planted."""
        return next(room for room in ROOMS if self.path.as_posix().startswith(f"{room}/"))


def turnable(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every node that a fault can turn around, always in the same order, and what that would be."""
    quiet = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    quiet |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in quiet:  # messages have tests of their own kind
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
            yield node, f"{type(node.ops[0]).__name__} -> {SWAPS[type(node.ops[0])].__name__}"
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPS and not _joins_text(node):
            yield node, f"{type(node.op).__name__} -> {SWAPS[type(node.op)].__name__}"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "not -> (nothing)"
        elif isinstance(node, ast.Constant) and (isinstance(node.value, bool) or type(node.value) is int):
            yield node, f"{node.value} -> {_other(node.value)}"


def _joins_text(node: ast.BoolOp | ast.BinOp) -> bool:
    """Whether text is put together, where a minus would be no small fault."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    return any(isinstance(part, ast.JoinedStr | ast.List | ast.Tuple) or _is_text(part) for part in parts)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _other(value: int) -> int:
    return not value if isinstance(value, bool) else value + 1


def turn(node: ast.AST) -> None:
    """Plant the fault."""
    if isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()  # type: ignore[assignment]
    elif isinstance(node, ast.BoolOp | ast.BinOp):
        node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif isinstance(node, ast.Constant):
        node.value = _other(node.value)  # type: ignore[arg-type]


def faults(only: str = "") -> list[Fault]:
    """Every fault that could be planted."""
    found = []
    for room in ROOMS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            inside = path.relative_to(PACKAGE)
            if only not in inside.as_posix() or inside.as_posix() in DRAWINGS:
                continue
            source = path.read_text(encoding="utf-8")
            lines = source.splitlines()
            for place, (node, what) in enumerate(turnable(ast.parse(source))):
                line = node.lineno  # type: ignore[attr-defined]
                found.append(Fault(inside, place, line, what, lines[line - 1].strip()))
    return found


def planted(fault: Fault) -> str:
    """The source of the file with the fault in it."""
    tree = ast.parse((PACKAGE / fault.path).read_text(encoding="utf-8"))
    node, _ = next(pair for number, pair in enumerate(turnable(tree)) if number == fault.place)
    turn(node)
    return ast.unparse(ast.fix_missing_locations(tree))


def harmless() -> dict[str, str]:
    """Faults that were looked at and change nothing anybody could see -> why."""
    known, reason = {}, ""
    for line in HARMLESS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            reason = line.lstrip("# ")
        elif line:
            known[line] = reason
    return known
