# SPDX-License-Identifier: Apache-2.0
"""What the binary, column-wise formats have in common: types are kept, and a damaged file is refused as one."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import polars as pl

from shoal.ground.errors import TableError
from shoal.tables.arrow_orders import with_orders
from shoal.tables.columns import check_names
from shoal.tables.table import Table


def read_columnar(path: Path, parse: Callable[[io.BytesIO], pl.DataFrame], kind: str) -> Table:
    """Read a file whole; what the parser has against it is not passed on, since it may quote cells."""
    stored = path.read_bytes()
    where = f"file {str(path)!r}"
    try:
        frame = parse(io.BytesIO(stored))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, NotImplementedError):
        raise TableError(
            f"The file cannot be read as {kind}.",
            where=where,
            allowed=f"a complete {kind} file with column names that differ",
            received=f"{len(stored)} bytes that are damaged or something else",
            todo="check the extension, or export the table again",
        ) from None
    check_names(frame.columns, where, "rename the columns")
    return Table.of(with_orders(frame, stored, kind))
