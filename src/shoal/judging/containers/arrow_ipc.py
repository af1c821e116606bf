# SPDX-License-Identifier: Apache-2.0
"""Arrow IPC: notes of the file and of its columns, dictionaries, and values that lie under missing cells.

Looked into with PyArrow. The format stores memory as it lies, so a missing cell may still have a value under it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from shoal.ground.catalog import library
from shoal.judging.containers._arrow_types import noted_columns, unused_values
from shoal.judging.containers.extras import CONTENT, NOTE, Extra, OpenedFile, uneven_parts, unseen_values
from shoal.tables.arrow_files import MAGIC, arrow_file

OFFSETS = {13: np.int32, 14: np.int32, 34: np.int64, 35: np.int64}
"""Types of text and bytes, by the numbers that Arrow gives them, and what tells where cells begin and end."""


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Notes, dictionaries, and what lies under missing cells."""
    library("pyarrow.ipc", extra="frames", what="A look into an Arrow file")
    is_file, reader = opened.stored.startswith(MAGIC), arrow_file(opened.stored)
    if set(reader.schema.metadata or {}) - {b"pandas"} or getattr(reader, "metadata", None):
        yield Extra(NOTE, "carries notes besides the table")
    yield from noted_columns(reader.schema)
    noted = _batches(reader, is_file)
    batches = [batch for batch, _ in noted]
    if any(metadata for _, metadata in noted):
        yield Extra(NOTE, "carries notes on parts of the table")
    yield from uneven_parts([len(batch) for batch in batches])
    for place, name in enumerate(reader.schema.names):
        columns = [batch.column(place) for batch in batches]
        if unused := max(map(unused_values, columns), default=0):
            yield unseen_values(name, unused, "the dictionary")
        if any(_lies_under(column) or _lies_beside(column) for column in columns):
            yield Extra(CONTENT, f"holds values under or beside the cells of column {name!r}", columns=(name,))
    if is_file and not opened.stored.endswith(MAGIC):
        yield Extra(CONTENT, "holds further bytes behind the table")


def _batches(reader: Any, is_file: bool) -> list[tuple[Any, Any]]:
    """The parts of the table, each with its notes."""
    if is_file:
        return [tuple(reader.get_batch_with_custom_metadata(at)) for at in range(reader.num_record_batches)]
    return [tuple(part) for part in reader.iter_batches_with_custom_metadata()]


def _lies_beside(array: Any) -> bool:
    """Whether a text column holds letters that belong to none of its cells."""
    if array.type.id not in OFFSETS or not len(array):
        return False
    _, places, letters = array.buffers()
    ends = np.frombuffer(places, dtype=OFFSETS[array.type.id])[array.offset : array.offset + len(array) + 1]
    return letters is not None and int(ends[-1] - ends[0]) != letters.size


def _lies_under(array: Any) -> bool:
    """Whether memory under a missing cell is not empty; of nested and dictionary columns only the outside is seen."""
    if not array.null_count:
        return False
    missing = np.asarray(array.is_null())
    if array.type.id in OFFSETS:
        ends = np.frombuffer(array.buffers()[1], dtype=OFFSETS[array.type.id])
        ends = ends[array.offset : array.offset + len(array) + 1]
        return bool((np.diff(ends)[missing] != 0).any())
    try:
        width = array.type.bit_width // 8
    except ValueError:
        return False
    if not width or len(array.buffers()) != 2:
        return False
    cells = np.frombuffer(array.buffers()[1], dtype=np.uint8)[
        array.offset * width : (array.offset + len(array)) * width
    ]
    return bool(cells.reshape(len(array), width)[missing].any())
