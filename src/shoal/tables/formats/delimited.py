# SPDX-License-Identifier: Apache-2.0
"""Delimited text: CSV, TSV and relatives, with or without header, also packed (gz, bz2, xz, zst).

Carries names, column order and text; no types: whether a column holds numbers or dates is decided from its content.
An empty field is a missing cell, a quoted empty field ("") is an empty text, and both are written back so. Blanks
around a field that is not quoted do not belong to it. Blank lines at the end are ignored, except in a file of one
column, where an empty line is a missing cell. Lines above the table, such as remarks, are left out if their number is
given, or if they are plain to see: lines of one cell, or of none, above three names or more. Quotes mean nothing in
them. Cannot carry nested or binary cells.

Read: UTF-8 or the encoding that is named, with or without byte order mark; LF or CR LF; the separator is guessed
among comma, semicolon, tab and bar. Written: UTF-8 without mark, or the encoding of the input if the plan keeps it
(--encoding-out keep); LF, a header, quotes only where needed.
"""

from __future__ import annotations

import codecs
import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import IO

import polars as pl

from shoal.ground.errors import TableError
from shoal.tables.columns import check_names, known_texts
from shoal.tables.formats._compression import packing_of, with_packings, write_packed
from shoal.tables.formats._plain_text import no_records, refuse_broken_utf8, utf8_text
from shoal.tables.formats._records import (
    LINE_END,
    Plainly,
    Records,
    guess_separator,
    has_content,
    plainly,
    split_records,
)
from shoal.tables.formats._titles import MOST, rows_above
from shoal.tables.reading import UTF_8, Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = with_packings((".csv", ".tsv", ".tab", ".txt", ".data", ".test"))
TAB_EXTENSIONS = with_packings((".tsv", ".tab"))
PACKED = True
ROWS_AT_ONCE = 1 << 17
TITLES_WITHIN = 1 << 15
"""Bytes at the beginning of a file in which a title is looked for."""
KEEPS = "names, their order, every text, empty text beside missing cells"
LOSES = {
    "types": "kinds are decided from the content",
    "order of categories": "gone",
    "labels": "gone",
    "nested cells": "refused",
    "binary cells": "refused",
}


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file; the reading comes back with separator, encoding and names as they were found."""
    where = f"file {str(path)!r}"
    _check(reading)
    text, encoding = utf8_text(path, reading.encoding)
    if not has_content(text):
        raise no_records("The file holds nothing but blank lines.", where, "white space")
    skipped = _lines_above(text, path, reading) if reading.skip_lines is None else reading.skip_lines
    below = _below(text, skipped, where)
    separator = reading.separator or guess_separator(below, _candidates(path, reading))
    frame = _parsed_plainly(below, separator, reading, where, skipped)
    if frame is None:
        refuse_broken_utf8(text, where)
        records = split_records(below, separator, where, skipped + 1)
        del text, below  # as long as the file, and held a second time in the records
        frame = _parsed(records, _names(records, separator, reading, where, skipped), separator, reading.header, where)
    names = frame.columns
    columns = () if reading.header else tuple(names)
    table = Table(frame, untyped=True, decimal=reading.decimal or ".", headed=reading.header)
    completed = replace(
        reading,
        separator=separator,
        encoding=encoding,
        columns=columns,
        compression=packing_of(path),
        skip_lines=skipped or reading.skip_lines,
    )
    return table, completed


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a table with the reading's separator and decimal mark."""
    _check(reading)
    separator = reading.separator or ","
    if not table.names:
        raise TableError(
            "A table without columns cannot be written as delimited text.",
            where=f"file {str(path)!r}",
            allowed="at least one column",
            received="0 columns",
            todo="keep a column",
        )
    names = pl.Series(table.names, dtype=pl.String)
    header = separator.join(_quoted(names, separator).to_list())
    for name in table.names:
        replace(table, frame=table.frame.head(0)).texts(name)  # refuses what text cannot carry before there is a file
    if packing_of(path):
        content = io.BytesIO()
        _write_lines(content, header, table, reading)
        write_packed(path, content.getvalue())
    else:
        with path.open("wb") as file:
            _write_lines(file, header, table, reading)


def _write_lines(file: IO[bytes], header: str, table: Table, reading: Reading) -> None:
    """Header and rows, some at a time: with its quotes the whole would take as much memory as the table again."""
    separator = reading.separator or ","
    known = known_texts(table.frame, table.known)
    texts = {name: (_quoted(cells, separator), which) for name, (cells, which) in known.items()}
    into = file if reading.written_in == UTF_8 else _Encoded(file, reading.written_in)
    into.write(f"{header}\n".encode())
    for start in range(0, len(table), ROWS_AT_ONCE):
        part = replace(table, frame=table.frame.slice(start, ROWS_AT_ONCE))
        shown = {name: cells.gather(which.slice(start, ROWS_AT_ONCE)) for name, (cells, which) in texts.items()}
        for name in set(part.names).difference(texts):
            shown[name] = _quoted(_shown(part, name, reading.decimal), separator)
        lines = io.BytesIO()
        pl.DataFrame([shown[name] for name in part.names]).write_csv(
            lines, include_header=False, separator=separator, quote_style="never", null_value="", line_terminator="\n"
        )
        into.write(lines.getvalue())


class _Encoded:
    """A file that text in UTF-8 is written to in another encoding."""

    def __init__(self, file: IO[bytes], encoding: str) -> None:
        self.file = file
        self.encoding = encoding
        self.encoder = codecs.getincrementalencoder(encoding)()

    def write(self, text: bytes) -> None:
        """Write whole lines; refuses signs that the encoding does not have."""
        try:
            self.file.write(self.encoder.encode(text.decode()))
        except UnicodeEncodeError as problem:
            raise TableError(
                "The released table cannot be written in the encoding of the input.",
                where="--encoding-out / [release] encoding_out",
                allowed=f"text that {self.encoding} can hold",
                received=f"{problem.end - problem.start} signs or more that it cannot",
                todo="leave it out: the table is then written in UTF-8",
            ) from None


def _check(reading: Reading) -> None:
    """Refuse settings that cannot be meant."""
    separator = reading.separator
    if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0'):
        raise TableError(
            "The separator must be a single character.",
            where="--separator / [input] separator",
            allowed="one ASCII character such as ',', ';', '|' or a tab; no quote and no line end",
            received=repr(separator),
            todo="leave the separator out to have it guessed",
        )
    if reading.columns and reading.header:
        raise TableError(
            "Column names were given for a file that has a header.",
            where="--columns / [input] columns",
            allowed="names only for a file without a header",
            received=f"{len(reading.columns)} names",
            todo="add --no-header if the first line is a record already, else leave the names out",
        )


def _below(text: bytes, skipped: int, where: str) -> bytes:
    """The text without its first lines, of which something must remain."""
    start = 0
    for _ in range(skipped):
        start = text.find(LINE_END, start) + 1
        if not start:
            break
    below = text[start:] if start or not skipped else b""
    if not has_content(below):
        raise TableError(
            "Nothing is left of the file below the lines to skip.",
            where="--skip-lines / [input] skip_lines",
            allowed=f"fewer than the {1 + text.rstrip().count(LINE_END)} lines of {where}",
            received=str(skipped),
            todo="count only the lines above the table; its header, or its first record if it has none, must remain",
        )
    return below


def _lines_above(text: bytes, path: Path, reading: Reading) -> int:
    """Lines of a title or remark above the header, where the file begins with such lines and nothing else fits."""
    if not reading.header:
        return 0
    lines = text[:TITLES_WITHIN].decode(errors="replace").splitlines()[:-1][: MOST + 1]
    for separator in [reading.separator] if reading.separator else _candidates(path, reading):
        try:
            rows = [next(csv.reader([line], delimiter=separator, strict=True), []) for line in lines]
        except csv.Error:
            continue
        width = len(rows[-1]) if rows else 0
        found = rows_above([[cell.strip() for cell in row] for row in rows], width)
        if found and all(len(row) == width for row in rows[found:]):
            return found
    return 0


def _candidates(path: Path, reading: Reading) -> list[str]:
    """Separators to try, the one that wins in doubt first."""
    candidates = [",", ";", "\t", "|"]
    if reading.decimal == ",":
        candidates = [";", "\t", "|", ","]
    if path.name.lower().endswith(TAB_EXTENSIONS):
        candidates.sort(key=lambda mark: mark != "\t")
    return candidates


def _names(records: Records | Plainly, separator: str, reading: Reading, where: str, skipped: int) -> list[str]:
    """The column names, from the header, as given, or numbered."""
    if reading.header:
        names = _header(records.first, separator, f"{where}, line {skipped + 1}")
        source, todo = f"{where}, header", "rename the columns; if the file has no header, say --no-header"
        todo += "; if remarks stand above it, --skip-lines N"
    else:
        names = list(reading.columns) or [f"column_{number + 1}" for number in range(records.width)]
        source, todo = "--columns / [input] columns", "give each column a name of its own"
    if len(names) != records.width:
        raise TableError(
            "The number of column names differs from the number of fields.",
            where=source,
            allowed=f"{records.width} names, one per field of {where} (separator {separator!r})",
            received=f"{len(names)} names",
            todo="add or remove names, or name the --separator",
        )
    check_names(names, source, todo)
    return names


def _header(first: bytes, separator: str, where: str) -> list[str]:
    try:
        return next(csv.reader(io.StringIO(first.decode(), newline=""), delimiter=separator, strict=True), [""])
    except csv.Error:
        raise TableError(
            "The header cannot be read.",
            where=where,
            allowed=f"column names of less than {csv.field_size_limit()} characters, separated by {separator!r}",
            received=f"a first line of {len(first)} bytes",
            todo="shorten the names; if the file has no header, say --no-header",
        ) from None


def _parsed_plainly(text: bytes, separator: str, reading: Reading, where: str, skipped: int) -> pl.DataFrame | None:
    """Cells of a text that is easily proved to be sound, as most are; None where it is not.

    The parser is trusted if its cells, one separator or line end for each, and the quotes around them are all bytes
    that there are: a row that is too short would lack some. Blanks at the ends of cells may have to go.
    """
    known = plainly(text, separator)
    if known is None or not known.rest or not reading.header or LINE_END in known.first:
        return None
    schema = {str(place): pl.String for place in range(known.width)}
    try:
        frame = pl.read_csv(text, has_header=False, skip_lines=1, schema=schema, separator=separator, quote_char='"')
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    if sum(frame.select(pl.all().str.len_bytes().sum()).row(0)) + frame.height * frame.width != known.rest:
        return None
    blanks = [blank for blank in (" ", "\t") if blank.encode() in text]
    edges = [look(blank) for blank in blanks for look in (pl.all().str.starts_with, pl.all().str.ends_with)]
    if any(any(frame.select(one.any()).row(0)) for one in edges):
        return None
    frame.columns = _names(known, separator, reading, where, skipped)
    return frame


def _parsed(records: Records, names: list[str], separator: str, header: bool, where: str) -> pl.DataFrame:
    """Cells from records that are known to be sound."""
    schema = dict.fromkeys(names, pl.String)
    body = records.rest if header else records.first + b"\n" + records.rest
    count = records.count + (not header)
    if not count:
        return pl.DataFrame(schema=schema)
    try:
        frame = pl.read_csv(body, has_header=False, schema=schema, separator=separator, quote_char='"')
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        frame = pl.DataFrame(schema=schema)
    if frame.height != count:
        raise TableError(
            "The file cannot be taken apart into cells.",
            where=where,
            allowed=f"{count} records of {records.width} fields, separated by {separator!r}",
            received=f"{frame.height} readable records",
            todo="export the table again, with quotes around all text",
        )
    return frame


def _shown(table: Table, name: str, decimal: str | None) -> pl.Series:
    """A column as the text of its cells; numbers get the decimal mark of the file."""
    text = table.texts(name)
    if decimal == "," and table.frame.schema[name].is_decimal() | table.frame.schema[name].is_float():
        return text.str.replace(".", ",", literal=True)
    return text


def _quoted(text: pl.Series, separator: str) -> pl.Series:
    """Quotes around the cells that would be read differently without them (a byte order mark as first sign too)."""
    needs = text.str.contains(rf'^$|^[ \t\x{{feff}}]|[ \t]$|["\r\n\x{{{ord(separator):x}}}]')
    if not needs.any():
        return text
    quoted = '"' + text.str.replace_all('"', '""', literal=True) + '"'
    return quoted.zip_with(needs.fill_null(False), text).alias(text.name)
