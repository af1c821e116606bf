# SPDX-License-Identifier: Apache-2.0
"""Whether the first row of a file holds names, as the cells below it tell.

A file without a header would give away its first record in every message that lists the names of columns. So names are
shown only where the user knows some of them, or where hardly anything else is left to believe: numbers or dates stand
below a name that is none, and what stands below most other names fits. That is still a guess: a first record that has a
word of its own for a missing number, among rare words, passes for names. Words alone never tell: a rare word may well
stand in the first record only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from shoal.ground.errors import looks_like_a_cell, nearest
from shoal.ground.missing_words import says_nothing

if TYPE_CHECKING:
    from shoal.tables.table import Table

ROWS = 10_000
"""Rows that are looked at."""
FEWEST_ROWS, REPEATS = 20, 10
"""Rows from which on it is told by repeats, and how often each cell of a column is repeated on average."""
FEWEST = 2
"""Columns that have to tell it; besides, half of all."""
COUNTED = ("numeric", "date")
"""Kinds of columns whose cells no word is among."""


def spelling(table: Table, unknown: Sequence[str], *, trusted: bool = False) -> str:
    """What to do about names that are no columns: those that are nearest, where names are no cells.

    ``trusted``: the user knows some of the names.
    """
    doubtful = any(map(looks_like_a_cell, table.names)) or not (trusted or are_names(table))
    if doubtful and table.headed:
        todo = "check the spelling and the --separator; if the file has no header, say --no-header and --columns"
        return todo + "; if remarks stand above the table, --skip-lines N"
    near = [] if doubtful else [nearest(name, table.names) for name in unknown]
    return " ".join(dict.fromkeys(filter(None, near))) or "check the spelling; names are case-sensitive"


def in_first_line(many: int) -> str:
    """Names that are not shown.

    >>> in_first_line(1), in_first_line(12)
    ('the name in the first line of the file', 'the 12 names in the first line of the file')
    """
    return f"the {'name' if many == 1 else f'{many} names'} in the first line of the file"


def are_names(table: Table) -> bool:
    """Whether the names of a table are hardly the first record of a file."""
    return not table.headed or bool(table.once("header", lambda: has_header(table)))


def has_header(table: Table) -> bool:
    """Whether most columns hardly have their name for a cell, and at least one of them is of numbers or dates.

    >>> import numpy as np
    >>> from shoal.tables.table import Table
    >>> people = {"sex": ["f", "m"] * 20, "age": np.array([30, 40] * 20)}
    >>> has_header(Table.from_columns(people))
    True
    >>> has_header(Table.from_columns({"f": people["sex"], "30": people["age"]}))
    False
    >>> has_header(Table.from_columns({"Secretville": ["Ulm", "Bonn"] * 20, "gout": ["flu", "cold"] * 20}))
    False
    """
    some = replace(table, frame=table.frame.head(ROWS))
    telling = [name for name in some.names if _is_no_cell(some, name)]
    enough = len(telling) >= max(FEWEST, len(some.names) / 2)
    return enough and any(some.natural_kind(name) in COUNTED for name in telling)


def _is_no_cell(table: Table, name: str) -> bool:
    """Whether a column is of numbers or dates and its name is none, or of few cells that repeat and is none of them."""
    if looks_like_a_cell(name) or says_nothing(name):
        return False
    if table.natural_kind(name) in COUNTED:
        return not any(letter.isdigit() for letter in name[:1])
    present = table.texts(name).drop_nulls()
    cells = present.str.strip_chars().str.to_lowercase().unique()
    few = len(present) >= max(FEWEST_ROWS, REPEATS * len(cells))
    return few and not cells.is_in(pl.Series([name.strip().lower()]).implode()).any()
