# SPDX-License-Identifier: Apache-2.0
"""Settings of a plan: each is declared once, on the line of its dataclass field.

From the declaration come its key in the plan's TOML form, its flag, its keyword in Python, its row in
``docs/plan.md``, and what is refused in which words. Methods and models declare theirs with ``parameter``.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Request:
...     k: int = setting(REQUIRED, "Least number of look-alikes.", table="privacy", flag="-k", least=1)
>>> written(Request(k=3))
{'privacy': {'k': 3}}
>>> check_settings(Request(k=0))
Traceback (most recent call last):
shoal.ground.errors.PlanError: k must be a whole number of at least 1.
  where     -k / [privacy] k
  allowed   a whole number of at least 1
  received  0
  next      give a value that is allowed, or leave it out
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, wraps
from pathlib import Path
from typing import Any, NotRequired, TypedDict, TypeVar, cast, get_args, get_type_hints

from shoal.ground import catalog
from shoal.ground.errors import (
    LARGEST_INTEGER,
    InputError,
    PlanError,
    UnknownNameError,
    listed,
    short,
    unknown,
    without_secrets,
)
from shoal.ground.parameters import as_python, fits

F = TypeVar("F", bound=Callable[..., Any])

REQUIRED = MISSING
"""The default of a setting that must be given."""

WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    Path: "a path",
    tuple[str, ...]: "a list of texts",
    tuple[tuple[str, ...], ...]: "a list of lists of texts",
    Mapping[str, Any]: "a table",
}
"""What a type is called."""


@dataclass(frozen=True)
class Setting:
    """All that is declared of a setting."""

    default: Any
    """Or ``REQUIRED``."""
    help: str
    """One line."""
    table: str
    """Its table in the plan's TOML form: ``privacy``, ``method``, ``release``, ``input``; ``columns`` of a column."""
    key: str = ""
    """Its key there; the field's name unless given."""
    choices: tuple[str, ...] = ()
    room: str = ""
    """The room of the catalogue whose names may be chosen, besides the choices."""
    word: str = ""
    """What one of the choices is called."""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    unit: str = ""
    usual: str = ""
    """What is done where nothing is given and the default does not tell."""
    example: str = ""
    todo: str = "give a value that is allowed, or leave it out"
    flag: str = ""
    """As help shows it, with what stands behind it: ``--separator CHARACTER``."""
    flag_help: str = ""
    """The help line of the flag, if it is another one."""
    after: str = ""
    """The flag behind which it stands in help; by the order of declaration unless given."""
    also: tuple[str, ...] = ()
    """Who takes it besides ``anonymize``: other commands, ``check`` in Python, too, and the ``estimator``."""
    always: bool = False
    """Whether a plan that is written down says it even if it is the default."""
    changes_result: bool = True
    advanced: bool = False
    name: str = ""
    """The field, with its type: both are known once the dataclass is made."""
    hint: Any = None

    @property
    def option(self) -> str:
        """The flag alone."""
        return self.flag.partition(" ")[0]

    @property
    def types(self) -> tuple[Any, ...]:
        """The types that it may have, as annotated."""
        return get_args(self.hint) if self.hint not in WORDS else (self.hint,)

    @property
    def keyword_default(self) -> Any:
        """What a keyword of Python has where it is not given."""
        return None if self.default is REQUIRED or isinstance(self.default, dict) else self.default

    def known(self) -> list[str]:
        """The names to choose from; none where it is no choice."""
        return [*self.choices, *(catalog.names(self.room) if self.room else ())]

    def words(self) -> str:
        """What is allowed: ``a whole number of at least 1``."""
        if self.choices or self.room:
            return listed(self.known(), limit=40)
        sample = self.example if any(map(str.isalnum, self.example)) else f'"{self.example}"'  # marks end in no comma
        return self._form() + (f", e.g. {sample}" if self.example else "")

    def _form(self) -> str:
        form = " or ".join(WORDS[one] for one in self.types if one in WORDS) + self._limits()
        return f"{form} ({self.unit})" if self.unit else form

    def _limits(self) -> str:
        if str in self.types:
            if self.most is not None:
                return f" of {self.least or 0:,} to {self.most:,} letters"
            return " that is not empty" if self.least else ""
        if self.above is not None:
            return f" above {self.above:,}"
        upper = f" to less than {self.below:,}" if self.below is not None else ""
        upper = f" to {self.most:,}" if self.most is not None else upper
        lower = "" if self.least is None else f" from {self.least:,}" if upper else f" of at least {self.least:,}"
        return lower + upper

    def allows(self, value: Any) -> bool:
        """Whether it may have the value."""
        if not fits(value, self.hint) and not (float in self.types and fits(value, int)):
            return False
        if value is None or isinstance(value, bool):
            return True
        if self.choices or self.room:
            return value in self.choices or (self.room != "" and catalog.knows(self.room, value))
        if isinstance(value, int) and abs(value) > LARGEST_INTEGER and self.name != "seed":  # a seed may be any
            return False
        size = len(value) if isinstance(value, str) else value
        if not isinstance(size, int | float):
            return True
        at_least = (self.least is None or size >= self.least) and (self.above is None or size > self.above)
        at_most = (self.most is None or size <= self.most) and (self.below is None or size < self.below)
        return at_least and at_most and -math.inf < size < math.inf

    def refused(self, value: Any, of: str = "") -> InputError:
        """The error for a value that is not allowed; ``of`` says whose it is, e.g. ``column 'age'``."""
        place = f"{self.key} of {of}" if of else f"[{self.table}] {self.key}"
        where = f"{self.option} / {place}" if self.flag else place
        if known := self.known():
            word = catalog.ROOMS[self.room].word if self.room else self.word or self.key
            what = f"There is no {word} of that name." if self.room else f"There is no such {word}."
            kind = UnknownNameError if self.room else PlanError
            return unknown(value, known, what, where=where, otherwise="choose one of those allowed", kind=kind)
        absent = self.default is REQUIRED and value is None
        what = f"Nothing says {self.key}." if absent else f"{self.key} must be {self._form()}."
        received = "nothing" if absent else short(value)
        large = ", of up to 64 bits" if isinstance(value, int) and abs(value) > LARGEST_INTEGER else ""
        return PlanError(what, where=where, allowed=self.words() + large, received=received, todo=self.todo)

    def as_toml(self, value: Any) -> Any:
        """The value as TOML has it; None for what cannot be written there."""
        if self.hint is float:
            return float(value)
        if isinstance(value, Path):
            return without_secrets(str(value))  # a database's address; whoever replays the plan logs in anew
        if isinstance(value, tuple | Mapping):
            return [self.as_toml(one) for one in value] if isinstance(value, tuple) else dict(value)
        return value if isinstance(value, bool | int | float | str) else None


def setting(default: Any, help: str, *, table: str, **about: Any) -> Any:
    """A dataclass field that declares a setting; ``about`` are further fields of :class:`Setting`."""
    declared = {"setting": Setting(default, help, table, **about)}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=declared)
    return field(default=default, metadata=declared)


def settings_of(kind: type) -> tuple[Setting, ...]:
    """The settings that a dataclass declares, in their order."""
    return _declared(kind)


@cache
def _declared(kind: type) -> tuple[Setting, ...]:
    hints = get_type_hints(kind)
    declared = {one.name: one.metadata["setting"] for one in fields(kind) if "setting" in one.metadata}
    return tuple(replace(one, name=name, key=one.key or name, hint=hints[name]) for name, one in declared.items())


def check_settings(owner: Any, of: str = "") -> None:
    """Refuse an object with a value that is not allowed; values of numpy become Python's own."""
    for one in settings_of(type(owner)):
        given = getattr(owner, one.name)
        value = as_python(given)
        if value is not given:
            object.__setattr__(owner, one.name, value)
        if not one.allows(value):
            raise one.refused(value, of)


def written(owner: Any) -> dict[str, dict[str, Any]]:
    """The tables of an object's TOML form: what differs from the default, and what is always said."""
    tables: dict[str, dict[str, Any]] = {}
    for one in settings_of(type(owner)):
        value = getattr(owner, one.name)
        plain = one.as_toml(value)
        if plain is not None and (one.always or value != one.default):
            tables.setdefault(one.table, {})[one.key] = plain
    return tables


def takes(settings: Iterable[Setting]) -> Callable[[F], F]:
    """Lets a function that takes settings by ``**`` have them in its signature, and refuse other keywords."""

    def taking(function: F) -> F:
        given = inspect.signature(function)
        *named, _ = given.parameters.values()
        keywords = [
            inspect.Parameter(
                one.name, inspect.Parameter.KEYWORD_ONLY, default=one.keyword_default, annotation=one.hint
            )
            for one in settings
            if one.name not in given.parameters
        ]
        signature = given.replace(parameters=[*named, *keywords])

        @wraps(function)
        def called(*values: Any, **keywords: Any) -> Any:
            signature.bind(*values, **keywords)
            return function(*values, **keywords)

        called.__signature__ = signature  # type: ignore[attr-defined]
        return cast(F, called)

    return taking


class ModelFlag(TypedDict):
    """How the parameters of a privacy model are written behind its flag, as ``[KIND:]NUMBER[:NUMBER]``.

    A model declares it as ``FLAG``, beside its ``Parameters``, in plain literals: help is shown without importing it.
    """

    flag: str
    """As help shows it: ``--l-diversity [KIND:]L``."""
    help: str
    examples: str
    forms: Mapping[str, list[dict[str, str]]]
    """The parameters that each kind takes, ``whole`` or ``number``; the first kind is meant where none is named, and
    "" leaves it to the model."""
    columns: NotRequired[bool]
    """Whether it may be about some private columns alone, which are then named first: ``COLUMN,...=``."""
    reads: NotRequired[str]
    """``column``: no numbers stand behind it but a column, or COLUMN=VALUE:NUMBER,..."""
    after: NotRequired[str]
    """The flag of another model behind which it stands in help; by name unless given."""
