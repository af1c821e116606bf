# SPDX-License-Identifier: Apache-2.0
"""Tables are the same if nobody can tell them apart by asking."""

from __future__ import annotations

import polars as pl

from shoal.tables.notation import PLAIN, Notation
from shoal.tables.sameness import same_tables
from shoal.tables.table import Table


def table(cells: list[str | None], **marks: object) -> Table:
    """One column of text."""
    return Table(pl.DataFrame({"a": cells}), **{"untyped": True, **marks})  # type: ignore[arg-type]


def test_cells_types_and_marks_count() -> None:
    """Another cell, another type, another mark: another table."""
    assert same_tables(table(["1", None]), table(["1", None]))
    assert not same_tables(table(["1", None]), table(["1", "2"]))
    assert not same_tables(table(["1"]), Table(pl.DataFrame({"a": [1]}), untyped=True))
    assert not same_tables(table(["1"]), table(["1"], decimal=","))
    assert not same_tables(table(["1"]), table(["1"], untyped=False))


def test_what_is_told_counts_where_it_changes_something() -> None:
    """That numbers are written as usual need not be said; codes that would become numbers are another table."""
    told = {"notations": {"a": PLAIN}}
    assert same_tables(table(["1.5", None]), table(["1.5", None], **told))
    assert same_tables(table(["[1, 2]"]), table(["[1, 2]"], **told))
    assert not same_tables(table(["1.5"]), table(["1.5"], notations={"a": Notation(",", ".")}))
    assert not same_tables(table(["1.5"], untyped=False), table(["1.5"], untyped=False, **told))
    codes, same_codes = table(["007", "008"]), table(["007", "008"], **told)
    alike = codes.natural_kind("a") == same_codes.natural_kind("a")
    assert same_tables(codes, same_codes) == alike
