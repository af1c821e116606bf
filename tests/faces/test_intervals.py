# SPDX-License-Identifier: Apache-2.0
"""Labels of a release become numbers that contain the truth, in the analyst's own kind of frame."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.ground.errors import TableError

NEW_YEAR = datetime(2020, 1, 1, tzinfo=UTC)


def rows(frame: Any) -> list[tuple[Any, ...]]:
    """The rows of any frame, missing as None."""
    if isinstance(frame, pa.Table):
        frame = pl.DataFrame(frame)
    if isinstance(frame, pd.DataFrame):
        frame = pl.from_pandas(frame)
    return frame.fill_nan(None).rows()


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["[35, 39]", "41", "*", None], [(35, 39, 37, 1 / 3), (41, 41, 41, 1), (None,) * 3 + (0,), (None,) * 3 + (0,)]),
        (["{1, 5, 9}", "[-2, -1]"], [(1, 9, 5, 3 / 11), (-2, -1, -1.5, 10 / 11)]),
        (["[1e-07, 1.5e+22]"], [(1e-07, 1.5e22, 7.5e21, 0)]),
        ([">=90", "[0, 90["], [(90, None, None, 0), (0, 90, 45, 0)]),
        (["7", "7"], [(7, 7, 7, 1)] * 2),
        (["*"], [(None, None, None, 0)]),
        ([], []),
        (
            ["[2020-01-01, 2020-01-04]", "2020-01-11"],
            [
                (date(2020, 1, 1), date(2020, 1, 4), date(2020, 1, 2), 0.7),
                (date(2020, 1, 11), date(2020, 1, 11), date(2020, 1, 11), 1),
            ],
        ),
        (
            ["2020-02", "[2020-01-01, 2020-02-01)"],
            [
                (date(2020, 2, 1), date(2020, 2, 29), date(2020, 2, 15), 1 - 28 / 59),
                (date(2020, 1, 1), date(2020, 1, 31), date(2020, 1, 16), 1 - 30 / 59),
            ],
        ),
        (
            ["[2020-01-01T00:00:00+01:00, 2020-01-01T02:00:00+01:00]"],
            [(datetime(2019, 12, 31, 23, tzinfo=UTC), datetime(2020, 1, 1, 1, tzinfo=UTC), NEW_YEAR, 0)],
        ),
    ],
)
def test_what_labels_say(labels: list[str | None], expected: list[tuple[Any, ...]]) -> None:
    """Ends, middle and weight of every way in which a range is published."""
    found = rows(shoal.intervals(pl.Series(labels, dtype=pl.String)))
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert [row[3] for row in found] == pytest.approx([row[3] for row in expected])


def test_decimal_commas() -> None:
    """Ends with a decimal comma are parted by a semicolon."""
    assert rows(shoal.intervals(["[1,5; 3,5]", "5,5"], decimal=",")) == [(1.5, 3.5, 2.5, 0.5), (5.5, 5.5, 5.5, 1.0)]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "list"])
def test_the_kind_of_frame_is_the_columns_own(kind: str) -> None:
    """A pandas index stays, so that the frame can be joined to the table."""
    labels = ["[1, 3]", "5", None]
    column = {
        "pandas": pd.Series(labels, index=[7, 8, 9]),
        "polars": pl.Series(labels),
        "pyarrow": pa.chunked_array([labels]),
        "list": labels,
    }[kind]
    found = shoal.intervals(column)
    assert type(found) is {"pandas": pd.DataFrame, "pyarrow": pa.Table}.get(kind, pl.DataFrame)
    assert rows(found) == [(1, 3, 2, 0.5), (5, 5, 5, 1), (None, None, None, 0)]
    if kind == "pandas":
        assert found.index.tolist() == [7, 8, 9]


@pytest.mark.parametrize("render", ["interval", "set", "bounds"])
@pytest.mark.parametrize("name", ["whole", "real", "day"])
def test_every_record_lies_between_its_ends(name: str, render: str) -> None:
    """What a release publishes is read back, and true of each record."""
    random = np.random.default_rng(0)
    whole = random.integers(0, 100, 60)
    frame = pl.DataFrame(
        {
            "whole": whole,
            "real": whole / 7,
            "day": pl.Series(whole.astype(np.int32)).cast(pl.Date),
        }
    ).with_columns(pl.when(pl.col("whole") > 90).then(None).otherwise(pl.col(name)).alias(name))
    release = shoal.anonymize(
        frame, k=4, quasi_identifiers=[name], rest="drop", render=render, keep_order=True, method="mondrian"
    )
    shown = [release.table[one] for one in release.plan.published(name)]
    found = shoal.intervals(*shown)
    for value, (low, high, middle, weight) in zip(frame[name], found.rows()):
        assert 0 <= weight <= 1
        if value is None or low is None:
            assert (low, high, middle) == (None,) * 3
        else:
            assert low <= value <= high
            assert low <= middle <= high


@given(st.lists(st.tuples(st.integers(-1000, 1000), st.integers(0, 50)), min_size=1, max_size=20))
def test_weights_fall_with_the_width(ranges: list[tuple[int, int]]) -> None:
    """Of two cells the wider one never tells more."""
    labels = [f"[{low}, {low + width}]" if width else str(low) for low, width in ranges]
    weights = shoal.intervals(labels)["weight"].to_list()
    widths = [width for _, width in ranges]
    assert all(
        weights[i] >= weights[j] for i in range(len(widths)) for j in range(len(widths)) if widths[i] <= widths[j]
    )


@pytest.mark.parametrize(
    ("given_ones", "word"),
    [
        ((["SECRET", "[1, 2]"],), "1 others (of 2"),
        ((["[1, 2]", "[2020-01-01, 2020-01-02]"],), "1 others"),
        (("SECRET",), "received  str"),
        ((pl.Series([3, 1]), pl.Series([2, 2])), "1 row with lower above upper"),
        ((pl.Series([3, 1]), pl.Series([2])), "lengths"),
        ((pl.Series([1]), pl.Series([date(2020, 1, 1)])), "different kinds"),
        ((5,), "received  int"),
    ],
)
def test_what_is_no_range_is_refused(given_ones: tuple[Any, ...], word: str) -> None:
    """In five parts, without a cell."""
    with pytest.raises(TableError) as caught:
        shoal.intervals(*given_ones)
    assert len(caught.value.parts()) == 5
    assert word in str(caught.value)
    assert "SECRET" not in str(caught.value)
