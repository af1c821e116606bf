# SPDX-License-Identifier: Apache-2.0
"""The walk-through of CONTRIBUTING, done by the letter in a copy of the package."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "CONTRIBUTING.md"


def test_an_algorithm_is_added_in_one_file(
    reader: Any, read_blocks: Callable[[Path], list[Any]], tmp_path: Path
) -> None:
    """The file shown, dropped into a copy of the package, is listed, examined and runs, with no other edit."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "src", copy)  # compiled kernels come along
    blocks = read_blocks(PAGE)
    (shown,) = [block for block in blocks if block.language == "python"]
    (copy / "shoal" / "engine" / "algorithms" / "sorted_blocks.py").write_text(shown.text, encoding="utf-8")
    command = tmp_path / "bin" / "shoal"
    command.parent.mkdir()
    command.write_text(f"#!{sys.executable}\nfrom shoal.faces.cli import main\nmain()\n")
    command.chmod(0o755)
    reader.environment |= {"PYTHONPATH": str(copy), "PATH": f"{command.parent}:{reader.environment['PATH']}"}
    located = reader.type('python -c "import shoal; print(shoal.__file__)"')
    assert located.strip() == "copy/shoal/__init__.py"
    for block in blocks:
        if block.language == "console":
            reader.session(block, PAGE)


def test_the_shown_file_keeps_the_house_rules(read_blocks: Callable[[Path], list[Any]], reader: Any) -> None:
    """What newcomers copy is formatted and linted like the rest."""
    (shown,) = [block for block in read_blocks(PAGE) if block.language == "python"]
    (reader.folder / "shown.py").write_text(shown.text, encoding="utf-8")
    given = f"--stdin-filename {ROOT}/src/shoal/engine/algorithms/sorted_blocks.py - < shown.py"
    printed = reader.type(f"ruff check {given} && ruff format --check {given}")
    assert reader.exit_code == 0, printed


def test_the_command_is_the_same_as_in_make() -> None:
    """The targets that the page names exist."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("test", "format", "help", "test-all", "clean-kernels"):
        assert f"\n{target}:" in makefile
