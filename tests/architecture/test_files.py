# SPDX-License-Identifier: Apache-2.0
"""House rules that every file keeps: licence line, docstring, size, and no trace of one machine."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
SPDX = "# SPDX-License-Identifier: Apache-2.0"
LONGEST_FUNCTION = 60
NINE_IN_TEN = 20
"""Nine in ten functions have no more lines."""
LONGEST_FILE = 500
SHARED_NAMES = {"Parameters"}
"""What every method, model and builder calls its own."""
# Written in pieces, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(rf"(?<![\w.])/{top}/" for top in ("wo" + "rk", "ho" + "me", "ro" + "ot", "Us" + "ers"))
)
LEFT_OVER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")
REGISTRIES = re.compile("|".join(("pypi" + r"\.org", "python" + "hosted", "anaconda" + r"\.org", "npm" + r"js\.")))


def tracked() -> list[Path]:
    """Text files under version control; in an unpacked archive, all files of the source folders."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        found = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for top in ("src", "tests", "docs", "changes") for path in (ROOT / top).rglob("*.*")]
    return [path for path in found if path.is_file() and b"\0" not in path.read_bytes()[:8000]]


def offences(pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern stands in tracked files: ``path:line``."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, LEFT_OVER, REGISTRIES], ids=["paths", "left over", "registries"])
def test_tracked_files_name_no_machine_and_leave_nothing_over(pattern: re.Pattern[str]) -> None:
    """A clone anywhere works the same, and nothing is postponed inside the code."""
    assert offences(pattern) == []


def test_the_patterns_find_what_they_should() -> None:
    """The search itself can fail."""
    assert MACHINE_PATHS.search("open('/wo" + "rk/x')")
    assert not MACHINE_PATHS.search("docs/wo" + "rk/x")
    assert LEFT_OVER.search("# TO" + "DO later")
    assert REGISTRIES.search("https://pypi" + ".org/simple")


def test_source_files() -> None:
    """Licence line first, a docstring that says the purpose, and sizes one can read over a coffee."""
    assert {path.relative_to(ROOT / "src").as_posix(): found for path in SOURCES if (found := faults(path))} == {}


def faults(path: Path) -> list[str]:
    """Which house rules a source file breaks."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    kept = {
        "no licence line": text.startswith(SPDX),
        "no docstring": bool(ast.get_docstring(tree)),
        "too many lines": len(text.splitlines()) <= LONGEST_FILE,
    }
    return [fault for fault, well in kept.items() if not well] + too_long(tree)


def too_long(tree: ast.Module) -> list[str]:
    """Functions of more lines than allowed, their docstrings not counted."""
    return [
        f"{node.name}: {size} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (size := length(node)) > LONGEST_FUNCTION
    ]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_most_functions_are_short() -> None:
    """A reader meets functions that fit on half a screen: the longest, and nine in ten."""
    functions = [
        length(node)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert max(functions) <= LONGEST_FUNCTION
    assert sorted(functions)[int(0.9 * len(functions))] <= NINE_IN_TEN


def test_no_two_classes_have_the_same_name() -> None:
    """A class is found by its name, so a name stands for one class."""
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(ROOT / "src").as_posix())
    several = {name: found for name, found in places.items() if len(found) > 1 and name not in SHARED_NAMES}
    assert several == {}


def test_python_files_of_tests_and_benchmarks_carry_the_licence() -> None:
    """The SPDX line stands in every Python file, not only in the package."""
    without = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix == ".py" and not path.read_text(encoding="utf-8").startswith(SPDX)
    ]
    assert without == []
