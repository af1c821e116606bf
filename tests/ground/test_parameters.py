# SPDX-License-Identifier: Apache-2.0
"""Parameters of methods and models: declared once, checked with one wording."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, get_type_hints

import numpy as np
import pytest

from shoal.ground.errors import PlanError
from shoal.ground.parameters import allowed_text, build, parameter


@dataclass(frozen=True)
class Parameters:
    """One of each sort."""

    rounds: int = parameter(15, "how many rounds", least=1, most=100)
    share: float = parameter(0.5, "which share", least=0.0, most=1.0)
    limit: float | None = parameter(None, "when to stop")
    start: int | None = parameter(None, "where to start", least=0)
    stop: str = parameter("cut", "how to stop", choices=("cut", "restricted"))
    quick: bool = parameter(False, "hurry")
    order: tuple[int, ...] = parameter((), "rows")
    names: tuple[str, ...] = parameter((), "names")


def made(**given: Any) -> Parameters:
    """Parameters from a plan's table."""
    return build(Parameters, given, where="method 'x'")


def test_nothing_given_means_defaults() -> None:
    """A plan need not repeat what is usual."""
    assert made() == Parameters()


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("rounds", 1, 1),
        ("rounds", 100, 100),
        ("rounds", np.int64(3), 3),
        ("share", np.float32(0.25), 0.25),
        ("share", 0.25, 0.25),
        ("share", 1, 1.0),
        ("limit", 3, 3.0),
        ("limit", None, None),
        ("start", 0, 0),
        ("start", None, None),
        ("stop", "restricted", "restricted"),
        ("quick", True, True),
        ("order", [3, 0, 5], (3, 0, 5)),
        ("order", (), ()),
        ("names", ["a"], ("a",)),
    ],
)
def test_values_are_taken_as_declared(name: str, value: Any, kept: Any) -> None:
    """Whole numbers serve as real ones and lists as tuples; the type is the declared one."""
    found = getattr(made(**{name: value}), name)
    assert found == kept
    assert type(found) is type(kept)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rounds", 0),
        ("rounds", 101),
        ("rounds", 1.5),
        ("rounds", "3"),
        ("rounds", True),
        ("rounds", None),
        ("share", -0.1),
        ("share", float("nan")),
        ("share", "half"),
        ("start", -1),
        ("start", "0"),
        ("stop", "cuts"),
        ("stop", 3),
        ("quick", 1),
        ("quick", "yes"),
        ("order", [1, "2"]),
        ("order", [True]),
        ("order", 3),
        ("names", "abc"),
    ],
)
def test_values_that_are_not_allowed_are_refused(name: str, value: Any) -> None:
    """The message names parameter and owner, what is allowed and the default, if there is one."""
    with pytest.raises(PlanError) as raised:
        made(**{name: value})
    parts = raised.value.parts()
    assert len(parts) == 5
    assert parts["where"] == f"parameter {name!r} of method 'x'"
    default = Parameters.__dataclass_fields__[name].default
    assert (repr(default) if default is not None else "choose one that is allowed") in parts["next"]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """A misspelt parameter is never ignored."""
    with pytest.raises(PlanError) as raised:
        made(round=3)
    assert raised.value.todo == "did you mean 'rounds'?"
    with pytest.raises(PlanError) as raised:
        made(zzz=3)
    assert raised.value.todo == "leave out the parameter"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rounds", "int at least 1 and at most 100"),
        ("limit", "float"),
        ("stop", "cut, restricted"),
        ("order", "a list of int"),
        ("quick", "bool"),
    ],
)
def test_what_is_allowed_in_words(name: str, text: str) -> None:
    """Help, errors and forms say the same."""
    declared = {one.name: one for one in fields(Parameters)}
    assert allowed_text(declared[name], get_type_hints(Parameters)[name]) == text
