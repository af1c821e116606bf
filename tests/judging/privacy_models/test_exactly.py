# SPDX-License-Identifier: Apache-2.0
"""Every verdict about private values is that of exact arithmetic, on random tables and on claims at the very border."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference import exact_models as exact

TREE = [
    ["ulcer", "gut", "body", "*"],
    ["gout", "joints", "body", "*"],
    ["cold", "airways", "body", "*"],
    ["flu", "airways", "body", "*"],
    ["grief", "mind", "*"],
    ["healthy", "*"],
]
PATHS: dict[Any, tuple[str, ...]] = {row[0]: tuple(reversed(row)) for row in TREE} | {None: ("*", "")}
FIRST_DAY = date(1999, 12, 28)
DRAWN: dict[str, list[Any]] = {
    "disease": [row[0] for row in TREE],
    "income": [0, 12_400, 31_999, 32_000, 978_320],
    "rate": [-0.5, 0.0, 0.1, 0.30000000000000004, 1e300],
    "since": [FIRST_DAY + timedelta(days=days) for days in (0, 1, 4, 900)],
    "town": ["Bonn", "Jena", "Kiel", "Ulm"],
}
TYPES = {"disease": pl.String, "income": pl.Int64, "rate": pl.Float64, "since": pl.Date, "town": pl.String}
KIND = {"disease": "hierarchical", "income": "ordered", "rate": "ordered", "since": "ordered", "town": "equal"}
PLAN = Plan.of(
    1, quasi_identifiers=["group"], sensitive=list(DRAWN), hierarchies={"disease": Hierarchy.from_rows(TREE)}
)
CLAIMS: list[tuple[str, dict[str, Any], list[float]]] = [
    ("l_diversity", {"kind": "distinct"}, [1, 2, 3]),
    ("l_diversity", {"kind": "frequency"}, [1, 1.25, 1.5, 2, 3]),
    ("l_diversity", {"kind": "entropy"}, [1, 1.5, 2, 3]),
    ("l_diversity", {"kind": "recursive", "c": 1.5}, [1, 2, 3]),
    ("alpha_k", {}, [0.4, 0.5, 0.75, 0.8, 1]),
    ("beta_likeness", {"kind": "basic"}, [0.25, 0.5, 1, 2]),
    ("beta_likeness", {}, [0.25, 0.5, 1, 2]),
    ("delta_disclosure", {}, [0.2, 0.7, 1.5]),
    ("t_closeness", {}, [0.1, 0.25, 0.375, 0.5]),
    ("t_closeness", {"kind": "equal"}, [0.1, 0.25, 0.5]),
]
SYMBOL = {
    "l_diversity": "l",
    "alpha_k": "alpha",
    "beta_likeness": "beta",
    "delta_disclosure": "delta",
    "t_closeness": "t",
}

Columns = dict[str, list[Any]]
TABLES_EACH = 20


def random_columns(random: np.random.Generator) -> Columns:
    """Classes of a few rows; a private column may have one value, rare ones, and missing cells."""
    rows = int(random.integers(1, 25))
    columns: Columns = {"group": [str(group) for group in random.integers(0, random.integers(1, 5), rows)]}
    for name, values in DRAWN.items():
        kept = [values[place] for place in random.permutation(len(values))[: random.integers(1, len(values) + 1)]]
        cells = [kept[place] for place in random.choice(len(kept), rows, p=random.dirichlet(np.full(len(kept), 3.0)))]
        columns[name] = [None if random.random() < 0.1 else cell for cell in cells]
    return columns


def distance_of(name: str, kind: str, table: list[Any]) -> exact.Distance:
    """How far apart the values of a column are."""
    if kind == "equal":
        return exact.equal
    if kind == "hierarchical":
        return exact.in_tree(PATHS if None in table else {leaf: path for leaf, path in PATHS.items() if leaf})
    present = sorted({cell for cell in table if cell is not None})
    return exact.along([*present, None] if None in table else present)


def holds(model: str, given: dict[str, Any], claim: float, name: str, some: list[Any], table: list[Any]) -> bool:
    """Whether one class keeps a claim about one column."""
    limit = Fraction(claim)
    if model == "l_diversity":
        return exact.is_diverse(some, given["kind"], limit, Fraction(given.get("c", 0)))
    if model == "alpha_k":
        return exact.is_alpha(some, limit)
    if model == "beta_likeness":
        return exact.is_beta_like(some, table, limit, enhanced=given.get("kind") != "basic")
    if model == "delta_disclosure":
        return exact.is_delta_disclosing_less(some, table, limit)
    distance = distance_of(name, given.get("kind", KIND[name]), table)
    return exact.work(some, table, distance) <= limit + exact.SLACK


@pytest.mark.parametrize("batch", repeats(3, 100))
def test_verdicts_are_exact(batch: int) -> None:
    """Twenty random tables under every model: the verdict and the number of classes that break it."""
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in range(batch * TABLES_EACH, (batch + 1) * TABLES_EACH):
        random = np.random.default_rng([31, seed])
        columns = random_columns(random)
        table = Table.of(pl.DataFrame(columns, schema={"group": pl.String, **TYPES}))
        classes = defaultdict(list)
        for row, group in enumerate(columns["group"]):
            classes[group].append(row)
        for model, given, claims in CLAIMS:
            claim = float(random.choice(claims))
            module = catalog.load("privacy_models", model)
            finding = module.check(table, PLAN, module.Parameters(**given, **{SYMBOL[model]: claim}))
            broken = [
                not all(
                    holds(model, given, claim, name, [columns[name][row] for row in rows], columns[name])
                    for name in DRAWN
                )
                for rows in classes.values()
            ]
            word = "below" if model == "l_diversity" else "above"
            assert finding.holds is not any(broken), (seed, model, given, claim)
            assert finding.figures[f"classes_{word}_{SYMBOL[model]}"] == sum(broken), (seed, model, given, claim)
            seen[model, finding.holds] += 1
    assert all(seen[model, verdict] for model in SYMBOL for verdict in (True, False)), "both verdicts must be tried"
