# SPDX-License-Identifier: Apache-2.0
"""The flags that several commands share, and the forms their values are written in.

Lists of columns are written as one CSV line (``age,sex,"zip, long"``) and may be repeated; settings of single
columns as ``column=value``. All of it is understood before any table is opened.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from shoal.errors import PlanError

if TYPE_CHECKING:
    from shoal.tables.reading import Reading

F = TypeVar("F", bound=Callable[..., Any])
Flag = Callable[[F], F]

EVERY = ""
"""The column name under which a setting for all columns is kept (``--render mean``)."""


# -- forms ---------------------------------------------------------------------------------------------------


def names(_context: click.Context, param: click.Parameter, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Column names, from CSV lines."""
    return tuple(name for line in lines for name in _split(line, param))


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


def settings(
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
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return read["value"] if len(read) == 1 else text


# -- groups of flags -----------------------------------------------------------------------------------------


def together(*flags: Flag[Any]) -> Flag[F]:
    """Several flags as one."""

    def decorate(function: F) -> F:
        for flag in reversed(flags):
            function = flag(function)
        return function

    return decorate


def _names(name: str, metavar: str, help: str) -> Flag[Any]:
    return click.option(name, callback=names, multiple=True, metavar=metavar, help=help)


def _columns(name: str, help: str) -> Flag[Any]:
    return _names(name, "COLUMN,...", help)


def _settings(name: str, form: Callable[..., dict[str, Any]], metavar: str, help: str) -> Flag[Any]:
    return click.option(name, callback=form, multiple=True, metavar=metavar, help=help)


def labels_flag(name: str, metavar: str, help: str) -> Flag[Any]:
    """A flag that pairs two labels of a hierarchy."""
    return _settings(name, settings(metavar.lower()), metavar, help)


path = click.Path(path_type=Path)


class _Place(click.ParamType):  # type: ignore[type-arg]
    """A path, or the address of a database, which must stay as it is typed."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | str:
        """Tell the two apart by the ``://`` of an address."""
        return value if isinstance(value, Path) or "://" in value else Path(value)


place = _Place()

plan_flag: Flag[Any] = click.option("--plan", type=path, metavar="FILE", help="A plan (TOML); flags override it.")
k_flag: Flag[Any] = click.option("-k", "k", type=int, help="Least number of look-alikes per record, e.g. 10.")
metric_flag: Flag[Any] = _names("--metric", "NAME,...", "Only these; see shoal metrics.")
json_flag: Flag[Any] = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
quiet_flag: Flag[Any] = click.option("--quiet", "-q", is_flag=True, help="No progress and no messages.")

role_flags: Flag[Any] = together(
    _columns("--qi", "Quasi-identifiers: harmless alone, telling together."),
    _columns("--sensitive", "Private facts, published as they are."),
)
identifier_flag: Flag[Any] = _columns("--identifier", "Columns that name a person; removed.")
value_flags: Flag[Any] = together(
    _settings("--hierarchy", settings("workclass=workclass.csv", Path), "COLUMN=FILE", "The tree of a column."),
    _settings("--kind", settings("age=numeric"), "COLUMN=KIND", "numeric, ordered, categorical, date or text-prefix."),
)
column_flags: Flag[Any] = together(
    value_flags,
    _settings("--weight", settings("age=2.5", float), "COLUMN=NUMBER", "How much a column's loss counts; 1 is usual."),
    _settings(
        "--render",
        settings("age=mean, or mean for all columns", alone=True),
        "[COLUMN=]HOW",
        "How classes are published, for all columns or for one.",
    ),
)
missing_flag: Flag[Any] = click.option(
    "--missing", metavar="HOW", help="Missing cells: own (a value of its own), refuse or wildcard."
)
settings_flag: Flag[Any] = _settings(
    "--set",
    settings("rounds=3", toml_value),
    "NAME=VALUE",
    "A parameter of the builder; see shoal hierarchy kinds NAME.",
)
method_flags: Flag[Any] = together(
    click.option("--method", metavar="NAME", help="How records are grouped; see shoal methods."),
    _settings(
        "--set", settings("rounds=3", toml_value), "NAME=VALUE", "A parameter of the method; see shoal methods NAME."
    ),
    click.option("--seed", type=int, help="Seed of everything random; the same seed gives the same bytes."),
    click.option("--loss", metavar="NAME", help="The loss to keep low: ncp, height, eloss, lm or sse."),
    click.option("--refine", is_flag=True, help="Search for classes of lower loss after any method."),
    click.option("--steps", type=int, metavar="NUMBER", help="Budget of the search, in steps per record."),
    click.option("--time-budget", type=float, metavar="SECONDS", help="Budget of the search, in seconds."),
)
person_flag: Flag[Any] = click.option(
    "--person", metavar="COLUMN", help="The column that tells whose row it is; k counts persons."
)
suppression_flag: Flag[Any] = click.option(
    "--suppression",
    type=float,
    metavar="SHARE",
    help="Share of rows that may be left out, e.g. 0.02.",
)
weaker_flag: Flag[Any] = click.option(
    "--accept-weaker", is_flag=True, help="Run methods that publish less than one k-anonymous table."
)
release_flags: Flag[Any] = together(
    click.option("--keep-order", is_flag=True, help="Keep the input's row order (it may give rows away)."),
    click.option("--formulas", metavar="HOW", help="Cells a spreadsheet would run: keep or prefix."),
    click.option("--format", metavar="NAME", help="Format of the released table; see shoal formats."),
    click.option("--overwrite", is_flag=True, help="Replace an earlier release in DIR."),
)
reading_flags: Flag[Any] = together(
    click.option("--no-header", is_flag=True, help="The file has no line of column names; see --columns."),
    _columns("--columns", "Column names of a file without a header."),
    click.option("--skip-lines", type=int, metavar="N", help="Lines above the table in delimited text, e.g. remarks."),
    click.option("--na", multiple=True, metavar="TEXT", help="A text that means missing, e.g. '?'; repeatable."),
    click.option("--separator", metavar="CHARACTER", help="Field separator where the guess is wrong."),
    click.option("--encoding", metavar="NAME", help="Text encoding if not UTF-8, e.g. cp1252."),
    click.option("--decimal", metavar="CHARACTER", help="Decimal mark of numbers, e.g. a comma."),
    click.option("--sheet", metavar="NAME", help="Sheet of a workbook, by its name or number."),
)
database_flags: Flag[Any] = together(
    click.option("--table", "database_table", metavar="NAME", help="Table of a database, if TABLE is one."),
    click.option("--query", "database_query", metavar="SQL", help="A query to a database, instead of a table."),
)
target_flags: Flag[Any] = together(
    click.option("--to", type=place, metavar="DATABASE", help="Also write the released table to this database."),
    click.option("--to-table", metavar="NAME", help="Name of the table there; released unless given."),
)


def reading_of(flags: Mapping[str, Any], base: Reading | None = None) -> Reading:
    """How to read the table: the plan's settings, changed by the flags that were given."""
    from shoal.tables.reading import Reading

    reading = base or Reading()
    single = ("separator", "encoding", "decimal", "skip_lines")
    given = {name: flags[name] for name in single if flags[name] is not None}
    given |= {name: flags[name] for name in ("na", "columns") if flags[name]}
    given |= {"sheet": flags["sheet"]} if flags.get("sheet") is not None else {}
    asked = {name: flags.get(f"database_{name}") for name in ("table", "query")}
    given |= {} if set(asked.values()) == {None} else asked  # one takes the place of the other
    if flags["no_header"]:
        given["header"] = False
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
