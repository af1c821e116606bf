# SPDX-License-Identifier: Apache-2.0
"""Parquet and Arrow IPC: types are kept, bytes repeat, and nothing is in the file that is not in the table."""

from __future__ import annotations

import io
import subprocess
import sys
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table

FORMATS = ["parquet", "arrow_ipc"]


def typed() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "int8": pl.Series([1, None, -3], dtype=pl.Int8),
            "real": pl.Series([0.1, None, 1e300], dtype=pl.Float32),
            "truth": [True, None, False],
            "day": [date(2020, 2, 29), None, date(1, 1, 1)],
            "moment": pl.Series([datetime(2020, 2, 29, 1), None, None], dtype=pl.Datetime("ms", "Europe/Berlin")),
            "span": [timedelta(days=1), None, timedelta(0)],
            "money": [Decimal("1.50"), None, Decimal("-2.25")],
            "category": pl.Series(["b", None, "a"], dtype=pl.Categorical),
            "order": pl.Series(["low", None, "high"], dtype=pl.Enum(["low", "mid", "high"])),
            "list": [[1, None], None, []],
            "structure": [{"x": "a"}, {"x": None}, {"x": "b"}],
            "binary": [b"\x00", None, b""],
            "nothing": [None, None, None],
            "text": ["", None, "żółć"],
        }
    )


@pytest.mark.parametrize("format", FORMATS)
def test_types_are_kept(tmp_path: Path, format: str) -> None:
    """Every type that Polars knows comes back, nested ones included."""
    path = tmp_path / f"t{extension(format)}"
    write_table(Table(typed()), path, format)
    back = read_table(path).table.frame
    assert back.schema == typed().schema
    assert back.equals(typed())


@pytest.mark.parametrize("format", FORMATS)
def test_nan_is_missing(tmp_path: Path, format: str) -> None:
    """NaN in a file is a missing cell."""
    path = tmp_path / f"t{extension(format)}"
    write_table(Table(pl.DataFrame({"x": [1.0, float("nan"), None]})), path, format)
    assert read_table(path).table.missing("x").tolist() == [False, True, True]


@pytest.mark.parametrize("format", FORMATS)
def test_bytes_depend_on_the_cells_alone(tmp_path: Path, format: str) -> None:
    """Chunks in memory, other categories in the process and rows left out do not show in the bytes."""
    frame = typed()
    write_table(Table(frame), tmp_path / "whole", format)
    pieces = pl.concat([frame[:1], frame[1:]], rechunk=False)
    write_table(Table(pieces), tmp_path / "pieces", format)
    more = pl.concat([frame[::-1], frame])
    write_table(Table(more).take(np.array([3, 4, 5])), tmp_path / "taken", format)
    whole = (tmp_path / "whole").read_bytes()
    assert (tmp_path / "pieces").read_bytes() == whole
    assert (tmp_path / "taken").read_bytes() == whole


@pytest.mark.parametrize("format", FORMATS)
def test_bytes_repeat_in_another_process(tmp_path: Path, format: str) -> None:
    """A process that has seen other categories first writes the same bytes."""
    program = (
        "import sys, polars as pl; from shoal.tables.table import Table; from shoal.tables.sources import write_table\n"
        "before = pl.Series(sys.argv[3:], dtype=pl.Categorical)\n"
        "frame = pl.DataFrame({'c': pl.Series(['b', 'a', None], dtype=pl.Categorical)})\n"
        "write_table(Table(frame), sys.argv[1], sys.argv[2])"
    )
    for name, before in (("one", ["a"]), ("two", ["z", "a", "y", "b"])):
        subprocess.run([sys.executable, "-c", program, str(tmp_path / name), format, *before], check=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_what_lies_under_missing_cells_is_not_published(tmp_path: Path, format: str) -> None:
    """Memory under a missing cell may hold the old value; it must not reach the file."""
    hidden = 123_456_789_123
    numbers = pa.array(np.array([hidden, 6]), mask=np.array([True, False]))
    start = pa.array([0, 20, 21], pa.int32()).buffers()[1]
    text = pa.Array.from_buffers(pa.string(), 2, [pa.py_buffer(b"\x02"), start, pa.py_buffer(b"SECRET UNDER A NULL.y")])
    frame = pl.from_arrow(pa.table({"n": numbers, "t": text}))
    assert isinstance(frame, pl.DataFrame)
    assert frame.rows() == [(None, None), (6, "y")]
    fresh = pl.DataFrame({"n": [None, 6], "t": [None, "y"]})
    for name, one in (("old", frame), ("fresh", fresh)):
        write_table(Table(one), tmp_path / name, format)
    assert (tmp_path / "old").read_bytes() == (tmp_path / "fresh").read_bytes()


def test_arrow_streams_are_read(tmp_path: Path) -> None:
    """The stream form of Arrow IPC, as other tools write it, is read too."""
    sink = io.BytesIO()
    table = pa.table({"a": [1, None], "c": pa.array(["x", "y"]).dictionary_encode()})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "t.arrow").write_bytes(sink.getvalue())
    assert read_table(tmp_path / "t.arrow").table.frame.rows() == [(1, "x"), (None, "y")]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("damage", ["cut", "head only", "text", "footer"])
def test_damaged_files(tmp_path: Path, refused, format: str, damage: str) -> None:
    """A damaged file is refused as such, without the words of the library."""
    path = tmp_path / f"t{extension(format)}"
    write_table(Table(pl.DataFrame({"SECRET": ["x" * 50] * 9})), path, format)
    whole = path.read_bytes()
    broken = {
        "cut": whole[:-20],
        "head only": whole[:6],
        "text": b"a,b\nSECRET,2\n",
        "footer": whole[: len(whole) // 2] + bytes(len(whole)) + whole[-10:],
    }
    path.write_bytes(broken[damage])
    refused(path, None, "cannot be read as")


@pytest.mark.parametrize("format", FORMATS)
def test_repeated_names_in_a_file(tmp_path: Path, refused, format: str) -> None:
    """Files whose columns share a name are refused."""
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    path = tmp_path / f"t{extension(format)}"
    if format == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, path)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    refused(path)
