# SPDX-License-Identifier: Apache-2.0
"""What Arrow's types carry: notes on fields, dictionaries with values that no cell has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.judging.containers.extras import NOTE, Extra

ABOUT_TYPES = (b"PARQUET:field_id", b"_PL_CATEGORICAL2", b"_PL_ENUM_VALUES2", b"_PL_CATEGORICAL", b"_PL_ENUM_VALUES")
"""Notes on fields that restore types; the values that those of Polars list are compared as types."""

LONGEST_NUMBER = 4
"""Digits of the number of a field: writers that give them out count the columns."""


def noted_columns(schema: Any) -> Iterator[Extra]:
    """Columns with notes of their own."""
    for field in schema:
        number = (field.metadata or {}).get(ABOUT_TYPES[0], b"")
        if set(field.metadata or {}) - set(ABOUT_TYPES) or len(number) > LONGEST_NUMBER:
            yield Extra(NOTE, f"carries notes on column {field.name!r}", columns=(field.name,))


def unused_values(array: Any) -> int:
    """How many values the dictionary of an array holds that no cell points to."""
    dictionary = getattr(array, "dictionary", None)
    return 0 if dictionary is None else len(dictionary) - len(array.indices.drop_null().unique())
