# SPDX-License-Identifier: Apache-2.0
"""Every format keeps what it does not declare as lost: random tables of every type, written and read again."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.ground import catalog
from shoal.ground.errors import TableError
from shoal.tables.formats._plain_columns import canonical_text
from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table

ROOM = "formats"
FORMATS = [name for name in catalog.names(ROOM) if hasattr(catalog.load(ROOM, name), "write")]

texts = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn")), max_size=6)
tidy_reals = st.integers(-(10**9), 10**9).map(lambda number: number / 1000)
CELLS: dict[str, tuple[pl.DataType, st.SearchStrategy[object]]] = {
    "whole": (pl.Int64(), st.integers(1 - 2**53, 2**53 - 1)),
    "small": (pl.Int8(), st.integers(-128, 127)),
    "real": (pl.Float64(), tidy_reals),
    "short real": (pl.Float32(), st.integers(-1000, 1000).map(lambda number: number / 4)),
    "endless": (pl.Float64(), st.sampled_from([float("inf"), -1.5])),
    "truth": (pl.Boolean(), st.booleans()),
    "text": (pl.String(), texts),
    "day": (pl.Date(), st.dates(date(1, 1, 1), date(9999, 12, 31))),
    "moment": (pl.Datetime("us"), st.datetimes(datetime(1583, 1, 1), datetime(2200, 1, 1))),
    "zoned": (pl.Datetime("us", "Europe/Warsaw"), st.datetimes(datetime(1990, 1, 1), datetime(2030, 1, 1))),
    "hour": (pl.Time(), st.times()),
    "span": (pl.Duration("us"), st.timedeltas(timedelta(-9999), timedelta(9999))),
    "money": (pl.Decimal(10, 2), st.decimals(-9999, 9999, places=2)),
    "category": (pl.Categorical(), st.sampled_from(["b", "a", "c"])),
    "order": (pl.Enum(["low", "mid", "high"]), st.sampled_from(["low", "mid", "high"])),
    "list": (pl.List(pl.Int64()), st.lists(st.integers(0, 9), max_size=2)),
    "binary": (pl.Binary(), st.binary(max_size=4)),
}
COMMON = tuple(name for name in CELLS if name not in ("list", "binary"))


@st.composite
def frames(draw: st.DrawFn, kinds: tuple[str, ...] = COMMON) -> pl.DataFrame:
    """A few columns of some kinds in any order, with missing cells, and a first column that has none."""
    height = draw(st.integers(1, 5))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=5, unique=True))
    columns = [pl.Series("key", range(height), dtype=pl.Int64)]
    for kind in chosen:
        dtype, cells = CELLS[kind]
        drawn = draw(st.lists(st.none() | cells, min_size=height, max_size=height))
        columns.append(series(kind.replace(" ", "_"), drawn, dtype))
    return pl.DataFrame(columns).select(draw(st.permutations([column.name for column in columns])))


def series(name: str, cells: list[object], dtype: pl.DataType) -> pl.Series:
    """Cells of a type; wall clocks of a time zone by way of UTC."""
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return (
            pl.Series(name, cells, dtype=pl.Datetime("us"))
            .dt.replace_time_zone("UTC")
            .dt.convert_time_zone(dtype.time_zone)
        )
    return pl.Series(name, cells, dtype=dtype)


def round_trip(frame: pl.DataFrame, format: str) -> Table:
    """What comes back of a table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{extension(format)}"
        write_table(Table(frame), path, format)
        return read_table(path, format=format).table


def left_of(column: pl.Series, loses: Mapping[str, str]) -> pl.Series:
    """What a format makes of a column, by its own declaration."""
    kind = column.dtype
    if kind == pl.Binary:
        return column
    text = Table(pl.DataFrame([column])).texts(column.name)
    if kind.is_float() and "infinite numbers" in loses and column.is_infinite().any():
        return text
    if kind.is_decimal() and "decimals" in loses:
        return left_of(column.cast(pl.Float64), loses)
    if kind.is_numeric() and not kind.is_decimal():
        if kind.is_float() and "real numbers that are whole" in loses and (column == column.floor()).all():
            return column.cast(pl.Int64)
        wide = pl.Float64 if kind.is_float() else pl.Int64
        return column.cast(wide) if "size of numbers" in loses else column
    if kind == pl.Boolean and "booleans" in loses:
        return column.cast(pl.Int64)
    if isinstance(kind, pl.Datetime) and kind.time_zone and "time zones" in loses:
        return column.dt.convert_time_zone("UTC") if "UTC" in loses["time zones"] else text
    if isinstance(kind, pl.Datetime) and not kind.time_zone and "microseconds" in loses:
        rounded = column.dt.round("1ms")
        days = rounded.dt.date()
        midnight = (days.cast(pl.Datetime("us")) == rounded).all() and (days >= date(1900, 3, 1)).all()
        return days if midnight and "moments at midnight" in loses else rounded
    lost = {
        pl.Time: "times and spans",
        pl.Duration: "times and spans",
        pl.Categorical: "categories",
        pl.Enum: "order of categories",
    }
    if lost.get(type(kind)) in loses or (kind == pl.Duration and "spans" in loses):
        return text
    if kind == pl.String:
        column = column.str.strip_chars_end(" ") if "blanks at the end of text" in loses else column
        return column.replace("", None) if "empty text" in loses else column
    return column


@pytest.mark.thin(2)
@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=30)
@given(data=st.data())
def test_what_is_not_declared_as_lost_comes_back(format: str, data: st.DataObject) -> None:
    """Values, types, missing cells and the order of columns come back, but for the losses that the format declares."""
    module = catalog.load(ROOM, format)
    frame = data.draw(frames())
    back = round_trip(frame, format)
    assert back.names == frame.columns
    if "types" in module.LOSES:
        assert back.untyped
        for name in frame.columns:
            assert back.texts(name).to_list() == Table(frame).texts(name).to_list()
        return
    for name in frame.columns:
        expected, found = left_of(frame[name], module.LOSES), back.frame[name]
        assert found.to_list() == expected.to_list(), name
        without_cells = "columns without cells" in module.LOSES and expected.null_count() == len(expected)
        assert found.dtype == expected.dtype or without_cells, name


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(("cells", "word"), [("list", "nested cells"), ("binary", "binary cells")])
def test_cells_that_cannot_be_carried_are_refused(format: str, cells: str, word: str) -> None:
    """Nested and binary cells come back or are refused in words; they are never changed in silence."""
    frame = pl.DataFrame(
        {"cells": pl.Series([[1, 2], None] if cells == "list" else [b"\x00a", None], dtype=CELLS[cells][0])}
    )
    if word in catalog.load(ROOM, format).LOSES:
        with pytest.raises(TableError) as refused:
            round_trip(frame, format)
        assert len(refused.value.parts()) == 5
    else:
        assert round_trip(frame, format).frame.equals(frame)


@pytest.mark.parametrize("format", FORMATS)
def test_whole_numbers_too_large_for_real_ones_are_kept(format: str) -> None:
    """Identifiers of twenty digits come back digit by digit, as numbers or as text."""
    frame = pl.DataFrame({"id": pl.Series([2**63 - 1, 1, None], dtype=pl.Int64), "x": ["a", "b", "c"]})
    assert round_trip(frame, format).texts("id").to_list() == [str(2**63 - 1), "1", None]


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize("format", ["delimited", "json_lines"])
def test_packed_files_stay_packed(tmp_path: Path, format: str, packing: str) -> None:
    """A packed file is read, told as such, and written packed again, byte for byte the same."""
    table = Table.from_columns({"a": ["x", None], "b": ["1", "2"]})
    usual = extension(format)
    write_table(table, tmp_path / f"t{usual}.{packing}", format)
    source = read_table(tmp_path / f"t{usual}.{packing}")
    assert source.table.frame["a"].to_list() == ["x", None]
    assert extension(format, source.reading) == f"{usual}.{packing}"
    write_table(source.table, tmp_path / f"again{usual}.{packing}", format, source.reading)
    assert (tmp_path / f"again{usual}.{packing}").read_bytes() == (tmp_path / f"t{usual}.{packing}").read_bytes()
    (tmp_path / f"cut{usual}.{packing}").write_bytes((tmp_path / f"t{usual}.{packing}").read_bytes()[:-9])
    with pytest.raises(TableError, match="damaged"):
        read_table(tmp_path / f"cut{usual}.{packing}")


def test_canonical_text_of_moments() -> None:
    """Fractions of a second are written only where there are any."""
    assert canonical_text(pl.Series([datetime(2020, 1, 2, 3, 4, 5)])).to_list() == ["2020-01-02T03:04:05"]
    assert canonical_text(pl.Series([datetime(2020, 1, 2, 3, 4, 5, 6)])).to_list() == ["2020-01-02T03:04:05.000006"]
