# SPDX-License-Identifier: Apache-2.0
"""Files and folders as one table: which are taken, how they are joined, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shoal.ground import catalog
from shoal.ground.errors import OutputError, TableError, UnknownNameError
from shoal.tables.reading import Reading
from shoal.tables.sources import extension, formats_by_extension, read_table, write_table
from shoal.tables.table import Table

ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship",
    "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
)  # fmt: skip


@contextmanager
def as_nobody() -> Iterator[None]:
    """Gives up the rights of root for a while, where there are any."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_several_files_are_one_table(write) -> None:
    """Files are joined in the order given, columns in the order of the first."""
    files = [write("a,b\n1,2\n", "two.csv"), write("b,a\n4,3\n", "one.csv")]
    table = read_table(files).table
    assert table.names == ["a", "b"]
    assert table.texts("a").to_list() == ["1", "3"]
    assert table.texts("b").to_list() == ["2", "4"]


def test_a_folder_is_one_table(write, tmp_path: Path) -> None:
    """The files of a folder are joined by name; hidden ones and marks of data engines are left out."""
    for name, cell in (("b.csv", "2"), ("a.csv", "1"), ("c.csv", "3")):
        write(f"x\n{cell}\n", name)
    write("junk", ".hidden")
    write("", "_SUCCESS")
    source = read_table(str(tmp_path))
    assert source.table.texts("x").to_list() == ["1", "2", "3"]
    assert source.format == "delimited"


def test_several_files_without_header(write) -> None:
    """Names given once hold for all files."""
    files = [write("1,2\n", "1.csv"), write("3,4\n", "2.csv")]
    table = read_table(files, Reading(header=False, columns=("x", "y"))).table
    assert table.texts("y").to_list() == ["2", "4"]


@pytest.mark.parametrize("format", ["parquet", "arrow_ipc"])
def test_typed_files_are_joined(tmp_path: Path, format: str) -> None:
    """Types survive joining, and categories of two files come together."""
    for number in (1, 2):
        table = Table.from_columns({"n": (number,), "t": [f"text {number}"]})
        write_table(table, tmp_path / f"{number}{extension(format)}", format)
    table = read_table(tmp_path).table
    assert table.natural_kind("n") == "numeric"
    assert table.texts("t").to_list() == ["text 1", "text 2"]
    assert not table.untyped


def test_marks_for_missing_hold_in_every_format(tmp_path: Path) -> None:
    """--na turns texts of a typed file into missing cells too."""
    write_table(Table.from_columns({"t": ["?", "a"], "n": (1, 2)}), tmp_path / "t.parquet", "parquet")
    table = read_table(tmp_path / "t.parquet", Reading(na=("?",))).table
    assert table.texts("t").to_list() == [None, "a"]


@pytest.mark.parametrize(
    ("format", "reading", "expected"),
    [
        ("delimited", None, ".csv"),
        ("delimited", Reading(separator=";"), ".csv"),
        ("delimited", Reading(separator="\t"), ".tsv"),
        ("parquet", Reading(separator="\t"), ".parquet"),
        ("arrow_ipc", None, ".arrow"),
    ],
)
def test_extension(format: str, reading: Reading | None, expected: str) -> None:
    """A released table gets the usual extension of its format."""
    assert extension(format, reading) == expected


@pytest.mark.parametrize("name", ["T.CSV", "t.Data", "t.tab", "t.test", "t.txt", "my.file.tsv"])
def test_extensions_of_delimited_text(write, name: str) -> None:
    """Extensions are known in either case, and by the last dot."""
    assert read_table(write("a\tb\n1\t2\n", name)).format == "delimited"


def test_a_format_may_be_named(write) -> None:
    """A named format wins over the extension; an unknown one is refused with the nearest name."""
    assert read_table(write("a,b\n1,2\n", "noextension"), format="delimited").table.names == ["a", "b"]
    with pytest.raises(UnknownNameError, match="parquet"):
        read_table(write("a"), format="parkett")


# -- refusals ------------------------------------------------------------------------------------------------


def test_missing_file(tmp_path: Path, refused) -> None:
    """A path that leads nowhere is named."""
    refused(tmp_path / "absent.csv", None, "There is no such file", "absent.csv")


def test_unknown_extension_lists_the_formats(write, refused) -> None:
    """The message tells every format and its extensions."""
    refused(write("SECRET", "table.xyz"), None, "'.xyz'", *catalog.names("formats"), ".parquet", ".tsv")
    refused(write("SECRET", "table"), None, "no extension")


def test_no_path_at_all(refused) -> None:
    """An empty list of files is refused."""
    refused([], None, "No file")


def test_folders_that_are_no_table(tmp_path: Path, write, refused) -> None:
    """A folder without files, or with folders in it, is refused."""
    empty = tmp_path / "empty"
    empty.mkdir()
    refused(empty, None, "no files")
    write("a\n1\n")
    refused(tmp_path, None, "1 folder inside")


def test_mixed_formats(write, tmp_path: Path, refused) -> None:
    """Files of two formats are no table."""
    write("a\n1\n", "one.csv")
    write(b"", "two.parquet")
    refused(tmp_path, None, "different formats", "delimited", "parquet", "two.parquet")


def test_files_with_other_columns(write, refused) -> None:
    """The file and the positions of the differing columns are told; their names may be cells of a first record."""
    files = [write("age,SECRET\n1,1\n", "one.csv"), write("age,SECRET2\n1,1\n", "two.csv")]
    refused(files, None, "two.csv", "lacking: column 2", "in addition: column 2")


def test_files_with_other_types(tmp_path: Path, refused) -> None:
    """Columns of the same name but another type do not go together."""
    write_table(Table.from_columns({"n": (1,)}), tmp_path / "1.parquet", "parquet")
    write_table(Table.from_columns({"n": ["SECRET"]}), tmp_path / "2.parquet", "parquet")
    refused(tmp_path, None, "2.parquet", "of another type: 'n'")


@pytest.mark.parametrize("name", ["table.csv", "table.parquet", "table.arrow"])
def test_file_that_may_not_be_read(write, refused, name: str) -> None:
    """Without permission the reason of the operating system is given."""
    path = write("SECRET", name)
    path.chmod(0)
    formats_by_extension()  # loads the formats while everything may be read
    with as_nobody():
        refused(path, None, "cannot be read", "Permission denied")


@pytest.mark.parametrize("format", catalog.names("formats"))
def test_places_that_cannot_be_written(tmp_path: Path, format: str) -> None:
    """A missing folder and a full disk are OutputErrors in five parts."""
    table = Table.from_columns({"a": ["x"] * 100_000})
    for place in (tmp_path / "absent" / "t", Path("/dev/full")):
        with pytest.raises(OutputError) as caught:
            write_table(table, place, format)
        assert len(caught.value.parts()) == 5


@pytest.mark.parametrize("format", ["parquet", "arrow_ipc"])
def test_a_file_without_columns(tmp_path: Path, refused, format: str) -> None:
    """A file with no columns is no table."""
    path = tmp_path / f"t{extension(format)}"
    write_table(Table.from_columns({}), path, format)
    refused(path, None, "no columns")


# -- the real thing ------------------------------------------------------------------------------------------


@pytest.mark.data
def test_raw_adult(shared_data: Path) -> None:
    """The UCI file is read as it is: 32,561 rows, of which 30,162 are complete (its README counts them)."""
    reading = Reading(header=False, columns=ADULT, na=("?",))
    source = read_table(shared_data / "adult" / "adult.data", reading)
    table = source.table
    incomplete = sum(table.missing(name).astype(int) for name in table.names) > 0
    assert len(table) == 32_561
    assert int((~incomplete).sum()) == 30_162
    assert {name: int(table.missing(name).sum()) for name in ("workclass", "occupation", "native-country")} == {
        "workclass": 1_836,
        "occupation": 1_843,
        "native-country": 583,
    }
    assert table.natural_kind("age") == "numeric"
    assert source.reading.separator == ","


@pytest.mark.data
def test_adult_test_file_with_its_odd_first_line(shared_data: Path) -> None:
    """The line of remarks above the test file is refused with its number, not read as a record."""
    with pytest.raises(TableError, match="too long"):
        read_table(shared_data / "adult" / "adult.test", Reading(header=False, columns=ADULT, separator=","))


@pytest.mark.data
def test_several_parquet_files(shared_data: Path) -> None:
    """Train and test files of the census are one table of 299,285 rows."""
    folder = shared_data / "census-income-kdd"
    files = [folder / f"census_income_kdd_{part}.parquet" for part in ("train", "test")]
    assert len(read_table(files).table) == 299_285
