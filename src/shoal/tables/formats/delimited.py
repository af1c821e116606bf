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
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO

import polars as pl

from shoal.ground.errors import TableError, listed
from shoal.tables.columns import check_names, known_texts
from shoal.tables.formats._at_a_glance import Plainly, plainly
from shoal.tables.formats._compression import packing, packing_of, with_packings, write_packed
from shoal.tables.formats._plain_text import UTF_8_BOM, no_records, refuse_broken_utf8, utf8_text
from shoal.tables.formats._records import LINE_END, Records, guess_separator, has_content, split_records
from shoal.tables.formats._text_parts import first_record, text_blocks, whole_records
from shoal.tables.formats._titles import MOST, rows_above
from shoal.tables.reading import UTF_8, Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = with_packings((".csv", ".tsv", ".tab", ".txt", ".data", ".test"))
TAB_EXTENSIONS = with_packings((".tsv", ".tab"))
PACKED = True
ROWS_AT_ONCE = 1 << 17
BYTES_PER_PART = 1 << 25
"""Of a file that is read in parts."""
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
    _check(reading)
    reading = replace(reading, encoding=reading.encoding or UTF_8)
    return _understood(utf8_text(path, reading.encoding), path, reading)  # given away: the text is held once


def read_parts(path: Path, reading: Reading) -> Iterator[tuple[Table, Reading]]:
    """Read a file that may be longer than memory, some records at a time: what ``read`` would find, in parts.

    How the file is to be read is found in its first part; its first record stands before each later one.
    """
    _check(reading)
    blocks = text_blocks(path, reading.encoding or UTF_8, BYTES_PER_PART)
    begin = next(blocks)
    skipped = _lines_above(begin, path, reading) if reading.skip_lines is None else reading.skip_lines
    start = _start(begin, skipped, f"file {str(path)!r}")
    refuse_broken_utf8(begin[:start], f"file {str(path)!r}")
    again, head, line = replace(reading, encoding=reading.encoding or UTF_8, skip_lines=0), b"", 1 + skipped
    for text in whole_records(chain([begin[start:]], blocks), BYTES_PER_PART):
        table, again = _understood(head + text, path, again, line - head.count(b"\n"))
        if head and not reading.header:
            table = replace(table, frame=table.frame[1:])
        yield table, replace(again, skip_lines=skipped or reading.skip_lines)
        head, line = head or first_record(text), line + text.count(b"\n")


def _understood(text: bytes, path: Path, reading: Reading, first_line: int = 1) -> tuple[Table, Reading]:
    """The table of a text, which begins at some line of a file, and how it was read."""
    where = f"file {str(path)!r}"
    if not has_content(text):
        raise no_records("The file holds nothing but blank lines.", where, "white space")
    skipped = _lines_above(text, path, reading) if reading.skip_lines is None else reading.skip_lines
    start, line = _start(text, skipped, where), first_line + skipped
    refuse_broken_utf8(text[:start], where, first_line)  # no parser sees those lines
    separator = reading.separator or guess_separator(text, _candidates(path, reading), start)
    frame = _parsed_plainly(text, start, separator, replace(reading, skip_lines=skipped), where, line)
    if frame is None:
        refuse_broken_utf8(text, where, first_line)
        records = split_records(text[start:], separator, where, line)
        del text  # as long as the file, and held a second time in the records
        frame = _parsed(records, _names(records, separator, reading, where, line), separator, reading.header, where)
    names = frame.columns
    columns = () if reading.header else tuple(names)
    table = Table(frame, untyped=True, decimal=reading.decimal or ".", headed=reading.header)
    completed = replace(
        reading,
        separator=separator,
        columns=columns,
        compression=packing_of(path),
        skip_lines=skipped or reading.skip_lines,
    )
    return table, completed


def write(table: Table, path: Path, reading: Reading) -> None:
    """Write a table with the reading's separator and decimal mark."""
    header = _header_line(table, path, reading)
    if packing_of(path):
        content = io.BytesIO()
        _write_rows(_started(content, header, reading), table, reading)
        write_packed(path, content.getvalue())
    else:
        with path.open("wb") as file:
            _write_rows(_started(file, header, reading), table, reading)


def write_parts(tables: Iterable[Table], path: Path, reading: Reading) -> None:
    """Write tables of the same columns below each other, as if they were one."""
    rest = iter(tables)
    first = next(rest)
    header = _header_line(first, path, reading)
    with packing(path) as file:
        into = _started(file, header, reading)
        for table in chain([first], rest):
            _write_rows(into, table, reading)


def _header_line(table: Table, path: Path, reading: Reading) -> str:
    """The line of names; what text cannot carry is refused before there is a file."""
    _check(reading)
    if not table.names:
        raise TableError(
            "A table without columns cannot be written as delimited text.",
            where=f"file {str(path)!r}",
            allowed="at least one column",
            received="0 columns",
            todo="keep a column",
        )
    if any("\0" in name for name in table.names):
        raise _holds_nul(name for name in table.names if "\0" in name)
    for name in table.names:
        replace(table, frame=table.frame.head(0)).texts(name)
    separator = reading.separator or ","
    return separator.join(_quoted(pl.Series(table.names, dtype=pl.String), separator).to_list())


def _started(file: IO[bytes], header: str, reading: Reading) -> IO[bytes] | _Encoded:
    """A file that has its header and takes rows."""
    into = file if reading.written_in == UTF_8 else _Encoded(file, reading.written_in)
    into.write(f"{header}\n".encode())
    return into


def _write_rows(into: IO[bytes] | _Encoded, table: Table, reading: Reading) -> None:
    """Rows, some at a time: with its quotes the whole would take as much memory as the table again."""
    separator = reading.separator or ","
    known = known_texts(table.frame, table.known)
    texts = {name: (_quoted(cells, separator), which) for name, (cells, which) in known.items()}
    for start in range(0, len(table), ROWS_AT_ONCE):
        part = replace(table, frame=table.frame.slice(start, ROWS_AT_ONCE))
        shown = {name: cells.gather(which.slice(start, ROWS_AT_ONCE)) for name, (cells, which) in texts.items()}
        for name in set(part.names).difference(texts):
            shown[name] = _quoted(_shown(part, name, reading.decimal), separator)
        lines = io.BytesIO()
        pl.DataFrame([shown[name] for name in part.names]).write_csv(
            lines, include_header=False, separator=separator, quote_style="never", null_value="", line_terminator="\n"
        )
        content = lines.getvalue()
        if b"\0" in content:
            raise _holds_nul(name for name, cells in shown.items() if cells.str.contains("\0", literal=True).any())
        into.write(content)


def _holds_nul(columns: Iterable[str]) -> TableError:
    """The refusal of names or cells with a sign that no text has: nobody could read the file again."""
    return TableError(
        "A NUL sign cannot be written as delimited text.",
        where=f"columns {listed(map(repr, columns))}",
        allowed="names and cells without NUL signs",
        received="some that hold it",
        todo="take the signs out, or write another format: --format parquet",
    )


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
        what, where = "The separator must be a single character.", "--separator / [input] separator"
        allowed = "one ASCII character such as ',', ';', '|' or a tab; no quote and no line end"
        raise TableError(what, where, allowed, repr(separator), "leave the separator out to have it guessed")
    if reading.columns and reading.header:
        raise TableError(
            "Column names were given for a file that has a header.",
            where="--columns / [input] columns",
            allowed="names only for a file without a header",
            received=f"{len(reading.columns)} names",
            todo="add --no-header if the first line is a record already, else leave the names out",
        )


def _start(text: bytes, skipped: int, where: str) -> int:
    """Where the text begins below its first lines; something must remain of it."""
    start = 0
    for _ in range(skipped):
        start = text.find(LINE_END, start) + 1
        if not start:
            break
    if (skipped and not start) or not has_content(text, start):
        raise TableError(
            "Nothing is left of the file below the lines to skip.",
            where="--skip-lines / [input] skip_lines",
            allowed=f"fewer than the {1 + text.rstrip().count(LINE_END)} lines of {where}",
            received=str(skipped),
            todo="count only the lines above the table; its header, or its first record if it has none, must remain",
        )
    return start


def _lines_above(text: bytes, path: Path, reading: Reading) -> int:
    """Lines of a title or remark above the header, where the file begins with such lines and nothing else fits."""
    if not reading.header:
        return 0
    lines = text[:TITLES_WITHIN].decode(errors="replace").removesuffix("\n").split("\n")[:-1][: MOST + 1]
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


def _names(records: Records | Plainly, separator: str, reading: Reading, where: str, line: int) -> list[str]:
    """The column names, from the header, as given, or numbered."""
    if reading.header:
        names = _header(records.first, separator, f"{where}, line {line}")
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


def _parsed_plainly(
    text: bytes, start: int, separator: str, reading: Reading, where: str, line: int
) -> pl.DataFrame | None:
    """Cells of a text that is easily proved to be sound from a place on, as most are; None where it is not.

    The parser is trusted if its cells, one separator or line end for each, and what stands around them are all bytes
    that there are: a row that is too short would lack some.
    """
    known = plainly(text, separator, header=reading.header, start=start)
    if known is None or not known.body:
        return None
    schema = {str(place): pl.String for place in range(known.width)}
    skip = (reading.skip_lines or 0) + reading.header
    try:
        frame = pl.read_csv(text, has_header=False, skip_lines=skip, schema=schema, separator=separator, quote_char='"')
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None
    if sum(frame.select(pl.all().str.len_bytes().sum()).row(0)) + frame.height * frame.width != known.body:
        return None
    try:
        frame.columns = _names(known, separator, reading, where, line)
    except UnicodeDecodeError:  # only the header is in another encoding
        return None
    return frame


def _parsed(records: Records, names: list[str], separator: str, header: bool, where: str) -> pl.DataFrame:
    """Cells from records that are known to be sound."""
    schema = dict.fromkeys(names, pl.String)
    body = records.rest if header else records.first + b"\n" + records.rest
    count = records.count + (not header)
    if not count:
        return pl.DataFrame(schema=schema)
    if body.startswith(UTF_8_BOM):  # the parser takes one away, and others see it in the first cell
        body = UTF_8_BOM + body
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
