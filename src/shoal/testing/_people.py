# SPDX-License-Identifier: Apache-2.0
"""Random tables on which methods are examined: columns of every kind, duplicates, missing cells."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.plan.plan import Plan
from shoal.tables.table import Table
from shoal.testing._specimen import WORK

Random = np.random.Generator

#: Columns of each kind that a method may take, by the names of :class:`~shoal.engine.methods.Capabilities`.
COLUMNS = {"numeric": ("age", "income", "day"), "categorical": ("work", "town", "member", "code")}

#: Kinds that a table does not tell by itself, above all where every cell is missing.
KINDS = {"age": "numeric", "income": "numeric", "wage": "numeric", "day": "date", "code": "text-prefix"}

_TOWNS = ["Aach", "Bonn", "Trier", "Daun", "Elze"]
_CODES = ["8001", "8002", "8050", "8100", "9000", "91"]


def columns_of(kinds: Sequence[str]) -> list[str]:
    """The columns that a method of these kinds can take."""
    return [name for kind in kinds for name in COLUMNS[kind]]


def people(rows: int, names: Sequence[str], seed: int = 0, missing: float = 0.0) -> Table:
    """A table with these columns; ``missing`` is the share of missing cells."""
    random = np.random.default_rng(seed)
    return Table.from_columns({name: _cells(name, rows, random, missing) for name in names})


def _cells(name: str, rows: int, random: Random, missing: float) -> Any:
    kind = name.partition(" ")[0]
    holes = random.random(rows) < missing
    if kind in ("work", "town", "code"):
        labels = {"work": WORK.leaf_labels, "town": _TOWNS, "code": _CODES}[kind]
        return [None if hole else str(label) for hole, label in zip(holes, random.choice(labels, rows))]
    if kind == "day":
        days = [date(2020, 1, 1) + timedelta(days=int(one)) for one in random.integers(0, 400, rows)]
        return tuple(None if hole else day for hole, day in zip(holes, days))
    if kind == "wage":
        wages = (500 * random.integers(20, 60, rows)).tolist()
        return tuple(None if hole else wage for hole, wage in zip(holes, wages))
    values: dict[str, NDArray[Any]] = {
        "age": random.integers(18, 60, rows),
        "income": random.lognormal(10.0, 1.0, rows),
        "member": random.random(rows) < 0.3,
    }
    return tuple(None if hole else value for hole, value in zip(holes, values[kind].tolist()))


def wide(names: Sequence[str], width: int) -> list[str]:
    """Names of as many columns as asked for: ``age``, ``age 2``, ``age 3``, ..."""
    return [names[place % len(names)] + (f" {place}" if place >= len(names) else "") for place in range(width)]


def plan_for(table: Table, method: str, k: int, **others: Any) -> Plan:
    """Every column of the table a quasi-identifier, with its tree or prefix code where it has one."""
    return Plan.of(
        k,
        quasi_identifiers=table.names,
        hierarchies={name: WORK for name in table.names if name.startswith("work")},
        kinds={name: KINDS[kind] for name in table.names if (kind := name.partition(" ")[0]) in KINDS},
        method=method,
        **others,
    )
