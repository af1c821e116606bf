# SPDX-License-Identifier: Apache-2.0
"""Forms drawn from declarations: of the plan's settings, and of the parameters of methods and models.

Nothing here knows a single setting, method or model. What is typed is turned into the declared type as far as it can
be; the library then says what is wrong with the rest, in the words of the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

from shoal.faces.app.facts import Declared
from shoal.ground import catalog
from shoal.ground.errors import PlanError
from shoal.ground.parameters import build, parameter
from shoal.ground.settings import REQUIRED, Setting
from shoal.plan.roles import KINDS, LEVELS, ROLES, SCALES

FEW = 4
"""Choices that are all shown at once."""
MEANINGS = {**ROLES, **KINDS, **SCALES}
"""What roles, kinds and scales are, in words."""

Given = Mapping[str, Sequence[str]]
"""What a form sent: the texts of each field."""


@dataclass(frozen=True)
class FormField:
    """One field of a form."""

    name: str
    label: str
    help: str
    form: str
    """``number``, ``text``, ``lines``, ``check``, ``radios`` or ``select``."""
    value: str
    limits: str = ""
    """What is allowed, in words."""
    choices: tuple[tuple[str, str], ...] = ()
    """Value and words of each."""
    least: str = ""
    most: str = ""
    step: str = "any"
    advanced: bool = False


def label_of(name: str) -> str:
    """A name as people read it.

    >>> label_of("time_budget"), label_of("k")
    ('Time budget', 'k')
    """
    words = name.replace("_", " ")
    return words if len(words) == 1 else words[0].upper() + words[1:]


# -- settings ----------------------------------------------------------------------------------------------------


def field_of(one: Setting, value: Any, prefix: str = "") -> FormField:
    """The field of a setting."""
    known = one.known()
    optional = type(None) in one.types
    choices = [(name, _meaning(one, name)) for name in known]
    if optional and known:
        choices = [("", f"not set ({one.usual})" if one.usual else "not set"), *choices]
    form = _form_of(one.types, len(choices))
    label = label_of(one.name if one.key == "name" else one.key)
    usual = f"; if not set: {one.usual}" if one.usual and not known else ""
    return FormField(
        prefix + one.name,
        label,
        one.help,
        form,
        shown_value(value),
        "" if form in ("radios", "select", "check") else one.words() + usual,
        tuple(choices),
        _number(one.least if one.above is None else None),
        _number(one.most),
        "1" if int in one.types and float not in one.types else "any",
        one.advanced,
    )


def _meaning(one: Setting, name: str) -> str:
    if one.room and catalog.knows(one.room, name):
        summary = _summary(one.room, name) if one.room != "algorithms" else ""
        return f"{name}: {summary}" if summary else name
    return f"{name}: {MEANINGS[name]}" if name in MEANINGS and name not in LEVELS else name


@cache
def _summary(room: str, name: str) -> str:
    return catalog.find(room, name).summary


def _form_of(types: Sequence[Any], choices: int) -> str:
    if choices:
        return "radios" if choices <= FEW else "select"
    if bool in types:
        return "check"
    if any(get_origin(one) in (tuple,) or get_origin(one) is not None for one in types):
        return "lines"
    numbers = {int, float} & set(types)
    return "number" if numbers and not {str, Path} & set(types) else "text"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}" if abs(value) < 1e6 else str(int(value))


def shown_value(value: Any) -> str:
    """A value as a field shows it."""
    if value is None or value is REQUIRED or value == ():
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Mapping):
        return "\n".join(f"{key} = {one}" for key, one in value.items())
    if isinstance(value, tuple | list):
        return "\n".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)


def given_settings(settings: Iterable[Setting], given: Given, prefix: str = "") -> dict[str, Any]:
    """What a form says of some settings; the library judges it."""
    return {one.name: understood(one.types, _text(given, prefix + one.name), one.default) for one in settings}


def _text(given: Given, name: str) -> str:
    return "\n".join(given.get(name, ()))


def understood(types: Sequence[Any], text: str, default: Any) -> Any:
    """A text as one of the declared types; left a text where it is none of them."""
    if bool in types:
        return text == "yes"
    many = next((one for one in types if get_origin(one) is not None), None)
    if many is not None:
        return _several(many, text, default)
    text = text.strip()
    if not text:
        return None if type(None) in types or default is REQUIRED else default
    for kind in (int, float, Path):
        if kind in types:
            with suppress(ValueError):
                return kind(text)
    return text


def _several(kind: Any, text: str, default: Any) -> Any:
    """Lines as a list, or as names with their values."""
    lines = [line.strip() for line in text.replace("\r", "").split("\n") if line.strip()]
    if not lines:
        return None if default is None else type(default)() if default is not REQUIRED else ()
    if get_origin(kind) is not tuple:
        pairs = [line.rpartition("=") for line in lines]
        return {key.strip(): understood(get_args(kind)[1:], value, None) for key, _, value in pairs}
    inner = get_args(kind)[:1]
    return tuple(understood(inner, line, None) for line in lines)


# -- parameters --------------------------------------------------------------------------------------------------


def parameter_fields(declared: Declared, values: Mapping[str, Any], prefix: str) -> list[FormField]:
    """The fields of what a method or a model declares."""
    return [
        _parameter_field(prefix, name, hint, values.get(name, default), about)
        for name, hint, default, about in declared.parameters
    ]


def _types(hint: Any) -> tuple[Any, ...]:
    several = get_args(hint) if get_origin(hint) not in (tuple, None) and type(None) in get_args(hint) else ()
    return several or (hint,)


def _parameter_field(prefix: str, name: str, hint: Any, value: Any, about: Mapping[str, Any]) -> FormField:
    types, choices = _types(hint), tuple((str(one), str(one)) for one in about.get("choices", ()))
    least, most = about.get("least"), about.get("most")
    limits = [f"at least {least}"] * (least is not None) + [f"at most {most}"] * (most is not None)
    return FormField(
        prefix + name,
        label_of(name),
        about.get("help", ""),
        _form_of(types, len(choices)),
        shown_value(value),
        " and ".join(limits),
        choices,
        _number(least),
        _number(most),
        "1" if int in types and float not in types else "any",
        bool(about.get("advanced")),
    )


def given_parameters(declared: Declared, given: Given, prefix: str, where: str) -> dict[str, Any]:
    """What a form says of parameters, as far as it differs from the default; refused in the words of the library."""
    found = {}
    for name, hint, default, _ in declared.parameters:
        value = understood(_types(hint), _text(given, prefix + name), default)
        if value != default and value is not None:
            found[name] = list(value) if isinstance(value, tuple) else value
    build(_rebuilt(declared), found, where=where)
    return found


def _rebuilt(declared: Declared) -> type:
    """The dataclass of the parameters as it was declared, without its module."""
    made = [
        (name, hint, parameter(default, **{"help": "", **about})) for name, hint, default, about in declared.parameters
    ]
    return make_dataclass("Parameters", made, frozen=True)


# -- what comes over the wire ------------------------------------------------------------------------------------

LARGEST, MOST_FIELDS = 4_000_000, 20_000


def parsed(body: bytes) -> dict[str, list[str]]:
    """The fields of a form as browsers send it."""
    from urllib.parse import parse_qsl

    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:
        raise PlanError(
            "The form cannot be read.",
            where="the form",
            allowed=f"at most {MOST_FIELDS:,} fields",
            received="something else",
            todo="load the page again",
        ) from None
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    return given
