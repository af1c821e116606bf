# SPDX-License-Identifier: Apache-2.0
"""The flags that several commands share, and the forms their values are written in.

Lists of columns are written as one CSV line (``age,sex,"zip, long"``) and may be repeated; settings of single
columns as ``column=value``. All of it is understood before any table is opened.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from shoal.errors import PlanError

F = TypeVar("F", bound=Callable[..., Any])
Flag = Callable[[F], F]

EVERY = ""
"""The column name under which a setting for all columns is kept (``--render mean``)."""


# -- forms ---------------------------------------------------------------------------------------------------


class ColumnList(click.ParamType):
    """Column names as one CSV line."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Split the line, honouring quotes."""
        if isinstance(value, tuple):
            return value
        try:
            names = next(csv.reader([value], skipinitialspace=True, strict=True), [])
        except csv.Error:
            names = []
        if not names or not all(names) or "\n" in value:
            raise PlanError(
                "A list of column names cannot be read.",
                where=_flag(param),
                allowed='names separated by commas, in double quotes where a name holds a comma: age,sex,"zip, long"',
                received=repr(value),
                todo="remove empty names and close every quote",
            )
        return tuple(names)


class Setting(click.ParamType):
    """``column=value``, the value understood by ``read``."""

    name = "setting"

    def __init__(self, example: str, read: Callable[[str], Any] = str, *, alone: bool = False) -> None:
        self.example = example
        self.read = read
        self.alone = alone

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        name, sign, text = value.partition("=")
        if not sign and self.alone and value:
            return EVERY, self.read(value)
        try:
            if name and text:
                return name, self.read(text)
        except ValueError:
            pass
        raise PlanError(
            "A setting cannot be read.",
            where=_flag(param),
            allowed=self.example,
            received=repr(value),
            todo=f"write it like {self.example}",
        )


def _flag(param: click.Parameter | None) -> str:
    return f"flag {max(param.opts, key=len)}" if param is not None else "a flag"


def toml_value(text: str) -> Any:
    """A number, boolean or list as TOML writes it; anything else is text.

    >>> toml_value("3"), toml_value("true"), toml_value("cut")
    (3, True, 'cut')
    """
    try:
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return read["value"] if len(read) == 1 else text


def joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The names of a repeated list flag."""
    return tuple(name for names in lists for name in names)


# -- groups of flags -----------------------------------------------------------------------------------------


def _together(*flags: Flag[Any]) -> Flag[F]:
    def decorate(function: F) -> F:
        for flag in reversed(flags):
            function = flag(function)
        return function

    return decorate


def _columns(name: str, help: str) -> Flag[Any]:
    return click.option(name, type=ColumnList(), multiple=True, metavar="COLUMN,...", help=help)


def _settings(name: str, form: Setting, metavar: str, help: str) -> Flag[Any]:
    return click.option(name, type=form, multiple=True, metavar=metavar, help=help)


path = click.Path(path_type=Path)

plan_flag: Flag[Any] = click.option("--plan", type=path, metavar="FILE", help="A plan (TOML); flags override it.")
k_flag: Flag[Any] = click.option("-k", "k", type=int, help="Least number of look-alikes per record, e.g. 10.")
json_flag: Flag[Any] = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
quiet_flag: Flag[Any] = click.option("--quiet", "-q", is_flag=True, help="No progress and no messages.")

role_flags: Flag[Any] = _together(
    _columns("--qi", "Quasi-identifiers: harmless alone, telling together."),
    _columns("--sensitive", "Private facts, published as they are."),
)
identifier_flag: Flag[Any] = _columns("--identifier", "Columns that name a person; removed.")
column_flags: Flag[Any] = _together(
    _settings("--hierarchy", Setting("workclass=workclass.csv", Path), "COLUMN=FILE", "The tree of a column."),
    _settings("--kind", Setting("age=numeric"), "COLUMN=KIND", "numeric, ordered, categorical, date or text-prefix."),
    _settings("--weight", Setting("age=2.5", float), "COLUMN=NUMBER", "How much a column's loss counts; 1 is usual."),
    _settings(
        "--render",
        Setting("age=mean, or mean for all columns", alone=True),
        "[COLUMN=]HOW",
        "How classes are published, for all columns or for one.",
    ),
)
method_flags: Flag[Any] = _together(
    click.option("--method", metavar="NAME", help="How records are grouped; see shoal methods."),
    _settings(
        "--set", Setting("rounds=3", toml_value), "NAME=VALUE", "A parameter of the method; see shoal methods NAME."
    ),
    click.option("--seed", type=int, help="Seed of everything random; the same seed gives the same bytes."),
    click.option("--loss", metavar="NAME", help="The loss to keep low: ncp, height, eloss or lm."),
    click.option("--missing", metavar="HOW", help="Missing cells: own (a value of its own), refuse or wildcard."),
)
release_flags: Flag[Any] = _together(
    click.option("--keep-order", is_flag=True, help="Keep the input's row order (it may give rows away)."),
    click.option("--formulas", metavar="HOW", help="Cells a spreadsheet would run: keep or prefix."),
    click.option("--format", metavar="NAME", help="Format of the released table; see shoal formats."),
    click.option("--overwrite", is_flag=True, help="Replace an earlier release in DIR."),
)
reading_flags: Flag[Any] = _together(
    click.option("--no-header", is_flag=True, help="The file has no line of column names; see --columns."),
    _columns("--columns", "Column names of a file without a header."),
    click.option("--na", multiple=True, metavar="TEXT", help="A text that means missing, e.g. '?'; repeatable."),
    click.option("--separator", metavar="CHARACTER", help="Field separator where the guess is wrong."),
    click.option("--encoding", metavar="NAME", help="Text encoding if not UTF-8, e.g. cp1252."),
    click.option("--decimal", metavar="CHARACTER", help="Decimal mark of numbers, e.g. a comma."),
)


def reading_of(flags: dict[str, Any], base: Any = None) -> Any:
    """How to read the table: the plan's settings, changed by the flags that were given."""
    from shoal.tables.reading import Reading

    reading = base or Reading()
    columns = joined(flags["columns"])
    given: dict[str, Any] = {name: flags[name] for name in ("separator", "encoding", "decimal") if flags[name] is not None}
    if flags["na"]:
        given["na"] = tuple(flags["na"])
    if flags["no_header"]:
        given["header"] = False
    if columns:
        given["columns"] = columns
    reading = replace(reading, **given)
    if reading.columns and reading.header:
        raise PlanError(
            "Column names were given for a file that has its own.",
            where="flag --columns",
            allowed="--columns together with --no-header",
            received=f"{len(reading.columns)} names, but no --no-header",
            todo="add --no-header if the first line holds data, else leave out --columns",
        )
    return reading
