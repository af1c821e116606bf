# SPDX-License-Identifier: Apache-2.0
"""Rows that look alike, counted as the judges count them."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.errors import TableError
from shoal.tables import equivalence_classes
from shoal.tables.equivalence_classes import class_sizes, classes, has_missing, wildcard_class_sizes
from shoal.tables.table import Table

cells = st.sampled_from([None, "a", "b"])
numbers = st.sampled_from([None, 0.0, -0.0, 1.5, float("nan")])
tables = st.lists(st.tuples(cells, numbers, cells, cells), max_size=30)


def table_of(rows: list[tuple]) -> Table:
    """A table with columns of text and floats, named so that they could clash with helper columns."""
    schema = {"rows": pl.String, "row": pl.Float64, "class": pl.String, "0": pl.String}
    return Table.of(pl.DataFrame(rows, schema=schema, orient="row"))


def plain(rows: list[tuple]) -> list[tuple]:
    """The rows as Python compares them: NaN is missing, and -0.0 equals 0.0 anyway."""
    return [tuple(None if cell != cell else cell for cell in row) for row in rows]  # noqa: PLR0124


def match(one: tuple, other: tuple) -> bool:
    """Alike where both are present."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


@given(tables)
def test_sizes_count_equal_rows(rows: list[tuple]) -> None:
    """A class is every row with the same cells, missing among them."""
    expected = [plain(rows).count(row) for row in plain(rows)]
    assert class_sizes(table_of(rows), ["rows", "row", "class", "0"]).tolist() == expected


@given(tables)
def test_classes_are_numbered_by_first_row(rows: list[tuple]) -> None:
    """Numbers start at 0 and rise with the first row of each class."""
    seen = list(dict.fromkeys(plain(rows)))
    found = classes(table_of(rows), ["rows", "row", "class", "0"])
    assert found.tolist() == [seen.index(row) for row in plain(rows)]
    assert found.dtype == np.int64


@pytest.mark.parametrize("work_of_a_join", [0, 1, 50, 10**9])
@given(rows=tables)
def test_wildcard_sizes_count_every_matching_row(work_of_a_join: int, rows: list[tuple]) -> None:
    """A missing cell matches anything, on either side, whether counted by joins, by comparison or by both."""
    known = plain(rows)
    expected = [sum(match(row, other) for other in known) for row in known]
    with patch.object(equivalence_classes, "WORK_OF_A_JOIN", work_of_a_join):
        assert wildcard_class_sizes(table_of(rows), ["rows", "row", "class", "0"]).tolist() == expected


@pytest.mark.parametrize("count", [classes, class_sizes, wildcard_class_sizes])
def test_no_rows(count: object) -> None:
    """An empty table has no sizes."""
    assert count(table_of([]), ["row"]).tolist() == []  # type: ignore[operator]


def test_no_columns_is_one_class() -> None:
    """Rows that are compared on nothing look alike."""
    table = table_of([("a", 1.0, None, None), ("b", None, "a", "b")])
    assert classes(table, []).tolist() == [0, 0]
    assert class_sizes(table, []).tolist() == [2, 2]
    assert wildcard_class_sizes(table, []).tolist() == [2, 2]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1, 1, None], dtype=pl.Int8),
        pl.Series([True, True, None]),
        pl.Series(["x", "x", None], dtype=pl.Categorical),
        pl.Series(["x", "x", None], dtype=pl.Enum(["x", "y"])),
        pl.Series(["2020-01-01", "2020-01-01", None]).str.to_date(),
        pl.Series([b"x", b"x", None]),
    ],
    ids=lambda column: str(column.dtype),
)
def test_every_plain_type_can_be_compared(column: pl.Series) -> None:
    """Types do not matter, only equality."""
    table = Table.of(pl.DataFrame({"x": column}))
    assert class_sizes(table, ["x"]).tolist() == [2, 2, 1]
    assert wildcard_class_sizes(table, ["x"]).tolist() == [3, 3, 3]
    assert has_missing(table, ["x"])


def test_nested_cells_are_refused() -> None:
    """A list in a cell is an input error that names the column."""
    table = Table.of(pl.DataFrame({"x": [[1], [2]]}))
    with pytest.raises(TableError, match="nested") as caught:
        class_sizes(table, ["x"])
    assert "'x'" in caught.value.where


@pytest.mark.parametrize(("work_of_a_join", "block"), [(0, 1), (10**9, 1), (10**9, 5000), (10**9, 10**7)])
def test_many_rows_and_patterns(work_of_a_join: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every combination of missing cells at once, in blocks of any size."""
    monkeypatch.setattr(equivalence_classes, "WORK_OF_A_JOIN", work_of_a_join)
    monkeypatch.setattr(equivalence_classes, "BLOCK", block)
    random = np.random.default_rng(5)
    hidden = random.random((4000, 5)) < 0.2
    values = random.integers(0, 3, (4000, 5)).astype(float)
    values[hidden] = np.nan
    table = Table.of(pl.DataFrame(values, schema=list("abcde")))
    wild = wildcard_class_sizes(table, list("abcde"))
    sample = random.integers(0, 4000, 50)
    either = hidden[sample][:, None] | hidden[None, :, :]
    equal = values[sample][:, None] == values[None, :, :]
    assert wild[sample].tolist() == (either | equal).all(axis=2).sum(axis=1).tolist()
    assert (wild >= class_sizes(table, list("abcde"))).all()
