# SPDX-License-Identifier: Apache-2.0
"""Parquet: notes of the file and of its columns, statistics and dictionaries that tell more than the cells.

Looked into with PyArrow. Of the notes those that Arrow and pandas write to restore types are read, too: pandas keeps
the index and ``attrs`` of a frame there. Bloom filters are not looked into.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from shoal.ground.catalog import library
from shoal.ground.wording import counted
from shoal.judging.containers._arrow_types import noted_columns, unused_values
from shoal.judging.containers.extras import CONTENT, NOTE, TYPE, Extra, OpenedFile, uneven_parts, unseen_values
from shoal.tables.arrow_files import ALONE, parquet_file

MAGIC = 4
"""Bytes that a file begins and ends with."""
SHORTEST_CUT = 16
"""Letters from which on statistics may tell a text cut short."""
WRITERS = re.compile(
    r"(?:(?:parquet-(?:cpp|mr|rs|go|net)|polars|duckdb|fastparquet|impala|arrow|spark|trino|presto|datafusion|cudf|velox)\b"
    r"[\w ().+:/-]{0,80})?",
    re.IGNORECASE,
)
"""Programs that write files, with their version."""
COPY = 1_000
"""Bytes up to which what stands behind a column may be the copy of its description that some writers put there."""


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Notes, statistics, dictionaries, and bytes between the columns."""
    library("pyarrow.parquet", extra="frames", what="A look into a Parquet file")
    file = parquet_file(opened.stored)
    yield from _of_pandas((file.metadata.metadata or {}).get(b"pandas"))
    yield from noted_columns(file.schema_arrow)
    yield from uneven_parts([file.metadata.row_group(at).num_rows for at in range(file.metadata.num_row_groups)])
    yield from _statistics(file)
    names = [name for name in file.schema_arrow.names if "." not in name]
    listing = parquet_file(opened.stored, read_dictionary=names)
    for name in names:
        if unused := _unused_in_dictionaries(listing, name):
            yield unseen_values(name, unused, "the dictionary")
    if not WRITERS.fullmatch(file.metadata.created_by or ""):
        yield Extra(NOTE, "carries a text instead of the name of the program that wrote it")
    if gap := _between(file.metadata, len(opened.stored) - 8 - file.metadata.serialized_size):
        yield Extra(CONTENT, f"holds {counted(gap, 'byte')} between its columns that belong to none of them")


def _of_pandas(note: bytes | None) -> Iterator[Extra]:
    """The note of pandas is about types, unless a frame had notes or an index of its own."""
    if note is None:
        return
    told = json.loads(note)
    if told.get("attributes"):
        yield Extra(NOTE, "carries the notes (attrs) of a pandas frame")
    if any(not isinstance(one, dict) or one.get("name") for one in told.get("index_columns", [])):
        yield Extra(NOTE, "carries the index of a pandas frame")


def _statistics(file: Any) -> Iterator[Extra]:
    """Columns whose smallest or largest value, as the file tells it, is in no row."""
    wrong: set[str] = set()
    metadata = file.metadata
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(place)
            told = chunk.statistics
            if told is None or not told.has_min_max or "." in chunk.path_in_schema:
                continue
            if not _occur(file, group, chunk.path_in_schema, {told.min, told.max}):
                wrong.add(chunk.path_in_schema)
    for name in sorted(wrong):
        said = f"tells a smallest or largest value of column {name!r} that no cell shows"
        yield Extra(TYPE, said, columns=(name,))


def _occur(file: Any, group: int, name: str, values: set[Any]) -> bool:
    """Whether cells have these values; a type whose values statistics tell in another way is taken as it is."""
    compute = library("pyarrow.compute", extra="frames", what="A look into a Parquet file")
    column = file.read_row_group(group, columns=[name], **ALONE).column(0)
    cells = column.cast(column.type.value_type) if hasattr(column.type, "value_type") else column
    if not isinstance(next((cell.as_py() for cell in cells if cell.is_valid), None), tuple(map(type, values))):
        return True
    found = [bool(compute.any(compute.equal(cells, value)).as_py()) for value in values]
    return all(there or _cut(compute, value, cells) for there, value in zip(found, values))


def _cut(compute: Any, value: Any, cells: Any) -> bool:
    """Whether a long text was cut, as statistics may be: its last letter may be another then."""
    if not isinstance(value, str) or len(value) < SHORTEST_CUT:
        return False
    return bool(compute.any(compute.starts_with(cells, value[:-1])).as_py())


def _unused_in_dictionaries(file: Any, name: str) -> int:
    return sum(
        unused_values(chunk)
        for group in range(file.metadata.num_row_groups)
        for chunk in file.read_row_group(group, columns=[name], **ALONE).column(0).chunks
    )


def _between(metadata: Any, footer: int) -> int:
    """Bytes between columns, and before the footer, that no column claims and that are no copies of descriptions."""
    spans = []
    for group in range(metadata.num_row_groups):
        for place in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(place)
            starts = [at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at]
            spans.append((min(starts), min(starts) + chunk.total_compressed_size))
    gap, end = 0, MAGIC
    for start, stop in sorted(spans):
        gap, end = gap + (start - end if start - end > COPY else 0), max(end, stop)
    return gap + (footer - end if footer - end > COPY * (len(spans) + 1) else 0)
