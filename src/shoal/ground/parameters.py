# SPDX-License-Identifier: Apache-2.0
"""Parameters of methods and models: declared once, validated with one wording, shown in help and forms.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Parameters:
...     rounds: int = parameter(15, "how many rounds", least=1)
...     stop: str = choice("when to stop", "cut", "restricted")
>>> build(Parameters, {"rounds": 3}, where="method 'x'")
Parameters(rounds=3, stop='cut')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from shoal.ground.errors import LARGEST_INTEGER, PlanError, listed, refuse_unknown, short

P = TypeVar("P")


@dataclass(frozen=True)
class NoParameters:
    """The parameters of what has none."""


def parameter(
    default: Any,
    help: str,
    *,
    choices: Sequence[Any] = (),
    least: float | None = None,
    most: float | None = None,
    advanced: bool = False,
) -> Any:
    """A dataclass field that knows its help text and what it allows."""
    about = {"help": help, "choices": tuple(choices), "least": least, "most": most, "advanced": advanced}
    return field(default=default, metadata=about)


def choice(help: str, *values: Any) -> Any:
    """A field that has one of these values, the first unless another is chosen."""
    return parameter(values[0], help, choices=values)


def build(kind: type[P], given: Mapping[str, Any], *, where: str) -> P:
    """Make a ``Parameters`` object from a plan's table, refusing unknown names and wrong values."""
    declared = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    refuse_unknown(given, declared, "parameter", where)
    return kind(**{name: _checked(declared[name], hints[name], value, where) for name, value in given.items()})


def _checked(declared: Field[Any], hint: Any, value: Any, where: str) -> Any:
    """The value, turned into the declared type where that loses nothing."""
    value = tuple(value) if isinstance(value, list) else as_python(value)
    large = isinstance(value, int) and abs(value) > LARGEST_INTEGER
    if float in (hint, *get_args(hint)) and isinstance(value, int) and not isinstance(value, bool) and not large:
        value = float(value)
    about = declared.metadata
    if large or not fits(value, hint) or not _allowed(value, about):
        raise PlanError(
            "A parameter has a value that is not allowed.",
            where=f"parameter {declared.name!r} of {where}",
            allowed=allowed_text(declared, hint),
            received=short(value),
            todo="choose one that is allowed"
            if declared.default is None
            else f"leave it out for the default, {declared.default!r}",
        )
    return value


def as_python(value: Any) -> Any:
    """A single value of numpy as Python's own; all else as it is."""
    return value.item() if getattr(value, "shape", None) == () else value


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of the type that an annotation names."""
    if get_origin(hint) in (Union, UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if get_origin(hint) is tuple:  # always of the form tuple[int, ...]
        return isinstance(value, tuple) and all(fits(one, get_args(hint)[0]) for one in value)
    if isinstance(value, bool) and hint is not bool:
        return False
    return isinstance(value, get_origin(hint) or hint)


def _allowed(value: Any, about: Mapping[str, Any]) -> bool:
    if about.get("choices") and value not in about["choices"]:
        return False
    if isinstance(value, int | float):
        low, high = about.get("least"), about.get("most")
        return (low is None or value >= low) and (high is None or value <= high)
    return True


def allowed_text(declared: Field[Any], hint: Any) -> str:
    """What a parameter allows, in words."""
    about = declared.metadata
    if about.get("choices"):
        return listed(about["choices"])
    if get_origin(hint) in (Union, UnionType):  # nothing is what stands where nobody says more
        hint = next(one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is tuple:
        return f"a list of {get_args(hint)[0].__name__}"
    name = getattr(hint, "__name__", None) or str(hint).replace("typing.", "")
    low, high = about.get("least"), about.get("most")
    limits = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
    return f"{name} {' and '.join(limits)}".strip()
