# SPDX-License-Identifier: Apache-2.0
"""Delimited text: what is read from good files, and what is said about bad ones."""

from __future__ import annotations

import codecs
import gzip
from pathlib import Path

import polars as pl
import pytest

from shoal.ground.errors import TableError
from shoal.tables.formats import delimited
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table


def cells(path: Path, reading: Reading | None = None) -> dict[str, list[str | None]]:
    table = read_table(path, reading).table
    return {name: table.texts(name).to_list() for name in table.names}


# -- good files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", {"a": ["1"], "b": ["2"]}),
        ("a,b\n1,2", {"a": ["1"], "b": ["2"]}),
        ("a,b\r\n1,2\r\n", {"a": ["1"], "b": ["2"]}),
        ("a,b\n1,2\n\n \n\t\n", {"a": ["1"], "b": ["2"]}),
        ("a , b\n 1 ,\t2 \n", {"a": ["1"], "b": ["2"]}),
        ('a,b\n" 1 ", "x, y" \n', {"a": [" 1 "], "b": ["x, y"]}),
        ('a,b\n"",\n  ,""\n', {"a": ["", None], "b": [None, ""]}),
        ('a,b\n"two\nlines","say ""so"""\n', {"a": ["two\nlines"], "b": ['say "so"']}),
        ('a,b\n"cr\r\nlf\r",x\r\n', {"a": ["cr\r\nlf\r"], "b": ["x"]}),
        ("a\n1\n\n2\n\n", {"a": ["1", None, "2", None]}),
        ("a,b\n", {"a": [], "b": []}),
        ("a,b", {"a": [], "b": []}),
        ("zip,n\n00123,1e5\n", {"zip": ["00123"], "n": ["1e5"]}),
        ('"a, b"," c "\n1,2\n', {"a, b": ["1"], " c ": ["2"]}),
        ("#a,b\n#1,2\n", {"#a": ["#1"], "b": ["2"]}),
    ],
    ids=[
        "plain",
        "no line end at the end",
        "CR LF",
        "blank lines at the end",
        "blanks around fields",
        "blanks around and inside quotes",
        "empty and missing",
        "newline and quotes in quotes",
        "CR LF in quotes",
        "one column",
        "header only",
        "header only, no line end",
        "leading zeros",
        "quoted names",
        "hash signs",
    ],
)
def test_good_files_give_their_cells(write, text: str, expected: dict[str, list[str | None]]) -> None:
    """Quoting, blanks, line ends, and the difference of empty and missing are read as the format page says."""
    assert cells(write(text)) == expected


@pytest.mark.parametrize(
    ("text", "name", "reading", "separator"),
    [
        ("a,b\n1,2\n", "t.csv", Reading(), ","),
        ("a;b\n1,5;2,5\n", "t.csv", Reading(), ";"),
        ("a\tb\n1,5\t2\n", "t.csv", Reading(), "\t"),
        ("a|b|c\n1|2|3\n", "t.txt", Reading(), "|"),
        ('a;b\n"x;y;z";2\n"u;v";3\n', "t.csv", Reading(), ";"),
        ("a;b\n1;2\n3;4\n5;6;7\n", "t.csv", Reading(), ";"),
        ("a;b,c;d\n1;2,3;4\n", "t.csv", Reading(), ","),
        ("a;b,c;d\n1;2,3;4\n", "t.csv", Reading(decimal=","), ";"),
        ("a,b\tc,d\n1,2\t3,4\n", "t.tsv", Reading(), "\t"),
        ("only\nx\ny\n", "t.csv", Reading(), ","),
        ("only\nx\ny\n", "t.tab", Reading(), "\t"),
        ("note\nwell; yes\nwell; no\n", "t.csv", Reading(), ","),
    ],
    ids=[
        "comma",
        "semicolon with decimal commas",
        "tab",
        "bar",
        "separators in quotes",
        "one ragged row",
        "tie",
        "tie with decimal comma",
        "tie in .tsv",
        "one column",
        "one column in .tab",
        "semicolons in text",
    ],
)
def test_separator_is_guessed(write, text: str, name: str, reading: Reading, separator: str) -> None:
    """The separator on which the lines agree is taken; in doubt the comma, or the tab where the name says so."""
    path = write(text, name)
    try:
        found = read_table(path, reading).reading.separator
    except TableError as problem:  # a ragged row is refused, under the right separator
        found = separator if f"separated by {separator!r}" in problem.allowed else None
    assert found == separator


def test_reading_is_completed(write) -> None:
    """What was guessed comes back, and reading again with it gives the same table."""
    path = write(codecs.BOM_UTF8 + "ä;b\nü;2\n".encode())
    source = read_table(path)
    assert source.reading == Reading(separator=";", encoding="utf-8")
    assert source.format == "delimited"
    assert source.table.untyped
    again = read_table(path, source.reading)
    assert again.reading == source.reading
    assert again.table.frame.equals(source.table.frame)
    assert source.table.names == ["ä", "b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1"])
def test_named_encoding_is_used(write, encoding: str) -> None:
    """A file in a named encoding gives the same cells as in UTF-8."""
    path = write("name,ort\nJosé,Köln\n".encode(encoding))
    assert cells(path, Reading(encoding=encoding)) == {"name": ["José"], "ort": ["Köln"]}


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp850", "gbk", "ascii"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf8_is_read_in_no_other_encoding(write, encoding: str, mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its names would be garbled, and a column that must not be there would not be found; whole or in parts."""
    path = write((f"{mark}Stra\u00dfe,b\n" + "1,2\n" * 8).encode())
    for size in (7, 1 << 20):
        monkeypatch.setattr(delimited, "BYTES_PER_PART", size)
        for read in (delimited.read, lambda *given: list(delimited.read_parts(*given))):
            with pytest.raises(TableError, match="not in the encoding that was named") as said:
                read(path, Reading(encoding=encoding))
            assert "UTF-8" in str(said.value)
            assert said.value.encoding == "utf-8"


@pytest.mark.parametrize("size", [4, 7, 1 << 20])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [("a,b\nx,y\n", "latin-1"), ("a,b\n\u00c3,y\n", "latin-1"), ("a,b\n\u00e4,\u00c3\u00bc\n", "cp1252"),
     ("a,b\nx,\u00c3", "latin-1"), ("a,b\n\u0100,y\n", "utf-16-le")],
)  # fmt: skip
def test_honest_text_in_another_encoding_is_read(
    write, text: str, encoding: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ASCII alone, or one letter that is no UTF-8, is enough for the named encoding to be believed."""
    path = write(text.encode(encoding))
    monkeypatch.setattr(delimited, "BYTES_PER_PART", size)
    whole = read_table(path, Reading(encoding=encoding)).table.frame
    assert whole.row(0) == tuple(text.splitlines()[1].split(","))
    assert pl.concat([part.frame for part, _ in delimited.read_parts(path, Reading(encoding=encoding))]).equals(whole)


def test_no_header(write) -> None:
    """Without a header the first line is a record, and names are as given or numbered."""
    path = write("1,2\n3,4\n")
    assert cells(path, Reading(header=False, columns=("x", "y"))) == {"x": ["1", "3"], "y": ["2", "4"]}
    source = read_table(path, Reading(header=False))
    assert source.table.names == ["column_1", "column_2"]
    assert source.reading.columns == ("column_1", "column_2")
    assert cells(write("7,8"), Reading(header=False)) == {"column_1": ["7"], "column_2": ["8"]}


def test_marks_for_missing(write) -> None:
    """The user's marks for missing are missing cells, after blanks are trimmed."""
    assert cells(write("a,b\n?, ?\n-,x?\n"), Reading(na=("?", "-"))) == {"a": [None, None], "b": [None, "x?"]}


def test_decimal_comma(write) -> None:
    """With a decimal comma the text is kept, and it counts as a number."""
    table = read_table(write("a;b\n1,5;x\n2,25;y\n"), Reading(decimal=",")).table
    assert table.texts("a").to_list() == ["1,5", "2,25"]
    assert table.natural_kind("a") == "numeric"
    assert table.numbers("a").values.tolist() == [1.5, 2.25]


def test_compressed_file_is_read(write) -> None:
    """A .csv.gz gives the cells of the file inside."""
    assert cells(write(gzip.compress(b"a,b\n1,2\n"), "table.csv.gz")) == {"a": ["1"], "b": ["2"]}


def test_a_giant_cell_is_read(write) -> None:
    """A cell of 10 MB, longer than a slice and full of line ends, is one cell."""
    giant = "x\n" * 5_000_000
    assert cells(write(f'a,b\n1,"{giant}"\n2,y\n')) == {"a": ["1", "2"], "b": [giant, "y"]}


def test_records_across_slices(write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file is cut into slices for the check makes no difference, long quoted cells included."""
    from shoal.tables.formats import _records

    long = "x\n" * 300
    text = "a,b\n" + "".join(f'{number}, "{long if number % 7 == 0 else "y"}"\r\n' for number in range(50)) + "\n\n"
    path = write(text)
    whole = cells(path)
    assert whole["b"][7] == long
    for size in (1, 2, 7, 64, 1000):
        monkeypatch.setattr(_records, "SLICE", size)
        monkeypatch.setattr(_records, "SAMPLE", size)
        assert cells(path, Reading(separator=",")) == whole


# -- bad files -----------------------------------------------------------------------------------------------

GOOD = "SECRET,2\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ("empty", "0 bytes")),
        ("\n \n\t\n", ("nothing but blank lines",)),
        ("a,b\n" + GOOD + "SECRET\n" + GOOD + "SECRET,1,2\n", ("lines 3, 5", "1 row too short, 1 row too long")),
        ('a,b\n"x\ny\nz",1\nSECRET\n', ("lines 5", "1 row too short, 0 rows too long")),
        ("a,b\n" + GOOD + "\n" + GOOD, ("lines 3", "1 row too short")),
        ("a,b\n" + "SECRET,1,2\n" * 40, ("lines 2, 3, 4, 5, 6, ...", "40 rows too long")),
        ("a,b\nSECRET é,1\n".encode("latin-1"), ("not in UTF-8", "line 2", "--encoding latin-1")),
        ("a,b\n1,2\nSECRET €,1\n".encode("cp1252"), ("not in UTF-8", "line 3", "--encoding cp1252")),
        ("a,b\nSECRET,1\n".encode("utf-16"), ("UTF-16", "--encoding utf-16")),
        ("a,b\nSECRET,1\n".encode("utf-16-be"), ("UTF-16", "--encoding utf-16-be")),
        ("a,b\nSECRET,1\n".encode("utf-32"), ("UTF-32", "--encoding utf-32")),
        (b"a,b\nSECRET,\xff\x81\n", ("not in UTF-8", "name its encoding")),
        ("a,b,a\nSECRET,2,3\n", ("same name", "columns 1, 3 (of 3)")),
        ("a,,c\nSECRET,2,3\n", ("no name", "column 2 (of 3)")),
        ('a,"",c\nSECRET,2,3\n', ("no name", "column 2 (of 3)")),
        ("a,b\rSECRET,2\r3,4\r", ("carriage return", "line 1")),
        ("a,b\nSECRET,2\r3,4\n", ("carriage return", "line 2")),
        ("a,b\nSECRET,\0\n", ("not text", "1 NUL byte", "line 2")),
        (b"PAR1" + bytes(100), ("not text", "a Parquet file")),
        (b"PK\x03\x04SECRET", ("not text", "Excel")),
        (gzip.compress(b"a,b\n"), ("not text", "gzip")),
        ('a,b\n1,2\n"SECRET,3\n4,5\n', ("not closed", "line 3")),
        ('a,b\n"SECRET"x,3\n', ("not closed", "line 2")),
        ('a,b\n1,2\n5" SECRET,3\n', ("inside a field", "line 3")),
        ('a,b\n"SECRET,1\n2,"x"\n', ("not closed", "line 2")),
        ("a" * 200_000 + ",b\nSECRET,1\n", ("header cannot be read", "line 1")),
    ],
    ids=[
        "empty file",
        "blank file",
        "ragged",
        "ragged after quoted newlines",
        "blank line in the middle",
        "all ragged",
        "latin-1",
        "cp1252",
        "utf-16",
        "utf-16 without mark",
        "utf-32",
        "no encoding fits",
        "duplicate names",
        "empty name",
        "quoted empty name",
        "CR only",
        "some CR",
        "NUL",
        "Parquet",
        "zip",
        "gzip",
        "open quote",
        "text after a quote",
        "quote inside",
        "open quote before others",
        "giant header",
    ],
)
def test_bad_files_are_explained(write, refused, content: str | bytes, words: tuple[str, ...]) -> None:
    """Each problem is named with its place, in five parts, and without a cell."""
    refused(write(content), None, *words)


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        (Reading(separator=""), ("single character", "--separator")),
        (Reading(separator="||"), ("single character",)),
        (Reading(separator='"'), ("single character",)),
        (Reading(separator="é"), ("single character",)),
        (Reading(columns=("x", "y")), ("has a header", "--no-header")),
        (Reading(header=False, columns=("x",)), ("differs", "2 names", "1 names")),
        (Reading(header=False, columns=("x", "x")), ("same name", "--columns")),
        (Reading(header=False, columns=("x", "")), ("no name", "--columns")),
        (Reading(encoding="klingon"), ("no such text encoding", "klingon")),
        (Reading(encoding="hex"), ("no such text encoding", "hex")),
        (Reading(encoding="ascii"), ("not in the encoding", "valid UTF-8")),
        (Reading(encoding="utf-32"), ("not in the encoding",)),
    ],
    ids=lambda value: None if isinstance(value, tuple) else repr(value)[8:60],
)
def test_settings_that_cannot_be_meant(write, refused, reading: Reading, words: tuple[str, ...]) -> None:
    """A setting that does not fit is refused by its flag."""
    refused(write("a,b\nSECRET,é\n"), reading, *words)


@pytest.mark.parametrize("stored", [b"no gzip", gzip.compress(b"a,b\nSECRET,1\n" * 99)[:-12]], ids=["other", "cut"])
def test_damaged_compressed_file(write, refused, stored: bytes) -> None:
    """A gzip file that does not unpack is refused as damaged."""
    refused(write(stored, "table.csv.gz"), None, "damaged")


def test_line_numbers_across_slices(write, refused, monkeypatch: pytest.MonkeyPatch) -> None:
    """Line numbers and counts stay right when a problem stands in a later slice."""
    from shoal.tables.formats import _records

    monkeypatch.setattr(_records, "SLICE", 16)
    refused(write("a,b\n" + '"x\ny",2\n' * 20 + "SECRET\n" + "1,2\n" * 9), None, "lines 42", "1 row too short")
    refused(write("a,b\n" + '"x\ny",2\n' * 20 + 'SECRET"x",1\n'), None, "line 42", "inside a field")
    refused(write("a,b\n" + '"x\ny",2\n' * 20 + "SECRET,1\r\n2,\r3\n"), None, "line 43", "carriage return")


# -- writing -------------------------------------------------------------------------------------------------


def test_written_bytes(tmp_path: Path) -> None:
    """UTF-8 without mark, LF, header, quotes only where needed, empty and missing apart."""
    table = Table.from_columns({"a": ["1,5", "x y", " z", ""], 'say "b"': [None, 'q"', "é\n", "plain"]})
    write_table(table, tmp_path / "t.csv", "delimited")
    expected = 'a,"say ""b"""\n"1,5",\nx y,"q"""\n" z","é\n"\n"",plain\n'
    assert (tmp_path / "t.csv").read_bytes() == expected.encode()
    write_table(table, tmp_path / "t.csv", "delimited", Reading(separator=";", encoding="latin-1", decimal=","))
    expected = 'a;"say ""b"""\n1,5;\nx y;"q"""\n" z";"é\n"\n"";plain\n'
    assert (tmp_path / "t.csv").read_bytes() == expected.encode()


def test_numbers_get_the_decimal_mark_of_the_file(tmp_path: Path) -> None:
    """A column of real numbers beside text is written so that the same reading understands it."""
    table = Table.from_columns({"mean": (1.5, None, 2.0), "text": ["a.b", "c", "d"]})
    reading = Reading(separator=",", decimal=",")
    write_table(table, tmp_path / "t.csv", "delimited", reading)
    assert (tmp_path / "t.csv").read_text() == 'mean,text\n"1,5",a.b\n,c\n"2,0",d\n'
    back = read_table(tmp_path / "t.csv", reading.as_written()).table
    assert back.numbers("mean").values[[0, 2]].tolist() == [1.5, 2.0]


@pytest.mark.parametrize("cell", [[1, 2], {"x": 1}, b"bytes"], ids=["list", "structure", "binary"])
def test_nested_cells_cannot_be_written(tmp_path: Path, cell: object) -> None:
    """Cells that text cannot carry are refused, and no file appears."""
    with pytest.raises(TableError, match="nested or binary"):
        write_table(Table.from_columns({"a": (cell,)}), tmp_path / "t.csv", "delimited")
    assert not (tmp_path / "t.csv").exists()


def test_a_table_without_columns_cannot_be_written(tmp_path: Path) -> None:
    """No columns, no file."""
    with pytest.raises(TableError, match="without columns"):
        write_table(Table.from_columns({}), tmp_path / "t.csv", "delimited")
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.parametrize("packing", ["", ".gz"])
def test_a_sign_that_no_text_has_is_not_written(packing: str, tmp_path: Path) -> None:
    """Nobody could read the file again: the refusal names the column, and no cell."""
    table = Table.from_columns({"plain": ["x", "y"], "odd": ["z", "se\0cret"]})
    with pytest.raises(TableError, match="NUL sign") as refused:
        write_table(table, tmp_path / f"x.csv{packing}", "delimited")
    assert "odd" in refused.value.where
    assert "plain" not in str(refused.value)
    assert "cret" not in str(refused.value)
    with pytest.raises(TableError, match="NUL sign"):
        write_table(Table.from_columns({"a\0b": ["x"]}), tmp_path / f"y.csv{packing}", "delimited")
    assert not (tmp_path / f"y.csv{packing}").exists()
