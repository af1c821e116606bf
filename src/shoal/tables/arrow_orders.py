# SPDX-License-Identifier: Apache-2.0
"""Ordered dictionaries of Arrow as ordered columns: Polars reads their categories, but not that they are in order."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.tables.arrow_files import ALONE, arrow_file, parquet_file
from shoal.tables.pandas_columns import arrow_is_there


def dictionary_order(column: Any) -> list[str]:
    """The categories of an ordered dictionary of Arrow, in chunks or not; none if chunks do not agree about them."""
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    orders = [tuple(map(str, chunk.dictionary.to_pylist())) for chunk in chunks]
    longest = max(orders, key=len, default=())
    return list(longest) if all(order == longest[: len(order)] for order in orders) else []


def in_categories(series: pl.Series, order: list[str]) -> pl.Series:
    """Categories as ordered ones; as they were if the order does not fit them."""
    fits = len(order) > 0 and len(set(order)) == len(order) and series.cast(pl.String).drop_nulls().is_in(order).all()
    return series.cast(pl.String).cast(pl.Enum(order)) if fits else series


def with_orders(frame: pl.DataFrame, stored: bytes, kind: str) -> pl.DataFrame:
    """A frame read from a file, with the orders that its types of Arrow tell; without PyArrow nobody can see them."""
    named = [name for name, dtype in frame.schema.items() if dtype == pl.Categorical]
    if not named or not arrow_is_there():
        return frame
    try:
        columns = _read(stored, kind, named)
        ordered = [name for name in named if getattr(columns.schema.field(name).type, "ordered", False)]
        orders = {name: dictionary_order(columns.column(name)) for name in ordered}
    except Exception:  # of PyArrow, in many classes: what it cannot read stays as Polars read it
        return frame
    return frame.with_columns(in_categories(frame.get_column(name), order) for name, order in orders.items())


def _read(stored: bytes, kind: str, names: list[str]) -> Any:
    if kind == "Parquet":
        return parquet_file(stored).read(columns=names, **ALONE)
    return arrow_file(stored).read_all().select(names)
