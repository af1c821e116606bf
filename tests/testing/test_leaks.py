# SPDX-License-Identifier: Apache-2.0
"""Every kind of leak of the catalogue sits the public exam."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from shoal.ground import catalog
from shoal.judging.leak_search import INFORMATION, WARNING, Leak, LeakScene
from shoal.testing.leaks import check_leak


@pytest.mark.parametrize("name", catalog.names("leaks"))
def test_leak_passes_the_exam(name: str) -> None:
    """A kind of leak that is listed keeps the promises of all kinds."""
    check_leak(name)


class Newcomer:
    """A catalogue entry for a kind that exists only in a test."""

    docstring = "What a newcomer looks for.\n\nHow, why, and what is left alone."

    def __init__(self, find: Callable[[LeakScene], Any]) -> None:
        self._module = ModuleType("newcomer")
        self._module.__dict__["find"] = find

    def load(self) -> ModuleType:
        """The module with the search."""
        return self._module


def leak(statement: str = "something", severity: str = INFORMATION, kind: str = "newcomer", todo: str = "mend") -> list:
    """One leak."""
    return [Leak(kind, severity, statement, todo)]


@pytest.mark.parametrize(
    ("find", "promise"),
    [
        (lambda scene: leak(severity=WARNING), "good release"),
        (lambda scene: leak(str(scene.cells("work").texts)), "quote a cell"),
        (lambda scene: leak(severity="bad"), "severity"),
        (lambda scene: leak(kind="other"), "name of its file"),
        (lambda scene: leak(todo=""), "what to do"),
        (lambda scene: ["text"], "find Leaks"),
    ],
)
def test_the_exam_fails_a_kind_that_breaks_a_promise(
    find: Callable[[LeakScene], Any], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each promise of the exam is really examined."""
    monkeypatch.setattr(catalog, "find", lambda room, name: Newcomer(find))
    with pytest.raises(AssertionError, match=promise):
        check_leak("newcomer")
