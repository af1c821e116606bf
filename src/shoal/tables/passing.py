# SPDX-License-Identifier: Apache-2.0
"""Recognises a table again, and makes small tables of results in the kind of frame the caller uses."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from shoal.tables.table import Table


def fingerprint(table: Table) -> str:
    """A short text that changes with any cell, name or type of a table, and tells nothing about them.

    >>> fingerprint(Table.from_columns({"a": ["x"]})) == fingerprint(Table.from_columns({"a": ["y"]}))
    False
    """
    frame = table.frame
    digest = hashlib.sha256(repr([(name, str(kind)) for name, kind in frame.schema.items()]).encode())
    digest.update(f"{table.untyped} {table.decimal} {frame.height}".encode())
    for column in frame.get_columns():
        digest.update(column.hash(seed=0).to_numpy().tobytes())
    return digest.hexdigest()


def frame_like(data: Any, columns: Mapping[str, Sequence[Any]]) -> Any:
    """A frame of the kind that ``data`` is; Polars if it is none, such as the path of a file."""
    made = pl.DataFrame({name: pl.Series(list(cells), strict=False) for name, cells in columns.items()})
    native: Any = nw.from_native(data, eager_only=True, pass_through=True)
    kind = getattr(native, "implementation", None)
    if kind is nw.Implementation.PYARROW:
        return made.to_arrow()
    return made.to_pandas() if kind is nw.Implementation.PANDAS else made
