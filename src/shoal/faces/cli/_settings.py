# SPDX-License-Identifier: Apache-2.0
"""The flags of the plan's settings, made from their declarations, and what was given by them.

A setting says which commands take it; a command, which parts of the plan it takes in which place of its help.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from shoal.faces.cli._flags import (
    EVERY,
    Flag,
    arranged,
    flag_name,
    name_lists,
    names,
    order_in,
    pairs,
    role_flags,
    together,
    toml_value,
)
from shoal.faces.cli._models import model_flags
from shoal.ground.errors import PlanError, short
from shoal.ground.settings import REQUIRED, Setting, settings_of
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import TABLES, Plan
from shoal.plan.settings import settings
from shoal.tables.reading import Reading


def destination(one: Setting) -> str:
    """The name under which a command finds what was given: that of the plan's field, others with their table."""
    return one.name if one.table in TABLES else f"{one.table}_{one.name}"


def plan_flags(
    command: str,
    tables: Sequence[str] = ("columns", "method", "privacy", "models", "workload", "quality", "release"),
    **helps: str,
) -> Flag[Any]:
    """The flags of a plan that a command takes, by its tables, what must be given first; ``helps`` for other words."""
    taken = [one for one in settings() if one.flag and (command == "anonymize" or command in one.also)]
    of_columns = {one.option for one in taken if one.table == "columns"}
    offered = [one for one in taken if one.table == "columns" or one.option not in of_columns]
    parts: dict[str, list[tuple[str, str, Flag[Any]]]] = {"first": [], "columns": list(role_flags)}
    parts["models"] = [("models", "", model_flags)]
    for one in offered:
        if one.table in tables:
            part = parts.setdefault("first" if one.default is REQUIRED else one.table, [])
            part.append((one.option, one.after, _option(one, helps.get(one.name, ""))))
    return together(*arranged([placed for table in ("first", *tables) for placed in parts.get(table, ())]))


def _option(one: Setting, help: str = "") -> Flag[Any]:
    metavar = one.flag.partition(" ")[2] or None
    shown: dict[str, Any] = {"help": help or one.flag_help or one.help, "metavar": metavar}
    return click.option(one.option, destination(one), **shown, **_form(one, metavar or ""))


def _form(one: Setting, metavar: str) -> dict[str, Any]:
    """How the value of a flag is read, for click."""
    if one.table == "columns":
        everywhere = any(one.option == whole.option for whole in (*settings_of(Plan), *settings_of(Reading)))
        example = f"age={one.example}" + f", or {one.example} for all columns" * everywhere
        read: Callable[[str], Any] = next((kind for kind in (Path, int, float) if kind in one.types), str)
        read = order_in if tuple[str, ...] in one.types else read
        return {"multiple": True, "callback": pairs(example, read, alone=everywhere)}
    forms: dict[Any, dict[str, Any]] = {
        bool: {"is_flag": True},
        Path: {"callback": _path_or_number},
        int: {"type": int},
        float: {"type": float},
        tuple[str, ...]: {"multiple": True, "callback": names if metavar.endswith(",...") else None},
        tuple[tuple[str, ...], ...]: {"multiple": True, "callback": name_lists},
        Mapping[str, Any]: {"multiple": True, "callback": pairs(one.example, toml_value)},
    }
    return next((forms[kind] for kind in one.types if kind in forms), {})


def _path_or_number(_context: click.Context, param: click.Parameter, text: str | None) -> Path | int | None:
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    if not os.path.exists(text):
        raise PlanError(
            "What was given is neither a number nor a file that is there.",
            where=flag_name(param),
            allowed="a whole number of people, e.g. 80000000, or the path of a table",
            received=short(text),
            todo="write the number without marks between thousands, or check the path",
        )
    return Path(text)


def _reading_flags(settings: Sequence[Setting]) -> Flag[Any]:
    return together(*arranged([(one.option, one.after, _option(one)) for one in settings if one.flag]))


OF_COLUMNS = {one.option for one in settings_of(ColumnPlan)}
OF_ALL = [one for one in settings_of(Reading) if one.option not in OF_COLUMNS]
reading_flags = _reading_flags([one for one in OF_ALL if not one.also])
"""How to read a table, for commands that take the settings of columns, too."""
all_reading_flags = _reading_flags([one for one in settings_of(Reading) if not one.also])
"""The same for commands that do not."""
writing_flags = _reading_flags(OF_ALL)
"""How to read a table and to write its release."""


def given_by(flags: Mapping[str, Any], kind: type) -> dict[str, Any]:
    """The settings of a dataclass that flags were given for."""
    given = {}
    for one in settings_of(kind):
        value = flags.get(destination(one))
        if bool in one.types:
            value = not one.default if value else None
        if value is not None and value not in ((), {}):
            given[one.name] = value
    return given


def details_by(flags: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The settings of single columns that flags were given for, by setting and column."""
    return {one.name: dict(flags.get(destination(one), {})) for one in settings_of(ColumnPlan) if one.flag}


def reading_of(flags: Mapping[str, Any], base: Reading | None = None) -> Reading:
    """How to read the table: the plan's settings, changed by the flags that were given."""
    given = given_by(flags, Reading)
    for_all = {one.name: flags.get(f"columns_{one.name}", {}) for one in settings_of(Reading)}
    given |= {name: values[EVERY] for name, values in for_all.items() if EVERY in values}
    if given.keys() & {"table", "query"}:  # one takes the place of the other
        given = {"table": None, "query": None, **given}
    reading = replace(base or Reading(), **given)
    if reading.columns and reading.header:
        raise PlanError(
            "Column names were given for a file that has its own.",
            where="flag --columns",
            allowed="--columns together with --no-header",
            received=f"{len(reading.columns)} names, but no --no-header",
            todo="add --no-header if the first line holds data, else leave out --columns",
        )
    return reading
