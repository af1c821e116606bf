# SPDX-License-Identifier: Apache-2.0
"""Excel workbooks: one sheet with the names in its first row; needs the extra excel.

Carries names, text, numbers, booleans, dates and moments. A number is a number to Excel, so a column of whole numbers
is read as whole even if it was stored otherwise; days before March 1900, which Excel counts wrongly, are written as
text and read as dates. A formula is read as its last result, an error such as #N/A as a missing cell. At most 1,048,575
rows, 16,384 columns and 32,767 characters per cell.

Read: .xlsx, .xlsm, .xlsb, .xls and .ods; of several sheets one has to be named (--sheet), hidden ones do not count.
Blank rows and a title above the names are left out, or as many rows as --skip-lines says.
Written: .xlsx with one sheet, no formulas, no links, and a fixed time stamp, so that the same table gives the same
bytes.
"""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from shoal.ground.catalog import library
from shoal.ground.errors import Refusal, TableError, listed
from shoal.tables.columns import check_names
from shoal.tables.formats._compression import refuse_growth
from shoal.tables.formats._plain_columns import (
    canonical_text,
    plain_column,
    whole_numbers,
    with_dates,
)
from shoal.tables.formats._titles import MOST, rows_above
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
EXTRA = "excel"
KEEPS = "names, their order, text, numbers, booleans, dates, moments, empty text beside missing cells"
LOSES = {
    "rows without cells": "refused at the end of the table",
    "real numbers that are whole": "come back as whole numbers",
    "17th digit of a number": "rounded",
    "size of numbers": "comes back as 64 bits",
    "columns without cells": "come back as text",
    "moments at midnight": "a column of nothing else comes back as days",
    "microseconds": "rounded to milliseconds",
    "text that is a date": "comes back as a date",
    "decimals": "come back as numbers, as text if they have too many digits",
    "categories": "come back as text",
    "order of categories": "gone",
    "time zones": "come back as text",
    "times and spans": "come back as text",
    "infinite numbers": "their column comes back as text",
    "labels": "gone",
    "nested cells": "refused",
    "binary cells": "refused",
}

SHEET = "table"
MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 1_048_575, 16_384, 32_767
FIRST_DAY = date(1900, 3, 1)
"""The first day that Excel and everybody else number alike: Excel has a 29 February 1900."""
CREATED = datetime(2000, 1, 1)
"""The day of creation that every workbook tells, so that none tells its own."""
ROWS_AT_ONCE = 10_000
UNREADABLE = Refusal(
    TableError,
    "The file cannot be read as a workbook.",
    allowed="a workbook without a password, with the names in the first row of the sheet",
    todo="check the extension, or save the workbook again as .xlsx",
)


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read one sheet of a workbook."""
    fastexcel = library("fastexcel", extra=EXTRA, what="An Excel workbook")
    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it warns of columns without cells
    where = f"file {str(path)!r}"
    stored = path.read_bytes()
    _refuse_growth(stored, where)
    try:
        book = fastexcel.read_excel(stored)
    except (fastexcel.FastExcelError, ValueError, pl.exceptions.PanicException):
        raise UNREADABLE(where, f"{len(stored)} bytes that are damaged or something else") from None
    sheet = _sheet(book, reading.sheet, where)
    where = f"{where}, sheet {sheet!r}"
    try:
        top = pl.DataFrame(
            book.load_sheet(sheet, header_row=None, skip_rows=0, n_rows=_looked_at(reading), dtypes="string")
        )
        above = _rows_above(top, reading)
        first = top.slice(above, 1)
        body = _body(book, sheet, first, above + int(reading.header))
    except (fastexcel.FastExcelError, pl.exceptions.PolarsError, ValueError):
        raise UNREADABLE(where, "a sheet that cannot be taken apart into cells") from None
    names = _names(first, reading, where)
    completed = replace(reading, skip_lines=above or reading.skip_lines)
    frame = body.rename(dict(zip(body.columns, names, strict=True)))
    typed = frame.with_columns(_typed(column) for column in frame.get_columns())
    return with_dates(Table.of(typed, headed=reading.header)), completed


def _refuse_growth(stored: bytes, where: str) -> None:
    """A workbook is a packed folder, too; one that cannot be listed is for the reader to refuse."""
    with suppress(zipfile.BadZipFile, ValueError, NotImplementedError), zipfile.ZipFile(io.BytesIO(stored)) as parts:
        refuse_growth(len(stored), sum(part.file_size for part in parts.infolist()), where)


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a workbook of one sheet."""
    xlsxwriter = library("xlsxwriter", extra=EXTRA, what="An Excel workbook")
    columns = [_shown(table, name) for name in table.names]
    _check_limits(table, columns, path)
    _check_end(columns, path)
    never = {f"strings_to_{what}": False for what in ("formulas", "numbers", "urls")}
    content = io.BytesIO()
    with TemporaryDirectory(dir=path.parent) as folder:
        book = xlsxwriter.Workbook(content, {"constant_memory": True, "tmpdir": folder, **never})
        _fill(book, table.names, columns)
        book.close()
    path.write_bytes(content.getvalue())


def _fill(book: Any, names: list[str], columns: list[pl.Series]) -> None:
    book.set_properties({"created": CREATED})
    sheet = book.add_worksheet(SHEET)
    for place, name in enumerate(names):
        sheet.write_string(0, place, name)
    writers = [_writer(book, sheet, column.dtype) for column in columns]
    for start in range(0, len(columns[0]), ROWS_AT_ONCE):
        block = zip(*(column.slice(start, ROWS_AT_ONCE).to_list() for column in columns), strict=True)
        for row, cells in enumerate(block, start + 1):
            for place, cell in enumerate(cells):
                if cell is not None:
                    writers[place](row, place, cell)


def _sheet(book: Any, wanted: str | None, where: str) -> str:
    """The name of the sheet that is meant: the one that was named, or the only one that can be seen."""
    names: list[str] = book.sheet_names
    if wanted in names:
        return str(wanted)
    if wanted is not None and wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    seen = [name for name in names if book.load_sheet(name, n_rows=0).visible == "visible"] if len(names) > 1 else names
    if wanted is None and len(seen) == 1:
        return seen[0]
    raise TableError(
        "The workbook has several sheets." if wanted is None else "The workbook has no such sheet.",
        where=where,
        allowed=f"one of the sheets {listed(map(repr, names))}, or its number",
        received="no choice" if wanted is None else repr(wanted),
        todo="name the sheet: --sheet NAME",
    )


def _looked_at(reading: Reading) -> int:
    """Rows at the top of a sheet in which the names are looked for."""
    return (reading.skip_lines or 0) + MOST + 1


def _rows_above(top: pl.DataFrame, reading: Reading) -> int:
    """Rows above the table: those to skip and blank ones below them; titles, too, unless their number is given."""
    rows = [[cell and cell.strip() for cell in row] for row in top.rows()]
    above = reading.skip_lines or 0
    while above < len(rows) and not any(rows[above]):
        above += 1
    found = rows_above(rows[above:], top.width) if reading.skip_lines is None and reading.header else 0
    return above + found


def _body(book: Any, sheet: str, first: pl.DataFrame, skipped: int) -> pl.DataFrame:
    """The cells below the names, under numbered names."""
    numbered = [str(place) for place in range(first.width)]
    if not first.height or not numbered:
        return pl.DataFrame(schema=dict.fromkeys(numbered, pl.String))
    loaded = book.load_sheet(sheet, header_row=None, skip_rows=skipped, column_names=numbered, schema_sample_rows=None)
    return pl.DataFrame(loaded)


def _names(first: pl.DataFrame, reading: Reading, where: str) -> list[str]:
    if not first.height or not first.width:
        raise UNREADABLE(where, "an empty sheet")
    if reading.header:
        names = [cell or "" for cell in first.row(0)]
    else:
        names = list(reading.columns) or [f"column_{number + 1}" for number in range(first.width)]
    if len(names) != first.width:
        raise TableError(
            "The number of column names differs from the number of columns.",
            where="--columns / [input] columns",
            allowed=f"{first.width} names, one per column of {where}",
            received=f"{len(names)} names",
            todo="add or remove names",
        )
    check_names(names, where, "give every column a name in the first row; if there are no names, say --no-header")
    return names


def _typed(column: pl.Series) -> pl.Series:
    """What Excel has no type for: whole numbers, and days without a time."""
    if isinstance(column.dtype, pl.Datetime):
        days = column.dt.date()
        same = (days.cast(pl.Datetime("us")) == column.dt.cast_time_unit("us")).all()
        return days if same and column.null_count() < len(column) else column.dt.cast_time_unit("us")
    if column.dtype == pl.Null:
        return column.cast(pl.String)
    return whole_numbers(column)


def _shown(table: Table, name: str) -> pl.Series:
    """A column in a type that a sheet can show."""
    column = plain_column(table, name)
    if column.dtype == pl.Datetime:
        column = column.dt.round("1ms")
    if column.dtype in (pl.Date, pl.Datetime):
        first = column.drop_nulls().cast(pl.Date).min()
        return canonical_text(column) if isinstance(first, date) and first < FIRST_DAY else column
    return column


def _writer(book: Any, sheet: Any, kind: pl.DataType) -> Callable[[int, int, Any], Any]:
    """How cells of a type are written."""
    if kind in (pl.Date, pl.Datetime):
        form = "yyyy-mm-dd" if kind == pl.Date else "yyyy-mm-dd hh:mm:ss.000"
        style = book.add_format({"num_format": form})
        return lambda row, place, cell: sheet.write_datetime(row, place, cell, style)
    if kind == pl.Boolean:
        return sheet.write_boolean  # type: ignore[no-any-return]
    return sheet.write_number if kind.is_numeric() else sheet.write_string  # type: ignore[no-any-return]


def _check_limits(table: Table, columns: list[pl.Series], path: Path) -> None:
    texts = [column.str.len_chars().max() for column in columns if column.dtype == pl.String]
    longest = max((int(length) for length in texts if isinstance(length, int)), default=0)
    if len(table) <= MOST_ROWS and len(columns) <= MOST_COLUMNS and longest <= LONGEST_TEXT:
        return
    raise TableError(
        "The table is too large for an Excel workbook.",
        where=f"file {str(path)!r}",
        allowed=f"{MOST_ROWS:,} rows, {MOST_COLUMNS:,} columns and {LONGEST_TEXT:,} characters per cell",
        received=f"{len(table):,} rows, {len(columns):,} columns, cells of up to {longest:,} characters",
        todo="choose another format with --format, such as parquet or delimited",
    )


def _check_end(columns: list[pl.Series], path: Path) -> None:
    """A sheet ends with its last cell, so rows after it would be gone."""
    if any(len(column) == 0 or column[-1] is not None for column in columns):
        return
    raise TableError(
        "The last row has no cell, and an Excel sheet ends with its last cell.",
        where=f"file {str(path)!r}",
        allowed="a table whose last row has at least one cell",
        received="a last row of missing cells",
        todo="choose another format with --format, such as parquet or delimited",
    )
