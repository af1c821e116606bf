# SPDX-License-Identifier: Apache-2.0
"""Files and folders: what stands around the cells, and what was changed after the release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from tests.judging.seeded_defects.good_release import Defect, Released, changed, release


def a_byte_order_mark(whole: Released, place: Path) -> Released:
    """A CSV file as spreadsheets write it."""
    path = place / "table.csv"
    path.write_bytes(b"\xef\xbb\xbf" + whole.table.write_csv().encode())
    return replace(whole, path=path)


def blanks_around_some_fields(whole: Released, place: Path) -> Released:
    """A CSV file in which every seventh line has a blank before its last field, which is no quasi-identifier."""
    path = place / "table.csv"
    lines = whole.table.write_csv().splitlines()
    marked = [", ".join(line.rsplit(",", 1)) if number % 7 == 1 else line for number, line in enumerate(lines)]
    path.write_text("\n".join(marked) + "\n")
    return replace(whole, path=path)


def two_spellings_of_a_number(whole: Released, _: Path) -> Released:
    """Whole pulses with and without a point, as text."""
    pulse = whole.table["pulse"].round(0).cast(pl.Int64).cast(pl.String)
    odd = pl.Series(np.arange(len(pulse)) % 2 == 1)
    return changed(whole, (pulse + ".0").zip_with(odd, pulse).alias("pulse"))


def notes_in_the_file(whole: Released, place: Path) -> Released:
    """A Parquet file with a note of where it came from."""
    path = place / "table.parquet"
    whole.table.write_parquet(path, metadata={"source": "a folder"})
    return replace(whole, path=path)


def a_hidden_sheet(whole: Released, place: Path) -> Released:
    """A workbook with a second sheet that nobody sees."""
    import xlsxwriter

    path = place / "table.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("table")
        for column, name in enumerate(whole.table.columns):
            sheet.write_column(0, column, [name, *whole.table[name].to_list()])
        book.add_worksheet("original").hide()
    return replace(whole, path=path)


def an_author_of_the_workbook(whole: Released, place: Path) -> Released:
    """A workbook that tells who made it."""
    path = a_hidden_sheet(whole, place).path
    import xlsxwriter

    assert path is not None
    with xlsxwriter.Workbook(path) as book:
        book.set_properties({"author": "Anna"})
        sheet = book.add_worksheet("table")
        for column, name in enumerate(whole.table.columns):
            sheet.write_column(0, column, [name, *whole.table[name].to_list()])
    return replace(whole, path=path)


def a_category_of_a_row_left_out(whole: Released, place: Path) -> Released:
    """A type that lists a value which no row has any more."""
    diseases = [*whole.table["disease"].unique().sort(), "rare"]
    return replace(whole, table=whole.table.cast({"disease": pl.Enum(diseases)}))


def a_name_that_is_a_date_of_birth(whole: Released, place: Path) -> Released:
    """A column that is called by a cell."""
    return replace(whole, table=whole.table.with_columns((pl.col("visits") * 3).alias("1984-02-29")))


def a_workbook_of_an_old_form(whole: Released, place: Path) -> Released:
    """A file whose container nobody looks into."""
    path = a_hidden_sheet(whole, place).path
    assert path is not None
    return replace(whole, path=path.rename(path.with_suffix(".xls")))


def a_row_added_after_the_release(whole: Released, place: Path) -> Released:
    """The table of a release folder is edited."""
    path = release().save(place / "release", format="delimited") / "table.csv"
    path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n")
    return replace(whole, folder=path.parent)


def a_report_that_is_gone(whole: Released, place: Path) -> Released:
    """A file of a release folder is deleted."""
    folder = release().save(place / "release")
    (folder / "report.html").unlink()
    return replace(whole, folder=folder)


DEFECTS: dict[Defect, tuple[str, str]] = {
    a_byte_order_mark: ("file_marks", "begins with a byte-order mark"),
    blanks_around_some_fields: ("byte_variants", "'visits' has 35 cells that are written in another way"),
    two_spellings_of_a_number: (
        "label_variants",
        "look-alike letters or digits, which makes classes look more diverse",
    ),
    notes_in_the_file: ("file_marks", "carries 1 notes"),
    a_hidden_sheet: ("container_extras", "holds 1 other sheet, 1 of them hidden"),
    an_author_of_the_workbook: ("container_notes", "tells in its properties: creator"),
    a_category_of_a_row_left_out: ("unseen_values", "the type of column 'disease' lists 1 value that no cell shows"),
    a_name_that_is_a_date_of_birth: ("header_cells", "looks like data, not like a name"),
    a_workbook_of_an_old_form: ("unopened_files", "is a workbook of a form that is not looked into"),
    a_row_added_after_the_release: ("release folder", "table.csv is not the file that was released"),
    a_report_that_is_gone: ("release folder", "report.html is missing"),
}
