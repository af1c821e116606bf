# SPDX-License-Identifier: Apache-2.0
"""The door to the compiler: what may go through it, and where compiled code is kept."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shoal.kernels import compile as door
from shoal.kernels.hull import ticks

FOLDER = Path(door.__file__).parent
OTHERS = [path for path in sorted(FOLDER.glob("*.py")) if path.stem != "compile"]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_kernels_use_the_one_door(path: Path) -> None:
    """No kernel file talks to the compiler itself, so the settings that keep results the same stand in one place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in named if name.partition(".")[0] == "numba"]


def test_compiled_code_is_found_where_it_is_kept() -> None:
    """The first-run message depends on this answer."""
    assert ticks(1.0) == 1e12
    assert door.cache_folder().is_dir()
    assert door.compiled() == any(door.cache_folder().glob("*.nbi"))


def test_without_a_place_to_keep_it_code_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only installation is slower to start, not broken."""
    compiler = door.numba.njit

    def no_place(**settings: object) -> object:
        if settings.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return compiler(**settings)

    monkeypatch.setattr(door.numba, "njit", no_place)
    assert door.kernel(lambda value: value + 1)(2) == 3
