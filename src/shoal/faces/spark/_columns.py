# SPDX-License-Identifier: Apache-2.0
"""Columns of a Spark DataFrame as shoal sees them, and small results brought to the driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as fn
from pyspark.sql.types import DoubleType, FloatType, NullType, StringType

from shoal.ground.errors import TableError, listed
from shoal.tables.digest import DifferentCells
from shoal.tables.frames import take_in
from shoal.tables.table import Table

BINARY = "UTF8_BINARY"
"""The collation in which texts are alike only if their bytes are."""
OURS = "shoal_"
"""What the names of our own columns begin with."""
ROWS = f"{OURS}rows"
NESTED = ("array", "map", "struct", "binary", "variant", "udt")


def named(name: str) -> Any:
    """The column of that very name, whatever dots or quotes it has."""
    return fn.col("`" + name.replace("`", "``") + "`")


def cell(frame: Any, name: str) -> Any:
    """A column whose cells are alike only if they are the same: by bytes, with one zero and one way to be missing."""
    kind, column = frame.schema[name].dataType, named(name)
    if isinstance(kind, DoubleType | FloatType):
        return fn.when(~fn.isnan(column), column + fn.lit(0).cast(kind))
    if isinstance(kind, StringType) and getattr(kind, "collation", BINARY) != BINARY:
        return fn.collate(column, BINARY)
    if isinstance(kind, NullType):  # of which joins by values that may be missing find nothing
        return column.cast(StringType())
    return column


def numbered(letter: str, names: Sequence[str]) -> list[str]:
    """Short names for columns, which need no quotes; names of the user's that begin so are refused."""
    return [f"{OURS}{letter}{place}" for place in range(len(names))]


def brought(frame: Any) -> Table:
    """A small DataFrame as a table on the driver."""
    return take_in(frame.toArrow()).table


def different(records: Any, column: str, name: str, most: int) -> DifferentCells | None:
    """The different cells of a column of counted records; None if there are more than ``most``."""
    counted = records.groupBy(column).agg(fn.sum(ROWS).alias(ROWS)).limit(most + 1)
    found = brought(counted).frame
    if len(found) > most:
        return None
    return DifferentCells.of(found.get_column(column).rename(name), found.get_column(ROWS).to_numpy())


def arrow_columns(columns: dict[str, Any], schema: pa.Schema) -> pa.Table:
    """Arrays by name as an Arrow table of exactly that schema."""
    made = [columns[name] for name in schema.names]
    arrays = [one.to_arrow() if hasattr(one, "to_arrow") else one for one in made]
    return pa.table(arrays, names=schema.names).cast(schema)


def is_nested(frame: Any, name: str) -> bool:
    """Whether the cells of a column are no single values."""
    return frame.schema[name].dataType.typeName() in NESTED


def refuse_nested(frame: Any, names: Sequence[str]) -> None:
    """Refuse columns whose cells can be neither counted nor published as they are."""
    nested = [name for name in names if is_nested(frame, name)]
    if nested:
        raise TableError(
            "Columns hold nested or binary cells.",
            where=f"columns {listed(nested)}",
            allowed="numbers, text, booleans, dates",
            received=listed(sorted({frame.schema[name].dataType.typeName() for name in nested})),
            todo="unpack them into plain columns, or give them the role identifier, which leaves them out",
        )
