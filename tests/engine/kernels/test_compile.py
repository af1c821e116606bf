# SPDX-License-Identifier: Apache-2.0
"""The door to the compiler: what may go through it."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

from shoal.engine.kernels import compile as door
from shoal.engine.kernels.compile import lent
from shoal.engine.kernels.compiler.keeping import ROOM
from shoal.engine.kernels.hull import Hulls

OTHERS = [path for path in sorted(ROOM.rglob("*.py")) if path.stem != "compile" and path.parent.name != "compiler"]


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_kernels_use_the_one_door(path: Path) -> None:
    """No kernel file talks to the compiler itself, so the settings that keep results the same stand in one place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in named if name.partition(".")[0] == "numba"]


@door.inlined
def _sum(hulls: Hulls) -> float:
    return hulls.scale.sum()


@door.inlined
def _write(hulls: Hulls) -> None:
    hulls.cap[0] += 1.0


@door.kernel
def _lent_sum(hulls: Hulls) -> float:
    """Lends what it was given, and writes to it without reading it again."""
    hulls = lent(hulls)
    hulls.kind[1], hulls.kind[2] = 7, hulls.kind[0]
    _write(hulls)
    return _sum(hulls)


def test_lent_arrays_are_the_same_arrays() -> None:
    """Lending changes nothing but who counts: the numbers are the same, and the owner keeps them afterwards."""
    ones, cap, kind, codes = np.ones(3), np.zeros(3), np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    hulls = Hulls(kind, ones, cap, codes, codes, ones, np.zeros(1, dtype=np.int32))
    references = sys.getrefcount(ones)
    assert [_lent_sum(hulls) for _ in range(100)] == [3.0] * 100
    assert sys.getrefcount(ones) == references
    assert ones.tolist() == [1.0, 1.0, 1.0]
    assert (cap.tolist(), kind.tolist()) == ([100.0, 0.0, 0.0], [0, 7, 0]), "what is only written arrives, too"


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_nothing_makes_the_compiler_drop_what_is_written(path: Path) -> None:
    """After inner functions, comprehensions and ``bool()`` it removes writes to lent arrays that nobody reads there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kernels = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(each, ast.Name) and each.id in ("kernel", "inlined") for each in node.decorator_list)
    ]
    inner = ast.Lambda, ast.FunctionDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp
    for function in kernels:
        parts = [node for node in ast.walk(function) if node is not function]
        assert not [node for node in parts if isinstance(node, inner)]
        calls = [node.func for node in parts if isinstance(node, ast.Call)]
        assert not [called for called in calls if isinstance(called, ast.Name) and called.id == "bool"]
