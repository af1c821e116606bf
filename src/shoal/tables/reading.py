# SPDX-License-Identifier: Apache-2.0
"""How a table is to be read where the guess would be wrong, and which of several tables in one place is meant."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from shoal.ground.errors import PlanError
from shoal.ground.settings import check_settings, setting
from shoal.tables.date_formats import date_format
from shoal.tables.notation import check_marks

UTF_8 = "utf-8"
KEEP = "keep"
PACKINGS = ("gz", "bz2", "xz", "zst")
"""How a file may be packed, as the end of its name tells."""


def is_utf8(encoding: str) -> bool:
    """Whether a name of an encoding means UTF-8, with a byte order mark or without."""
    try:
        return codecs.lookup(encoding).name in (UTF_8, "utf-8-sig")
    except (LookupError, ValueError):
        return False


@dataclass(frozen=True)
class Reading:
    """Settings of ``[input]`` in a plan; None means guess."""

    # fmt: off
    separator: str | None = setting(
        None, "Field separator where the guess is wrong.", table="input", usual="guessed",
        flag="--separator CHARACTER", after="--na")
    encoding: str | None = setting(
        None, "Text encoding if not UTF-8, e.g. cp1252.", table="input", usual="UTF-8", flag="--encoding NAME",
        after="--na")
    date_format: str | None = setting(
        None, "How dates are written, e.g. dd.mm.yyyy.", table="input", usual="found", flag="--date-format FORMAT",
        after="--na")
    decimal: str | None = setting(
        None, "Decimal mark of numbers, a point or a comma.", table="input", usual="found", flag="--decimal MARK",
        after="--na")
    thousands: str | None = setting(
        None, "Mark between thousands: point, comma, blank or apostrophe.", table="input", usual="found",
        flag="--thousands MARK", after="--na")
    na: tuple[str, ...] = setting(
        (), "Texts that mean missing, besides the empty field.", table="input", flag="--na TEXT",
        flag_help="A text that means missing, e.g. '?'; repeatable.", after="--skip-lines")
    header: bool = setting(
        True, "Whether the first line holds the column names.", table="input", flag="--no-header",
        flag_help="The file has no line of column names; see --columns.")
    columns: tuple[str, ...] = setting(
        (), "Column names of a file without a header.", table="input", flag="--columns COLUMN,...")
    skip_lines: int | None = setting(
        None, "Lines or rows above the table, e.g. a title.", table="input", least=0, usual="found",
        flag="--skip-lines N")
    compression: str | None = setting(
        None, "How the file is packed, and the release will be.", table="input", choices=PACKINGS,
        usual="by the name")
    sheet: str | None = setting(
        None, "Sheet of a workbook, by its name or number.", table="input", usual="the only one",
        flag="--sheet NAME")
    table: str | None = setting(
        None, "Table of a database.", table="input", usual="the only one", flag="--table NAME",
        flag_help="Table of a database, if TABLE is one.")
    query: str | None = setting(None, "A query to a database, instead of a table.", table="input", flag="--query SQL")
    encoding_out: str = setting(
        UTF_8, "Text encoding of the released table: utf-8, or keep that of the input.", table="input",
        choices=(UTF_8, KEEP), word="choice of an encoding", flag="--encoding-out HOW", after="--encoding",
        also=("anonymize",))
    # fmt: on

    def __post_init__(self) -> None:
        for name in ("na", "columns"):
            if isinstance(given := getattr(self, name), list):
                object.__setattr__(self, name, tuple(given))
        check_settings(self)
        check_marks(self.decimal, self.thousands, "in [input]")
        if self.date_format is not None:
            date_format(self.date_format)
        if self.table is not None and self.query is not None:
            raise PlanError(
                "A table and a query were named, and only one can be read.",
                where="--query / [input] query",
                allowed="a table or a query",
                received="both",
                todo="leave one out",
            )

    @property
    def written_in(self) -> str:
        """The encoding in which text files are written."""
        return (self.encoding or UTF_8) if self.encoding_out == KEEP else UTF_8

    def of_others(self) -> Reading:
        """The reading for a table that others hold of the same people: what is said of cells is kept."""
        return Reading(na=self.na, decimal=self.decimal, thousands=self.thousands, date_format=self.date_format)

    def as_written(self) -> Reading:
        """The reading for a file that was written with this one: a header on top, no marks for missing."""
        return Reading(
            separator=self.separator or ",",
            encoding=self.written_in,
            decimal=self.decimal,
            thousands=self.thousands,
            date_format=self.date_format,
            compression=self.compression,
            skip_lines=0,
        )
