# SPDX-License-Identifier: Apache-2.0
"""Defects of the bytes of a file, format by format: what a reader can tell apart, and what lies beside the cells.

``DEFECTS`` says which formats each of them can be planted in.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from tests.defects.cases import QUASI_IDENTIFIERS, Case, Defect

SECRET = "Abel 31337"
"""What must not be found anywhere."""


def _smallest(case: Case) -> int:
    """A row of a smallest class."""
    return int(case.table.select(pl.len().over(QUASI_IDENTIFIERS)).to_series().arg_min() or 0)


def _edited(case: Case, edit: Callable[[Path], None]) -> Case:
    """The file of the table, edited."""
    whole = case.written()
    assert whole.target is not None
    edit(whole.target)
    return whole


# -- text ------------------------------------------------------------------------------------------------------------


def _line(case: Case, change: Callable[[str], str]) -> Case:
    """The line of one row of a smallest class, changed."""

    def edit(path: Path) -> None:
        lines = path.read_text(encoding="utf-8").split("\n")
        place = _smallest(case) + (case.format == "delimited")
        lines[place] = change(lines[place])
        path.write_text("\n".join(lines), encoding="utf-8")

    return _edited(case, edit)


def a_blank_after_a_separator(case: Case) -> Case:
    """f, North: many readers keep the blank."""
    shown = case.table["sex"][_smallest(case)]
    return _line(case, lambda line: line.replace(f",{shown},", f", {shown},", 1))


def a_tab_before_a_separator(case: Case) -> Case:
    """Tabs around a field that is not quoted."""
    shown = case.table["sex"][_smallest(case)]
    return _line(case, lambda line: line.replace(f",{shown},", f",{shown}\t,", 1))


def a_field_too_many(case: Case) -> Case:
    """A cell behind the last column."""
    return _line(case, lambda line: f"{line},{SECRET}")


def a_remark_above_the_table(case: Case) -> Case:
    """A line before the names of the columns."""
    return _edited(case, lambda path: path.write_text(f"# {SECRET}\n" + path.read_text()))


def a_remark_below_the_table(case: Case) -> Case:
    """A line after the last row."""
    return _edited(case, lambda path: path.write_text(path.read_text() + f"# {SECRET}\n"))


def a_byte_order_mark(case: Case) -> Case:
    """As spreadsheets write it."""
    return _edited(case, lambda path: path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes()))


def a_key_twice(case: Case) -> Case:
    """Readers differ in which of the two they take."""
    return _line(case, lambda line: line[:-1] + ', "sex": "x"}')


def a_key_that_is_absent(case: Case) -> Case:
    """Beside rows where the same cell is null."""

    def edit(path: Path) -> None:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for row in rows:
            row["region"] = None
        del rows[_smallest(case)]["region"]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    return _edited(case, edit)


def a_number_in_two_forms(case: Case) -> Case:
    """1 in all rows, 1.0 in one."""

    def edit(path: Path) -> None:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        for number, row in enumerate(rows):
            row["region"] = 1.0 if number == _smallest(case) else 1
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    return _edited(case, edit)


def an_object_in_a_cell(case: Case) -> Case:
    """Cells inside a cell."""

    def edit(path: Path) -> None:
        rows = [{**json.loads(line), "more": {"name": SECRET}} for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    return _edited(case, edit)


# -- packed ----------------------------------------------------------------------------------------------------------


def _packed(case: Case, pack: Callable[[bytes], bytes]) -> Case:
    whole = case.written()
    assert whole.target is not None
    packed = whole.target.with_suffix(".csv.gz")
    packed.write_bytes(pack(whole.target.read_bytes()))
    whole.target.unlink()
    return replace(whole, target=packed)


def a_name_in_the_packing(case: Case) -> Case:
    """The original name of the file, and a remark."""
    header = b"\x1f\x8b\x08\x18\0\0\0\0\0\xff" + SECRET.encode() + b"\0" + SECRET.encode() + b"\0"
    return _packed(case, lambda data: header + gzip.compress(data, mtime=0)[10:])


def a_field_in_the_packing(case: Case) -> Case:
    """An extra field, which no reader shows."""
    extra = b"SE" + struct.pack("<H", len(SECRET)) + SECRET.encode()
    header = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff" + struct.pack("<H", len(extra)) + extra
    return _packed(case, lambda data: header + gzip.compress(data, mtime=0)[10:])


def bytes_after_the_packing(case: Case) -> Case:
    """Behind the end of the stream."""
    return _packed(case, lambda data: gzip.compress(data, mtime=0) + SECRET.encode())


# -- columns ---------------------------------------------------------------------------------------------------------


def _frame(case: Case, change: Callable[[pl.DataFrame], Any], write: str = "") -> Case:
    """The file of another frame, written by Polars or PyArrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import feather

    whole = case.written()
    assert whole.target is not None
    made = change(case.table)
    table = made if isinstance(made, pa.Table) else made.to_arrow()
    if case.format == "parquet":
        pq.write_table(table, whole.target)
    else:
        feather.write_feather(table, str(whole.target), compression="uncompressed")
    return whole


def _floats(case: Case, usual: float, other: float | None) -> Case:
    """A quasi-identifier of numbers, all the same but one."""
    cells = [other if row == _smallest(case) else usual for row in range(len(case.table))]
    return _frame(case, lambda frame: frame.with_columns(pl.Series("region", cells, dtype=pl.Float64)))


def not_a_number_beside_missing(case: Case) -> Case:
    """NaN in one row, missing in the others."""
    cells = [float("nan") if row == _smallest(case) else None for row in range(len(case.table))]
    return _frame(case, lambda frame: frame.with_columns(pl.Series("region", cells, dtype=pl.Float64)))


def minus_zero_beside_zero(case: Case) -> Case:
    """-0.0 in one row, 0.0 in the others."""
    return _floats(case, 0.0, -0.0)


def a_column_of_structures(case: Case) -> Case:
    """Cells inside cells."""
    return _frame(case, lambda frame: frame.with_columns(pl.struct(pl.lit(SECRET).alias("name")).alias("more")))


def a_column_of_lists(case: Case) -> Case:
    """Several cells in one."""
    return _frame(case, lambda frame: frame.with_columns(pl.concat_list(pl.lit(SECRET), pl.lit("b")).alias("more")))


def a_column_of_bytes(case: Case) -> Case:
    """Bytes, which may be anything."""
    return _frame(case, lambda frame: frame.with_columns(pl.lit(SECRET.encode()).alias("more")))


def a_note_in_the_schema(case: Case) -> Case:
    """Metadata of the file."""
    return _frame(case, lambda frame: frame.to_arrow().replace_schema_metadata({"remark": SECRET}))


def a_note_of_a_column(case: Case) -> Case:
    """Metadata of one column."""
    import pyarrow as pa

    def change(frame: pl.DataFrame) -> Any:
        table = frame.to_arrow()
        fields = [field.with_metadata({"remark": SECRET}) if field.name == "sex" else field for field in table.schema]
        return table.cast(pa.schema(fields))

    return _frame(case, change)


def a_category_nobody_has(case: Case) -> Case:
    """A dictionary with a value that no row shows."""
    import pyarrow as pa

    def change(frame: pl.DataFrame) -> Any:
        values = [*frame["disease"].unique().sort(), SECRET]
        codes = [values.index(cell) for cell in frame["disease"]]
        column = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(values))
        table = frame.to_arrow()
        return table.set_column(table.column_names.index("disease"), "disease", column)

    return _frame(case, change)


# -- workbooks -------------------------------------------------------------------------------------------------------


def _book(case: Case, change: Callable[[Any, Any], None]) -> Case:
    """The table in a workbook with something beside it; ``change`` takes the workbook and its sheet."""
    import xlsxwriter

    def edit(path: Path) -> None:
        with xlsxwriter.Workbook(str(path)) as book:
            sheet = book.add_worksheet("table")
            for number, row in enumerate([case.table.columns, *case.table.rows()]):
                sheet.write_row(number, 0, row)
            change(book, sheet)

    return _edited(case, edit)


def a_hidden_sheet(case: Case) -> Case:
    """A second sheet that nobody sees."""

    def change(book: Any, sheet: Any) -> None:
        more = book.add_worksheet("more")
        more.write(0, 0, SECRET)
        more.hide()

    return _book(case, change)


def a_comment_of_a_cell(case: Case) -> Case:
    """A note beside a cell."""
    return _book(case, lambda book, sheet: sheet.write_comment("A2", SECRET))


def a_property_of_the_workbook(case: Case) -> Case:
    """Its title."""
    return _book(case, lambda book, sheet: book.set_properties({"title": SECRET}))


def a_name_of_the_workbook(case: Case) -> Case:
    """A defined name that holds text."""
    return _book(case, lambda book, sheet: book.define_name("remark", f'="{SECRET}"'))


def a_hidden_column(case: Case) -> Case:
    """A column that nobody sees, beside the table."""

    def change(book: Any, sheet: Any) -> None:
        sheet.write_column(0, 30, ["", SECRET])
        sheet.set_column(30, 30, None, None, {"hidden": True})

    return _book(case, change)


def _marked(case: Case, **look: Any) -> Case:
    """One row of a smallest class, in a look of its own."""
    place = _smallest(case) + 1
    cells = ["" if cell is None else cell for cell in case.table.row(place - 1)]
    return _book(case, lambda book, sheet: sheet.write_row(place, 0, cells, book.add_format(look)))


def a_row_in_bold(case: Case) -> Case:
    """Letters of another weight."""
    return _marked(case, bold=True)


def a_row_in_colour(case: Case) -> Case:
    """A ground of another colour, all but white."""
    return _marked(case, bg_color="#FEFEFE")


def a_taller_row(case: Case) -> Case:
    """A row that is a little taller."""
    return _book(case, lambda book, sheet: sheet.set_row(_smallest(case) + 1, 15.5))


def a_row_at_another_level(case: Case) -> Case:
    """A row that can be folded away."""
    return _book(case, lambda book, sheet: sheet.set_row(_smallest(case) + 1, None, None, {"level": 1}))


def rows_in_parts(case: Case) -> Case:
    """A class stored by itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = max(_smallest(case), 1)
    whole = case.written()
    frames = [case.table[:first], case.table[first : first + 2], case.table[first + 2 :]]
    parts = [frame.to_arrow().combine_chunks() for frame in frames if len(frame)]
    if case.format == "parquet":
        with pq.ParquetWriter(whole.target, parts[0].schema) as file:
            for part in parts:
                file.write_table(part)
        return whole
    with pa.ipc.new_file(str(whole.target), parts[0].schema) as stream:
        for part in parts:
            stream.write_table(part)
    return whole


# -- databases -------------------------------------------------------------------------------------------------------


def _sqlite(case: Case, *statements: str) -> Case:
    def edit(path: Path) -> None:
        with sqlite3.connect(path) as base:
            for statement in statements:
                base.execute(statement)
        base.close()

    return _edited(case, edit)


def another_table(case: Case) -> Case:
    """Beside the released one."""
    statements = ["create table more (name text)", f"insert into more values ('{SECRET}')"]
    if case.format == "sqlite":
        return _sqlite(case, *statements)

    def edit(path: Path) -> None:
        import duckdb

        with duckdb.connect(str(path)) as base:
            for statement in statements:
                base.execute(statement)

    return _edited(case, edit)


def a_table_that_was_dropped(case: Case) -> Case:
    """Its cells are still in free pages."""
    cells = f"insert into more select '{SECRET}' from sqlite_master, (select 1 union select 2)"
    return _sqlite(case, "pragma secure_delete = off", "create table more (name text)", cells, "drop table more")


# -- statistics ------------------------------------------------------------------------------------------------------


def _labelled(case: Case, **more: Any) -> Case:
    import pyreadstat

    def edit(path: Path) -> None:
        write = pyreadstat.write_sav if case.format == "spss" else pyreadstat.write_dta
        write(case.table.to_pandas(), str(path), **more)

    return _edited(case, edit)


def a_label_of_a_value_nobody_has(case: Case) -> Case:
    """A list of codes that tells more than the cells."""
    return _labelled(case, variable_value_labels={"visits": {0: "none", 77: SECRET}})


def a_label_of_the_file(case: Case) -> Case:
    """A remark that programs show as title."""
    return _labelled(case, file_label=SECRET)


# -- which where -----------------------------------------------------------------------------------------------------

TEXT, JSON, COLUMNS = ("delimited",), ("json_lines",), ("parquet", "arrow_ipc")
DEFECTS: dict[Defect, tuple[str, ...]] = {
    a_blank_after_a_separator: TEXT,
    a_tab_before_a_separator: TEXT,
    a_field_too_many: TEXT,
    a_remark_above_the_table: TEXT,
    a_remark_below_the_table: TEXT,
    a_byte_order_mark: TEXT,
    a_name_in_the_packing: TEXT,
    a_field_in_the_packing: TEXT,
    bytes_after_the_packing: TEXT,
    a_key_twice: JSON,
    a_key_that_is_absent: JSON,
    a_number_in_two_forms: JSON,
    an_object_in_a_cell: JSON,
    not_a_number_beside_missing: COLUMNS,
    minus_zero_beside_zero: COLUMNS,
    a_column_of_structures: COLUMNS,
    a_column_of_lists: COLUMNS,
    a_column_of_bytes: COLUMNS,
    a_note_in_the_schema: COLUMNS,
    a_note_of_a_column: COLUMNS,
    a_category_nobody_has: COLUMNS,
    a_hidden_sheet: ("excel",),
    a_comment_of_a_cell: ("excel",),
    a_property_of_the_workbook: ("excel",),
    a_name_of_the_workbook: ("excel",),
    a_hidden_column: ("excel",),
    a_row_in_bold: ("excel",),
    a_row_in_colour: ("excel",),
    a_taller_row: ("excel",),
    a_row_at_another_level: ("excel",),
    rows_in_parts: COLUMNS,
    another_table: ("sqlite", "duckdb"),
    a_table_that_was_dropped: ("sqlite",),
    a_label_of_a_value_nobody_has: ("spss", "stata"),
    a_label_of_the_file: ("spss", "stata"),
}
