# SPDX-License-Identifier: Apache-2.0
"""What a workbook holds besides its cells is found."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shoal.tables.formats import excel
from shoal.tables.reading import Reading
from shoal.tables.table import Table
from tests.judging.containers.planting import CELLS, SECRET, Plant, around


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


@pytest.mark.parametrize("name", ["Anna Bell 31337", "2020-01-01", "anna@example.com"])
def test_names_of_sheets_are_names(tmp_path: Path, name: str) -> None:
    """A sheet that is called like a cell publishes one."""
    changed("xl/workbook.xml", 'name="table"', f'name="{name}"')(tmp_path / "t.xlsx")
    assert "header_cells" in [leak.kind for leak in around(tmp_path / "t.xlsx")]
