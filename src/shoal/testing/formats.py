# SPDX-License-Identifier: Apache-2.0
"""The public exam of a table format: what every file of ``tables/formats/`` must be able to do.

``check_format("parquet")`` raises an AssertionError that names the promise which is broken. Names, their order and
every text must come back; what else does not is declared in ``LOSES``, by the words of :data:`DECLARED`, and is then
not asked for. What is declared as refused must be refused. Databases without a file are only asked for their
declarations.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from types import ModuleType

import numpy as np

from shoal.ground import catalog
from shoal.ground.errors import TableError
from shoal.tables.reading import Reading
from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table
from shoal.testing import _specimen as specimen

AWKWARD = ["", None, " edge ", 'say "so"', "two\nlines", "cr\r\nlf", "a,b;c\td|e", "żółć 漢字 🐟"]
AWKWARD += ["=1+1", "00123", "NA", "'"]
WIDE = 200

DECLARED = {
    "bytes": "writing twice may give other bytes of the same content",
    "booleans": "booleans come back as numbers",
    "blanks at the end of text": "they are cut",
    "empty text": "it is missing afterwards",
    "names": "only names of letters, digits and _ are carried",
    "rows without cells": "refused at the end of a table",
    "tables without rows": "refused",
    "types": "the table comes back untyped",
}
"""Losses that change what the exam asks for."""


def check_format(name: str) -> None:
    """Let a format sit the exam."""
    module = catalog.load("formats", name)
    assert catalog.find("formats", name).summary, f"{name}: the module docstring needs a summary line"
    assert getattr(module, "KEEPS", ""), f"{name}: KEEPS is empty"
    assert isinstance(getattr(module, "LOSES", None), Mapping), f"{name}: LOSES is no mapping"
    assert all(what and how for what, how in module.LOSES.items()), f"{name}: LOSES"
    endings, schemes = module.EXTENSIONS, getattr(module, "SCHEMES", ())
    assert endings or schemes, f"{name}: EXTENSIONS is empty"
    assert all(one.startswith(".") and one == one.lower() for one in endings), f"{name}: EXTENSIONS"
    if not endings:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{extension(name)}"
        _check_refusals(name, module, Path(folder))
        if hasattr(module, "write"):
            for what, table in _tables(module.LOSES).items():
                _check_round_trip(f"{name}, {what}", table, path, name, module.LOSES)
            _check_types(name, path, module.LOSES)


def _tables(loses: Mapping[str, str]) -> dict[str, Table]:
    """Small tables of text that are easy to get wrong."""
    odd, spaced = ("odd", "column_") if "names" in loses else ('na"me, odd', "column ")
    awkward = Table.from_columns({"text": AWKWARD, odd: AWKWARD[::-1], "plain": ["x"] * len(AWKWARD)})
    wide = {f"{spaced}{number}": [str(number), None, "z"] for number in range(WIDE)}
    return {
        "awkward cells": awkward,
        "reversed column order": awkward.select(awkward.names[::-1]),
        "no rows": awkward.take(np.zeros(0, dtype=np.int64)),
        "one row": awkward.take(np.array([1])),
        f"{WIDE} columns": Table.from_columns(wide),
        "one column with missing cells": Table.from_columns({"only": ["a", None, "", None]}),
        "nothing but missing cells": awkward.take(np.array([1, 1])).select(["text"]),
    }


def _must_be_refused(table: Table, loses: Mapping[str, str]) -> bool:
    if not len(table):
        return "tables without rows" in loses
    return "rows without cells" in loses and all(table.missing(name)[-1] for name in table.names)


def _check_round_trip(what: str, table: Table, path: Path, name: str, loses: Mapping[str, str]) -> None:
    reading = Reading()
    if _must_be_refused(table, loses):
        problem = specimen.refusal(TableError, write_table, table, path, name, reading)
        assert problem is not None, f"{what}: not refused"
        return
    write_table(table, path, name, reading)
    first = path.read_bytes()
    source = read_table(path, reading.as_written(), format=name)
    assert source.format == name, f"{what}: the source names another format"
    assert source.table.names == table.names, f"{what}: the columns came back changed"
    assert len(source.table) == len(table), f"{what}: {len(source.table)} rows came back of {len(table)}"
    for column in table.names:
        expected = [_left_of(cell, loses) for cell in table.texts(column).to_list()]
        same = source.table.texts(column).to_list() == expected
        assert same, f"{what}: cells of column {column!r} came back changed"
    if "bytes" in loses:
        return
    path.unlink()
    write_table(table, path, name, reading)
    assert path.read_bytes() == first, f"{what}: writing the same table twice gives other bytes"
    path.unlink()
    write_table(source.table, path, name, source.reading)
    assert path.read_bytes() == first, f"{what}: writing what was read gives other bytes"


def _left_of(cell: str | None, loses: Mapping[str, str]) -> str | None:
    """What a format makes of a text, by its own declaration."""
    if cell is not None and "blanks at the end of text" in loses:
        cell = cell.rstrip(" ")
    return None if cell == "" and "empty text" in loses else cell


def _check_types(name: str, path: Path, loses: Mapping[str, str]) -> None:
    """Typed columns come back with their types, or as text in a table marked untyped."""
    typed = Table.from_columns(
        {
            "whole": (1, None, -3),
            "real": (0.1, 1e300, None),
            "truth": (True, None, False),
            "day": (date(2020, 2, 29), None, date(1900, 1, 1)),
            "moment": (datetime(2020, 2, 29, 12, 30), None, datetime(1970, 1, 1)),
        }
    )
    path.unlink(missing_ok=True)
    write_table(typed, path, name)
    back = read_table(path, Reading().as_written(), format=name).table
    assert back.untyped <= ("types" in loses), f"{name}: the table comes back untyped, which LOSES does not tell"
    for column in typed.names:
        assert back.missing(column).tolist() == typed.missing(column).tolist(), f"{name}: missing cells moved"
        if column == "truth" and "booleans" in loses:
            continue
        kept = back.untyped or back.natural_kind(column) == typed.natural_kind(column)
        assert kept, f"{name}: the type of column {column!r} was lost and the table is not marked untyped"
        if back.natural_kind(column) in ("numeric", "date"):
            same = np.array_equal(back.numbers(column).values, typed.numbers(column).values, equal_nan=True)
            assert same, f"{name}: numbers of column {column!r} came back changed"


def _check_refusals(name: str, module: ModuleType, folder: Path) -> None:
    """What cannot be read is refused as a TableError with all its parts."""
    ending = module.EXTENSIONS[0]
    (folder / f"empty{ending}").write_bytes(b"")
    (folder / f"noise{ending}").write_bytes(bytes(range(256)) * 8)
    for file in ("absent", "empty", "noise"):
        path = folder / f"{file}{ending}"
        problem = specimen.refusal(TableError, read_table, path)
        assert problem is not None, f"{name}: an {file} file was read as a table"
        assert len(problem.parts()) == 5, f"{name}: the error for an {file} file lacks a part"
