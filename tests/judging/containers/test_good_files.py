# SPDX-License-Identifier: Apache-2.0
"""Files of releases, and good ones of others, hold nothing but cells; what is not looked into is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.judging.containers.extras import uneven_parts
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import write_table
from shoal.tables.table import Table
from tests.judging.containers.planting import CELLS, FRAME, around


@pytest.mark.parametrize(
    "name",
    [
        "t.csv", "t.tsv", "t.csv.gz", "t.csv.bz2", "t.csv.xz", "t.csv.zst", "t.jsonl", "t.parquet", "t.arrow",
        "t.xlsx", "t.sqlite", "t.duckdb", "t.sav", "t.dta",
    ],
)  # fmt: skip
def test_our_own_files_hold_nothing_besides(tmp_path: Path, name: str) -> None:
    """Whatever the format: the file of a release is its cells, and nobody is accused."""
    ordered = CELLS.with_columns(pl.Series("rank", ["low", None, "high"] * 2, dtype=pl.Enum(["low", "high"])))
    format = shoal.tables.sources.formats_by_extension()[name[1:]]
    write_table(Table(ordered), tmp_path / name, format, Reading(separator="\t" if "tsv" in name else None))
    assert around(tmp_path / name) == []


@pytest.mark.parametrize("writer", ["pandas", "pyarrow", "polars", "pandas xlsx"])
def test_good_files_of_others_are_not_accused(tmp_path: Path, writer: str) -> None:
    """What usual programs write by themselves, such as notes about types, is no leak."""
    path = tmp_path / ("t.xlsx" if "xlsx" in writer else "t.parquet")
    if writer == "pyarrow":
        from pyarrow import parquet

        parquet.write_table(CELLS.to_arrow(), path)
    elif writer == "polars":
        CELLS.write_parquet(path)
    elif writer == "pandas xlsx":
        CELLS.to_pandas().to_excel(path, index=False, engine="xlsxwriter")
    else:
        CELLS.to_pandas().astype({"ill": "category"}).to_parquet(path, index=False)
    assert around(path) == []


def rich() -> pl.DataFrame:
    """Cells of every plain type, missing ones among them, in two spellings of zero and with long texts."""
    from datetime import UTC, date, datetime, time, timedelta
    from decimal import Decimal

    columns = {
        "real": [0.0, -0.0, 1.5, None, float("nan"), 2.5],
        "truth": [True, None, False, True, True, True],
        "day": [date(2020, 1, day) for day in range(1, 7)],
        "moment": [datetime(2020, 1, 1, hour, 30) for hour in range(5)] + [None],
        "zoned": [datetime(2020, 1, day, tzinfo=UTC) for day in range(1, 7)],
        "hour": [time(hour) for hour in range(6)],
        "span": [timedelta(seconds=number) for number in range(6)],
        "money": [Decimal("1.50"), None, *[Decimal("2.25")] * 4],
        "text": ["a" * 500, "é" * 300, "z" * 100, None, "", "b"],
        "nothing": [None] * 6,
    }
    return pl.concat([FRAME, pl.DataFrame(columns, strict=False)], how="horizontal")


@pytest.mark.parametrize("writer", ["polars", "pyarrow", "pandas", "duckdb", "polars arrow", "pyarrow arrow"])
def test_cells_of_every_type_are_not_accused(tmp_path: Path, writer: str) -> None:
    """Statistics, dictionaries and memory of good files are in order, whoever wrote them."""
    import duckdb
    from pyarrow import feather, parquet

    frame, path = rich(), tmp_path / ("t.arrow" if "arrow" in writer.split() else "t.parquet")
    writers: dict[str, Callable[[], Any]] = {
        "polars": lambda: frame.write_parquet(path),
        "pyarrow": lambda: parquet.write_table(frame.to_arrow(), path, write_page_index=True),
        "pandas": lambda: frame.to_pandas().to_parquet(path, index=False),
        "duckdb": lambda: duckdb.from_arrow(frame.drop("span", "nothing").to_arrow()).write_parquet(str(path)),
        "polars arrow": lambda: write_table(Table(frame), path, "arrow_ipc", Reading()),
        "pyarrow arrow": lambda: feather.write_feather(frame.to_arrow(), path),
    }
    writers[writer]()
    assert around(path) == []


@pytest.mark.parametrize("name", ["t.ods", "t.sas7bdat"])
def test_what_is_not_looked_into_is_said(tmp_path: Path, name: str) -> None:
    """A file whose container stays unknown is never silently fine."""
    from shoal.judging.containers.extras import extras_in
    from shoal.judging.leak_search import LeakScene

    (tmp_path / name).write_bytes(b"something")
    scene = LeakScene(Table(CELLS), Plan.of(3, quasi_identifiers=["age", "sex"]), files=(tmp_path / name,))
    assert [extra.sort for _, extra in extras_in(scene, "unseen")] == ["unseen"]


@pytest.mark.parametrize(
    ("sizes", "told"), [([6], 0), ([1, 5], 1), ([5, 1], 0), ([3, 3, 1], 0), ([5, 1, 5], 1), ([4, 2, 4], 0), ([], 0)]
)
def test_only_parts_that_set_rows_apart_are_told(sizes: list[int], told: int) -> None:
    """Parts are about equally long but the last; any other that is shorter by half is a mark on its rows."""
    assert len(list(uneven_parts(sizes))) == told
