# SPDX-License-Identifier: Apache-2.0
"""Good releases by chance, as they stand on disk, and what the checker says of one."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from click.testing import CliRunner

import shoal
from shoal.faces.cli import shoal as command
from shoal.plan.plan import Plan
from shoal.releases.release import Release
from shoal.tables.reading import Reading
from shoal.tables.sources import write_table
from shoal.tables.table import Table

EXTENSIONS = {
    "delimited": ".csv",
    "json_lines": ".jsonl",
    "parquet": ".parquet",
    "arrow_ipc": ".arrow",
    "excel": ".xlsx",
    "sqlite": ".sqlite",
    "duckdb": ".duckdb",
    "spss": ".sav",
    "stata": ".dta",
}
QUASI_IDENTIFIERS = ["age", "sex", "work", "region"]
TREE = [["clerk", "office", "*"], ["boss", "office", "*"], ["cook", "craft", "*"], ["smith", "craft", "*"]]
METHODS = ["mondrian", "k_member", "hilbert", "top_down", "kaca"]
SURNAMES = ["Abel", "Bauer", "Conrad", "Dietz", "Ebert", "Frank", "Gross", "Hahn", "Ihle", "Jung", "Kern", "Lang"]

Random = np.random.Generator


@dataclass(frozen=True)
class Case:
    """A release on disk, with all that its owner knows."""

    release: Release
    original: pl.DataFrame
    table: pl.DataFrame
    """The released table, in the order in which it is published."""
    plan: Plan
    folder: Path
    """Where files may be put."""
    random: Random
    format: str = "delimited"
    target: Path | None = None
    """What the checker is given: a file, or a release folder; none: the table is yet to be written."""
    beside: bool = True
    """Whether the checker is given the original."""
    allowed: tuple[str, ...] = ("unexpected_columns",)
    """Leaks that the owner has weighed: a column that is found only because nobody planned it is not found."""

    @property
    def behind(self) -> pl.DataFrame:
        """The original records of the released rows, in their order."""
        return self.original[self.release.rows]

    def showing(self, *columns: pl.Series | pl.Expr) -> Case:
        """With other cells, or more columns."""
        return replace(self, table=self.table.with_columns(*columns))

    def in_order(self, rows: Any) -> Case:
        """With its rows in another order."""
        return replace(self, table=self.table[np.asarray(rows)])

    def written(self) -> Case:
        """With a file of the table."""
        path = self.folder / f"table{EXTENSIONS[self.format]}"
        write_table(Table.of(self.table), path, self.format, Reading())
        return replace(self, target=path)


def people(random: Random, rows: int) -> pl.DataFrame:
    """A private table: identifiers, quasi-identifiers, private facts, a harmless column."""
    numbers = random.permutation(90_000)[:rows] + 10_000
    return pl.DataFrame(
        {
            "name": [f"{SURNAMES[number % 12]} {number}" for number in numbers],
            "age": random.integers(18, 90, rows),
            "sex": random.choice(["f", "m"], rows),
            "work": random.choice([row[0] for row in TREE], rows),
            "region": random.choice(["North", "East", "South", "West"], rows),
            "disease": random.choice(["asthma", "cold", "flu", "gout", "ulcer"], rows),
            "dose": random.choice([5.0, 7.5, 10.0, 20.0], rows),
            "visits": random.integers(0, 3, rows),
        }
    )


def good(seed: int, folder: Path, format: str) -> Case:
    """A good release."""
    original, release, random = _made(seed)
    release.save(folder / "release", format=format)
    original.write_csv(folder / "original.csv")
    return Case(release, original, release.table, release.plan, folder, deepcopy(random), format)


@lru_cache(2)
def _made(seed: int) -> tuple[pl.DataFrame, shoal.Release, Random]:
    """A private table, a release of it, and the dice as they lie afterwards."""
    random = np.random.default_rng([41, seed])
    original = people(random, int(random.integers(200, 400)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = shoal.anonymize(
            original, k=int(random.integers(5, 10)), quasi_identifiers=QUASI_IDENTIFIERS, sensitive=["disease", "dose"],
            identifiers=["name"],
            insensitive=["visits"], hierarchies={"work": TREE}, method=str(random.choice(METHODS)), seed=seed,
            steps=500,
        )  # fmt: skip
    return original, release, random


@dataclass(frozen=True)
class Answer:
    """What the checker said."""

    exit_code: int
    said: dict[str, list[str]]
    """By the name of the model or leak; ``folder`` for what does not fit a manifest, ``refused`` for an error."""


def answer(case: Case) -> Answer:
    """Ask the checker, the way a user does."""
    assert case.target is not None
    line = ["check", str(case.target), "--strict", "--json"]
    if case.target.is_file():
        line += ["--plan", str(case.folder / "release" / "plan.toml")]
    if case.allowed:
        line += ["--allow", ",".join(case.allowed)]
    if case.beside:
        line += ["--original", str(case.folder / "original.csv")]
    done = CliRunner().invoke(command, line)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    if done.exit_code == 2:
        return Answer(2, {"refused": [done.output]})
    facts = json.loads(done.stdout)
    said = [(finding["model"], finding["statement"]) for finding in facts["findings"] if finding["holds"] is False]
    said += [(leak["kind"], leak["statement"]) for leak in facts["leaks"] if leak["severity"] in ("breaks", "warning")]
    said += [("folder", problem) for problem in facts["problems"]]
    kinds: dict[str, list[str]] = {}
    for kind, statement in said:
        kinds.setdefault(kind, []).append(statement)
    return Answer(done.exit_code, kinds)


Defect = Callable[[Case], Case]
