# SPDX-License-Identifier: Apache-2.0
"""The public exam of a table format: what every file of ``tables/formats/`` must be able to do.

``check_format("parquet")`` raises an AssertionError that names the promise which is broken. A format need not carry
types, but names, their order, every text, and the difference between empty and missing must come back.
"""

from __future__ import annotations

import tempfile
from datetime import date, datetime
from pathlib import Path
from types import ModuleType

import numpy as np

from shoal import catalog
from shoal.errors import TableError
from shoal.tables.reading import Reading
from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table

AWKWARD = [
    "",
    None,
    " edge ",
    'say "so"',
    "two\nlines",
    "cr\r\nlf",
    "a,b;c\td|e",
    "żółć 漢字 🐟",
    "=1+1",
    "00123",
    "NA",
    "'",
]
WIDE = 200


def check_format(name: str) -> None:
    """Let a format sit the exam."""
    module = catalog.load("tables.formats", name)
    assert catalog.find("tables.formats", name).summary, f"{name}: the module docstring needs a summary line"
    assert module.EXTENSIONS, f"{name}: EXTENSIONS is empty"
    assert all(one.startswith(".") and one == one.lower() for one in module.EXTENSIONS), f"{name}: EXTENSIONS"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{extension(name)}"
        for what, table in _tables().items():
            _check_round_trip(f"{name}, {what}", table, path, name)
        _check_types(name, path)
        _check_refusals(name, module, Path(folder))


def _tables() -> dict[str, Table]:
    """Small tables of text that are easy to get wrong."""
    awkward = Table.from_columns({"text": AWKWARD, 'na"me, odd': AWKWARD[::-1], "plain": ["x"] * len(AWKWARD)})
    wide = {f"column {number}": [str(number), None] for number in range(WIDE)}
    return {
        "awkward cells": awkward,
        "reversed column order": awkward.select(awkward.names[::-1]),
        "no rows": awkward.take(np.zeros(0, dtype=np.int64)),
        "one row": awkward.take(np.array([1])),
        f"{WIDE} columns": Table.from_columns(wide),
        "one column with missing cells": Table.from_columns({"only": ["a", None, "", None]}),
        "nothing but missing cells": awkward.take(np.array([1, 1])).select(["text"]),
    }


def _check_round_trip(what: str, table: Table, path: Path, name: str) -> None:
    reading = Reading()
    write_table(table, path, name, reading)
    first = path.read_bytes()
    source = read_table(path, reading.as_written(), format=name)
    assert source.format == name, f"{what}: the source names another format"
    assert source.table.names == table.names, f"{what}: the columns came back changed"
    assert len(source.table) == len(table), f"{what}: {len(source.table)} rows came back of {len(table)}"
    for column in table.names:
        same = source.table.texts(column).to_list() == table.texts(column).to_list()
        assert same, f"{what}: cells of column {column!r} came back changed"
    write_table(table, path, name, reading)
    assert path.read_bytes() == first, f"{what}: writing the same table twice gives other bytes"
    write_table(source.table, path, name, source.reading)
    assert path.read_bytes() == first, f"{what}: writing what was read gives other bytes"


def _check_types(name: str, path: Path) -> None:
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
    write_table(typed, path, name)
    back = read_table(path, Reading().as_written(), format=name).table
    for column in typed.names:
        kept = back.untyped or back.natural_kind(column) == typed.natural_kind(column)
        assert kept, f"{name}: the type of column {column!r} was lost and the table is not marked untyped"
        assert back.missing(column).tolist() == typed.missing(column).tolist(), f"{name}: missing cells moved"
        if back.natural_kind(column) in ("numeric", "date"):
            same = np.array_equal(back.numbers(column).values, typed.numbers(column).values, equal_nan=True)
            assert same, f"{name}: numbers of column {column!r} came back changed"


def _check_refusals(name: str, module: ModuleType, folder: Path) -> None:
    """What cannot be read is refused as a TableError with all its parts."""
    ending = module.EXTENSIONS[0]
    (folder / f"empty{ending}").write_bytes(b"")
    (folder / f"noise{ending}").write_bytes(bytes(range(256)) * 8)
    for file in ("absent", "empty", "noise"):
        problem = _refusal(folder / f"{file}{ending}")
        assert problem is not None, f"{name}: an {file} file was read as a table"
        assert len(problem.parts()) == 5, f"{name}: the error for an {file} file lacks a part"


def _refusal(path: Path) -> TableError | None:
    try:
        read_table(path)
    except TableError as problem:
        return problem
    return None
