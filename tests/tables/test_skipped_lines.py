# SPDX-License-Identifier: Apache-2.0
"""Lines above the table: left out whatever they hold, in every file, and still counted."""

from __future__ import annotations

import codecs
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.ground import catalog
from shoal.ground.errors import TableError
from shoal.tables.formats import delimited
from shoal.tables.formats._compression import write_packed
from shoal.tables.reading import Reading
from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table

REMARKS = '|1x3 "Cross validator\n\n;;; \'7" pipes, a; b\r lone\r\n'
"""Three lines with an open quote, another separator and a lone carriage return."""
JUNK = st.lists(st.sampled_from([*",;\t| \"\r'#|aé\ufeff", '""']), max_size=8).map("".join)
FIELD = st.sampled_from(["a", "1", "", '"x, y"', '"two\nlines"', '""', " b ", "é"])
ROWS = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), max_size=6))


def cells(path: Path | list[Path], reading: Reading) -> dict[str, list[str | None]]:
    table = read_table(path, reading).table
    return {name: table.texts(name).to_list() for name in table.names}


def outcome(content: str, reading: Reading) -> tuple[str, object, object]:
    """What reading a file of this content gives, or in which words it is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(content.encode())
        try:
            source = read_table(path, reading)
        except TableError as problem:
            return "refused", problem.what, problem.received
        frame = source.table.frame.to_dict(as_series=False)
        return "read", frame, replace(source.reading, skip_lines=0)


# -- what is read --------------------------------------------------------------------------------------------


@given(
    junk=st.lists(JUNK, min_size=1, max_size=4),
    line_end=st.sampled_from(["\n", "\r\n"]),
    rows=ROWS,
    ragged=st.sampled_from(["", "odd,1,2,3,4,5\n"]),
    header=st.booleans(),
    separator=st.sampled_from([None, ",", ";"]),
)
def test_skipping_junk_is_reading_the_file_without_it(
    junk: list[str], line_end: str, rows: list[list[str]], ragged: str, header: bool, separator: str | None
) -> None:
    """N lines of anything, skipped, make no difference: same cells, same guesses, same refusals."""
    names = [["n1", "n2", "n3", "n4"][: len(rows[0]) if rows else 2]]
    table = "".join(",".join(row) + line_end for row in names + rows) + ragged
    above = "".join(line + line_end for line in junk)
    reading = Reading(separator=separator, header=header)
    without = outcome(table, reading)
    assert outcome(above + table, replace(reading, skip_lines=len(junk))) == without


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
def test_packed_files(tmp_path: Path, packing: str) -> None:
    """Lines are counted in the text that was packed."""
    path = tmp_path / f"table.tsv.{packing}"
    write_packed(path, (REMARKS + "a\tb\n1\t2\n").encode())
    assert cells(path, Reading(skip_lines=3)) == {"a": ["1"], "b": ["2"]}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_encoded_files(write, encoding: str) -> None:
    """Lines are counted after decoding, and a byte order mark stands above them."""
    path = write((REMARKS + "a,b\né,2\n").encode(encoding))
    assert cells(path, Reading(encoding=encoding, skip_lines=3)) == {"a": ["é"], "b": ["2"]}


def test_skipped_in_each_of_several_files(write) -> None:
    """Every file has its own remarks and its own header."""
    files = [write("one\na,b\n1,2\n", "1.csv"), write('"two\nb,a\n4,3\n', "2.csv")]
    assert cells(files, Reading(skip_lines=1)) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_the_reading_comes_back_whole(write) -> None:
    """The number of lines stays in the reading, so that a plan replays it."""
    path = write(codecs.BOM_UTF8 + REMARKS.encode() + b"x;y\n1;2\n")
    source = read_table(path, Reading(skip_lines=3))
    assert source.reading == Reading(separator=";", encoding="utf-8", skip_lines=3)
    assert read_table(path, source.reading).table.frame.equals(source.table.frame)


def test_what_is_written_has_nothing_to_skip(tmp_path: Path) -> None:
    """A file written with such a reading begins with its header."""
    reading = Reading(separator=",", skip_lines=3)
    write_table(Table.from_columns({"a": ["1"], "b": ["2"]}), tmp_path / "t.csv", "delimited", reading)
    assert (tmp_path / "t.csv").read_text() == "a,b\n1,2\n"
    assert cells(tmp_path / "t.csv", reading.as_written()) == {"a": ["1"], "b": ["2"]}


WRITABLE = [name for name in catalog.names("formats") if hasattr(catalog.load("formats", name), "write")]


@pytest.mark.parametrize("format", [name for name in WRITABLE if name not in ("delimited", "excel")])
def test_other_formats_have_no_lines(tmp_path: Path, format: str) -> None:
    """Formats that are not delimited text pass over the setting, as they do over the separator."""
    path = tmp_path / f"t{extension(format)}"
    write_table(Table.from_columns({"a": ["x", "y"]}), path, format)
    assert cells(path, Reading(separator=";", skip_lines=1)) == {"a": ["x", "y"]}


# -- what is refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "skipped", "words"),
    [
        ("a,b\n1,2\n", 2, ("Nothing is left", "--skip-lines / [input] skip_lines", "fewer than the 2 lines")),
        ("a,b\n1,2", 2, ("Nothing is left", "fewer than the 2 lines")),
        ("a,b\n1,2\n\n \n", 3, ("Nothing is left", "fewer than the 2 lines", "received  3")),
        ("a,b\n1,2\n", 10**18, ("Nothing is left",)),
        ("\n\n", 1, ("nothing but blank lines",)),
        (REMARKS + "a,b\n1,2\nSECRET\n", 3, ("lines 6", "1 row too short")),
        (REMARKS + 'a,b\n"x\ny",2\n5" SECRET,3\n', 3, ("line 7", "inside a field")),
        (REMARKS + 'a,b\n1,2\n"SECRET,3\n', 3, ("line 6", "not closed")),
        (REMARKS + "a,b\nSECRET,2\r3,4\n", 3, ("line 5", "carriage return")),
        (REMARKS + "a,b\nSECRET,\0\n", 3, ("line 5", "NUL")),
        (REMARKS.encode() + b"a,b\nSECRET,\xff\n", 3, ("line 5", "not in UTF-8")),
        (REMARKS + "a" * 200_000 + ",b\nSECRET,1\n", 3, ("header cannot be read", "line 4")),
    ],
    ids=[
        "all lines",
        "all lines, no line end",
        "only blank lines left",
        "absurdly many",
        "blank file",
        "ragged row",
        "quote inside",
        "open quote",
        "lone carriage return",
        "NUL",
        "encoding",
        "giant header",
    ],
)
def test_messages_count_the_lines_of_the_file(write, refused, content, skipped: int, words: tuple[str, ...]) -> None:
    """A line number is the one an editor shows, skipped lines included."""
    refused(write(content), Reading(skip_lines=skipped), *words)


def test_line_numbers_across_slices(write, refused, monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem in a later slice is still on its line of the file."""
    from shoal.tables.formats import _records

    monkeypatch.setattr(_records, "SLICE", 16)
    content = REMARKS + "a,b\n" + '"x\ny",2\n' * 20 + "SECRET\n" + "1,2\n" * 9
    refused(write(content), Reading(skip_lines=3), "lines 45")


ROWS_OF_FIVE = "SECRET,2,3,4,5\n" * 9


@pytest.mark.parametrize(
    ("content", "reading", "hinted"),
    [
        ("|1x3 Cross validator\n" + ROWS_OF_FIVE, Reading(header=False), True),
        ("made, yesterday\n\nby us\na,b,c,d,e\n" + ROWS_OF_FIVE, Reading(), True),
        ("1,2,3,4,5,6,7\na,b,c,d,e\n" + ROWS_OF_FIVE, Reading(), True),
        ("Export,,,,\na,b,c,d,5\n" + ROWS_OF_FIVE, Reading(), True),
        ("a,b,c,d,e\n" + ROWS_OF_FIVE + "SECRET,2\n", Reading(), False),
        ("a,b,c,d,e\n\n" + ROWS_OF_FIVE, Reading(), False),
    ],
    ids=["without header", "several remarks", "longer remark", "padded remark", "one short row", "one blank line"],
)
def test_remarks_are_answered_with_the_flag(write, refused, content: str, reading: Reading, hinted: bool) -> None:
    """Where the first line is the odd one, the way out is named; where single rows are odd, it would mislead."""
    assert ("--skip-lines" in refused(write(content), reading).todo) is hinted


def test_a_remark_taken_for_the_only_name(write) -> None:
    """A remark that hides the separator makes a table of one column; asking for a real one names the flag."""
    table = read_table(write("made yesterday\nage;sex\n1;m\n")).table
    with pytest.raises(TableError) as caught:
        table.require(["age"], where="plan")
    assert "--skip-lines" in caught.value.todo


# -- titles that are found -----------------------------------------------------------------------------------

TABLE = "age;sex;town\n39;f;Bonn\n41;m;Ulm\n"
READ = {"age": ["39", "41"], "sex": ["f", "m"], "town": ["Bonn", "Ulm"]}


@pytest.mark.parametrize(
    "above",
    ["Survey 2024\n", "Survey 2024;;\n", "Survey, of 2024\n\nall towns\n", "\n\n", ";;\nSurvey;;\n", '"A; b"\n'],
    ids=["alone", "padded", "several", "blank", "blank fields", "quoted"],
)
def test_a_title_is_found(write, above: str) -> None:
    """Lines of one cell, or of none, above three names or more are no part of the table; the reading tells how many."""
    source = read_table(write(above + TABLE))
    assert source.table.frame.to_dict(as_series=False) == READ
    assert source.reading.skip_lines == above.count("\n")
    assert cells(write(above + TABLE), source.reading) == READ


def test_no_title_is_made_up(write) -> None:
    """A table that begins at once is read whole, and nothing is said about lines."""
    source = read_table(write(TABLE))
    assert (source.reading.skip_lines, len(source.table)) == (None, 2)
    assert cells(write("only\n" + "a\n" * 3), Reading()) == {"only": ["a"] * 3}


@pytest.mark.parametrize(
    "content",
    [
        "name\n39;f\n41;m\n",
        "Survey;;\n39;f;Bonn\n41;m;Ulm\n",
        "Survey;;\nage;age;town\n39;f;Bonn\n",
        "Survey;2024;\nage;sex;town\n39;f;Bonn\n",
        "Survey;;\nage;sex;town\n39;f\n",
    ],
    ids=["two columns", "cells for names", "names that repeat", "two cells", "a short row"],
)
def test_what_may_be_a_header_is_no_title(write, content: str) -> None:
    """Where a record could be taken for names, the file is refused as before, or read as it stands."""
    try:
        source = read_table(write(content))
    except TableError:
        return
    assert source.reading.skip_lines is None
    assert source.table.names == ["name"] or len(source.table) == content.count("\n") - 1


@pytest.mark.parametrize("above", [[], ["Survey 2024"], ["Survey 2024", None, "all towns"], [None, None]])
def test_titles_of_workbooks(tmp_path: Path, above: list[str | None]) -> None:
    """The same in sheets; rows to skip are counted as the program shows them, blank ones included."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "t.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    rows = [[title] if title else [] for title in above] + [line.split(";") for line in TABLE.splitlines()]
    for number, row in enumerate(rows):
        sheet.write_row(number, 0, row)
    book.close()
    source = read_table(path)
    assert source.table.frame.to_dict(as_series=False) == READ
    assert source.reading.skip_lines == (len(above) or None)
    assert cells(path, Reading(skip_lines=len(above))) == READ
    assert list(cells(path, Reading(skip_lines=len(above) + 1, header=False)).values()) == list(READ.values())


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_title_ends_where_its_line_does(sign: str, tmp_path: Path) -> None:
    """Other signs at which some programs break a line neither cost a row nor put one in the place of the names."""
    (tmp_path / "table.csv").write_bytes(f"A title{sign}of two\na,b,c\nx,y,z\nu,v,w\n".encode())
    assert cells(tmp_path / "table.csv", Reading()) == {"a": ["x", "u"], "b": ["y", "v"], "c": ["z", "w"]}


def test_no_carriage_return_in_a_title_costs_a_row(tmp_path: Path) -> None:
    """It is no line end where lines are counted, so it is refused as anywhere else."""
    (tmp_path / "table.csv").write_bytes(b"A title\rof two\na,b,c\nx,y,z\nu,v,w\n")
    with pytest.raises(TableError, match="carriage return alone"):
        read_table(tmp_path / "table.csv")


@pytest.mark.parametrize("reading", [Reading(), Reading(skip_lines=1)])
def test_a_title_in_another_encoding_is_refused_as_the_rest_is(reading: Reading, tmp_path: Path) -> None:
    """Whole or in parts."""
    path = tmp_path / "table.csv"
    path.write_bytes("Übersicht\na,b,c\nx,y,z\nu,v,w\n".encode("latin-1"))
    for read in (read_table, lambda *given: list(delimited.read_parts(*given))):
        with pytest.raises(TableError, match="not in UTF-8") as refused:
            read(path, reading)
        assert refused.value.encoding == "latin-1"
