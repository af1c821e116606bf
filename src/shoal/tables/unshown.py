# SPDX-License-Identifier: Apache-2.0
"""What a frame tells besides its cells, for judges: categories that no cell shows, notes, an index of its own."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from shoal.tables.table import Table


def unshown_values(table: Table, given: Any = None) -> dict[str, list[str]]:
    """By column, values that its type lists and no cell shows; of a table as read, and of the frame as it was given."""
    listed = {name: _enum(table.frame.get_column(name)) for name in table.names} | _listed_in(given)
    unshown: dict[str, list[str]] = {}
    for name, values in listed.items():
        if values and name in table.names:
            shown = set(table.codes(name)[1])
            if left := [value for value in values if value not in shown]:
                unshown[name] = left
    return unshown


def notes_of(given: Any) -> int:
    """How many notes a frame carries: attrs of pandas, metadata of Arrow, an index that is more than row numbers."""
    native: Any = nw.from_native(given, eager_only=True, pass_through=True)
    kind = getattr(native, "implementation", None)
    if kind is nw.Implementation.PANDAS:
        index = given.index
        own = index.nlevels > 1 or index.name is not None or not hasattr(index, "start")
        return len(given.attrs) + own + (given.columns.name is not None)
    if kind is nw.Implementation.PYARROW:
        fields = [field for field in given.schema if set(field.metadata or {}) - ABOUT_TYPES]
        return len(set(given.schema.metadata or {}) - {b"pandas"}) + len(fields)
    return 0


ABOUT_TYPES = {b"PARQUET:field_id", b"_PL_CATEGORICAL2", b"_PL_ENUM_VALUES2"}


def _listed_in(given: Any) -> dict[str, list[str]]:
    native: Any = nw.from_native(given, eager_only=True, pass_through=True)
    kind = getattr(native, "implementation", None)
    if kind is nw.Implementation.PANDAS:
        categories = {str(name): getattr(dtype, "categories", None) for name, dtype in given.dtypes.items()}
        return {name: [str(one) for one in values] for name, values in categories.items() if values is not None}
    if kind is nw.Implementation.PYARROW:
        return {name: _dictionary(given.column(name)) for name in given.column_names}
    return {}


def _dictionary(column: Any) -> list[str]:
    values = [value for chunk in column.chunks for value in _values(chunk)]
    return list(dict.fromkeys(values))


def _values(chunk: Any) -> list[str]:
    dictionary = getattr(chunk, "dictionary", None)
    return [] if dictionary is None else [str(value) for value in dictionary.to_pylist() if value is not None]


def _enum(column: pl.Series) -> list[str]:
    return column.dtype.categories.to_list() if isinstance(column.dtype, pl.Enum) else []
