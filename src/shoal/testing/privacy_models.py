# SPDX-License-Identifier: Apache-2.0
"""The exam that every privacy model sits: ``check_privacy_model("k_anonymity")``.

Raises ``AssertionError`` with the promise that is broken. What a model *means* is for its own tests; the exam holds
what all models promise: the verdict depends on the content of the table alone, missing counts as a value, and no
statement quotes a cell.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import numpy as np

from shoal.ground.parameters import build
from shoal.ground.requirements import RULES, Requirement
from shoal.judging.verdicts import Finding
from shoal.tables.table import Table
from shoal.testing import _specimen as specimen

SECRETS = specimen.cells(specimen.ORIGINAL) | specimen.cells(specimen.RELEASED)


def check_privacy_model(name: str, **given: Any) -> None:
    """Examine one model of the catalogue, with its default parameters or those given."""
    model = specimen.described("privacy_models", name)
    specimen.check_parameters(name, model)
    parameters = build(model.Parameters, given, where=f"model {name!r}")
    _asks_for_something(name, model, parameters)
    for examine in (_ignores_order, _counts_missing_as_a_value, _more_of_the_same_is_no_worse, _survives_odd_input):
        examine(name, model, parameters)


def _found(name: str, model: ModuleType, parameters: Any, released: Table) -> Finding:
    """Judge, and check what must be true of every finding."""
    finding = model.check(released, specimen.plan(), parameters)
    assert isinstance(finding, Finding), f"{name}: check must return a Finding"
    assert finding.model == name, f"{name}: the finding must carry the model's own name"
    assert finding.holds in (True, False, None), f"{name}: holds must be True, False or None"
    one_sentence = bool(finding.statement) and "\n" not in finding.statement
    assert one_sentence, f"{name}: the statement must be one sentence"
    quoted = [cell for cell in SECRETS if cell in finding.statement]
    assert not quoted, f"{name}: a statement must never quote a cell"
    json.dumps(dict(finding.figures), allow_nan=False)
    return finding


def _asks_for_something(name: str, model: ModuleType, parameters: Any) -> None:
    original = specimen.table(specimen.ORIGINAL)
    wanted = model.requirement(parameters, original, specimen.plan())
    assert isinstance(wanted, Requirement), f"{name}: requirement must return a Requirement"
    for rule in wanted.rules:
        fits = rule.kind in RULES and rule.codes.shape == (len(original),) and rule.codes.min(initial=0) >= 0
        assert fits, f"{name}: a rule must be of a known kind and number the private value of every record"


def _ignores_order(name: str, model: ModuleType, parameters: Any) -> None:
    released = specimen.table(specimen.RELEASED)
    expected = _found(name, model, parameters, released)
    for change in (specimen.shuffled, specimen.turned):
        finding = _found(name, model, parameters, change(released))
        assert finding == expected, f"{name}: depends on the order of rows or columns"


def _counts_missing_as_a_value(name: str, model: ModuleType, parameters: Any) -> None:
    """A label that occurs nowhere else, put where cells are missing, must not change the verdict."""
    for missing_rows in (2, 1):
        ages = [*specimen.RELEASED["age"][: 8 - missing_rows], *[None] * missing_rows]
        ages[6 : 8 - missing_rows] = ["[1045, 1047]"] * (2 - missing_rows)
        named = ["[2000, 2001]" if age is None else age for age in ages]
        hidden = _found(name, model, parameters, specimen.table({**specimen.RELEASED, "age": ages}))
        shown = _found(name, model, parameters, specimen.table({**specimen.RELEASED, "age": named}))
        shared = {key: hidden.figures.get(key) for key in shown.figures}
        same = (hidden.holds, shared) == (shown.holds, shown.figures)
        assert same, f"{name}: a missing cell must count as a value of its own"


def _more_of_the_same_is_no_worse(name: str, model: ModuleType, parameters: Any) -> None:
    released = specimen.table(specimen.RELEASED)
    once = _found(name, model, parameters, released)
    twice = _found(name, model, parameters, released.take(np.repeat(np.arange(len(released)), 2)))
    assert not (once.holds and not twice.holds), f"{name}: every row twice cannot break what held"


def _survives_odd_input(name: str, model: ModuleType, parameters: Any) -> None:
    for rows in (0, 1):
        empty = specimen.table({column: [None] * rows for column in specimen.RELEASED})
        _found(name, model, parameters, empty)
