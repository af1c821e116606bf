# SPDX-License-Identifier: Apache-2.0
"""What Parquet and Arrow files hold besides their cells is found."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.judging.containers.planting import CELLS, SECRET, Plant, around, arrow_with


def parquet_of(frame: Any, **options: Any) -> Plant:
    """A Parquet file as PyArrow writes a table."""

    def made(path: Path) -> None:
        from pyarrow import parquet

        parquet.write_table(frame() if callable(frame) else frame, path, **options)

    return made


def arrow_file(table: Callable[[], Any]) -> Plant:
    """An Arrow file of a table."""

    def made(path: Path) -> None:
        from pyarrow import feather

        feather.write_feather(table(), path, compression="uncompressed")

    return made


def pandas_with_attrs(path: Path) -> None:
    """A Parquet file of a pandas frame with notes."""
    frame = CELLS.to_pandas()
    frame.attrs["source"] = SECRET
    frame.to_parquet(path, index=False)


def pandas_with_index(path: Path) -> None:
    """A Parquet file of a pandas frame with an index of its own."""
    CELLS.to_pandas().set_index("money", drop=False).rename_axis("patient").to_parquet(path)


def under_missing_cells() -> Any:
    """An Arrow table with a value under a missing cell."""
    import numpy as np
    import pyarrow as arrow

    numbers = arrow.array(np.array([1.0, 2, 3, 4, 5, 978320.0]), mask=None)
    hidden = arrow.Array.from_buffers(numbers.type, 6, [arrow.py_buffer(b"\x1f"), numbers.buffers()[1]])
    return CELLS.to_arrow().set_column(2, "money", hidden)


def letters_beside_cells() -> Any:
    """An Arrow table with letters between two cells that belong to neither."""
    import pyarrow as arrow

    letters = b"ab" + SECRET.encode() + b"babab"
    ends = [0, 1, 2, 3, 4, 5, 6]
    places = arrow.py_buffer(struct.pack("<7i", *ends))
    hidden = arrow.Array.from_buffers(arrow.string(), 6, [None, places, arrow.py_buffer(letters)])
    return CELLS.to_arrow().set_column(3, "ill", hidden)


def wrong_statistics(path: Path) -> None:
    """A Parquet file whose statistics tell a value that no row has."""
    CELLS.with_columns(pl.Series("ill", ["aaaa", "zzzz"] * 3)).write_parquet(path, compression="uncompressed")
    stored = path.read_bytes()
    footer = len(stored) - 8 - int.from_bytes(stored[-8:-4], "little")
    path.write_bytes(stored[:footer] + stored[footer:].replace(b"zzzz", b"zzzy"))


def strange_writer(path: Path) -> None:
    """A Parquet file that was written by somebody."""
    parquet_of(CELLS.to_arrow)(path)
    stored = path.read_bytes()
    place = stored.rfind(b"parquet-cpp-arrow")
    path.write_bytes(stored[:place] + b"Anna Bell, 978320" + stored[place + 17 :])


def noted_batch(path: Path) -> None:
    """An Arrow file with a note on one of its batches."""
    import pyarrow as arrow

    table = CELLS.to_arrow().combine_chunks()
    with arrow.ipc.new_file(str(path), table.schema) as writer:
        writer.write_batch(table.to_batches()[0], custom_metadata={"source": SECRET})


TYPED: dict[str, tuple[str, Plant]] = {
    "a note": ("t.parquet", parquet_of(lambda: arrow_with({"source": SECRET}))),
    "a note on a column": ("t.parquet", parquet_of(lambda: arrow_with(field={"source": SECRET}))),
    "the number of a column": ("t.parquet", parquet_of(lambda: arrow_with(field={"PARQUET:field_id": "978320"}))),
    "a dictionary": ("t.parquet", parquet_of(lambda: arrow_with(unused=True))),
    "notes of pandas": ("t.parquet", pandas_with_attrs),
    "an index of pandas": ("t.parquet", pandas_with_index),
    "an Enum": (
        "t.parquet",
        lambda path: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}).write_parquet(path),
    ),
    "an Enum in Arrow": ("t.arrow", lambda path: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}).write_ipc(path)),
    "a note in Arrow": ("t.arrow", arrow_file(lambda: arrow_with({"source": SECRET}))),
    "a note on a column in Arrow": ("t.arrow", arrow_file(lambda: arrow_with(field={"source": SECRET}))),
    "a dictionary in Arrow": ("t.arrow", arrow_file(lambda: arrow_with(unused=True))),
    "a note on a batch": ("t.arrow", noted_batch),
    "wrong statistics": ("t.parquet", wrong_statistics),
    "a text for the writer": ("t.parquet", strange_writer),
    "letters beside cells": ("t.arrow", arrow_file(letters_beside_cells)),
    "a value under a missing cell": ("t.arrow", arrow_file(under_missing_cells)),
}


@pytest.mark.parametrize(("name", "plant"), TYPED.values(), ids=TYPED)
def test_values_in_types_and_notes_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """Types, dictionaries and notes are searched like cells."""
    plant(tmp_path / name)
    assert around(tmp_path / name)
