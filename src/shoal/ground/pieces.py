# SPDX-License-Identifier: Apache-2.0
"""What pages show: tables of plain texts, and charts with the numbers behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shoal.ground.svg import Svg


class TextTable(NamedTuple):
    """A table of plain texts; the first cell of each row is its heading, ``numbers`` are set to the right."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()


class Figure(NamedTuple):
    """A chart under its finding, with a note on how to read it and the table that is folded below it."""

    title: str
    drawing: Svg
    table: TextTable | None = None
    note: str = ""
    key: tuple[str, str] | None = None
    """What an open and a filled dot stand for."""
    fold: str = "Numbers"
