# SPDX-License-Identifier: Apache-2.0
"""What the exams share: a small table and a release of it, made by hand, on which judges are examined; questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import numpy as np

from shoal.ground import catalog
from shoal.ground.errors import ShoalError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table

WORK = Hierarchy.from_rows(
    [
        ["Private", "*"],
        ["Self-emp-inc", "Self-emp", "*"],
        ["Self-emp-not-inc", "Self-emp", "*"],
        ["Local-gov", "Gov", "*"],
        ["State-gov", "Gov", "*"],
    ]
)

Columns = Mapping[str, Sequence[str | None]]

#: Eight people; every cell is text, as in a CSV file. The cells of the first column are easy to find in a message.
ORIGINAL: Columns = {
    "age": ["1025", "1027", "1031", "1033", "1045", "1047", None, None],
    "work": ["Private", "Private", "Local-gov", "State-gov", "Self-emp-inc", "Self-emp-not-inc", "Private", None],
    "sex": ["m", "f", "f", "m", "m", "m", "f", "f"],
    "disease": ["flu", "cold", "flu", "gout", "cold", "flu", "gout", "flu"],
}

#: The same people in four classes of two.
RELEASED: Columns = {
    "age": ["[1025, 1027]", "[1025, 1027]", "[1031, 1033]", "[1031, 1033]", "[1045, 1047]", "[1045, 1047]", None, None],
    "work": ["Private", "Private", "Gov", "Gov", "Self-emp", "Self-emp", "*", "*"],
    "sex": ["*", "*", "*", "*", "m", "m", "f", "f"],
    "disease": ORIGINAL["disease"],
}

QUASI_IDENTIFIERS = ("age", "work", "sex")


def plan(k: int = 2) -> Plan:
    """The roles, kinds and trees of the specimen."""
    return Plan.of(
        k,
        quasi_identifiers=QUASI_IDENTIFIERS,
        sensitive=["disease"],
        kinds={"age": "numeric", "work": "categorical", "sex": "categorical"},
        hierarchies={"work": WORK},
    )


def table(columns: Columns) -> Table:
    """A table of text cells."""
    return Table.from_columns({name: list(column) for name, column in columns.items()})


def cells(columns: Columns) -> set[str]:
    """Every cell that could betray someone in a message."""
    return {cell for column in columns.values() for cell in column if cell is not None and len(cell) > 2}


def shuffled(released: Table) -> Table:
    """The same rows in another order: odd ones from the bottom up, then even ones, so that no class stays together."""
    backwards = np.arange(len(released), dtype=np.int64)[::-1]
    return released.take(np.concatenate([backwards[::2], backwards[1::2]]))


def turned(released: Table) -> Table:
    """The same columns from right to left."""
    return released.select(released.names[::-1])


def described(room: str, name: str, story: str = "the whole story") -> ModuleType:
    """The module of a candidate, whose docstring must open with a one-line summary and go on to tell the whole."""
    entry = catalog.find(room, name)
    summary, _, whole = entry.docstring.partition("\n\n")
    tells = summary.endswith(".") and "\n" not in summary and bool(whole.strip())
    assert tells, f"{name}: the docstring needs a one-line summary and {story}"
    return entry.load()


def check_parameters(name: str, module: ModuleType) -> None:
    """What can be set is declared once, with a word about each."""
    declared = getattr(module, "Parameters", None)
    frozen = is_dataclass(declared) and getattr(declared, "__dataclass_params__").frozen  # noqa: B009  (typeshed hides it)
    assert frozen, f"{name}: Parameters must be a frozen dataclass"
    bare = [setting.name for setting in fields(module.Parameters) if not setting.metadata.get("help")]
    assert not bare, f"{name}: every parameter needs a help text, see shoal.ground.parameters.parameter"


def refusal(kind: type[ShoalError], act: Callable[..., Any], *given: Any) -> ShoalError | None:
    """The error of that kind which an act ends with, or None."""
    try:
        act(*given)
    except kind as problem:
        return problem
    return None
