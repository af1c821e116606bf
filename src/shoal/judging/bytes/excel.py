# SPDX-License-Identifier: Apache-2.0
"""Workbooks by their cells: a number, a text and a truth value that show the same, formulas, formats of numbers.

The sheet of an .xlsx or .xlsm file is taken apart here. Of older and other workbooks (.xls, .xlsb, .ods) only those are
judged in which every column has cells of one type.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl

from shoal.ground.catalog import library
from shoal.judging.bytes.spellings import refused
from shoal.tables.reading import Reading

PLACE = re.compile(r"([A-Z]+)(\d+)")
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column as its cells are stored: type, content, formula and format of number."""
    if path.suffix.lower() not in (".xlsx", ".xlsm"):
        return _of_one_type(path, reading)
    try:
        with zipfile.ZipFile(path) as book:
            rows = dict(_rows(book, _sheet(book, reading.sheet)))
    except (zipfile.BadZipFile, KeyError, ValueError, ElementTree.ParseError):
        raise _unreadable(path) from None
    if not rows:
        return {}
    shown = {row: cells for row, cells in rows.items() if row > (reading.skip_lines or 0)}
    first, left = min(shown or rows), min(min(cells) for cells in rows.values())
    numbers = range(first + int(reading.header), max(rows) + 1)
    columns = [[rows.get(row, {}).get(left + place) for row in numbers] for place in range(len(names))]
    return {name: pl.Series(name, cells, dtype=pl.String) for name, cells in zip(names, columns, strict=True)}


def _of_one_type(path: Path, reading: Reading) -> Mapping[str, pl.Series]:
    """Nothing, if no column mixes types."""
    fastexcel = library("fastexcel", extra="excel", what="A workbook")
    try:
        book = fastexcel.read_excel(path.read_bytes())
        sheet = reading.sheet if reading.sheet in book.sheet_names else int(reading.sheet or 1) - 1
        skipped = (reading.skip_lines or 0) + int(reading.header)
        book.load_sheet(sheet, header_row=None, skip_rows=skipped, schema_sample_rows=None, dtype_coercion="strict")
    except (fastexcel.FastExcelError, ValueError):
        raise _unreadable(path) from None
    return {}


def _unreadable(path: Path) -> Exception:
    allowed = "an .xlsx file with plain sheets; in .xls, .xlsb and .ods files columns of one type each"
    received = "columns with cells of several types, or sheets that cannot be taken apart"
    return refused("The workbook cannot be judged cell by cell.", f"file {str(path)!r}", allowed, received)


# -- the parts of a workbook -------------------------------------------------------------------------------------------


def _sheet(book: zipfile.ZipFile, wanted: str | None) -> str:
    """Where the sheet that is meant is stored: the one named or numbered, else the first that can be seen."""
    sheets = [one for one in _parsed(book, "xl/workbook.xml").iter() if _tag(one) == "sheet"]
    named = [one for one in sheets if one.get("name") == wanted]
    if wanted is not None and not named:
        named = [sheets[int(wanted) - 1]]
    seen = [one for one in sheets if one.get("state", "visible") == "visible"]
    chosen = (named or seen or sheets)[0]
    targets = {one.get("Id"): one.get("Target", "") for one in _parsed(book, "xl/_rels/workbook.xml.rels")}
    target = targets[chosen.get(RELATION)]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _parsed(book: zipfile.ZipFile, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(book.read(name))


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _texts(book: zipfile.ZipFile) -> list[str]:
    """The texts that cells share, with all that is stored about their look."""
    if "xl/sharedStrings.xml" not in book.namelist():
        return []
    items = [one for one in _parsed(book, "xl/sharedStrings.xml") if _tag(one) == "si"]
    return [_look(item) for item in items]


def _look(item: ElementTree.Element) -> str:
    """A text, bare if it is plain, else with the marks of its parts."""
    children = list(item)
    if len(children) == 1 and _tag(children[0]) == "t":
        return children[0].text or ""
    return ElementTree.tostring(item, encoding="unicode")


def _formats(book: zipfile.ZipFile) -> list[str]:
    """The format of numbers of each style."""
    if "xl/styles.xml" not in book.namelist():
        return []
    styles = [one for one in _parsed(book, "xl/styles.xml") if _tag(one) == "cellXfs"]
    return [one.get("numFmtId", "0") for style in styles for one in style]


def _rows(book: zipfile.ZipFile, name: str) -> Iterator[tuple[int, dict[int, str]]]:
    """The number of each row that has cells, and what is stored in them by column."""
    texts, formats = _texts(book), _formats(book)
    number = 0
    with book.open(name) as stored:
        for _, element in ElementTree.iterparse(stored):
            if _tag(element) != "row":
                continue
            number = int(element.get("r", number + 1))
            cells = dict(_cells(element, texts, formats))
            element.clear()
            if cells:
                yield number, cells


def _cells(row: ElementTree.Element, texts: list[str], formats: list[str]) -> Iterator[tuple[int, str]]:
    place = 0
    for cell in row:
        if _tag(cell) != "c":
            continue
        found = PLACE.fullmatch(cell.get("r", ""))
        place = _column(found[1]) if found else place + 1
        written = _written(cell, texts, formats)
        if written is not None:
            yield place, written


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _written(cell: Any, texts: list[str], formats: list[str]) -> str | None:
    """Type, content, formula and format of a cell; None if it is empty."""
    parts = {_tag(part): part for part in cell}
    kind = cell.get("t", "n")
    held = parts["v"].text if "v" in parts else _look(parts["is"]) if "is" in parts else None
    if held is None:
        return None
    formula = " formula" if "f" in parts else ""
    if kind in ("s", "str", "inlineStr"):
        return f"text{formula} {texts[int(held)] if kind == 's' else held}"
    style = int(cell.get("s", 0))
    return f"{kind}{formula} {formats[style] if style < len(formats) else 0} {held}"
