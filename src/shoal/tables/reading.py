# SPDX-License-Identifier: Apache-2.0
"""How a delimited file is to be read where the guess would be wrong."""

from __future__ import annotations

from dataclasses import dataclass


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

    def as_written(self) -> Reading:
        """The reading for a file that was written with this one: UTF-8, a header, no marks for missing."""
        return Reading(separator=self.separator or ",", encoding="utf-8", decimal=self.decimal)
