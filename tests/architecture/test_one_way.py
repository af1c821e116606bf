# SPDX-License-Identifier: Apache-2.0
"""One way to draw and to write: markup, JSON and files that replace others come from the modules made for them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [ROOT / "docs" / "generate_methods.py", ROOT / "benchmarks" / "curve.py"]
SOURCES = [*sorted((ROOT / "src" / "shoal").rglob("*.py")), *OTHERS]

MARKUP = re.compile(r"</?(svg|g|path|rect|circle|text|div|p|span|table|t[rhd]|h[1-6]|ul|li|html|body|style)\b[^<]*/?>")
HOMES = {
    "markup": {"ground/svg.py"},
    "json.dumps": {
        "ground/json_text.py",
        "engine/generalizing/renderings/set.py",  # quotes a label of a set
        "engine/kernels/compiler/keeping.py",  # a note of the kernel cache to itself
        "testing/metrics.py",  # the exam: what is told must be strict JSON
        "testing/privacy_models.py",
    },
    "os.replace": {"ground/writing.py"},
    "os.rename": {"ground/writing.py"},
    "os.fsync": {"ground/writing.py"},
    "html.escape": {"ground/svg.py"},
    "Markup": {"ground/pages.py"},
    "__html__": {"ground/svg.py"},
}
"""What is done in which files alone."""


def written(text: str) -> set[str]:
    """Which of these things a file does; examples in docstrings do not count."""
    tree = ast.parse(text)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    prose |= {
        id(node.format_spec) for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)
    }  # the < of {a:<9}
    found = set()
    for node in ast.walk(tree):
        if id(node) in prose:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {"markup"} if MARKUP.search(node.value) else set()
        elif isinstance(node, ast.JoinedStr):
            flat = "".join(one.value if isinstance(one, ast.Constant) else "x" for one in node.values)
            found |= {"markup"} if MARKUP.search(flat) or re.search(r"</?x", flat) else set()
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.add(f"{node.value.id}.{node.attr}")
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{one.name}" for one in node.names} | {str(node.module)}
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.FunctionDef | ast.Name):
            found.add(node.name if isinstance(node, ast.FunctionDef) else node.id)
    return found & set(HOMES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_written_where_it_belongs(path: Path) -> None:
    """No second way to escape, to draw, to write JSON or to replace a file creeps in."""
    name = path.relative_to(ROOT).as_posix().removeprefix("src/shoal/")
    assert {one for one in written(path.read_text(encoding="utf-8")) if name not in HOMES[one]} == set()


def test_every_permit_is_used() -> None:
    """A file that no longer needs a permit has none."""
    inside = {path.relative_to(ROOT / "src" / "shoal").as_posix(): path for path in SOURCES if path not in OTHERS}
    unused = [(what, name) for what, homes in HOMES.items() for name in homes if what not in _of(inside[name])]
    assert unused == []


def _of(path: Path) -> set[str]:
    return written(path.read_text(encoding="utf-8"))


def test_a_planted_violation_is_found() -> None:
    """The search itself can fail: markup in plain and filled texts, and every other thing."""
    assert written('"""An <svg> here is prose."""\na = "a <b> and 3 < 4"') == set()
    assert written('a = "<div class=x>"') == {"markup"}
    assert written('a = f"<{tag}>"') == {"markup"}
    assert written("a = f'<rect width=\"{w}\"/>'") == {"markup"}
    assert written("import json, os\njson.dumps(1)\nos.replace(a, b)") == {"json.dumps", "os.replace"}
    assert written("from html import escape\nfrom json import dumps") == {"html.escape", "json.dumps"}
    assert written('a = f"{b:<{width}} {c}"') == set()
