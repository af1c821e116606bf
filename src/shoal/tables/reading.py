# SPDX-License-Identifier: Apache-2.0
"""How a table is to be read where the guess would be wrong, and which of several tables in one place is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.errors import PlanError

PACKINGS = ("gz", "bz2", "xz", "zst")
"""How a file may be packed, as the end of its name tells."""


@dataclass(frozen=True)
class Reading:
    """Settings of ``[input]`` in a plan; None means guess."""

    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    """Decimal mark of numbers; a point unless given."""
    na: tuple[str, ...] = ()
    """Texts that mean missing, besides the empty field."""
    header: bool = True
    columns: tuple[str, ...] = ()
    """Names for a file without a header."""
    skip_lines: int = 0
    """Lines above the table in delimited text, such as remarks; of several files, in each."""
    compression: str | None = None
    """How the file is packed: ``gz``, ``bz2``, ``xz`` or ``zst``; found from its name, and used again for writing."""
    sheet: str | None = None
    """Sheet of a workbook: its name, or its number counted from 1."""
    table: str | None = None
    """Table of a database."""
    query: str | None = None
    """A query to a database, instead of a table."""

    def __post_init__(self) -> None:
        for name in ("separator", "encoding", "decimal", "compression", "sheet", "table", "query"):
            value = getattr(self, name)
            _check(value is None or isinstance(value, str), name, "a text", value)
        for name in ("na", "columns"):
            value = getattr(self, name)
            several = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
            _check(several, name, "a list of texts", value)
            object.__setattr__(self, name, tuple(value))
        _check(isinstance(self.header, bool), "header", "true or false", self.header)
        counted = isinstance(self.skip_lines, int) and not isinstance(self.skip_lines, bool) and self.skip_lines >= 0
        _check(counted, "skip_lines", "a whole number, 0 or more", self.skip_lines, flag="--skip-lines / ")
        known = self.compression is None or self.compression in PACKINGS
        _check(known, "compression", ", ".join(PACKINGS), self.compression)
        _check(self.table is None or self.query is None, "query", "a table or a query", "both")

    def as_written(self) -> Reading:
        """The reading for a file that was written with this one: UTF-8, a header on top, no marks for missing."""
        return Reading(
            separator=self.separator or ",", encoding="utf-8", decimal=self.decimal, compression=self.compression
        )


def _check(fits: bool, name: str, allowed: str, value: Any, *, flag: str = "") -> None:
    if not fits:
        raise PlanError(
            "A setting for reading the table is of the wrong kind.",
            where=f"{flag}[input] {name}",
            allowed=allowed,
            received=repr(value),
            todo="change the setting, or leave it out",
        )
