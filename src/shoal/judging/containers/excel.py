# SPDX-License-Identifier: Apache-2.0
"""Excel workbooks: other sheets, hidden rows and columns, comments, properties, filters, lists, pictures, formats.

A workbook is a zip archive of XML. Parts that a plain sheet needs are read; every other part is told, whatever it is.
Of the older forms (.xls, .xlsb) and of .ods only the cells are read, and the check says so.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from shoal.ground.wording import counted
from shoal.judging.containers.extras import CONTENT, NAMED, NOTE, UNSEEN, Extra, OpenedFile

DESCRIPTOR = 24
"""Bytes up to which what follows a part may tell its size once more."""
PLAIN_FIELDS, LONGEST_FIELD = (0x0001, 0x000A, 0x5455, 0x7875, 0xA220), 40
"""Further fields of an archive: large sizes, times of files, owners, room to grow; and how long they may be."""
LOOKED_INTO = (".xlsx", ".xlsm")
PLAIN_PARTS = re.compile(
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(?:app|core)\.xml|xl/(?:workbook|styles|sharedStrings|metadata)\.xml"
    r"|xl/_rels/workbook\.xml\.rels|xl/theme/theme\d*\.xml|xl/worksheets/sheet\d+\.xml|xl/calcChain\.xml"
)
PROGRAMS = re.compile(
    rb"(?:openpyxl|xlsxwriter|Microsoft (?:Macintosh )?Excel(?: Online)?|LibreOffice[^<]*|Apache POI|excelize|polars"
    rb"|pandas|calibre|Calc|Google Sheets|WPS Spreadsheets)?"
)
PLAIN_PROPERTIES = re.compile(
    rb"created|modified|lastPrinted|DocSecurity|ScaleCrop|Links\w*|SharedDoc|HyperlinksChanged|TotalTime"
)
"""Properties whose values are moments, switches and numbers of minutes."""
PLAIN_VALUE = re.compile(rb"\d{0,5}|true|false|\d{4}-\d\d-\d\dT[\d:.]*(?:Z|[+-]\d\d:\d\d)?")
HEADINGS = re.compile(rb"Worksheets|Tabellen|Arbeitsbl\S+|Feuilles(?: de calcul)?|Named Ranges")
IN_SHEETS = {
    rb"<(?:\w+:)?row\b[^>]*\bhidden=\"(?:1|true)\"": "hidden rows",
    rb"<(?:\w+:)?col\b[^>]*\bhidden=\"(?:1|true)\"|\bzeroHeight=\"(?:1|true)\"": "hidden columns or rows",
    rb"<(?:\w+:)?autoFilter\b": "filters",
    rb"<(?:\w+:)?dataValidation\b": "lists or rules of what may be entered",
    rb"<(?:\w+:)?conditionalFormatting\b": "formats that depend on cells",
    rb"<(?:\w+:)?hyperlink\b": "links",
    rb"<(?:\w+:)?(?:odd|even|first)(?:Header|Footer)\b": "headers or footers of pages",
    rb"<(?:\w+:)?f\b": "formulas beside the values of cells",
    rb"<(?:\w+:)?(?:protectedRange|scenario|customSheetView|sortState)\b": "settings that name cells",
    rb"<(?:\w+:)?(?:sheetProtection|webPublishItem|cellWatch|customPr|control|oleObject)\b": "settings with own words",
    rb"<(?:\w+:)?extLst\b": "extensions",
    rb"<(?:\w+:)?(?:rowBreaks|ignoredErrors)\b|<(?:\w+:)?pane\b[^>]*\bySplit=\"(?!1\")": "marks on single rows",
    rb"<(?:\w+:)?row\b[^>]*?\s(?!(?:r|spans|ht|s|hidden|outlineLevel|collapsed|thickTop|thickBot|customHeight|customFormat"
    rb"|\w+:dyDescent)=)[\w:]+=|<(?:\w+:)?c\b[^>]*?\s(?![rst]=)[\w:]+=": "notes on rows or cells that nobody sees",
}
ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
ROW_LOOK = re.compile(
    rb"\b(?:(?:customHeight|customFormat|collapsed|thickTop|thickBot|outlineLevel|s)=\"[^\"]*\"|ht=\"[^\"]*\"(?=[^>]*customHeight))"
)
CELL = re.compile(rb"<(?:\w+:)?c\b(?=[^>]*\br=\"([A-Z]+)(\d+)\")(?:[^>]*?\bs=\"(\d+)\")?[^>]*>")
FOREIGN = re.compile(
    rb"\bxmlns(?::\w+)?=\"(?!https?://(?:schemas\.(?:openxmlformats\.org|microsoft\.com)|www\.w3\.org|purl\.o(?:rg|clc\.org))/)"
    rb"|\bContentType=\"(?!application/(?:vnd\.(?:openxmlformats|ms-)|xml\")|image/(?:png|jpeg)\")"
)
"""Declarations that no workbook needs."""
LITERAL = re.compile(rb"formatCode=\"([^\"]*)\"")


class _Book:
    """The parts of a workbook."""

    def __init__(self, stored: bytes) -> None:
        self.archive = ZipFile(BytesIO(stored))
        self.parts = [part.filename for part in self.archive.infolist() if not part.is_dir()]

    def text(self, name: str) -> bytes:
        """A part, empty if it is not there."""
        return self.archive.read(name) if name in self.parts else b""

    @cached_property
    def sheets(self) -> list[bytes]:
        """The sheets, as they are stored."""
        return [self.text(name) for name in self.parts if name.startswith("xl/worksheets/") and name.endswith(".xml")]


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Everything in the archive that is no cell of the sheet."""
    if not opened.path.name.lower().endswith(LOOKED_INTO):
        yield Extra(UNSEEN, "is a workbook of a form that is not looked into besides its cells; save it as .xlsx")
        return
    book = _Book(opened.stored)
    yield from _archive(book, opened.stored)
    yield from _workbook(book)
    for pattern, what in IN_SHEETS.items():
        if any(re.search(pattern, sheet) for sheet in book.sheets):
            yield Extra(CONTENT if "hidden" in what else NOTE, f"has {what}, which are published with the table")
    yield from _looks(book)
    yield from _strings(book)
    yield from _properties(book)
    formats = [code for code in LITERAL.findall(book.text("xl/styles.xml")) if _says_something(code)]
    if formats:
        yield Extra(NOTE, f"has {counted(len(formats), 'format')} of numbers that show or hide text of their own")


def _archive(book: _Book, stored: bytes) -> Iterator[Extra]:
    others = [name for name in book.parts if not PLAIN_PARTS.fullmatch(name)]
    if others:
        said = "such as comments, pictures, pivot tables, macros or links"
        yield Extra(CONTENT, f"holds {counted(len(others), 'part')} that a plain sheet does not need, {said}")
    if len(set(book.parts)) < len(book.parts):
        yield Extra(CONTENT, "holds two parts of the same name, and readers differ on which of them they read")
    entries = book.archive.infolist()
    if book.archive.comment or any(entry.comment for entry in entries):
        yield Extra(NOTE, "carries a comment of its archive")
    if any(entry.extra.replace(b"\0", b"") and not _plain_field(entry.extra) for entry in entries):
        yield Extra(NOTE, "carries fields of its own in the directory of its archive")
    if _gap(entries, stored):
        yield Extra(CONTENT, "holds further bytes before, between or behind the parts of the workbook")


def _plain_field(field: bytes) -> bool:
    """Whether further fields of a part are what programs write: sizes, moments, owners, padding."""
    while len(field) >= 4:
        kind, size = struct.unpack_from("<HH", field)
        if kind not in PLAIN_FIELDS or size > LONGEST_FIELD:
            return False
        field = field[4 + size :]
    return not field


def _gap(entries: list[ZipInfo], stored: bytes) -> bool:
    """Whether bytes of the archive belong to no part and not to its directory."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if not 0 <= entry.header_offset - end <= DESCRIPTOR:
            return True
        name, more = struct.unpack_from("<HH", stored, entry.header_offset + 26)
        end = entry.header_offset + 30 + name + more + entry.compress_size
    last = stored.rfind(b"PK\5\6")
    size, start, comment = struct.unpack_from("<IIH", stored, last + 12)
    return not 0 <= start - end <= DESCRIPTOR or start + size != last or last + 22 + comment != len(stored)


def _workbook(book: _Book) -> Iterator[Extra]:
    told = book.text("xl/workbook.xml")
    sheets = re.findall(rb"<(?:\w+:)?sheet\b[^>]*>", told)
    hidden = sum(b"hidden" in sheet.lower() for sheet in sheets)
    if len(sheets) > 1 or len(book.sheets) > len(sheets):
        among = f", {hidden} of them hidden" if hidden else ""
        others = max(len(sheets), len(book.sheets)) - 1
        yield Extra(CONTENT, f"holds {counted(others, 'other sheet')}{among}, which are published with the table")
    if names := re.findall(rb"<(?:\w+:)?definedName\b", told):
        yield Extra(NOTE, f"has {counted(len(names), 'defined name')}")
    if re.search(rb"\babsPath\b|\buserName=|<(?:\w+:)?(?:customWorkbookView|webPublish\w*|fileSharing)\b", told):
        yield Extra(NOTE, "tells where or by whom it was saved")
    if any(re.search(rb"<!--|<\?(?!xml\b)|</[^>]*>\s*[^<\s]", book.text(name)) for name in book.parts):
        yield Extra(NOTE, "carries comments, or words between the elements, in its parts")
    if any(re.search(FOREIGN, book.text(name)) for name in book.parts):
        yield Extra(NOTE, "declares types or spaces of names that no workbook needs")
    if any(b'TargetMode="External"' in book.text(name) for name in book.parts if name.endswith(".rels")):
        yield Extra(NOTE, "points to something outside")
    for name in re.findall(rb"<(?:\w+:)?sheet\b[^>]*\bname=\"([^\"]*)\"", told):
        yield Extra(NAMED, "a sheet", name=name.decode(errors="replace"))
    for font in set(re.findall(rb"<(?:\w+:)?(?:name|rFont)\b[^>]*\bval=\"([^\"]*)\"", book.text("xl/styles.xml"))):
        yield Extra(NAMED, "a font", name=font.decode(errors="replace"))
    for name in re.findall(rb"<(?:\w+:)?fileVersion\b[^>]*\bappName=\"([^\"]*)\"", told):
        yield Extra(NAMED, "a program", name=name.decode(errors="replace"))
    themes = b"".join(book.text(name) for name in book.parts if name.startswith("xl/theme/"))
    if re.search(rb"<(?:\w+:)?theme\b[^>]*\bname=\"(?!Office(?: Theme)?\")[^\"]", themes):
        yield Extra(NOTE, "carries a theme with a name of its own")
    if re.search(
        rb"\bcodeName=\"(?!(?:Sheet|Tabelle|Feuil)\d+\"|ThisWorkbook\"|DieseArbeitsmappe\")[^\"]", _heads(book) + told
    ):
        yield Extra(NOTE, "carries names for programs")
    if re.search(rb"<(?:\w+:)?cellStyle\b(?![^>]*\bbuiltinId=)", book.text("xl/styles.xml")):
        yield Extra(NOTE, "has styles of cells with names of their own")


def _heads(book: _Book) -> bytes:
    """What stands in the sheets before their rows."""
    return b"".join(sheet.partition(b"sheetData")[0] for sheet in book.sheets)


def _looks(book: _Book) -> Iterator[Extra]:
    """Rows, and cells of one column, that look different; those above the second row may be headings."""
    styles = [
        re.sub(rb"\w*[nN]umberFormat=\"[^\"]*\"|\bnumFmtId=\"\d+\"|\bxfId=\"\d+\"", b"", one) for one in _styles(book)
    ]
    for sheet in book.sheets:
        rows = [b" ".join(sorted(ROW_LOOK.findall(row))) for row in ROW.findall(sheet)[1:]]
        cells = [(column, int(style or 0)) for column, row, style in CELL.findall(sheet) if int(row) > 1]
        looks = {(column, styles[style] if style < len(styles) else b"") for column, style in cells}
        if len(set(rows)) > 1 or len(looks) > len({column for column, _ in looks}):
            yield Extra(
                NOTE, "has rows or cells that look different from others of their column, which can mark people"
            )
            return


def _styles(book: _Book) -> list[bytes]:
    """How cells of each style look."""
    listed = re.search(rb"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", book.text("xl/styles.xml"), re.DOTALL)
    return re.findall(rb"<(?:\w+:)?xf\b[^>]*>(?:\s*<(?:\w+:)?alignment[^>]*>)?", listed[0]) if listed else []


def _strings(book: _Book) -> Iterator[Extra]:
    """Texts of the workbook that no cell shows any more, and texts beside those of cells."""
    shared = book.text("xl/sharedStrings.xml")
    texts = len(re.findall(rb"<(?:\w+:)?si\b", shared))
    cells = rb"<(?:\w+:)?c\b[^>]*\bt=\"s\"[^>]*>\s*(?:<(?:\w+:)?f\b[^>]*>[^<]*</(?:\w+:)?f>\s*)?<(?:\w+:)?v[^>]*>(\d+)"
    used = {int(number) for sheet in book.sheets for number in re.findall(cells, sheet)}
    if unused := len(set(range(texts)) - used):
        yield Extra(CONTENT, f"holds {counted(unused, 'text')} that no cell shows")
    if b"rPh" in shared:
        yield Extra(NOTE, "has readings beside the texts of cells")
    if any(re.search(rb"<(?:\w+:)?rPr\b", part) for part in (shared, *book.sheets)):
        yield Extra(NOTE, "has letters that look different from others of their cell")


def _properties(book: _Book) -> Iterator[Extra]:
    """Every property that says more than which program wrote a workbook of which sheets, and when."""
    told = book.text("docProps/core.xml") + book.text("docProps/app.xml")
    sheets = set(re.findall(rb"<(?:\w+:)?sheet\b[^>]*\bname=\"([^\"]*)\"", book.text("xl/workbook.xml")))
    found = [
        name.decode(errors="replace")
        for name, said in re.findall(rb"<(?:\w+:)?(\w+)\b[^>]*>([^<]*)</", told)
        if said.strip() and not _plain_property(name, said.strip(), sheets)
    ]
    if found:
        yield Extra(NOTE, f"tells in its properties: {', '.join(dict.fromkeys(found))}")


def _plain_property(name: bytes, said: bytes, sheets: set[bytes]) -> bool:
    if name == b"lpstr":  # names of sheets, and headings above them
        return said in sheets or HEADINGS.fullmatch(said) is not None
    if name == b"AppVersion":
        return re.fullmatch(rb"[\d.]{1,8}", said) is not None
    if name in (b"i4", b"revision"):
        return re.fullmatch(rb"\d{1,3}", said) is not None
    plain = PLAIN_PROPERTIES.fullmatch(name) is not None
    return PLAIN_VALUE.fullmatch(said) is not None if plain else PROGRAMS.fullmatch(said) is not None


def _says_something(code: bytes) -> bool:
    """Whether a format of numbers has words of its own, or hides what a cell holds."""
    text = code.replace(b"&quot;", b'"').replace(b"\\", b"")
    words = re.findall(rb'"([^"]*)"', text)
    return b";;;" in text or any(len(word.strip()) > 3 for word in words)
