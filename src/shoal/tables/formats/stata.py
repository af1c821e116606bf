# SPDX-License-Identifier: Apache-2.0
"""Stata (.dta) with variable labels and value labels; needs the extra stats-formats.

Carries names, numbers, text, dates and moments to the millisecond, variable labels, and labels of whole numbers. A
column whose every number has a value label is taken for categories. Kinds of missing (.a to .z) are read as missing.
A generalised column becomes text, which Stata does not label.

Written as version 118 (Stata 14 and later), with a fixed time stamp, so that the same table gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from shoal.tables.formats import _labelled
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".dta",)
EXTRA = "stats-formats"
KEEPS = "names, their order, text, numbers, dates, moments, variable labels, labels of whole numbers"
LOSES = _labelled.LOSES | {"labels of text": "gone", "missing codes and measures": "gone"}

NAMES = re.compile(r"[^\W\d]\w*")
LONGEST_NAME = 32
WHOLE = re.compile(r"%\d+\.0f")
LARGEST_LONG = 2_147_483_620
"""The largest whole number that Stata stores as such; those above it mean missing."""
STAMP = re.compile(rb"<timestamp>\x11.{17}</timestamp>", re.DOTALL)
FIXED_STAMP = b"<timestamp>\x1101 Jan 2000 00:00</timestamp>"


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file with its labels."""
    return _labelled.read_labelled(path, "read_dta", "Stata", WHOLE), reading


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a file with the labels that the table has."""
    columns = {
        name: _stored(column) for name, column in _labelled.carried_columns(table, path, NAMES, LONGEST_NAME).items()
    }
    whole = {name for name, column in columns.items() if column.dtype.is_integer()}
    labelled = _labelled.code_labels(table, {name: columns[name] for name in whole}, text=False)
    content = _labelled.labelled_file(
        "write_dta",
        columns,
        path,
        "Stata",
        column_labels=_labelled.column_labels(table),
        variable_value_labels=labelled,
        variable_format=dict.fromkeys(whole, "%20.0f"),
    )
    path.write_bytes(STAMP.sub(FIXED_STAMP, content, count=1))


def _stored(column: pl.Series) -> pl.Series:
    """Whole numbers in four bytes where they fit: labels hold only for those."""
    fits = column.dtype.is_integer() and column.drop_nulls().is_between(-LARGEST_LONG, LARGEST_LONG).all()
    return column.cast(pl.Int32) if fits else column
