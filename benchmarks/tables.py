# SPDX-License-Identifier: Apache-2.0
"""Prepares the real tables: from the raw files in SHOAL_DATA to one Parquet file each, in ``bench/``.

The raw files are never copied into the project; ``bench/`` is ignored by git.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from shoal.engine.encoding.encode import complete, encode
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.engine.methods import Capabilities
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))
PREPARED = ROOT / "bench"

ADULT_COLUMNS = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship", "race",
    "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income",
)  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """One table with the quasi-identifiers its experiments use."""

    name: str
    prepare: Callable[[], Table]
    quasi_identifiers: tuple[str, ...]
    numeric: tuple[str, ...]
    identifiers: tuple[str, ...] = ()
    hierarchies: Callable[[], dict[str, Path]] = field(default=dict)

    @property
    def path(self) -> Path:
        """The prepared file; made on first use."""
        path = PREPARED / f"{self.name}.parquet"
        if not path.exists():
            PREPARED.mkdir(exist_ok=True)
            write_table(self.prepare(), path, "parquet")
        return path

    def fits(self, able: Capabilities) -> bool:
        """Whether a method takes a table of this size."""
        table = read_table(self.path).table
        if able.largest_rows is not None and len(table) > able.largest_rows:
            return False
        if able.largest_distinct is None:
            return True
        points = encode(table, complete(self.plan(2), table)).points
        return distinct(points)[2] <= able.largest_distinct

    def plan(self, k: int, loss: str = "ncp", method: str = "k_member") -> Plan:
        """The plan of its experiments."""
        kinds = {name: "numeric" if name in self.numeric else "categorical" for name in self.quasi_identifiers}
        return Plan.of(
            k,
            quasi_identifiers=self.quasi_identifiers,
            identifiers=self.identifiers,
            rest="insensitive",
            hierarchies=self.hierarchies(),
            kinds=kinds,
            loss=loss,
            method=method,
        )


def adult_all() -> Table:
    """Adult's training file with its header, ``?`` as missing."""
    reading = Reading(header=False, columns=ADULT_COLUMNS, na=("?",))
    return read_table(DATA / "adult" / "adult.data", reading).table


def adult_complete() -> Table:
    """Its 30,162 complete rows."""
    table = adult_all()
    holes = sum(table.missing(name) for name in table.names)
    return table.take((holes == 0).nonzero()[0])


def _arx(columns: tuple[str, ...]) -> dict[str, Path]:
    return {name: DATA / "adult" / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in columns}


def census() -> Table:
    """Census-Income (KDD), train and then test."""
    folder = DATA / "census-income-kdd"
    return read_table([folder / f"census_income_kdd_{part}.parquet" for part in ("train", "test")]).table


ADULT = Bench(
    "adult",
    adult_complete,
    ("age", "workclass", "education", "marital-status", "race", "sex"),
    ("age",),
    hierarchies=lambda: _arx(("workclass", "education", "marital-status", "race", "sex")),
)
CENSUS = Bench(
    "census-income-kdd",
    census,
    ("age", "sex", "education", "marital_stat", "race", "class_of_worker", "country_of_birth_self"),
    ("age",),
)
FREMTPL2 = Bench(
    "fremtpl2",
    lambda: read_table(DATA / "fremtpl2" / "freMTPL2freq.parquet").table,
    ("DrivAge", "VehAge", "Density", "BonusMalus", "Region", "Area", "VehBrand", "VehGas"),
    ("DrivAge", "VehAge", "Density", "BonusMalus"),
    identifiers=("IDpol",),
)
ACS = Bench(
    "acs-gov-census",
    lambda: read_table(DATA / "acs-gov-census" / "gov_census.parquet").table,
    ("age", "education_level", "hours_worked", "family_size", "children"),
    ("age", "education_level", "hours_worked", "family_size", "children"),
)
"""Numbers only, for the methods that work with means."""
ADULT_FNLWGT = Bench(
    "adult-fnlwgt",
    adult_all,
    ("age", "fnlwgt", "race", "marital-status", "sex"),
    ("age", "fnlwgt"),
    hierarchies=lambda: _arx(("race", "marital-status", "sex")),
)
"""All 32,561 rows, with a column of 21,648 different numbers."""
ACS_PEOPLE = Bench(
    "acs-people",
    lambda: read_table(DATA / "acs-gov-census" / "gov_census.parquet").table,
    ("age", "education_level", "hours_worked", "sex", "race", "marital", "nativity", "economic_region"),
    ("age", "education_level", "hours_worked"),
)
TABLES = {one.name: one for one in (ADULT, CENSUS, FREMTPL2, ACS, ADULT_FNLWGT, ACS_PEOPLE)}
