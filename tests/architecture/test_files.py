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
LONGEST_FILE = 500

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


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "src").as_posix())
def test_source_file(path: Path) -> None:
    """Licence line first, a docstring that says the purpose, and sizes one can read over a coffee."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert text.startswith(SPDX)
    assert ast.get_docstring(tree)
    assert len(text.splitlines()) <= LONGEST_FILE
    assert too_long(tree) == []


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


def test_python_files_of_tests_and_benchmarks_carry_the_licence() -> None:
    """The SPDX line stands in every Python file, not only in the package."""
    without = [
        str(path.relative_to(ROOT))
        for path in tracked()
        if path.suffix == ".py" and not path.read_text(encoding="utf-8").startswith(SPDX)
    ]
    assert without == []
