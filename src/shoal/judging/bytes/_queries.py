# SPDX-License-Identifier: Apache-2.0
"""Which query gives the rows that a reading names, in databases that list their tables in ``information_schema``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shoal.tables.reading import Reading
from shoal.tables.sql import parts_of, quoted


def query_of(reading: Reading, ask: Callable[[str], Any], among: str) -> str:
    """The reading's own query, or all of its table; ``among`` says which tables need no schema in front."""
    if reading.query is not None:
        return reading.query.strip().rstrip(";")
    known = [name for (name,) in ask(f"select table_name from information_schema.tables where {among}").fetchall()]
    wanted = reading.table or known[0]
    return f"select * from {quoted((wanted,) if wanted in known else parts_of(wanted))}"
