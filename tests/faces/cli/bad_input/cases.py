# SPDX-License-Identifier: Apache-2.0
"""What the cases of bad input share: a good table, and ways to spoil one thing about it.

A case is a function that prepares a folder and returns the command line. The folder already holds a good table, so a
case only has to spoil one thing. A secret cell stands in every table; no output may ever quote it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

SECRET = "SECRET-77"
HEADER = "name,age,sex,zip,disease"
ROWS = [f"person {i},{20 + i},{'mf'[i % 2]},{10000 + i % 7},{SECRET if i == 4 else 'flu'}" for i in range(30)]
PLAN = '[privacy]\nk = 3\n[columns.age]\nrole = "quasi-identifier"\n'

Case = Callable[[Path], list[str]]
CASES: dict[str, Case] = {}
PLACES: dict[str, str] = {}


def case(where: str) -> Callable[[Case], Case]:
    """Register a case under its function's name; ``where`` is the place the message must point to."""

    def register(make: Case) -> Case:
        CASES[make.__name__] = make
        PLACES[make.__name__] = where
        return make

    return register


def good(*changes: str, table: str = "table.csv") -> list[str]:
    """A command line without fault, to which a case adds one."""
    roles = ("--qi", "age,sex", "--sensitive", "disease", "--identifier", "name", "--rest", "drop")
    return [table, "-k", "3", *roles, *changes]


def bare(*changes: str, table: str = "table.csv") -> list[str]:
    """Only what the case says."""
    return [table, *changes]


def csv(folder: Path, text: str | bytes, name: str = "bad.csv") -> str:
    """Write a file and return its name."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def spoiled(folder: Path, row: str) -> str:
    """The good table with one more row."""
    return csv(folder, "\n".join([HEADER, *ROWS, row]) + "\n")


def replaced(folder: Path, column: int, value: str, row: int = 3) -> str:
    """The good table with one cell replaced."""
    rows = [line.split(",") for line in ROWS]
    rows[row][column] = value
    return csv(folder, "\n".join([HEADER, *(",".join(line) for line in rows)]) + "\n")


def tree(folder: Path, text: str | bytes) -> list[str]:
    """A command line with this hierarchy of sex."""
    return good("--hierarchy", "sex=" + csv(folder, text, "tree.csv"))


def plan(folder: Path, text: str | bytes, *changes: str) -> list[str]:
    """A command line with this plan."""
    return bare("--plan", csv(folder, text, "plan.toml"), *changes)


def parquet(folder: Path, frame: pl.DataFrame, name: str = "bad.parquet") -> str:
    """Write a Parquet file and return its name."""
    frame.write_parquet(folder / name)
    return name
