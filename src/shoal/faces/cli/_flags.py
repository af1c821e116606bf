# SPDX-License-Identifier: Apache-2.0
"""The flags that several commands share, and the forms their values are written in.

Lists of columns are written as one CSV line (``age,sex,"zip, long"``) and may be repeated; settings of single
columns as ``column=value``. All of it is understood before any table is opened.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from shoal.ground.errors import PlanError
from shoal.ground.limits import limited_toml

F = TypeVar("F", bound=Callable[..., Any])
Flag = Callable[[F], F]

EVERY = ""
"""The column name under which a setting for all columns is kept (``--render mean``)."""


def names(_context: click.Context, param: click.Parameter, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Column names, from CSV lines."""
    return tuple(name for line in lines for name in _split(line, param))


def name_lists(_context: click.Context, param: click.Parameter, lines: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Lists of column names, each from one CSV line."""
    return tuple(tuple(_split(line, param)) for line in lines)


def _split(line: str, param: click.Parameter) -> list[str]:
    try:
        found = next(csv.reader([line], skipinitialspace=True, strict=True), [])
    except csv.Error:
        found = []
    if not found or not all(found) or "\n" in line:
        raise PlanError(
            "A list of names cannot be read.",
            where=flag_name(param),
            allowed='names separated by commas, in double quotes where a name holds a comma: age,sex,"zip, long"',
            received=repr(line),
            todo="remove empty names and close every quote",
        )
    return found


def pairs(
    example: str, read: Callable[[str], Any] = str, *, alone: bool = False
) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], dict[str, Any]]:
    """Understands ``column=value`` (or just ``value``, for all columns), each column once."""

    def understood(_context: click.Context, param: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for text in given:
            name, value = _pair(text, example, read, alone, param)
            if name in found:
                raise PlanError(
                    "A setting is given twice.",
                    where=flag_name(param),
                    allowed="each name once",
                    received=f"{name!r} twice" if name else "two settings for all columns",
                    todo="keep one of the two",
                )
            found[name] = value
        return found

    return understood


def _pair(text: str, example: str, read: Callable[[str], Any], alone: bool, param: click.Parameter) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign and alone:
        name, value = EVERY, text
    if value and (name or not sign):
        with suppress(ValueError):
            return name, read(value)
    raise PlanError(
        "A setting cannot be read.",
        where=flag_name(param),
        allowed=example,
        received=repr(text),
        todo=f"write it like {example}",
    )


def flag_name(param: click.Parameter) -> str:
    """How messages call a flag."""
    return f"flag {max(param.opts, key=len)}"


def toml_value(text: str) -> Any:
    """A number, boolean or list as TOML writes it; anything else is text.

    >>> toml_value("3"), toml_value("true"), toml_value("cut")
    (3, True, 'cut')
    """
    try:
        read = limited_toml(f"value = {text}", "--set")
    except tomllib.TOMLDecodeError:
        return text
    return read["value"] if len(read) == 1 else text


def order_in(text: str) -> tuple[str, ...]:
    """Values in their order, parted by ``<``; in double quotes where a value holds that sign, or as a list of TOML.

    >>> order_in('none < primary<"<= 10 years"'), order_in('["a", "b"]')
    (('none', 'primary', '<= 10 years'), ('a', 'b'))
    """
    listed = toml_value(text) if text.startswith("[") else None
    if isinstance(listed, list):
        return tuple(listed)
    try:
        fields = next(csv.reader([text], delimiter="<", skipinitialspace=True, strict=True), [])
    except csv.Error:
        fields = []
    values = tuple(field.strip() for field in fields)
    if not values or not all(values):
        raise ValueError
    return values


def shown(text: str | None, *more: str) -> str:
    r"""A docstring as help; ``\\b`` on a line of its own keeps the lines of the paragraph below it apart."""
    return "\n\n".join([(text or "").strip(), *more]).replace(r"\b", "\b")


def together(*flags: Flag[Any]) -> Flag[F]:
    """Several flags as one."""

    def decorate(function: F) -> F:
        for flag in reversed(flags):
            function = flag(function)
        return function

    return decorate


def arranged(placed: Sequence[tuple[str, str, Any]]) -> list[Any]:
    """Things by the order of help: each behind the one whose label it names, if that is there, else in its place.

    >>> arranged([("--na", "--skip", 1), ("--sheet", "", 2), ("--skip", "", 3)])
    [2, 3, 1]
    """
    labels = {label for label, _, _ in placed}

    def behind(leader: str) -> list[Any]:
        followers = [one for one in placed if (one[1] if one[1] in labels else "") == leader]
        return [one for label, _, thing in followers for one in (thing, *behind(label))]

    return behind("")


def names_flag(flag: str, help: str, metavar: str = "COLUMN,...") -> Flag[Any]:
    """A flag that takes names, as one CSV line or repeated."""
    return click.option(flag, callback=names, multiple=True, metavar=metavar, help=help)


def _pairs(name: str, form: Callable[..., dict[str, Any]], metavar: str, help: str) -> Flag[Any]:
    return click.option(name, callback=form, multiple=True, metavar=metavar, help=help)


def labels_flag(name: str, metavar: str, help: str) -> Flag[Any]:
    """A flag that pairs two labels of a hierarchy."""
    return _pairs(name, pairs(metavar.lower()), metavar, help)


path = click.Path(path_type=Path)


class _Place(click.ParamType):  # type: ignore[type-arg]
    """A path, or the address of a database, which must stay as it is typed."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | str:
        """Tell the two apart by the ``://`` of an address."""
        return value if isinstance(value, Path) or "://" in value else Path(value)


place = _Place()

plan_flag: Flag[Any] = click.option("--plan", type=path, metavar="FILE", help="A plan (TOML); flags override it.")
metric_flag = names_flag("--metric", "Only these; see shoal metrics.", "NAME,...")
json_flag: Flag[Any] = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
quiet_flag: Flag[Any] = click.option("--quiet", "-q", is_flag=True, help="No progress and no messages.")
overwrite_flag: Flag[Any] = click.option("--overwrite", is_flag=True, help="Replace an earlier release in DIR.")
settings_flag: Flag[Any] = _pairs(
    "--set", pairs("rounds=3", toml_value), "NAME=VALUE", "A parameter of the builder; see shoal hierarchy kinds NAME."
)
role_flags = (
    ("--qi", "", names_flag("--qi", "Quasi-identifiers: harmless alone, telling together.")),
    ("--sensitive", "", names_flag("--sensitive", "Private facts, published as they are.")),
    ("--identifier", "", names_flag("--identifier", "Columns that name a person; removed.")),
    ("--insensitive", "", names_flag("--insensitive", "Neither telling nor private; published as they are.")),
    ("--drop", "", names_flag("--drop", "Columns that are not needed; left out.")),
)
target_flags: Flag[Any] = together(
    click.option("--to", type=place, metavar="DATABASE", help="Also write the released table to this database."),
    click.option("--to-table", metavar="NAME", help="Name of the table there; released unless given."),
)
