# SPDX-License-Identifier: Apache-2.0
"""A small table to plant extras around, and what a check says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from shoal.judging.checking import check
from shoal.judging.verdicts import Leak
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading

AROUND = ("container_extras", "container_notes", "unseen_values", "unopened_files", "header_cells", "file_marks")
FRAME = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["[30, 49]"] * 3, "sex": ["m", "m", "m", "f", "f", "f"]})
CELLS = FRAME.with_columns(pl.Series("money", [1, 2, 3, 4, 5, 6]), pl.Series("ill", ["a", "b"] * 3))
TEXT = CELLS.write_csv().encode()
SECRET = "Anna Bell, 978320"

Plant = Callable[[Path], Any]


def around(path: Path, reading: Reading | None = None) -> list[Leak]:
    """What a check says about a file beyond its cells, information aside."""
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], reading=reading or Reading())
    verdict = check(str(path), plan=plan)
    return [leak for leak in verdict.leaks if leak.kind in AROUND and leak.severity != "information"]


def arrow_with(
    metadata: dict[str, str] | None = None, field: dict[str, str] | None = None, unused: bool = False
) -> Any:
    """An Arrow table with notes, or with a dictionary that holds more than its cells."""
    import pyarrow as arrow

    table = CELLS.to_arrow()
    ill = arrow.DictionaryArray.from_arrays([0, 1] * 3, ["a", "b", *([SECRET] if unused else [])])
    table = table.set_column(3, arrow.field("ill", ill.type, metadata=field), ill)
    return table.replace_schema_metadata(metadata)
