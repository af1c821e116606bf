# SPDX-License-Identifier: Apache-2.0
"""Tables that tell nothing but their cells: types without categories that no cell shows, labels of shown codes only.

A type outlives the rows it was made for: an Enum of Polars, a category of pandas and a dictionary of Arrow list values
whether any row still has them or not, and so do the value labels of statistical packages. Of rows that were left out
nothing may stay there.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import polars as pl

from shoal.tables.labels import Code, Labels
from shoal.tables.table import Table


def bare_table(table: Table) -> Table:
    """The same cells, with nothing in types and labels that they do not show."""
    columns = [_bare_column(table, name) for name in table.names]
    frame = table.frame if all(new is old for new, old in zip(columns, table.frame)) else pl.DataFrame(columns)
    return table.marked(frame=frame, labels=bare_labels(table) if table.labels else table.labels)


def _bare_column(table: Table, name: str) -> pl.Series:
    """:func:`bare_series` of a column; of text only the different cells are copied, which are few."""
    column = table.frame.get_column(name)
    if column.dtype != pl.String:
        return bare_series(column)
    numbers, rows = table.different(name)
    return bare_series(column.gather(rows)).gather(numbers)


def bare_series(column: pl.Series) -> pl.Series:
    """A column of Polars whose type lists no category that its cells do not show, in memory that holds nothing else."""
    kind = column.dtype
    if isinstance(kind, pl.Enum):
        shown = set(column.unique().drop_nulls().cast(pl.String).to_list())
        listed = kind.categories.to_list()
        kept = [category for category in listed if category in shown]
        return column if len(kept) == len(listed) else column.cast(pl.String).cast(pl.Enum(kept))
    plain = _without_categories(kind)
    bare = column if plain == kind else column.cast(plain)
    return _in_own_memory(bare) if kind in (pl.String, pl.Binary) or kind.is_nested() else bare


def _in_own_memory(column: pl.Series) -> pl.Series:
    """The same texts in memory of their own.

    Texts of Polars point into memory that they share with rows that were taken away, and with columns that they were
    cut out of. Whoever pickles them, or writes them as Arrow, hands that memory on. An older form of Arrow has each
    text by itself, so a pass through it leaves nothing else.
    """
    stored = io.BytesIO()
    try:
        column.to_frame().write_ipc(stored, compression="uncompressed", compat_level=pl.CompatLevel.oldest())
        stored.seek(0)
        return pl.read_ipc(stored).to_series().cast(column.dtype)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # structures that the older form does not know
        return column


def _without_categories(kind: pl.DataType) -> pl.DataType:
    """A type whose categories, if it has any, are called nothing and do not stand inside lists and structures."""
    if isinstance(kind, pl.Categorical):
        return pl.Categorical()
    if isinstance(kind, pl.List):
        return pl.List(_as_text(kind.inner))
    if isinstance(kind, pl.Array):
        return pl.Array(_as_text(kind.inner), kind.size)
    if isinstance(kind, pl.Struct):
        return pl.Struct([pl.Field(part.name, _as_text(part.dtype)) for part in kind.fields])
    return kind


def _as_text(kind: Any) -> pl.DataType:
    return pl.String() if isinstance(kind, pl.Enum | pl.Categorical) else _without_categories(kind)


def bare_pandas(column: Any) -> Any:
    """A column of pandas whose category lists nothing that its cells do not show, and without notes."""
    made = column.copy(deep=False)
    made.attrs = {}
    if hasattr(made.dtype, "categories"):
        return made.cat.remove_unused_categories()
    if hasattr(made.dtype, "pyarrow_dtype") and hasattr(made.dtype.pyarrow_dtype, "value_type"):
        arrow = import_module("pyarrow")
        cells = bare_arrow(arrow, arrow.chunked_array([made.array.__arrow_array__()]))
        return type(made)(type(made.array)(cells), name=made.name)
    return made


def bare_arrow(arrow: Any, column: Any) -> Any:
    """A column of Arrow whose dictionary holds nothing that its cells do not show, in the order it had."""
    kind = column.type
    if not arrow.types.is_dictionary(kind):
        plain = _plain_arrow(arrow, kind)
        return column if plain.equals(kind, check_metadata=True) else column.cast(plain)
    merged = column.unify_dictionaries().combine_chunks()
    parts = merged.chunks if hasattr(merged, "chunks") else [merged]
    return arrow.chunked_array([_bare_dictionary(arrow, part) for part in parts], type=kind)


def _bare_dictionary(arrow: Any, array: Any) -> Any:
    used = array.indices.drop_null().unique().sort()
    places = import_module("pyarrow.compute").index_in(array.indices, value_set=used)
    indices, shown = places.cast(array.type.index_type), array.dictionary.take(used)
    return arrow.DictionaryArray.from_arrays(indices, shown, ordered=array.type.ordered)


def _plain_arrow(arrow: Any, kind: Any) -> Any:
    """A type without dictionaries, and without notes, inside its lists and structures."""
    if arrow.types.is_dictionary(kind):
        return _plain_arrow(arrow, kind.value_type)
    if arrow.types.is_struct(kind):
        return arrow.struct([arrow.field(part.name, _plain_arrow(arrow, part.type), part.nullable) for part in kind])
    if arrow.types.is_list(kind) or arrow.types.is_large_list(kind):
        inner = kind.value_field
        made = arrow.list_ if arrow.types.is_list(kind) else arrow.large_list
        return made(arrow.field(inner.name, _plain_arrow(arrow, inner.type), inner.nullable))
    return kind


# -- labels of statistical packages --------------------------------------------------------------------------


def bare_labels(table: Table) -> Labels:
    """The labels of the columns, and of the codes that some cell shows."""
    labels = table.labels.only(table.names)
    coded = {*labels.codes, *labels.missing}
    shown = {name: table.frame.get_column(name).drop_nulls().unique().to_list() for name in coded}
    codes = {name: _shown_codes(words, shown[name]) for name, words in labels.codes.items()}
    missing = {name: _shown_ranges(ranges, shown[name]) for name, ranges in labels.missing.items()}
    return replace(
        labels,
        codes={name: words for name, words in codes.items() if words},
        missing={name: ranges for name, ranges in missing.items() if ranges},
    )


def _shown_codes(words: Mapping[Code, str], cells: Sequence[Any]) -> dict[Code, str]:
    seen = set(cells)
    return {code: word for code, word in words.items() if code in seen}


def _shown_ranges(ranges: Sequence[Any], cells: Sequence[Any]) -> tuple[Any, ...]:
    """Declarations of missing codes, as narrow as the shown cells allow."""
    narrow = []
    for declared in ranges:
        low, high = (declared["lo"], declared["hi"]) if isinstance(declared, dict) else (declared, declared)
        inside = [cell for cell in cells if isinstance(cell, type(low) | int | float) and _between(low, cell, high)]
        if inside:
            single = not isinstance(declared, dict) or min(inside) == max(inside) == low == high
            narrow.append(declared if single else {**declared, "lo": min(inside), "hi": max(inside)})
    return tuple(narrow)


def _between(low: Any, cell: Any, high: Any) -> bool:
    try:
        return bool(low <= cell <= high)
    except TypeError:
        return False
