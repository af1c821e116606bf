# SPDX-License-Identifier: Apache-2.0
"""Whatever a frame is made of: read with and without PyArrow alike, stored again as it was, relations of DuckDB too."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.ground.errors import TableError
from shoal.tables import pandas_columns
from shoal.tables.frames import take_in

TEXTS = ["a", "bc", "é", "", "0"]
MOMENTS = [pd.Timestamp("2020-03-29 00:30"), pd.Timestamp("1969-12-31"), pd.Timestamp("2021-06-01 12:00:00.000005")]

PANDAS_COLUMNS: dict[str, tuple[list[Any], str]] = {
    "int8": ([1, -2, 3], "int8"),
    "uint32": ([1, 2, 2**32 - 1], "uint32"),
    "float32": ([1.5, None, -0.25], "float32"),
    "float64": ([1.5, None, 1e300], "float64"),
    "bool": ([True, False], "bool"),
    "Int16": ([1, None, -3], "Int16"),
    "UInt8": ([1, None, 255], "UInt8"),
    "Float64": ([1.5, None, 2.0], "Float64"),
    "boolean": ([True, None, False], "boolean"),
    "string": ([*TEXTS, None], "string"),
    "str": ([*TEXTS, None], "str"),
    "object": ([*TEXTS, None], "object"),
    "category": ([*TEXTS[:3], None], "category"),
    "moments": ([*MOMENTS, None], "datetime64[us]"),
    "seconds": ([MOMENTS[1], None], "datetime64[s]"),
    "zoned": ([*(one.tz_localize("UTC") for one in MOMENTS), None], "datetime64[us, Asia/Tokyo]"),
    "spans": ([timedelta(seconds=3), None, timedelta(days=-1)], "timedelta64[us]"),
    "dates": ([date(2020, 2, 29), None, date(1, 1, 1)], "object"),
    "arrow ints": ([1, None, 3], "int32[pyarrow]"),
    "arrow texts": ([*TEXTS, None], "string[pyarrow]"),
    "arrow days": ([date(2020, 2, 29), None], "date32[day][pyarrow]"),
}
ARROWLESS = [name for name in PANDAS_COLUMNS if not name.startswith("arrow")]


@st.composite
def pandas_frames(draw: st.DrawFn, names: list[str]) -> pd.DataFrame:
    """Frames of some columns, each of some cells, with an index of its own."""
    chosen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=4, unique=True))
    rows = draw(st.integers(1, 6))
    columns = {}
    for name in chosen:
        cells, kind = PANDAS_COLUMNS[name]
        drawn = draw(st.lists(st.sampled_from(cells), min_size=rows, max_size=rows))
        columns[name] = pd.Series(drawn, dtype=kind)
    ordered = draw(st.lists(st.sampled_from(["lo", "hi", None]), min_size=rows, max_size=rows))
    columns["ordered"] = pd.Series(pd.Categorical(ordered, categories=["lo", "mid", "hi"], ordered=True))
    return pd.DataFrame(columns).set_axis([f"row {number}" for number in range(rows)])


def shown_categories(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with the categories that some cell shows: others may be those of rows that were left out."""
    lists = [name for name in frame if hasattr(frame[name].dtype, "categories")]
    return frame.assign(**{name: frame[name].cat.remove_unused_categories() for name in lists})


@given(frame=pandas_frames(list(PANDAS_COLUMNS)), data=st.data())
def test_pandas_round_trip(frame: pd.DataFrame, data: st.DataObject) -> None:
    """Untouched columns come back in their exact types, categories as far as shown, under a new index."""
    rows = np.array(data.draw(st.lists(st.integers(0, len(frame) - 1), max_size=8)), dtype=np.int64)
    taken = take_in(frame)
    back = taken.hand_back(taken.table.take(rows), rows, set())
    pd.testing.assert_frame_equal(back, shown_categories(frame.iloc[rows].reset_index(drop=True)))


@given(frame=pandas_frames(ARROWLESS))
@settings(max_examples=60)
def test_pandas_is_read_alike_without_pyarrow(frame: pd.DataFrame) -> None:
    """The same cells, the same missing ones, the same kinds."""
    table = take_in(frame).table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pandas_columns, "arrow_is_there", lambda: False)
        other = take_in(frame).table
    assert other.names == table.names
    for name in table.names:
        assert other.missing(name).tolist() == table.missing(name).tolist(), name
        if not table.missing(name).all():
            assert other.texts(name).to_list() == table.texts(name).to_list(), name
            assert other.natural_kind(name) == table.natural_kind(name), name


@given(frame=pandas_frames(list(PANDAS_COLUMNS)))
@settings(max_examples=60)
def test_new_cells_are_stored_as_the_old_ones_were(frame: pd.DataFrame) -> None:
    """Cells of the same type, were they new, come back in the type that the column had, and with the same values."""
    taken = take_in(frame)
    rows = np.arange(len(frame))
    back = taken.hand_back(taken.table, rows, set(frame.columns))
    for name in frame.columns:
        old, new = frame[name].reset_index(drop=True), back[name]
        assert new.isna().tolist() == old.isna().tolist(), name
        pairs = [(a, b) for a, b in zip(old, new) if not pd.isna(a)]
        assert all(a == b for a, b in pairs), name
        exact = name not in ("object", "category", "ordered", "str") and not (old.isna().any() and name == "bool")
        if exact:
            assert new.dtype == old.dtype, name


PROGRAM = """
import sys
if {hidden}: sys.modules["pyarrow"] = None
import numpy as np, pandas as pd, shoal
random = np.random.default_rng(0)
frame = pd.DataFrame({{
    "age": pd.array(random.integers(20, 60, 40), dtype="Int64"),
    "sex": pd.Categorical(random.choice(["f", "m"], 40)),
    "seen": pd.date_range("2020-01-01", periods=40, tz="Europe/Berlin"),
    "town": random.choice(["x", "y", "z"], 40),
    "note": [f"note {{number}}" for number in range(40)],
    "cost": random.random(40),
}}, index=[f"person {{number}}" for number in range(40)])
for render in ["generalise", "bounds", "mode"]:
    release = shoal.anonymize(frame, k=4, quasi_identifiers=["age", "sex", "seen", "town"], render=render,
                              rest="insensitive", accept=["note"], method="mondrian", weights={{"age": 2.0}})
    assert release.verdict.holds and type(release.table) is pd.DataFrame
    shown = release.table
    print(shown.dtypes.map(str).to_dict(), list(shown.index[:2]))
    print(shown.astype(str).to_csv())
"""


def test_pandas_without_pyarrow() -> None:
    """A machine without PyArrow gives the same release, in the same types."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM.format(hidden=hidden)], capture_output=True, text=True, check=True
        ).stdout
        for hidden in (False, True)
    ]
    assert printed[0] == printed[1]
    assert "2020-01-01T00:00:00+01:00" in printed[0]
    assert "person" not in printed[0], "the index is left out"


def test_arrow_backed_columns_stay_so() -> None:
    """Labels, bounds and centres of Arrow-backed columns are Arrow-backed."""
    frame = pd.DataFrame({"a": [1, 2, 8, 9], "b": ["x", "y", "y", "x"]}).convert_dtypes(dtype_backend="pyarrow")
    for render in ("generalise", "bounds", "mean"):
        table = shoal.anonymize(frame, k=2, quasi_identifiers=["a", "b"], render=render).table
        assert all(isinstance(kind, pd.ArrowDtype) for kind in table.dtypes)


# -- DuckDB --------------------------------------------------------------------------------------------------


def relation(rows: int = 30) -> Any:
    """A relation with types that Arrow writes otherwise."""
    connection = duckdb.connect()
    connection.execute("create type size as enum ('S', 'M', 'L')")
    return connection.sql(
        f"select (20 + i % 7)::utinyint as age, ('S')::size as size, uuid() as id, (i * 100000)::hugeint as big, "
        f"(date '2020-01-01' + i::int) as day, (i / 4)::decimal(6, 2) as cost, [i] as list "
        f"from range({rows}) as t(i)"
    )


def test_duckdb_relation_in_and_out() -> None:
    """A relation comes back as a relation; columns that were not touched keep DuckDB's own types."""
    given_one = relation()
    roles = {"quasi_identifiers": ["age", "day"], "drop": ["list"]}  # nested cells are not published
    release = shoal.anonymize(
        given_one, k=5, render={"day": "bounds"}, rest="insensitive", accept=["id", "big"], **roles
    )
    assert isinstance(release.table, duckdb.DuckDBPyRelation)
    before = dict(zip(given_one.columns, given_one.types))
    after = dict(zip(release.table.columns, release.table.types))
    assert list(after) == ["age", "size", "id", "big", "day_min", "day_max", "cost"]
    same = ("id", "big", "cost")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert str(after["size"]) == "ENUM('S')"  # what is shown
    assert after["day_min"] == before["day"]
    assert after["age"] == "VARCHAR"
    assert sorted(row[0] for row in release.table.select("big").fetchall()) == [one * 100_000 for one in range(30)]
    assert shoal.check(release.table, plan=release.plan).holds


def test_a_relation_that_fails_is_refused_without_a_cell() -> None:
    """DuckDB quotes the cell that it could not convert; the refusal does not."""
    broken = duckdb.connect().sql("select cast(x as int) as y from (values ('SECRET')) as t(x)")
    with pytest.raises(TableError) as caught:
        take_in(broken)
    assert len(caught.value.parts()) == 5
    assert "SECRET" not in str(caught.value)


def test_names_of_columns_are_quoted() -> None:
    """A name that would be SQL is one name."""
    odd = 'a" from nowhere; --'
    table = pa.table({odd: [1, 2, 3, 4], "b": [1, 1, 2, 2]})
    release = shoal.anonymize(duckdb.connect().from_arrow(table), k=2, quasi_identifiers=["b"], insensitive=[odd])
    assert release.table.columns == [odd, "b"]
    assert sorted(release.table.fetchall()) == [(1, "1"), (2, "1"), (3, "2"), (4, "2")]


# -- kinds agree ---------------------------------------------------------------------------------------------


def test_every_kind_of_frame_gives_the_same_release() -> None:
    """pandas, Polars, Arrow and DuckDB: the same rows in the same order."""
    plain = pl.DataFrame(
        {
            "age": [int(one) for one in np.random.default_rng(1).integers(20, 60, 40)],
            "seen": [datetime(2020, 1, 1) + timedelta(hours=7 * number) for number in range(40)],
            "sex": ["f", "m"] * 20,
        }
    )
    connection = duckdb.connect()
    held = {
        "pandas": plain.to_pandas(),
        "arrow-backed pandas": plain.to_pandas(use_pyarrow_extension_array=True),
        "arrow": plain.to_arrow(),
        "duckdb": connection.from_arrow(plain.to_arrow()),
    }
    expected = shoal.anonymize(plain, k=4, quasi_identifiers=plain.columns).table
    for kind, frame in held.items():
        table = shoal.anonymize(frame, k=4, quasi_identifiers=plain.columns).table
        assert take_in(table).table.frame.cast(pl.String).rows() == expected.rows(), kind


@pytest.mark.parametrize(
    "values", [[1, 2], [1.5, 2.0], [True, False], pd.to_datetime(["2021-01-01", "2020-01-01"]).tolist(), ["x", "b"]]
)
def test_categories_of_any_kind_keep_their_order(values: list[Any]) -> None:
    """Numbers, truth values and dates that were put in order are words in this order."""
    cells = pd.Categorical([values[0], values[1], None] * 5, categories=values[::-1], ordered=True)
    frame = pd.DataFrame({"c": cells})
    plan = shoal.suggest(frame)
    assert plan.columns["c"].kind == "ordered"
    release = shoal.anonymize(frame, k=5, quasi_identifiers=["c"])
    assert release.verdict.holds
    assert set(release.table["c"].dropna()) == {str(one) for one in values}


def test_one_category_has_no_order() -> None:
    """Nor is it refused."""
    frame = pd.DataFrame({"c": pd.Categorical(["a", None] * 5, ordered=True)})
    assert shoal.anonymize(frame, k=5, quasi_identifiers=["c"]).verdict.holds


def test_half_a_character_is_refused() -> None:
    """As any cell that no table can hold; without being shown."""
    with pytest.raises(shoal.ShoalError, match="cannot be read"):
        shoal.suggest(pd.DataFrame({"c": pd.Series(["\ud800", "a"] * 5, dtype=object)}))
