# SPDX-License-Identifier: Apache-2.0
"""A small release to save, as the pipeline would have made it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.checking import check
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.releases.kinds.classes import gather_facts
from shoal.releases.private import Private
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.tables.reading import Reading
from shoal.tables.table import Table

TREE = Hierarchy.from_rows([["nurse", "care", "*"], ["doctor", "care", "*"], ["clerk", "office", "*"]])


def made(format: str = "delimited", k: int = 3) -> Release:
    """Seven people in two groups, one person left out."""
    frame = pl.DataFrame(
        {
            "age": ["[20, 29]"] * 3 + ["[30, 49]"] * 4,
            "job": ["care"] * 3 + ["*"] * 4,
            "disease": ["flu", "cold", "flu", "cough", "flu", "cold", "cold"],
        }
    )
    table = Table(frame, untyped=True)
    plan = Plan.of(
        k,
        quasi_identifiers=["age", "job"],
        sensitive=["disease"],
        identifiers=["name"],
        hierarchies={"job": TREE},
        kinds={"age": "numeric"},
        seed=7,
        reading=Reading(separator=",", encoding="utf-8"),
    )
    classes = np.array([0, 0, 0, 1, 1, 1, 1, -1])
    return Release(
        released=table,
        record=Record.of(plan),
        verdict=check(table, plan=plan) if k <= 3 else check(table, plan=replace(plan, k=3)),
        measurements=(Measurement("ncp", 0.25, "lower", (0.0, 1.0), {"per_cell": 0.25}, {"age": 0.2, "job": 0.3}),),
        facts=gather_facts(plan, table, classes),
        private=Private(classes, (np.array([2, 0, 1, 6, 3, 5, 4]),)),
        source_format=format,
        timings={"cluster": 0.5},
    )


@pytest.fixture
def make() -> Callable[..., Release]:
    """Makes a release of a given format and k."""
    return made


@pytest.fixture
def release() -> Release:
    """A release that holds."""
    return made()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An output folder that does not exist yet."""
    return tmp_path / "released"
