# SPDX-License-Identifier: Apache-2.0
"""Arrow IPC by its cells: real numbers by their bits, and dictionaries by their places, two of which may say the same.

The places of a dictionary are seen through PyArrow, where it is installed; Polars puts equal ones together.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from shoal.judging.bytes.bits import bits_of
from shoal.judging.bytes.frames import written_in_arrow
from shoal.tables.arrow_files import MAGIC, arrow_file
from shoal.tables.pandas_columns import arrow_is_there
from shoal.tables.reading import Reading


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """The columns of real numbers by their bits; other types have one way to store a cell."""
    stored = path.read_bytes()
    frame = (pl.read_ipc if stored.startswith(MAGIC) else pl.read_ipc_stream)(io.BytesIO(stored))
    named = [name for name, kind in frame.schema.items() if kind in (pl.Categorical, pl.Enum)]
    return {**bits_of(frame), **(_places(stored, named) if named and arrow_is_there() else {})}


def _places(stored: bytes, names: list[str]) -> dict[str, pl.Series]:
    """The place in its dictionary of each cell of some columns."""
    table = arrow_file(stored).read_all()
    return {name: places for name in names if (places := written_in_arrow(table.column(name))) is not None}
