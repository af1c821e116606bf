# SPDX-License-Identifier: Apache-2.0
"""What the files of SPSS, Stata and SAS have in common: numbers, text, dates, and labels beside them.

All three are read in batches, since the library makes Python objects of every cell on its way. Text of length zero
and a missing text are one and the same to them, so both are missing here. Codes that SPSS declares as missing stay what
they are, with the declaration kept beside them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.errors import TableError, column_words, names_shown
from shoal.tables.columns import check_names
from shoal.tables.formats._plain_columns import plain_column, whole_numbers
from shoal.tables.labels import Code, Labels
from shoal.tables.table import Table

EXTRA = "stats-formats"
ROWS_AT_ONCE = 50_000
LOSES = {
    "names": "letters, digits and _ only; others are refused",
    "empty text": "comes back as missing",
    "control characters": "text that holds NUL is refused",
    "booleans": "come back as the numbers 0 and 1",
    "size of numbers": "comes back as 64 bits",
    "microseconds": "rounded to milliseconds",
    "decimals": "come back as real numbers",
    "categories": "come back as text",
    "order of categories": "gone",
    "time zones": "come back as text",
    "times and spans": "come back as text",
    "infinite numbers": "their column comes back as text",
    "nested cells": "refused",
    "binary cells": "refused",
}
"""What none of them that can be written carries."""
MEASURES = ("nominal", "ordinal", "scale")
DATES = re.compile(r"DATE\d*|ADATE\d*|EDATE\d*|SDATE\d*|JDATE\d*|%t?d.*")
MOMENTS = re.compile(r"DATETIME.*|YMDHMS.*|%tc.*")


def pyreadstat() -> Any:
    """The library, or a word about the extra that brings it."""
    return library("pyreadstat", extra=EXTRA, what="A file of SPSS, Stata or SAS")


def read_labelled(
    path: Path, reader: str, kind: str, whole: re.Pattern[str], catalogue: Path | None = None, **options: Any
) -> Table:
    """Read a file in batches; ``whole`` tells the formats of columns that show whole numbers.

    A ``catalogue`` of SAS tells what the codes mean, by the name of the format that a column has.
    """
    stat = pyreadstat()
    where = f"file {str(path)!r}"
    path.stat()  # the operating system's own word about a file that is not there
    parts: list[pl.DataFrame] = []
    try:
        _, meta = getattr(stat, reader)(str(path), metadataonly=True, output_format="polars", **options)
        batches = stat.read_file_in_chunks(
            getattr(stat, reader), str(path), chunksize=ROWS_AT_ONCE, output_format="polars", **options
        )
        for part, _ in batches:
            parts.append(part.with_columns(_typed(column, meta) for column in part.get_columns()))
        words = {} if catalogue is None else stat.read_sas7bcat(str(catalogue))[1].value_labels
    except (stat.ReadstatError, stat.PyreadstatError, ValueError, OSError, pl.exceptions.PolarsError):
        raise _unreadable(where, kind) from None
    nothing = pl.DataFrame(schema={name: _kind(name, meta) for name in meta.column_names})
    frame = pl.concat(parts) if parts else nothing
    check_names(frame.columns, where, "rename the columns")
    formats = {name: shown or "" for name, shown in meta.original_variable_types.items()}
    codes = dict(meta.variable_value_labels)
    codes |= {name: words[shown] for name, shown in formats.items() if shown in words}
    settled = [
        _whole(column) if column.name in codes or whole.fullmatch(formats[column.name]) else column
        for column in frame.get_columns()
    ]
    return Table.of(pl.DataFrame(settled), labels=_labels(meta, codes, settled))


def carried_columns(table: Table, path: Path, name_rule: re.Pattern[str], longest: int) -> dict[str, pl.Series]:
    """The columns as such a file can carry them; refuses names that it cannot."""
    bad = [name for name in table.names if not name_rule.fullmatch(name) or len(name.encode()) > longest]
    if bad:
        raise TableError(
            "The format cannot carry some column names.",
            where=f"file {str(path)!r}",
            allowed=f"names of letters, digits and _, a letter first, up to {longest} bytes",
            received=names_shown(bad, quoted=True),
            todo="rename the columns, or choose another format with --format",
        )
    columns = {name: _carried(plain_column(table, name)) for name in table.names}
    for name, column in columns.items():
        if column.dtype == pl.String and column.str.contains("\0", literal=True).any():
            raise TableError(
                "The format cannot carry text that holds the NUL character.",
                where=f"file {str(path)!r}, {column_words(name)}",
                allowed="text without NUL",
                received="text with it",
                todo="remove the character, or choose another format with --format",
            )
    return columns


def column_labels(table: Table) -> dict[str, str]:
    """What the columns mean."""
    return {name: label for name, label in table.labels.columns.items() if name in table.names}


def code_labels(table: Table, columns: Mapping[str, pl.Series], *, text: bool) -> dict[str, dict[Code, str]]:
    """What the codes mean, of the columns that the file can label: numbers, and text if ``text``."""
    labels: dict[str, dict[Code, str]] = {}
    for name, codes in table.labels.codes.items():
        if name not in columns:
            continue
        fits: tuple[type, ...] = (int, float) if columns[name].dtype.is_numeric() else (str,) if text else ()
        kept = {code: label for code, label in codes.items() if isinstance(code, fits)}
        if kept:
            labels[name] = kept
    return labels


def labelled_file(writer: str, columns: Mapping[str, pl.Series], path: Path, kind: str, **options: Any) -> bytes:
    """What the library's writer makes of the columns; what it has against them may quote cells and is not passed on."""
    stat = pyreadstat()
    frame = pl.DataFrame([column.alias(name) for name, column in columns.items()])
    try:
        with TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / "made"
            getattr(stat, writer)(frame, str(made), **options)
            return made.read_bytes()
    except (stat.ReadstatError, stat.PyreadstatError, ValueError, TypeError, OverflowError):
        raise TableError(
            f"The table cannot be written as {kind}.",
            where=f"file {str(path)!r}",
            allowed="columns, labels and texts within the limits of the format",
            received="something beyond them",
            todo="choose another format with --format, such as parquet or delimited",
        ) from None


def _carried(column: pl.Series) -> pl.Series:
    if column.dtype == pl.Boolean:
        return column.cast(pl.Int64)
    if isinstance(column.dtype, pl.Datetime):
        return column.dt.round("1ms")
    return column.fill_null("") if column.dtype == pl.String else column


def _typed(column: pl.Series, meta: Any) -> pl.Series:
    """A batch of a column in the type of the whole, whatever cells the batch has."""
    if column.dtype in (pl.Null, pl.Object):
        return pl.Series(column.name, [None] * len(column), dtype=_kind(column.name, meta))
    if column.dtype == pl.String:
        return column.replace("", None)
    if isinstance(column.dtype, pl.Datetime):
        return column.dt.cast_time_unit("us").dt.round("1ms")
    return column.cast(pl.Float64) if column.dtype.is_numeric() else column


def _whole(column: pl.Series) -> pl.Series:
    """A column that shows whole numbers, as such if it holds nothing else."""
    if column.dtype == pl.Float64 and column.null_count() == len(column):
        return column.cast(pl.Int64)
    return whole_numbers(column)


def _kind(name: str, meta: Any) -> pl.DataType:
    shown = meta.original_variable_types.get(name) or ""
    if meta.readstat_variable_types.get(name) == "string":
        return pl.String()
    if MOMENTS.fullmatch(shown):
        return pl.Datetime("us")
    return pl.Date() if DATES.fullmatch(shown) else pl.Float64()


def _labels(meta: Any, codes: Mapping[str, Mapping[Any, str]], columns: list[pl.Series]) -> Labels:
    kinds = {column.name: column.dtype for column in columns}
    named = {name: label for name, label in meta.column_names_to_labels.items() if label}
    words = {
        name: {_code(code, kinds[name]): label for code, label in of.items()}
        for name, of in codes.items()
        if name in kinds
    }
    missing = {name: tuple(ranges) for name, ranges in meta.missing_ranges.items() if ranges}
    measures = {name: measure for name, measure in meta.variable_measure.items() if measure in MEASURES}
    return Labels(named, words, missing, measures)


def _code(code: Any, kind: pl.DataType) -> Code:
    """A code as the cells of its column have it."""
    return int(code) if kind.is_integer() and float(code).is_integer() else code


def _unreadable(where: str, kind: str) -> TableError:
    return TableError(
        f"The file cannot be read as {kind}.",
        where=where,
        allowed=f"a complete {kind} file without a password",
        received="a file that is damaged, empty or something else",
        todo="check the extension, or export the table again",
    )
