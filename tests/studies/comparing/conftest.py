# SPDX-License-Identifier: Apache-2.0
"""Small tables to compare methods on, and outcomes that nobody had to compute."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from shoal.plan.plan import Plan
from shoal.studies.comparing.comparison import Comparison, compare
from shoal.studies.comparing.outcome import REFUSED, Outcome
from shoal.studies.samples.patients import patient_hierarchies, patients_table
from shoal.tables.table import Table

NAMES = ("age", "sex", "insurance")
METHODS = ("hilbert", "mondrian")


@pytest.fixture(scope="session")
def patients() -> Table:
    """A hundred and fifty invented patients."""
    return patients_table(150, seed=3)


@pytest.fixture(scope="session")
def plan() -> Plan:
    """Three quasi-identifiers: a number, a flat tree, a deep tree."""
    trees = patient_hierarchies()
    return Plan.of(3, quasi_identifiers=NAMES, hierarchies={name: trees[name] for name in NAMES[1:]})


@pytest.fixture(scope="session")
def compared(patients: Table, plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Path]:
    """A comparison that really ran, in its folder; one method of it is refused."""
    folder = tmp_path_factory.mktemp("compared") / "out"
    methods = [*METHODS, "equal_combination"]
    return compare(patients, plan, methods=methods, k=[3, 10], output=folder, attribution=False), folder


@pytest.fixture
def invented() -> Comparison:
    """A comparison put together by hand: two methods, two k, a bound, a refusal, a weaker method."""
    rows = [("fine", 0.20, 9.0), ("quick", 0.21, 0.5), ("coarse", 0.60, 0.1)]
    outcomes = [
        Outcome(
            method,
            k,
            0,
            metric="ncp",
            loss=loss * k / 10,
            bound=0.1 * k / 10,
            per_column={"age": loss, "sex": loss / 2},
            seconds=seconds,
            memory=100.0,
            risk=1 / k,
            classes=7,
            smallest_class=k,
            largest_class=2 * k,
        )
        for k in (5, 10)
        for method, loss, seconds in rows
    ]
    weaker = Outcome("boxy", 10, 0, loss=0.01, per_column={"age": 0.01}, seconds=1.0, memory=9.0, releases="boxes")
    refused = Outcome("picky", 10, 0, REFUSED, "The table is too large.")
    return Comparison((*outcomes, weaker, refused), {5: 0.05, 10: 0.1}, 100, ("age", "sex"), "ncp")


@pytest.fixture
def noisy() -> Table:
    """Two numbers that go together, and one of pure noise."""
    rng = np.random.default_rng(5)
    base = rng.permutation(np.repeat(np.arange(24), 10))
    columns = {"height": base, "weight": base + rng.integers(0, 2, 240), "noise": rng.integers(0, 1000, 240)}
    return Table.from_columns(columns)
