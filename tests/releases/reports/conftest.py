# SPDX-License-Identifier: Apache-2.0
"""A made-up release to report on; reports look at no file and run no method."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.judging.attempts import Attempt
from shoal.judging.evidence import Measurement
from shoal.judging.portraits.portrait import Bin, ColumnPortrait, LabelBar, Pair, Portrait
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan
from shoal.releases.kinds.classes import gather_facts
from shoal.releases.private import Private
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.tables.table import Table


def portrait(names: tuple[str, str]) -> Portrait:
    """A column on a line, a column of names, one as it is, a pair of columns, two attackers."""
    first, second = names
    bins = (Bin("20 to under 30", "20", 20.0, 30.0, 0.25, 0.5), Bin("30 to 40", "30", 30.0, 41.0, 0.75, 0.5))
    bars = (LabelBar("80**", 0.6, 0.2), LabelBar("*", 0.0, 0.8), LabelBar("missing", None, 0.1, "missing"))
    columns = (
        ColumnPortrait(first, "quasi-identifier", True, bins, "40", (LabelBar("missing", 0.5, 0.4, "missing"),), 0.75),
        ColumnPortrait(second, "quasi-identifier", True, bars=bars, kept=0.2, labels=2),
        ColumnPortrait(
            "disease", "sensitive", False, bars=(LabelBar("flu", 0.4, 0.4), LabelBar("2 others", 0.6, 0.6, "others"))
        ),
        ColumnPortrait("note", "insensitive", False, problem="column 'note': The column holds nested cells."),
    )
    attempts = (
        Attempt("homogeneity", "the private value is certain in 3 % of cases", None, True, 32, 0.03, 0.0),
        Attempt("minimality", "needs the original", tried=False),
    )
    return Portrait(columns, (), (Pair(first, second, "correlation ratio", 0.5, 0.25),), 20_000, attempts)


def made(
    names: tuple[str, str] = ("age", "zip"), holds: bool = True, sizes: tuple[int, ...] = (10, 10, 12), **others: Any
) -> Release:
    """Two quasi-identifiers, one secret, groups of the sizes given."""
    rows = sum(sizes)
    classes = np.repeat(np.arange(len(sizes)), sizes)
    frame = pl.DataFrame({name: [f"secret cell {one}" for one in classes] for name in (*names, "disease")})
    plan = Plan.of(10, quasi_identifiers=names, sensitive=["disease"], identifiers=["<b>name</b>"], seed=0, **others)
    undefined = Measurement("eloss", math.nan, "lower", (0.0, math.inf), note="no tree")
    per_column = {names[0]: 0.06, names[1]: 0.0}
    return Release(
        released=Table(frame),
        record=Record.of(plan),
        verdict=Verdict((Finding("k_anonymity", holds, "k = 10: every row looks like <9> others"),), ("a & b",)),
        measurements=(Measurement("ncp", 96.0, "lower", (0.0, 640.0), {"per_cell": 0.03}, per_column), undefined),
        facts=gather_facts(plan, Table(frame), classes, formula_cells={"disease": 3}),
        private=Private(classes, (np.arange(rows),)),
        timings={"cluster": 123.456},
        drawn=portrait(names),
    )


@pytest.fixture
def make() -> Callable[..., Release]:
    """Makes a release with given column names, verdict and group sizes."""
    return made


@pytest.fixture
def release() -> Release:
    """A plain release that holds."""
    return made()
