# SPDX-License-Identifier: Apache-2.0
"""Every privacy model of the catalogue sits the public exam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

from shoal.ground import catalog
from shoal.ground.requirements import Requirement
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from shoal.testing.privacy_models import check_privacy_model


@pytest.mark.parametrize("name", catalog.names("privacy_models"))
def test_model_passes_the_exam(name: str) -> None:
    """A model that is listed keeps the promises of all models."""
    check_privacy_model(name)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_anonymity_passes_with_a_claim(k: int) -> None:
    """The exam also holds where a claim is made, true or false."""
    check_privacy_model("k_anonymity", k=k)


class Newcomer:
    """A catalogue entry for a model that exists only in a test."""

    docstring = "What a newcomer asks for.\n\nDefinition, paper, limits."

    def __init__(self, check: Callable[[Table, Plan, Any], Any]) -> None:
        @dataclass(frozen=True)
        class Parameters:
            """None."""

        self._module = ModuleType("newcomer")
        self._module.__dict__.update(check=check, Parameters=Parameters)
        self._module.__dict__.update(requirement=lambda given, table, plan: Requirement())

    def load(self) -> ModuleType:
        """The module with the model."""
        return self._module


def found(holds: bool = True, statement: str = "it holds", **figures: Any) -> Finding:
    """A finding that breaks no promise by itself."""
    return Finding("newcomer", holds, statement, figures)


def codes(released: Table) -> list[int]:
    """Codes of the first quasi-identifier; missing is -1."""
    return released.codes("age")[0].tolist()


@pytest.mark.parametrize(
    ("check", "promise"),
    [
        (lambda released, plan, given: True, "must return a Finding"),
        (lambda released, plan, given: found(statement=str(released.codes("work")[1])), "never quote a cell"),
        (lambda released, plan, given: found(first=codes(released)[:1]), "order of rows or columns"),
        (lambda released, plan, given: found(present=sum(code >= 0 for code in codes(released))), "value of its own"),
        (lambda released, plan, given: found(len(released) < 9), "every row twice"),
        (lambda released, plan, given: found(statement="two\nlines"), "one sentence"),
    ],
)
def test_the_exam_fails_a_model_that_breaks_a_promise(
    check: Callable[[Table, Plan, Any], Any], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each promise of the exam is really examined."""
    monkeypatch.setattr(catalog, "find", lambda room, name: Newcomer(check))
    with pytest.raises(AssertionError, match=promise):
        check_privacy_model("newcomer")
