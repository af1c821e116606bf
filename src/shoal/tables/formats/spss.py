# SPDX-License-Identifier: Apache-2.0
"""SPSS (.sav, .zsav) with variable labels, value labels, missing codes and measures; needs the extra stats-formats.

Carries names, numbers, text, dates and moments to the millisecond, and the labels. A numeric column whose every value
has a value label, or whose measure is nominal, is taken for categories; an ordinal one for an ordered column. Codes
that are declared as missing stay in the cells and stay declared; --na 99 makes them missing for shoal, too. A
generalised column becomes text and keeps the labels of the codes that it still shows. Blanks at the end of text are
not kept.

Written with a fixed time stamp, so that the same table gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from shoal.tables.formats import _labelled
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".sav", ".zsav")
EXTRA = "stats-formats"
KEEPS = "names, their order, text, numbers, dates, moments, variable labels, value labels, missing codes, measures"
LOSES = _labelled.LOSES | {"blanks at the end of text": "gone"}

NAMES = re.compile(r"[^\W\d_][\w.@#$]*(?<![._])|@[\w.@#$]*(?<![._])")
LONGEST_NAME = 64
WHOLE = re.compile(r"F\d+(?:\.0)?")
STAMP = slice(92, 109)
FIXED_STAMP = b"01 Jan 0000:00:00"
"""Day and hour that every file tells, so that none tells its own."""


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file with its labels."""
    return _labelled.read_labelled(path, "read_sav", "SPSS", WHOLE, user_missing=True), reading


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a file with the labels that the table has."""
    columns = _labelled.carried_columns(table, path, NAMES, LONGEST_NAME)
    columns = {
        name: column.str.strip_chars_end(" ") if column.dtype == pl.String else column
        for name, column in columns.items()
    }
    labels = table.labels.only(columns)
    missing = {name: list(codes) for name, codes in labels.missing.items() if columns[name].dtype.is_numeric()}
    content = bytearray(
        _labelled.labelled_file(
            "write_sav",
            columns,
            path,
            "SPSS",
            column_labels=_labelled.column_labels(table),
            variable_value_labels=_labelled.code_labels(table, columns, text=True),
            missing_ranges=missing,
            variable_measure=dict(labels.measures),
            variable_format={name: "F20.0" for name, column in columns.items() if column.dtype.is_integer()},
            row_compress=True,
        )
    )
    content[STAMP] = FIXED_STAMP
    path.write_bytes(content)
