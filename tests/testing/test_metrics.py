# SPDX-License-Identifier: Apache-2.0
"""Every metric of the catalogue sits the public exam."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from shoal.ground import catalog
from shoal.judging.evidence import Evidence, Measurement
from shoal.testing.metrics import check_metric


@pytest.mark.parametrize("name", catalog.names("metrics"))
def test_metric_passes_the_exam(name: str) -> None:
    """A metric that is listed keeps the promises of all metrics."""
    check_metric(name)


class Newcomer:
    """A catalogue entry for a metric that exists only in a test."""

    docstring = "What a newcomer measures.\n\nFormula and paper."

    def __init__(self, measure: Callable[[Evidence], Any]) -> None:
        self._module = ModuleType("newcomer")
        self._module.measure = measure  # type: ignore[attr-defined]

    def load(self) -> ModuleType:
        """The module with the metric."""
        return self._module


def measured(value: float = 0.5, **others: Any) -> Measurement:
    """A measurement that breaks no promise by itself."""
    return Measurement("newcomer", value, "lower", (0.0, 1.0), **others)


def first_cell(evidence: Evidence) -> Measurement:
    """Looks at the first row only."""
    ages, _ = evidence.released.codes("age")
    return measured(float(ages[0] == 0) if len(ages) else 0.0)


def quoting(evidence: Evidence) -> Measurement:
    """Tells what it could not read."""
    _, labels = evidence.released.codes("age")
    return measured(math.nan if "no such label" in labels else 0.5, note=f"cannot read {labels}")


@pytest.mark.parametrize(
    ("measure", "promise"),
    [
        (lambda evidence: 0.5, "must return a Measurement"),
        (lambda evidence: measured(1.5), "outside its own limits"),
        (lambda evidence: measured(math.nan), "needs a note"),
        (first_cell, "order of rows or columns"),
        (quoting, "never quote a cell"),
        (lambda evidence: measured(per_column={"sex": 0.3}), "unchanged release"),
        (lambda evidence: measured(per_column={"disease": 0.0}), "quasi-identifiers only"),
    ],
)
def test_the_exam_fails_a_metric_that_breaks_a_promise(
    measure: Callable[[Evidence], Any], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each promise of the exam is really examined."""
    monkeypatch.setattr(catalog, "find", lambda room, name: Newcomer(measure))
    with pytest.raises(AssertionError, match=promise):
        check_metric("newcomer")
