# SPDX-License-Identifier: Apache-2.0
"""Dataframes in and the same kind out: untouched columns keep their exact types, changed ones are new."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from shoal.ground.errors import TableError
from shoal.tables.frames import as_table, take_in
from shoal.tables.sources import write_table
from shoal.tables.table import Table

ROWS = np.array([2, 0, 1, 0])


def small_pandas() -> pd.DataFrame:
    return pd.DataFrame({"age": [30, 40, 50], "sex": ["m", None, "f"], "cost": [1.5, np.nan, 2.0]}, index=[7, 7, 9])


def small_polars() -> pl.DataFrame:
    return pl.DataFrame({"age": [30, 40, 50], "sex": ["m", None, "f"], "cost": [1.5, float("nan"), 2.0]})


def small_arrow() -> pa.Table:
    return pa.table({"age": [30, 40, 50], "sex": ["m", None, "f"], "cost": [1.5, None, 2.0]})


SMALL = pytest.mark.parametrize("make", [small_pandas, small_polars, small_arrow], ids=["pandas", "polars", "pyarrow"])


def plain(frame: Any) -> dict[str, list[Any]]:
    """The cells of any frame, NaN as None."""
    if isinstance(frame, pd.DataFrame):
        return {name: [None if pd.isna(cell) else cell for cell in frame[name].tolist()] for name in frame}
    if isinstance(frame, pl.DataFrame):
        return frame.fill_nan(None).to_dict(as_series=False)
    return frame.to_pydict()


@SMALL
def test_every_kind_is_read_alike(make) -> None:
    """The same table gives the same Table, whatever it is held in; NaN is missing."""
    table = take_in(make()).table
    assert table.names == ["age", "sex", "cost"]
    assert table.numbers("age").values.tolist() == [30.0, 40.0, 50.0]
    assert table.texts("sex").to_list() == ["m", None, "f"]
    assert table.missing("cost").tolist() == [False, True, False]
    assert not table.untyped


@SMALL
def test_same_kind_out(make) -> None:
    """The release is of the kind that came in, in the released order, with new and dropped columns."""
    frame = make()
    taken = take_in(frame)
    label = pl.Series(["[30, 50]", "[30, 50]", None, "[30, 50]"])
    released = taken.table.take(ROWS).replace_columns({"age": {"age": label}, "sex": {}})
    back = taken.hand_back(released, ROWS, {"age"})
    assert type(back) is type(frame)
    assert plain(back) == {"age": ["[30, 50]", "[30, 50]", None, "[30, 50]"], "cost": [2.0, 1.5, None, 1.5]}
    assert plain(frame) == plain(make()), "the caller's frame is not changed"


@SMALL
def test_columns_with_new_names(make) -> None:
    """A column that was not in the input, such as a bound, is taken from the release, in its place."""
    taken = take_in(make())
    bounds = {"age": {"age_low": pl.Series([30, 30, 30, 30]), "age_high": pl.Series([50, 50, 50, 50])}}
    back = taken.hand_back(taken.table.take(ROWS).replace_columns(bounds), ROWS, set())
    assert list(plain(back)) == ["age_low", "age_high", "sex", "cost"]
    assert plain(back)["age_high"] == [50] * 4
    assert plain(back)["sex"] == ["f", "m", None, "m"]


@SMALL
def test_nothing_kept_and_no_rows(make) -> None:
    """All columns new, or no rows at all: still the same kind."""
    taken = take_in(make())
    released = taken.table.take(ROWS).select(["age"])
    assert plain(taken.hand_back(released, ROWS, {"age"})) == {"age": [50, 30, 40, 30]}
    none = np.zeros(0, dtype=np.int64)
    empty = taken.hand_back(taken.table.take(none), none, set())
    assert plain(empty) == {"age": [], "sex": [], "cost": []}


# -- exact types ---------------------------------------------------------------------------------------------


def rich_pandas() -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "int8": np.array([1, 2, 3], dtype=np.int8),
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "truth": pd.array([True, None, False], dtype="boolean"),
            "arrow": pd.array([1, None, 2], dtype="int32[pyarrow]"),
            "string": pd.array(["x", None, "y"], dtype="string"),
            "object": pd.Series(["x", None, 5], dtype=object),
            "ordered": pd.Categorical(["lo", "hi", None], categories=["lo", "mid", "hi"], ordered=True),
            "category": pd.Categorical(["b", "a", None]),
            "zoned": pd.to_datetime(["2020-01-01", None, "2021-06-01"]).tz_localize("Europe/Berlin"),
            "span": pd.to_timedelta([1, 2, None], unit="s"),
            "period": pd.period_range("2020-01", periods=3, freq="M"),
            "interval": pd.interval_range(0, 3),
            "days": pd.Series([date(2020, 1, 1), None, date(2020, 1, 2)], dtype=object),
            "lists": pd.Series([[1], None, [2, 3]], dtype=object),
        }
    )
    return frame.set_axis(pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)], names=["p", "q"]))


def test_pandas_types_come_back_exactly() -> None:
    """Nullable, Arrow-backed, zoned and object columns are the caller's own, by row; categories as far as shown."""
    frame = rich_pandas()
    taken = take_in(frame)
    back = taken.hand_back(taken.table.take(ROWS), ROWS, set())
    expected = frame.iloc[ROWS].reset_index(drop=True)
    lists = [name for name in expected if hasattr(expected[name].dtype, "categories")]
    expected = expected.assign(**{name: expected[name].cat.remove_unused_categories() for name in lists})
    pd.testing.assert_frame_equal(back, expected)


def test_pandas_index_is_reset() -> None:
    """Old row labels would link released rows to records."""
    frame = rich_pandas()
    taken = take_in(frame)
    for changed in (set(), {"int8"}, set(frame.columns)):
        back = taken.hand_back(taken.table.take(ROWS), ROWS, changed)
        assert back.index.equals(pd.RangeIndex(4))
        assert back.index.names == [None]


def test_pandas_kinds() -> None:
    """What a column means is seen through its pandas type."""
    table = take_in(rich_pandas()).table
    kinds = {name: table.natural_kind(name) for name in table.names}
    assert kinds["nullable"] == kinds["arrow"] == kinds["int8"] == "numeric"
    assert kinds["zoned"] == kinds["days"] == "date"
    assert kinds["ordered"] == "ordered"
    assert table.category_order("ordered") == ["lo", "mid", "hi"]
    assert table.texts("object").to_list() == ["x", None, "5"]
    assert table.texts("period").to_list() == ["2020-01", "2020-02", "2020-03"]
    assert table.texts("span").to_list() == ["PT1S", "PT2S", None]


def test_polars_types_come_back_exactly() -> None:
    """Enum, Categorical, Decimal, nested columns and NaN are the caller's own."""
    frame = pl.DataFrame(
        {
            "enum": pl.Series(["lo", None, "hi"], dtype=pl.Enum(["lo", "hi"])),
            "category": pl.Series(["b", None, "a"], dtype=pl.Categorical),
            "money": [Decimal("1.50"), None, Decimal("2.25")],
            "zoned": pl.Series([datetime(2020, 1, 1), None, None], dtype=pl.Datetime("ms", "Asia/Tokyo")),
            "list": [[1], None, []],
            "nan": [1.0, float("nan"), None],
            "uint": pl.Series([1, 2, None], dtype=pl.UInt8),
        }
    )
    taken = take_in(frame)
    back = taken.hand_back(taken.table.take(ROWS), ROWS, set())
    assert back.schema == frame.schema
    assert back.equals(frame[ROWS])
    assert taken.table.missing("nan").tolist() == [False, True, True]


def test_arrow_types_come_back_exactly() -> None:
    """Dictionary, decimal and fixed types are kept; notes on fields and on the table are gone."""
    schema = pa.schema(
        [
            pa.field("dictionary", pa.dictionary(pa.int8(), pa.string())),
            pa.field("money", pa.decimal128(5, 2), metadata={"unit": "EUR"}),
            pa.field("day", pa.date32(), nullable=False),
            pa.field("large", pa.large_string()),
            pa.field("list", pa.list_(pa.int16())),
        ],
        metadata={"source": "register", "pandas": "{}"},
    )
    cells = {
        "dictionary": ["b", None, "a"],
        "money": [Decimal("1.50"), None, Decimal("2.25")],
        "day": [date(2020, 1, 1)] * 3,
        "large": ["x", None, "y"],
        "list": [[1], None, []],
    }
    bare = pa.schema([field.remove_metadata() for field in schema])
    frame = pa.table(cells, schema=schema)
    taken = take_in(frame)
    back = taken.hand_back(taken.table.take(ROWS), ROWS, set())
    assert back.schema.equals(bare, check_metadata=True)
    assert back.to_pylist() == frame.take(pa.array(ROWS)).to_pylist()
    label = {"large": {"large": pl.Series(["*"] * 4)}}
    changed = taken.hand_back(taken.table.take(ROWS).replace_columns(label), ROWS, {"large"})
    assert changed.schema.field("large").type == pa.string()
    assert changed.schema.field("money").metadata is None


# -- refusals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        (pl.LazyFrame({"a": ["SECRET"]}), "collect"),
        (pd.DataFrame([["SECRET", 2]], columns=["a", "a"]), "same name"),
        (pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), "same name"),
        (pd.DataFrame([["SECRET", 2]]), "columns 1, 2 (of 2)"),
        (pd.DataFrame([["SECRET", 2]], columns=["a", 3]), "columns 2 (of 2)"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "named by text"),
        (pd.DataFrame([["SECRET"]], columns=[""]), "no name"),
        (pd.DataFrame(), "0 columns"),
        (pd.DataFrame(index=[1, 2]), "0 columns"),
        (pl.DataFrame(), "0 columns"),
        (pa.table({}), "0 columns"),
        ({"a": ["SECRET"]}, "builtins.dict"),
        ([["SECRET"]], "builtins.list"),
        (None, "NoneType"),
        (pd.Series(["SECRET"]), "Series"),
        (pl.Series(["SECRET"]), "Series"),
        (np.array([["SECRET"]]), "numpy.ndarray"),
        (pd.DataFrame({"a": ["SECRET", {"x": 1}]}), "column 'a'"),
        (pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}), "column 'a'"),
    ],
    ids=[
        "lazy",
        "pandas duplicates",
        "arrow duplicates",
        "integer names",
        "one integer name",
        "two-level names",
        "empty name",
        "pandas empty",
        "pandas rows only",
        "polars empty",
        "arrow empty",
        "dict",
        "list",
        "None",
        "pandas series",
        "polars series",
        "numpy",
        "mixed objects",
        "polars objects",
    ],
)
def test_frames_that_cannot_be_taken_in(frame: Any, word: str) -> None:
    """Each is refused in five parts, without a cell and without a traceback of another library."""
    with pytest.raises(TableError) as caught:
        take_in(frame)
    assert len(caught.value.parts()) == 5
    assert word in str(caught.value)
    assert "SECRET" not in str(caught.value)


# -- as_table and imports ------------------------------------------------------------------------------------


def test_as_table(tmp_path: Path) -> None:
    """A Table, a path or a frame is a table."""
    table = Table.from_columns({"a": ["1", "2"]})
    assert as_table(table) is table
    write_table(table, tmp_path / "t.csv", "delimited")
    for given in (tmp_path / "t.csv", str(tmp_path / "t.csv"), tmp_path, table.frame, table.frame.to_arrow()):
        assert as_table(given).texts("a").to_list() == ["1", "2"]


def test_polars_users_import_neither_pandas_nor_pyarrow() -> None:
    """Nothing heavy is loaded that the caller did not bring."""
    program = (
        "import sys, numpy as np, polars as pl\n"
        "from shoal.tables.frames import take_in\n"
        "taken = take_in(pl.DataFrame({'a': [1, 2], 'b': ['x', None]}))\n"
        "rows = np.array([1, 0])\n"
        "taken.hand_back(taken.table.take(rows), rows, {'a'})\n"
        "print(sorted({'pandas', 'pyarrow', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
