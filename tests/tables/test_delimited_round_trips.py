# SPDX-License-Identifier: Apache-2.0
"""Whatever text a table holds, its delimited file gives it back; the checker agrees with a slow reader."""

from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.errors import TableError
from shoal.ground.wording import counted
from shoal.tables.reading import Reading
from shoal.tables.sources import Source, read_table, write_table
from shoal.tables.table import Table

TRICKY = st.sampled_from([*",;\t| \"\r\n'#=\\aé漢🐟\ufeff\u00a0", '""', "\r\n", " a", "a "])
TEXT = st.one_of(
    st.lists(TRICKY, max_size=6).map("".join),
    st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=8),
)
SEPARATORS = st.sampled_from([",", ";", "\t", "|", " ", ":", "^", "\\"])


@st.composite
def text_tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(TEXT.filter(bool), min_size=1, max_size=5, unique=True))
    rows = draw(st.integers(0, 6))
    column = st.lists(st.none() | TEXT, min_size=rows, max_size=rows)
    return Table.from_columns({name: draw(column) for name in names})


def shown(table: Table) -> dict[str, list[str | None]]:
    return {name: table.texts(name).to_list() for name in table.names}


def read_or_refused(path: Path, reading: Reading | None = None) -> Source | TableError:
    try:
        return read_table(path, reading)
    except TableError as problem:
        return problem


@given(table=text_tables(), separator=SEPARATORS)
def test_written_tables_come_back(table: Table, separator: str) -> None:
    """Every cell, name and missing cell survives writing and reading, under any separator."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        reading = Reading(separator=separator)
        write_table(table, path, "delimited", reading)
        back = read_table(path, reading.as_written()).table
        assert shown(back) == shown(table)
        first = path.read_bytes()
        write_table(back, path, "delimited", reading)
        assert path.read_bytes() == first


@given(
    stored=st.lists(st.sampled_from([b",", b";", b"\n", b'"', b" ", b"\r", b"\t", b"a", b"1", b"\xc3\xa9"])).map(
        b"".join
    )
)
def test_any_bytes_are_read_or_refused(stored: bytes) -> None:
    """No file crashes the reader, and one that is read can be written and read again as the same table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(stored)
        source = read_or_refused(path)
        if isinstance(source, TableError):
            assert len(source.parts()) == 5
            return
        write_table(source.table, path, "delimited", source.reading)
        assert shown(read_table(path, source.reading.as_written()).table) == shown(source.table)


@given(
    rows=st.lists(st.lists(st.text("ab,\n\"' é", max_size=4), min_size=1, max_size=4), min_size=1, max_size=8),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_ragged_rows_are_found_as_a_slow_reader_finds_them(rows: list[list[str]], line_end: str) -> None:
    """The quick count of fields agrees with Python's own reader on every file that its writer makes."""
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator=line_end).writerows([["h"] * 3, *rows])
    short, long = sum(len(row) < 3 for row in rows), sum(len(row) > 3 for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(file.getvalue().encode())
        reading = Reading(separator=",", header=False, columns=("x", "y", "z"))
        source = read_or_refused(path, reading)
        if isinstance(source, TableError):
            assert source.received == f"{counted(short, 'row')} too short, {counted(long, 'row')} too long"
        else:
            assert short + long == 0
            assert [list(row) for row in zip(*shown(source.table).values())][1:] == rows
