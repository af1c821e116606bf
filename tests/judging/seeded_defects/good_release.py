# SPDX-License-Identifier: Apache-2.0
"""A good release, and the hands to damage it with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal

K = 5
ROWS = 240
REGIONS = {f"{region}{town}": region for region in "ABC" for town in "12345678"}
DISEASES = ["asthma", "cold", "flu", "gout", "ulcer"]
TREE = [["clerk", "office", "*"], ["boss", "office", "*"], ["cook", "craft", "*"], ["smith", "craft", "*"]]


@cache
def people() -> pl.DataFrame:
    """The private table: an identifier, four quasi-identifiers, two private facts, a harmless column."""
    random = np.random.default_rng(20)
    ages = random.integers(18, 90, ROWS)
    return pl.DataFrame(
        {
            "name": [f"person {number * 7919 % 10007}" for number in range(ROWS)],
            "age": ages,
            "sex": random.choice(["f", "m"], ROWS),
            "work": random.choice([row[0] for row in TREE], ROWS),
            "region": random.choice(list("ABC"), ROWS),
            "disease": random.choice(DISEASES, ROWS),
            "pulse": np.round(random.normal(70, 8, ROWS), 2),
            "visits": random.integers(0, 4, ROWS),
        }
    )


ROLES: dict[str, Any] = {
    "insensitive": ["visits"],
    "quasi_identifiers": ["age", "sex", "work", "region"],
    "sensitive": ["disease", "pulse"],
    "identifiers": ["name"],
}


@dataclass(frozen=True)
class Released:
    """What is handed to the checker."""

    table: pl.DataFrame
    plan: shoal.Plan
    original: pl.DataFrame | None = None
    path: Path | None = None
    """The file to read instead of the table."""
    folder: Path | None = None
    """The release folder to judge instead."""


@cache
def release(method: str = "mondrian") -> shoal.Release:
    """A good release of the private table."""
    return shoal.anonymize(people(), k=K, method=method, hierarchies={"work": TREE}, **ROLES)


def good(method: str = "mondrian") -> Released:
    """The good release as the checker meets it."""
    made = release(method)
    return Released(made.table, made.plan)


def with_original(whole: Released) -> Released:
    """The same, with the private table beside it."""
    return replace(whole, original=people())


def changed(whole: Released, *columns: pl.Expr | pl.Series, beside: bool = False) -> Released:
    damaged = replace(whole, table=whole.table.with_columns(*columns))
    return with_original(damaged) if beside else damaged


def chosen_rows(order: list[int] | np.ndarray, whole: Released) -> Released:
    return replace(whole, table=whole.table[np.asarray(order)])


def first_cell(name: str, change: Callable[[str], str | None], whole: Released, rows: int = 1) -> Released:
    """Change the cells of a column in the first rows that have one label, the first that the change would change."""
    cells = whole.table[name].to_list()
    label, left = next(cell for cell in cells if cell != "*" and change(cell) != cell), rows
    for place, cell in enumerate(cells):
        if cell == label and left:
            cells[place], left = change(cell), left - 1
    return replace(whole, table=whole.table.with_columns(pl.Series(name, cells, dtype=pl.String)))


def source_order(whole: Released) -> list[int]:
    """Released rows in the order of the source."""
    return np.argsort(release().rows, kind="stable").tolist()


def original_cells(name: str) -> list[Any]:
    """The private cells of the released rows."""
    return people()[name][release().rows].to_list()


Defect = Callable[[Released, Path], Released]
"""What was done to a good release; a file may be made in the folder that is given."""
