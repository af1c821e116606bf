# SPDX-License-Identifier: Apache-2.0
"""What may be a column name: any text, different for every column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shoal.errors import TableError, listed


def check_names(names: Sequence[str], where: str, todo: str) -> None:
    """Refuse empty and repeated names, by position: a header may turn out to be a record."""
    empty = [number + 1 for number, name in enumerate(names) if not name]
    if empty:
        raise TableError(
            "Some columns have no name.",
            where=where,
            allowed="a name for every column",
            received=f"an empty name for column {listed(empty)} (of {len(names)})",
            todo=todo,
        )
    often = {name for name, times in Counter(names).items() if times > 1}
    repeated = [number + 1 for number, name in enumerate(names) if name in often]
    if repeated:
        raise TableError(
            "Some columns have the same name.",
            where=where,
            allowed="a different name for every column",
            received=f"names that repeat for columns {listed(repeated)} (of {len(names)})",
            todo=todo,
        )
