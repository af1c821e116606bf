# SPDX-License-Identifier: Apache-2.0
"""What lies around the cells: in every format planted extras are found, and our own files have none."""

from __future__ import annotations

import gzip
import json
import lzma
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.judging.checking import check
from shoal.judging.containers import packing
from shoal.judging.containers.extras import OpenedFile, uneven_parts
from shoal.judging.verdicts import Leak
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.tables.formats import excel, spss, stata
from shoal.tables.reading import Reading
from shoal.tables.sources import write_table
from shoal.tables.table import Table

AROUND = ("container_extras", "container_notes", "unseen_values", "unopened_files", "header_cells", "file_marks")
FRAME = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["[30, 49]"] * 3, "sex": ["m", "m", "m", "f", "f", "f"]})
CELLS = FRAME.with_columns(pl.Series("money", [1, 2, 3, 4, 5, 6]), pl.Series("ill", ["a", "b"] * 3))
SECRET = "Anna Bell, 978320"

Plant = Callable[[Path], Any]


def around(path: Path, reading: Reading | None = None) -> list[Leak]:
    """What a check says about a file beyond its cells, information aside."""
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], reading=reading or Reading())
    verdict = check(str(path), plan=plan)
    return [leak for leak in verdict.leaks if leak.kind in AROUND and leak.severity != "information"]


# -- good files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "t.csv", "t.tsv", "t.csv.gz", "t.csv.bz2", "t.csv.xz", "t.csv.zst", "t.jsonl", "t.parquet", "t.arrow",
        "t.xlsx", "t.sqlite", "t.duckdb", "t.sav", "t.dta",
    ],
)  # fmt: skip
def test_our_own_files_hold_nothing_besides(tmp_path: Path, name: str) -> None:
    """Whatever the format: the file of a release is its cells, and nobody is accused."""
    ordered = CELLS.with_columns(pl.Series("rank", ["low", None, "high"] * 2, dtype=pl.Enum(["low", "high"])))
    format = shoal.tables.sources.formats_by_extension()[name[1:]]
    write_table(Table(ordered), tmp_path / name, format, Reading(separator="\t" if "tsv" in name else None))
    assert around(tmp_path / name) == []


@pytest.mark.parametrize("writer", ["pandas", "pyarrow", "polars", "pandas xlsx"])
def test_good_files_of_others_are_not_accused(tmp_path: Path, writer: str) -> None:
    """What usual programs write by themselves, such as notes about types, is no leak."""
    path = tmp_path / ("t.xlsx" if "xlsx" in writer else "t.parquet")
    if writer == "pyarrow":
        from pyarrow import parquet

        parquet.write_table(CELLS.to_arrow(), path)
    elif writer == "polars":
        CELLS.write_parquet(path)
    elif writer == "pandas xlsx":
        CELLS.to_pandas().to_excel(path, index=False, engine="xlsxwriter")
    else:
        CELLS.to_pandas().astype({"ill": "category"}).to_parquet(path, index=False)
    assert around(path) == []


def rich() -> pl.DataFrame:
    """Cells of every plain type, missing ones among them, in two spellings of zero and with long texts."""
    from datetime import UTC, date, datetime, time, timedelta
    from decimal import Decimal

    columns = {
        "real": [0.0, -0.0, 1.5, None, float("nan"), 2.5],
        "truth": [True, None, False, True, True, True],
        "day": [date(2020, 1, day) for day in range(1, 7)],
        "moment": [datetime(2020, 1, 1, hour, 30) for hour in range(5)] + [None],
        "zoned": [datetime(2020, 1, day, tzinfo=UTC) for day in range(1, 7)],
        "hour": [time(hour) for hour in range(6)],
        "span": [timedelta(seconds=number) for number in range(6)],
        "money": [Decimal("1.50"), None, *[Decimal("2.25")] * 4],
        "text": ["a" * 500, "é" * 300, "z" * 100, None, "", "b"],
        "nothing": [None] * 6,
    }
    return pl.concat([FRAME, pl.DataFrame(columns, strict=False)], how="horizontal")


@pytest.mark.parametrize("writer", ["polars", "pyarrow", "pandas", "duckdb", "polars arrow", "pyarrow arrow"])
def test_cells_of_every_type_are_not_accused(tmp_path: Path, writer: str) -> None:
    """Statistics, dictionaries and memory of good files are in order, whoever wrote them."""
    import duckdb
    from pyarrow import feather, parquet

    frame, path = rich(), tmp_path / ("t.arrow" if "arrow" in writer.split() else "t.parquet")
    writers: dict[str, Callable[[], Any]] = {
        "polars": lambda: frame.write_parquet(path),
        "pyarrow": lambda: parquet.write_table(frame.to_arrow(), path, write_page_index=True),
        "pandas": lambda: frame.to_pandas().to_parquet(path, index=False),
        "duckdb": lambda: duckdb.from_arrow(frame.drop("span", "nothing").to_arrow()).write_parquet(str(path)),
        "polars arrow": lambda: write_table(Table(frame), path, "arrow_ipc", Reading()),
        "pyarrow arrow": lambda: feather.write_feather(frame.to_arrow(), path),
    }
    writers[writer]()
    assert around(path) == []


# -- workbooks -----------------------------------------------------------------------------------------------


def workbook(plant: Callable[[Any, Any], Any]) -> Plant:
    """A workbook with the table in its first sheet, and something planted into it."""

    def made(path: Path) -> None:
        import xlsxwriter

        book = xlsxwriter.Workbook(path)
        sheet = book.add_worksheet("table")
        for place, name in enumerate(CELLS.columns):
            sheet.write_column(0, place, [name, *CELLS[name].to_list()])
        plant(book, sheet)
        book.close()

    return made


def zipped(part: str, text: str) -> Plant:
    """A workbook of ours with one more part."""

    def made(path: Path) -> None:
        excel.write(Table(CELLS), path, Reading())
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(part, text)

    return made


def changed(part: str, old: str, new: str) -> Plant:
    """A workbook in which a part says something else."""

    def made(path: Path) -> None:
        workbook(lambda book, sheet: None)(path)
        with zipfile.ZipFile(path) as archive:
            parts = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        assert old.encode() in parts[part]
        parts[part] = parts[part].replace(old.encode(), new.encode(), 1)
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)

    return made


def prefixed(path: Path) -> None:
    """A workbook behind other bytes."""
    excel.write(Table(CELLS), path, Reading())
    path.write_bytes(SECRET.encode() + path.read_bytes())


def with_a_field(path: Path) -> None:
    """A workbook whose directory has a further field."""
    workbook(lambda book, sheet: None)(path)
    with zipfile.ZipFile(path) as archive:
        parts = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name)
            entry.extra = struct.pack("<HH", 0x7777, len(SECRET)) + SECRET.encode()
            archive.writestr(entry, content)


def commented(path: Path, whole: bool) -> None:
    """A workbook whose archive, or one of whose parts, has a comment."""
    workbook(lambda book, sheet: None)(path)
    with zipfile.ZipFile(path) as archive:
        parts = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name)
            entry.comment = b"" if whole or "sheet" not in name else SECRET.encode()
            archive.writestr(entry, content)
        archive.comment = SECRET.encode() if whole else b""


def appended(path: Path, before: bytes) -> None:
    """A workbook with bytes behind its directory, or before it."""
    excel.write(Table(CELLS), path, Reading())
    stored = path.read_bytes()
    if not before:
        path.write_bytes(stored + SECRET.encode() * 9)
        return
    last = stored.rfind(b"PK\5\6")
    start = struct.unpack_from("<I", stored, last + 16)[0]
    moved = struct.pack("<I", start + 100)
    path.write_bytes(stored[:start] + b"A" * 100 + stored[start : last + 16] + moved + stored[last + 20 :])


WORKBOOKS: dict[str, Plant] = {
    "a hidden sheet": workbook(lambda book, sheet: book.add_worksheet("original").hide()),
    "a very hidden sheet": workbook(lambda book, sheet: book.add_worksheet("original").very_hidden()),
    "a hidden row": workbook(lambda book, sheet: sheet.set_row(3, None, None, {"hidden": True})),
    "a hidden column": workbook(lambda book, sheet: sheet.set_column(7, 8, None, None, {"hidden": True})),
    "a comment": workbook(lambda book, sheet: sheet.write_comment("A2", SECRET)),
    "an author": workbook(lambda book, sheet: book.set_properties({"author": SECRET})),
    "a company": workbook(lambda book, sheet: book.set_properties({"company": SECRET})),
    "a custom property": workbook(lambda book, sheet: book.set_custom_property("source", SECRET)),
    "a defined name": workbook(lambda book, sheet: book.define_name("Anna", "=978320")),
    "a number format": workbook(
        lambda book, sheet: sheet.write_number(1, 2, 1, book.add_format({"num_format": f'0" {SECRET}"'}))
    ),
    "a format that hides": workbook(
        lambda book, sheet: sheet.write_number(1, 2, 1, book.add_format({"num_format": ";;;"}))
    ),
    "a filter": workbook(lambda book, sheet: sheet.autofilter("A1:D7")),
    "a list of values": workbook(
        lambda book, sheet: sheet.data_validation("D2:D7", {"validate": "list", "source": ["a", "b", SECRET]})
    ),
    "a footer": workbook(lambda book, sheet: sheet.set_footer(SECRET)),
    "a link": workbook(lambda book, sheet: sheet.write_url("A1", "https://example.com/anna", None, "age")),
    "a text box": workbook(lambda book, sheet: sheet.insert_textbox("H1", SECRET)),
    "a formula": workbook(lambda book, sheet: sheet.write_formula("C2", f'=LEN("{SECRET}")', None, 1)),
    "a conditional format": workbook(
        lambda book, sheet: sheet.conditional_format(
            "C2:C7", {"type": "cell", "criteria": ">", "value": 978320, "format": book.add_format({"bold": True})}
        )
    ),
    "an embedded file": zipped("xl/embeddings/original.xlsx", SECRET),
    "a part of anybody": zipped("customXml/item1.xml", SECRET),
    "a text that no cell shows": changed("xl/sharedStrings.xml", "</sst>", f"<si><t>{SECRET}</t></si></sst>"),
    "a path": changed("xl/workbook.xml", "<sheets>", '<absPath url="C:\\\\Users\\\\Anna"/><sheets>'),
    "a comment in a part": changed("xl/workbook.xml", "<sheets>", f"<!-- {SECRET} --><sheets>"),
    "a style with a name": changed(
        "xl/styles.xml", "</cellStyles>", f'<cellStyle name="{SECRET}" xfId="0"/></cellStyles>'
    ),
    "an instruction in a sheet": changed("xl/worksheets/sheet1.xml", "<sheetData>", f"<?note {SECRET}?><sheetData>"),
    "a note on a row": changed("xl/worksheets/sheet1.xml", '<row r="3"', '<row r="3" xmlns:z="urn:z" z:who="Anna"'),
    "a note on a cell": changed("xl/worksheets/sheet1.xml", '<c r="C3"', '<c r="C3" vm="1"'),
    "a bold letter": workbook(
        lambda book, sheet: sheet.write_rich_string("D2", book.add_format({"bold": True}), "a", "a")
    ),
    "a break of pages": workbook(lambda book, sheet: sheet.set_h_pagebreaks([3])),
    "panes": workbook(lambda book, sheet: sheet.freeze_panes(3, 0)),
    "an error to be ignored": workbook(lambda book, sheet: sheet.ignore_errors({"number_stored_as_text": "C4"})),
    "a name for programs": changed(
        "xl/worksheets/sheet1.xml", "<dimension", '<sheetPr codeName="AnnaBell"/><dimension'
    ),
    "a theme with a name": changed("xl/theme/theme1.xml", 'name="Office Theme"', f'name="{SECRET}"'),
    "an identifier in its properties": changed(
        "docProps/core.xml", "</cp:coreProperties>", f"<dc:identifier>{SECRET}</dc:identifier></cp:coreProperties>"
    ),
    "a state in its properties": changed(
        "docProps/core.xml",
        "</cp:coreProperties>",
        f"<cp:contentStatus>{SECRET}</cp:contentStatus></cp:coreProperties>",
    ),
    "a template": changed("docProps/app.xml", "</Properties>", f"<Template>{SECRET}</Template></Properties>"),
    "a version that is none": changed("docProps/app.xml", "<AppVersion>", f"<AppVersion>{SECRET}"),
    "a sheet that is not there": changed("docProps/app.xml", "<vt:lpstr>table", f"<vt:lpstr>{SECRET}"),
    "a font with a name": changed("xl/styles.xml", '<name val="Calibri"', f'<name val="{SECRET}"'),
    "a program with a name": changed("xl/workbook.xml", 'appName="xl"', f'appName="{SECRET}"'),
    "somebody's view": changed(
        "xl/workbook.xml",
        "</workbook>",
        f'<customWorkbookViews><customWorkbookView name="{SECRET}"/></customWorkbookViews></workbook>',
    ),
    "a password": changed(
        "xl/worksheets/sheet1.xml", "</sheetData>", '</sheetData><sheetProtection sheet="1" saltValue="QW5uYQ=="/>'
    ),
    "a relation to outside": changed(
        "xl/_rels/workbook.xml.rels",
        "</Relationships>",
        '<Relationship Id="rId99" Type="a" Target="file://server/anna" TargetMode="External"/></Relationships>',
    ),
    "a type of anybody": changed(
        "[Content_Types].xml", "</Types>", '<Default Extension="z" ContentType="text/Anna"/></Types>'
    ),
    "a space of names": changed("xl/worksheets/sheet1.xml", "<sheetData>", '<sheetData xmlns:z="urn:anna">'),
    "words between rows": changed("xl/worksheets/sheet1.xml", "</row>", f"</row>{SECRET}"),
    "a field of the archive": with_a_field,
    "a comment of the archive": lambda path: commented(path, whole=True),
    "a comment of a part": lambda path: commented(path, whole=False),
    "bytes before it": prefixed,
    "bytes behind it": lambda path: appended(path, b""),
    "bytes between its parts": lambda path: appended(path, b"PK"),
}


@pytest.mark.parametrize("plant", WORKBOOKS.values(), ids=WORKBOOKS)
def test_extras_of_workbooks_are_told(tmp_path: Path, plant: Plant) -> None:
    """A workbook is published whole, so whatever is in it besides one plain sheet is told."""
    plant(tmp_path / "t.xlsx")
    told = around(tmp_path / "t.xlsx", Reading(sheet="table"))
    assert told
    assert all(SECRET not in leak.statement for leak in told)


# -- packed files --------------------------------------------------------------------------------------------

TEXT = CELLS.write_csv().encode()


def gzipped(flags: int, field: bytes, behind: bytes = b"") -> bytes:
    """A gzip file with a field in its header and bytes behind it."""
    plain = gzip.compress(TEXT, mtime=0)
    return plain[:3] + bytes([flags]) + plain[4:10] + field + plain[10:] + behind


def zstd_skippable() -> bytes:
    """A zstd file with a frame that readers skip."""
    from backports import zstd

    return zstd.compress(TEXT) + struct.pack("<II", 0x184D2A53, len(SECRET)) + SECRET.encode()


PACKED: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gzip comment": ("t.csv.gz", lambda: gzipped(16, SECRET.encode() + b"\0")),
    "gzip name": ("t.csv.gz", lambda: gzipped(8, b"anna-bell-original.csv\0")),
    "gzip field": ("t.csv.gz", lambda: gzipped(4, struct.pack("<H", 8) + b"AB\4\0Anna")),
    "gzip second member": ("t.csv.gz", lambda: gzip.compress(TEXT[:-4], mtime=0) + gzip.compress(TEXT[-4:], mtime=0)),
    "zstd skippable frame": ("t.csv.zst", zstd_skippable),
}


@pytest.mark.parametrize(("name", "content"), PACKED.values(), ids=PACKED)
def test_extras_of_packed_files_are_told(tmp_path: Path, name: str, content: Callable[[], bytes]) -> None:
    """Headers and frames that unpacking drops are bytes of the file all the same."""
    (tmp_path / name).write_bytes(content())
    assert around(tmp_path / name)


def test_lines_above_the_table_are_told(tmp_path: Path) -> None:
    """What stands above the table is published with it."""
    (tmp_path / "t.csv").write_bytes(b"made from Anna's table\n" + TEXT)
    assert around(tmp_path / "t.csv", Reading(skip_lines=1))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.xz"])
def test_lines_above_the_input_are_not_those_of_the_release(tmp_path: Path, name: str) -> None:
    """The plan of a release tells how its input was read; its table has nothing above it."""
    CELLS.write_csv(tmp_path / "plain.csv")
    (tmp_path / "in.csv").write_bytes(b"a remark\n" + (tmp_path / "plain.csv").read_bytes())
    source = tmp_path / name.replace("t.", "in.")
    if source.suffix != ".csv":
        source.write_bytes(
            {".gz": gzip.compress, ".xz": lzma.compress}[source.suffix](source.with_suffix("").read_bytes())
        )
    roles = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill", "money"], "rest": "drop"}
    release = shoal.anonymize(source, k=2, reading=Reading(skip_lines=1), method="mondrian", **roles)
    saved = read_release(release.save(tmp_path / "out"))
    assert saved.plan.reading.skip_lines == 1
    assert not [leak for leak in saved.check(saved.plan).leaks if leak.kind == "container_notes"]


@pytest.mark.parametrize("behind", [b"\n", b"   \n", b" \t", b"\n\n \n"])
def test_blank_lines_below_the_table_are_told(tmp_path: Path, behind: bytes) -> None:
    """Blanks behind the last row can carry a mark."""
    (tmp_path / "t.csv").write_bytes(TEXT + behind)
    assert around(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["Anna Bell 31337", "2020-01-01", "anna@example.com"])
@pytest.mark.parametrize("ending", [".xlsx", ".sqlite"])
def test_names_of_sheets_and_tables_are_names(tmp_path: Path, name: str, ending: str) -> None:
    """A sheet or a table that is called like a cell publishes one."""
    path = tmp_path / f"t{ending}"
    if ending == ".xlsx":
        changed("xl/workbook.xml", 'name="table"', f'name="{name}"')(path)
    else:
        sqlite_with(f'alter table released rename to "{name}"')(path)
    assert "header_cells" in [leak.kind for leak in around(path)]


def test_files_that_readers_of_a_folder_skip_are_told(tmp_path: Path) -> None:
    """A table in several files is published as a folder, with everything in it."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.csv").write_bytes(TEXT)
    assert around(tmp_path / "parts") == []
    (tmp_path / "parts" / ".original").write_text(SECRET)
    assert around(tmp_path / "parts")


# -- databases -----------------------------------------------------------------------------------------------


def sqlite_with(*statements: str) -> Plant:
    """A SQLite file of the table, after some statements."""

    def made(path: Path) -> None:
        write_table(Table(CELLS), path, "sqlite", Reading())
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return made


def sqlite_reserved(path: Path) -> None:
    """A SQLite file with something in bytes that mean nothing."""
    sqlite_with()(path)
    stored = path.read_bytes()
    path.write_bytes(stored[:72] + b"Anna" + stored[76:])


def duckdb_with(*statements: str) -> Plant:
    """A DuckDB file of the table, after some statements."""

    def made(path: Path) -> None:
        import duckdb

        write_table(Table(CELLS), path, "duckdb", Reading())
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)

    return made


DATABASES: dict[str, tuple[str, Plant]] = {
    "another table": ("t.sqlite", sqlite_with("create table original (name)")),
    "a header that says more": ("t.sqlite", sqlite_reserved),
    "a view": ("t.sqlite", sqlite_with("create view anna as select 978320")),
    "a trigger": (
        "t.sqlite",
        sqlite_with("create trigger t after insert on released begin select 'Anna'; end"),
    ),
    "an index": ("t.sqlite", sqlite_with("create index i on released (age) where ill = 'Anna'")),
    "free pages": (
        "t.sqlite",
        sqlite_with(
            "create table gone as with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)"
            " select i, 'Anna Bell' from n",
            "drop table gone",
        ),
    ),
    "a default": ("t.sqlite", sqlite_with("alter table released add column x text default 'Anna Bell'")),
    "numbers of rows that are gone": (
        "t.sqlite",
        sqlite_with("insert into released select * from released", "delete from released where rowid <= 6"),
    ),
    "a journal": ("t.sqlite", lambda path: (sqlite_with()(path), Path(f"{path}-wal").write_bytes(b""))),
    "words as a type": ("t.sqlite", sqlite_with("alter table released add column x Anna_Bell")),
    "a schema": ("t.duckdb", duckdb_with("create schema anna")),
    "bytes behind DuckDB": (
        "t.duckdb",
        lambda path: (duckdb_with()(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "another table of DuckDB": ("t.duckdb", duckdb_with("create table original (name varchar)")),
    "a view of DuckDB": ("t.duckdb", duckdb_with("create view anna as select 978320 as income")),
    "a macro": ("t.duckdb", duckdb_with("create macro anna() as 978320")),
    "a comment": ("t.duckdb", duckdb_with("comment on table released is 'Anna Bell'")),
    "a default of DuckDB": ("t.duckdb", duckdb_with("alter table released add column x text default 'Anna Bell'")),
    "a type": ("t.duckdb", duckdb_with("create type names as enum ('Anna Bell')")),
}


@pytest.mark.parametrize(("name", "plant"), DATABASES.values(), ids=DATABASES)
def test_extras_of_databases_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """A database file is published with everything in it, in use or not."""
    plant(tmp_path / name)
    told = around(tmp_path / name, Reading(table="released"))
    assert [leak.kind for leak in told if leak.kind.startswith("container")]


# -- columns with types --------------------------------------------------------------------------------------


def parquet_of(frame: Any, **options: Any) -> Plant:
    """A Parquet file as PyArrow writes a table."""

    def made(path: Path) -> None:
        from pyarrow import parquet

        parquet.write_table(frame() if callable(frame) else frame, path, **options)

    return made


def arrow_with(
    metadata: dict[str, str] | None = None, field: dict[str, str] | None = None, unused: bool = False
) -> Any:
    """An Arrow table with notes, or with a dictionary that holds more than its cells."""
    import pyarrow as arrow

    table = CELLS.to_arrow()
    ill = arrow.DictionaryArray.from_arrays([0, 1] * 3, ["a", "b", *([SECRET] if unused else [])])
    table = table.set_column(3, arrow.field("ill", ill.type, metadata=field), ill)
    return table.replace_schema_metadata(metadata)


def arrow_file(table: Callable[[], Any]) -> Plant:
    """An Arrow file of a table."""

    def made(path: Path) -> None:
        from pyarrow import feather

        feather.write_feather(table(), path, compression="uncompressed")

    return made


def pandas_with_attrs(path: Path) -> None:
    """A Parquet file of a pandas frame with notes."""
    frame = CELLS.to_pandas()
    frame.attrs["source"] = SECRET
    frame.to_parquet(path, index=False)


def pandas_with_index(path: Path) -> None:
    """A Parquet file of a pandas frame with an index of its own."""
    CELLS.to_pandas().set_index("money", drop=False).rename_axis("patient").to_parquet(path)


def under_missing_cells() -> Any:
    """An Arrow table with a value under a missing cell."""
    import numpy as np
    import pyarrow as arrow

    numbers = arrow.array(np.array([1.0, 2, 3, 4, 5, 978320.0]), mask=None)
    hidden = arrow.Array.from_buffers(numbers.type, 6, [arrow.py_buffer(b"\x1f"), numbers.buffers()[1]])
    return CELLS.to_arrow().set_column(2, "money", hidden)


def letters_beside_cells() -> Any:
    """An Arrow table with letters between two cells that belong to neither."""
    import pyarrow as arrow

    letters = b"ab" + SECRET.encode() + b"babab"
    ends = [0, 1, 2, 3, 4, 5, 6]
    places = arrow.py_buffer(struct.pack("<7i", *ends))
    hidden = arrow.Array.from_buffers(arrow.string(), 6, [None, places, arrow.py_buffer(letters)])
    return CELLS.to_arrow().set_column(3, "ill", hidden)


def wrong_statistics(path: Path) -> None:
    """A Parquet file whose statistics tell a value that no row has."""
    CELLS.with_columns(pl.Series("ill", ["aaaa", "zzzz"] * 3)).write_parquet(path, compression="uncompressed")
    stored = path.read_bytes()
    footer = len(stored) - 8 - int.from_bytes(stored[-8:-4], "little")
    path.write_bytes(stored[:footer] + stored[footer:].replace(b"zzzz", b"zzzy"))


def strange_writer(path: Path) -> None:
    """A Parquet file that was written by somebody."""
    parquet_of(CELLS.to_arrow)(path)
    stored = path.read_bytes()
    place = stored.rfind(b"parquet-cpp-arrow")
    path.write_bytes(stored[:place] + b"Anna Bell, 978320" + stored[place + 17 :])


def noted_batch(path: Path) -> None:
    """An Arrow file with a note on one of its batches."""
    import pyarrow as arrow

    table = CELLS.to_arrow().combine_chunks()
    with arrow.ipc.new_file(str(path), table.schema) as writer:
        writer.write_batch(table.to_batches()[0], custom_metadata={"source": SECRET})


TYPED: dict[str, tuple[str, Plant]] = {
    "a note": ("t.parquet", parquet_of(lambda: arrow_with({"source": SECRET}))),
    "a note on a column": ("t.parquet", parquet_of(lambda: arrow_with(field={"source": SECRET}))),
    "the number of a column": ("t.parquet", parquet_of(lambda: arrow_with(field={"PARQUET:field_id": "978320"}))),
    "a dictionary": ("t.parquet", parquet_of(lambda: arrow_with(unused=True))),
    "notes of pandas": ("t.parquet", pandas_with_attrs),
    "an index of pandas": ("t.parquet", pandas_with_index),
    "an Enum": (
        "t.parquet",
        lambda path: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}).write_parquet(path),
    ),
    "an Enum in Arrow": ("t.arrow", lambda path: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}).write_ipc(path)),
    "a note in Arrow": ("t.arrow", arrow_file(lambda: arrow_with({"source": SECRET}))),
    "a note on a column in Arrow": ("t.arrow", arrow_file(lambda: arrow_with(field={"source": SECRET}))),
    "a dictionary in Arrow": ("t.arrow", arrow_file(lambda: arrow_with(unused=True))),
    "a note on a batch": ("t.arrow", noted_batch),
    "wrong statistics": ("t.parquet", wrong_statistics),
    "a text for the writer": ("t.parquet", strange_writer),
    "letters beside cells": ("t.arrow", arrow_file(letters_beside_cells)),
    "a value under a missing cell": ("t.arrow", arrow_file(under_missing_cells)),
}


@pytest.mark.parametrize(("name", "plant"), TYPED.values(), ids=TYPED)
def test_values_in_types_and_notes_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """Types, dictionaries and notes are searched like cells."""
    plant(tmp_path / name)
    assert around(tmp_path / name)


# -- statistical packages ------------------------------------------------------------------------------------


def labelled(writer: str, **options: Any) -> Plant:
    """A file of SPSS or Stata with labels or notes."""

    def made(path: Path) -> None:
        import pyreadstat

        getattr(pyreadstat, writer)(CELLS, str(path), **options)

    return made


LABELLED: dict[str, tuple[str, Plant]] = {
    "labels of codes": ("t.sav", labelled("write_sav", variable_value_labels={"money": {1: "one", 978320: "Anna"}})),
    "missing codes": ("t.sav", labelled("write_sav", missing_ranges={"money": [978320]})),
    "a range of missing codes": ("t.sav", labelled("write_sav", missing_ranges={"money": [{"lo": 6, "hi": 978320}]})),
    "a note": ("t.sav", labelled("write_sav", note=SECRET)),
    "a label of the file": ("t.sav", labelled("write_sav", file_label=SECRET)),
    "labels of codes in Stata": (
        "t.dta",
        labelled("write_dta", variable_value_labels={"money": {1: "one", 978320: "Anna"}}),
    ),
    "a label that holds an address": ("t.sav", labelled("write_sav", column_labels={"ill": "ask anna@example.com"})),
    "bytes behind the cells": (
        "t.sav",
        lambda path: (labelled("write_sav")(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "a text for the program": (
        "t.sav",
        lambda path: (
            labelled("write_sav")(path),
            path.write_bytes(b"$FL2" + b"Anna".ljust(60) + path.read_bytes()[64:]),
        ),
    ),
    "bytes behind Stata's end": (
        "t.dta",
        lambda path: (labelled("write_dta")(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "a label of the file in Stata": ("t.dta", labelled("write_dta", file_label=SECRET)),
}


@pytest.mark.parametrize(("name", "plant"), LABELLED.values(), ids=LABELLED)
def test_codebooks_that_tell_more_than_cells_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """Labels of codes that no row has, declarations and notes are read."""
    plant(tmp_path / name)
    assert around(tmp_path / name)


def test_the_codebook_of_a_release_is_as_small_as_its_cells(tmp_path: Path) -> None:
    """Labels and missing codes of rows that were left out do not reach the file."""
    import pyreadstat

    people = pl.DataFrame(
        {"age": [20.0, 21, 22, 23, 24, 25, 978320], "sex": ["m"] * 7, "job": [1.0, 2, 1, 2, 1, 2, 99]}
    )
    words = {"job": {1: "nurse", 2: "clerk", 99: "spy of Anna"}}
    ranges = {"job": [{"lo": 90, "hi": 99}]}
    pyreadstat.write_sav(people, str(tmp_path / "in.sav"), variable_value_labels=words, missing_ranges=ranges)
    release = shoal.anonymize(
        tmp_path / "in.sav",
        k=2,
        quasi_identifiers=["age", "sex"],
        sensitive=["job"],
        suppression=0.2,
        method="mondrian",
    )
    assert release.facts["suppressed"] == 1
    folder = release.save(tmp_path / "out")
    for format in (spss, stata):
        path = folder / "table.sav" if format is spss else release.save(tmp_path / "two", format="stata") / "table.dta"
        assert b"spy" not in path.read_bytes()
        assert around(path) == []


# -- names of columns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["anna@example.com", "1984-02-29", "978320.50", "0123456789", "[20, 29] 978320", "a\nb", "x" * 200]
)
def test_names_that_look_like_data_are_told(name: str) -> None:
    """A name of a column is published like a cell; the message does not quote it."""
    verdict = check(CELLS.rename({"money": name}), quasi_identifiers=["age", "sex"], k=3)
    told = [leak for leak in verdict.leaks if leak.kind == "header_cells"]
    assert told
    assert all(name not in leak.statement for leak in told)


@pytest.mark.parametrize("name", ["Anna Bell", "ill_978320", "note=flu", "patient Anna Bell", "978320"])
def test_names_that_are_cells_of_the_original_break_the_release(name: str) -> None:
    """Beside the original, a name that holds one of its cells is found whatever it looks like."""
    original = CELLS.with_columns(
        pl.Series("name", ["Anna Bell", "Bo", "Cy", "Di", "Ed", "Flo"]), pl.Series("ill", ["flu", "978320"] * 3)
    )
    released = CELLS.rename({"money": name}).drop("ill")
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], identifiers=["name"])
    verdict = check(released, plan=plan, original=original)
    assert any(leak.kind == "header_cells" for leak in verdict.leaks)


def test_usual_names_are_not_accused() -> None:
    """Years, units and words in names are usual."""
    names = {"money": "income 2020", "ill": "2019"}
    verdict = check(CELLS.rename(names), quasi_identifiers=["age", "sex"], k=3)
    assert not [leak for leak in verdict.leaks if leak.kind == "header_cells"]


# -- frames --------------------------------------------------------------------------------------------------


def with_attrs() -> Any:
    """A pandas frame with notes."""
    frame = CELLS.to_pandas()
    frame.attrs["source"] = SECRET
    return frame


FRAMES: dict[str, Callable[[], Any]] = {
    "pandas categories": lambda: CELLS.to_pandas().assign(
        ill=lambda frame: frame["ill"].astype("category").cat.add_categories([SECRET])
    ),
    "pandas attrs": with_attrs,
    "pandas index": lambda: CELLS.to_pandas().set_axis([31, 7, 9, 12, 5, 3]),
    "Polars Enum": lambda: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}),
    "Arrow dictionary": lambda: arrow_with(unused=True),
    "Arrow metadata": lambda: arrow_with({"source": SECRET}),
    "Arrow field": lambda: arrow_with(field={"source": SECRET}),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_frames_that_tell_more_than_their_cells_are_told(frame: Callable[[], Any]) -> None:
    """The check looks at types and notes of a frame before it turns it into cells."""
    verdict = check(frame(), quasi_identifiers=["age", "sex"], k=3)
    told = [leak for leak in verdict.leaks if leak.kind == "unseen_values"]
    assert told
    assert SECRET not in json.dumps(verdict.to_dict())


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_good_frames_are_not_accused(kind: str) -> None:
    """Frames whose types list what their cells show are fine."""
    frame = CELLS.cast({"ill": pl.Enum(["a", "b"])})
    given = {"pandas": frame.to_pandas, "arrow": frame.to_arrow, "polars": lambda: frame}[kind]()
    verdict = check(given, quasi_identifiers=["age", "sex"], k=3)
    assert not [leak for leak in verdict.leaks if leak.kind == "unseen_values"]


def test_beside_the_original_values_of_rows_left_out_break_the_release() -> None:
    """A category that only a left-out row had is a cell of that row."""
    original = pl.concat([CELLS, CELLS[:1].with_columns(pl.lit("plague").alias("ill"))])
    released = CELLS.cast({"ill": pl.Enum(["a", "b", "plague"])})
    verdict = check(released, quasi_identifiers=["age", "sex"], k=3, original=original)
    assert not verdict.holds


# -- what is not looked into ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.ods", "t.sas7bdat"])
def test_what_is_not_looked_into_is_said(tmp_path: Path, name: str) -> None:
    """A file whose container stays unknown is never silently fine."""
    from shoal.judging.containers.extras import extras_in
    from shoal.judging.leak_search import LeakScene

    (tmp_path / name).write_bytes(b"something")
    scene = LeakScene(Table(CELLS), Plan.of(3, quasi_identifiers=["age", "sex"]), files=(tmp_path / name,))
    assert [extra.sort for _, extra in extras_in(scene, "unseen")] == ["unseen"]


@pytest.mark.parametrize(
    ("sizes", "told"), [([6], 0), ([1, 5], 1), ([5, 1], 0), ([3, 3, 1], 0), ([5, 1, 5], 1), ([4, 2, 4], 0), ([], 0)]
)
def test_only_parts_that_set_rows_apart_are_told(sizes: list[int], told: int) -> None:
    """Parts are about equally long but the last; any other that is shorter by half is a mark on its rows."""
    assert len(list(uneven_parts(sizes))) == told


def zstd_frame(content: bytes, single: bool, checksum: bool = False) -> bytes:
    """A frame with one block as it is; a single segment tells its size, another one its window."""
    descriptor = (0x20 if single else 0) | (4 if checksum else 0)
    head = bytes([descriptor, len(content) if single else 0])
    block = (1 | len(content) << 3).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd" + head + block + content + b"\0\0\0\0" * checksum


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("checksum", [True, False])
def test_frames_of_zstd_are_walked_from_end_to_end(tmp_path: Path, single: bool, checksum: bool) -> None:
    """One frame of either kind is no extra; another, one that is skipped or cut off, and bytes behind are."""
    frame = zstd_frame(b"a,b\n1,2\n", single, checksum)
    skipped = struct.pack("<II", 0x184D2A50, len(SECRET)) + SECRET.encode()
    cut = frame[: 9 if single else 8]
    files = {frame: 0, frame + skipped: 1, frame + frame: 1, frame + SECRET.encode(): 1, frame + cut: 2}
    for stored, told in files.items():
        (tmp_path / "t.csv.zst").write_bytes(stored)
        opened = OpenedFile(tmp_path / "t.csv.zst", Table(CELLS), Plan.of(3, quasi_identifiers=["age"]))
        assert len(list(packing.look(opened))) == told, stored
