# SPDX-License-Identifier: Apache-2.0
"""The attack lab on Adult: what k promises holds for every method, and what does not is called broken."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shoal
from shoal.ground import catalog
from shoal.tables.equivalence_classes import class_sizes
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.counts import count

COLUMNS = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "salary"),
)
NAMES = ("age", "workclass", "education", "marital-status", "race", "sex")
NUMBERS = ("age", "fnlwgt", "education-num", "hours-per-week")
K = 10
ROWS = count(1_000, 3_000)


@cache
def adult(data: Path, rows: int | None = ROWS) -> Table:
    """Some of the complete rows, in the file's order."""
    table = read_table(data / "adult" / "adult.data", Reading(header=False, columns=COLUMNS, na=("?",))).table
    whole = np.flatnonzero(~np.any([table.missing(name) for name in table.names], axis=0))
    if rows is not None:
        whole = np.sort(np.random.default_rng(1).choice(whole, rows, replace=False))
    return table.take(whole)


def release_of(table: Table, data: Path, method: str) -> tuple[shoal.Release, tuple[str, ...]]:
    """A release by any method, and the columns it hides: names and trees where the method takes them."""
    able: Any = catalog.load("algorithms", method).CAPABILITIES
    on = NAMES if "categorical" in able.kinds else NUMBERS
    trees = {name: data / "adult" / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in on[1:]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = shoal.anonymize(
            table,
            k=K,
            quasi_identifiers=on,
            sensitive=["occupation"],
            rest="insensitive",
            method=method,
            hierarchies=trees if on == NAMES else {},
            accept_weaker=able.releases != "classes",
        )
    return release, on


def methods(kind: str) -> list[str]:
    """Every method of the catalogue that publishes such releases."""
    return [name for name in catalog.names("algorithms") if _releases(name) == kind]


def _releases(name: str) -> str:
    kind: str = catalog.load("algorithms", name).CAPABILITIES.releases
    return kind


@pytest.mark.thin(4)
@pytest.mark.data
@pytest.mark.parametrize("method", [*methods("classes"), *methods("boxes")])
def test_linking_finds_at_most_one_in_k(method: str, shared_data: Path) -> None:
    """Everybody's recognisable columns known, the right row is found in at most 1 in k cases, by every method."""
    table = adult(shared_data)
    release, on = release_of(table, shared_data, method)
    report = shoal.attack(release, known=table, attacks=["linkage", "row_order"])
    found, order = report.attempts
    assert found.broken is False, found.statement
    assert found.interval[0] <= 1 / K
    assert found.rate <= 1 / K
    assert found.figures["fewest_candidates"] >= K
    assert order.broken is False
    assert found.before > 3 * found.rate
    assert found.targets == len(table)
    assert set(on) <= set(release.plan.quasi_identifiers)


@pytest.mark.data
@pytest.mark.parametrize("rows", [ROWS, None], ids=["some rows", "all rows"])
def test_the_raw_table_gives_unique_people_away(rows: int | None, shared_data: Path) -> None:
    """Unique records of the table as it is are found for certain, and it is called broken."""
    table = adult(shared_data, rows)
    unique = class_sizes(table, list(NAMES)) == 1
    targets = table.take(np.flatnonzero(unique))
    found = shoal.attack(
        table, known=targets, on=NAMES, k=K, truth=np.flatnonzero(unique), original=table, attacks=["linkage"]
    ).attempts[0]
    assert found.rate == 1.0
    assert found.interval[0] > 0.99
    assert found.broken is True


@pytest.mark.data
@pytest.mark.parametrize("method", methods("subtables"))
def test_joined_sub_tables_are_broken(method: str, shared_data: Path) -> None:
    """Joined, the sub-tables single out far more people than promised."""
    table = adult(shared_data)
    release, _ = release_of(table, shared_data, method)
    report = shoal.attack(release, known=table, attacks=["linkage"])
    joined = report.attempts[-1]
    assert "had a key been kept" in joined.statement
    assert joined.broken is True
    assert joined.interval[0] > 1 / K
    assert joined.figures["one_candidate"] > 0
