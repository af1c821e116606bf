# SPDX-License-Identifier: Apache-2.0
"""The flags of the privacy models, each as its model declares it: ``[COLUMN=][KIND:]NUMBER[:NUMBER]``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import click

from shoal.faces.cli._flags import Flag, arranged, together
from shoal.ground import catalog
from shoal.ground.errors import PlanError
from shoal.ground.settings import ModelFlag


def number(text: str) -> float:
    """A finite number as it was written, whole or not, so that the plan says it in the same way.

    >>> number("3"), number("2.5")
    (3, 2.5)
    """
    with suppress(ValueError):
        return int(text)
    read = float(text)
    if not math.isfinite(read):
        raise ValueError
    return read


READERS: dict[str, Callable[[str], float]] = {"whole": int, "number": number}
"""How the numbers behind a flag are read, by what a model calls them."""


def _option(model: str, declared: ModelFlag) -> Flag[Any]:
    """The flag of a model; its value has the name of the model."""
    flag, _, metavar = declared["flag"].partition(" ")

    def understood(_context: click.Context, _param: click.Parameter, text: str | None) -> dict[str, Any] | None:
        return None if text is None else _parameters(model, declared, text)

    return click.option(flag, model, callback=understood, metavar=metavar, help=declared["help"])


def _parameters(model: str, declared: ModelFlag, text: str) -> dict[str, Any]:
    """The parameters of the model, as a plan writes them."""
    if declared.get("reads") == "column":
        with suppress(ValueError):
            return _of_column(text)
        raise _unreadable(model, declared, text)
    about, _, claim = text.rpartition("=") if declared.get("columns") else ("", "", text)
    parts = claim.split(":")
    named = parts[0] and parts[0] in declared["forms"]
    kind, given = (parts[0], parts[1:]) if named else (next(iter(declared["forms"])), parts)
    for form in declared["forms"][kind]:
        if len(form) == len(given):
            with suppress(ValueError):
                read = {name: READERS[form[name]](part) for name, part in zip(form, given, strict=True)}
                columns = {"columns": [name.strip() for name in about.split(",")]} if about else {}
                return ({"kind": kind} if kind else {}) | read | columns
    raise _unreadable(model, declared, text)


def _of_column(text: str) -> dict[str, Any]:
    """A column, and what its values ask for, if that is told.

    >>> _of_column("wish"), _of_column("diagnosis=HIV:20,TB:10")
    ({'column': 'wish'}, {'column': 'diagnosis', 'values': {'HIV': 20, 'TB': 10}})
    """
    column, equals, rest = text.partition("=")
    if not column:
        raise ValueError
    if not equals:
        return {"column": column}
    parts = [part.rpartition(":") for part in rest.split(",")]
    if not all(value for value, _, _ in parts):
        raise ValueError
    return {"column": column, "values": {value: int(k) for value, _, k in parts}}


def _unreadable(model: str, declared: ModelFlag, text: str) -> PlanError:
    flag, examples = declared["flag"].partition(" ")[0], declared["examples"]
    about = "; of some columns alone: COLUMN,...= in front" if declared.get("columns") else ""
    return PlanError(
        f"The claim of {model.replace('_', '-')} cannot be read.",
        where=f"flag {flag}",
        allowed=f"{examples}{about}",
        received=repr(text),
        todo=f"write it like {flag} {examples.partition(',')[0].partition(' ')[0]}",
    )


def _declared() -> dict[str, ModelFlag]:
    """What the models declare of their flags, by name, in the order of help."""
    read = {name: entry.constants("FLAG") for name, entry in catalog.entries("privacy_models").items()}
    flags = [(name, declared["FLAG"]) for name, declared in read.items() if declared]
    return dict(
        arranged([(flag["flag"].partition(" ")[0], flag.get("after", ""), (name, flag)) for name, flag in flags])
    )


FLAGS = _declared()
model_flags: Flag[Any] = together(*(_option(model, flag) for model, flag in FLAGS.items()))


def models_of(flags: Mapping[str, Any]) -> dict[str, Any]:
    """The privacy models that flags ask for, with their parameters."""
    return {name: flags[name] for name in FLAGS if flags.get(name) is not None}
