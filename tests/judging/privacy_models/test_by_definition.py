# SPDX-License-Identifier: Apache-2.0
"""Every model about private values equals its definition, and so does what it asks of the classes, on random tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.ground import catalog
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count
from tests.reference import private_values as definition
from tests.reference import rules

TABLES = count(100, 1000)
BATCH = 100

# Ragged on purpose, with a value that never occurs and a node of one child.
DISEASES = [
    ["flu", "airways", "body", "*"],
    ["asthma", "airways", "body", "*"],
    ["gastritis", "gut", "body", "*"],
    ["ulcer", "gut", "body", "*"],
    ["measles", "skin", "*"],
    ["acne", "skin", "*"],
    ["phobia", "*"],
]
TREE = Hierarchy.from_rows(DISEASES)
PAY = [9, 10, 25, 30, 100]
TOWNS = ["Ulm", "Bonn", "Jena", "Kiel"]

SENSITIVE = ("disease", "pay", "town")
PLAN = Plan.of(1, quasi_identifiers=["age", "sex"], sensitive=SENSITIVE, hierarchies={"disease": TREE})

Rows = list[dict[str, Any]]


def random_rows(random: np.random.Generator) -> Rows:
    """Up to thirty people in a few classes; every column may have missing cells, and values may be rare."""
    n = int(random.integers(1, 31))
    holes = float(random.choice([0.0, 0.1, 0.4]))

    def column(values: list[Any]) -> list[Any]:
        fewest = 1 if random.random() < 0.2 else 2
        kept = [values[place] for place in random.permutation(len(values))[: random.integers(fewest, len(values) + 1)]]
        shares = random.dirichlet(np.full(len(kept), 4.0))
        drawn = [kept[place] for place in random.choice(len(kept), n, p=shares)]
        return [None if random.random() < holes else one for one in drawn]

    columns = {
        "age": column(["[20, 29]", "[30, 39]"]),
        "sex": column(["f", "m"]),
        "disease": column([row[0] for row in DISEASES]),
        "pay": column(PAY),
        "town": column(TOWNS),
    }
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def as_table(rows: Rows) -> Table:
    """The rows as a frame, pay as numbers."""
    kinds = {name: pl.Int64 if name == "pay" else pl.String for name in rows[0]}
    return Table.of(pl.DataFrame(rows, schema=kinds))


def classes_of(rows: Rows) -> list[list[int]]:
    """Row numbers of each class."""
    found = defaultdict(list)
    for number, row in enumerate(rows):
        found[row["age"], row["sex"]].append(number)
    return list(found.values())


Definition = Callable[[list[Any], list[Any], str, dict[str, Any]], float]
"""(values of a class, of the table, name of the column, parameters) -> the figure of the class."""


def closeness(some: list[Any], table: list[Any], name: str, given: dict[str, Any]) -> float:
    """By the kind that is asked for, or that fits the column."""
    kind = given.get("kind") or {"disease": "hierarchical", "pay": "ordered", "town": "equal"}[name]
    if kind == "equal":
        return definition.equal_distance(some, table)
    if kind == "hierarchical":
        return definition.hierarchical_distance(some, table, DISEASES)
    return definition.ordered_distance(some, table, [*PAY, None])


def alpha(some: list[Any], table: list[Any], name: str, given: dict[str, Any]) -> float:
    """Of all or of the listed values."""
    return definition.alpha(some, given.get("values"))


def beta(some: list[Any], table: list[Any], name: str, given: dict[str, Any]) -> float:
    """Basic or enhanced, which is usual."""
    return definition.beta(some, table, enhanced=given.get("kind") != "basic")


def delta(some: list[Any], table: list[Any], name: str, given: dict[str, Any]) -> float:
    """Over all values of the table."""
    return definition.disclosure(some, table)


def diversity(some: list[Any], table: list[Any], name: str, given: dict[str, Any]) -> float:
    """Of any kind, negative so that less is better as in the other models."""
    return -definition.diversity(some, given["kind"], given.get("c"))


MODELS: dict[str, tuple[str, Definition, list[tuple[dict[str, Any], list[float]]]]] = {
    "t_closeness": (
        "t",
        closeness,
        [
            ({}, [0, 0.1, 0.2, 0.35, 0.5]),
            ({"kind": "equal"}, [0.1, 0.25, 0.4]),
            ({"kind": "ordered", "columns": ("pay",)}, [0.1, 0.25, 0.4]),
            ({"kind": "hierarchical", "columns": ("disease",)}, [0.1, 0.25, 0.4]),
        ],
    ),
    "alpha_k": ("alpha", alpha, [({}, [0.5, 0.75, 0.9]), ({"values": ("flu", "25")}, [0.4, 0.6])]),
    "beta_likeness": ("beta", beta, [({}, [0.2, 1, 3]), ({"kind": "basic"}, [0.2, 1, 3])]),
    "delta_disclosure": ("delta", delta, [({}, [0.2, math.log(2), 2])]),
    "l_diversity": (
        "l",
        diversity,
        [
            ({"kind": "distinct"}, [1, 2, 3]),
            ({"kind": "frequency"}, [1, 1.5, 2, 2.5]),
            ({"kind": "entropy"}, [1, 1.5, 2, 2.5]),
            ({"kind": "recursive", "c": 2.0}, [1, 2, 3]),
        ],
    ),
}
"""Per model: its parameter, its definition, and settings with claims from which each table draws."""


def held(model: str, figure: float, claim: float) -> bool:
    """Whether one class keeps the claim."""
    if model == "l_diversity":
        return -figure >= claim - 1e-9
    return figure < claim - 1e-9 if model == "delta_disclosure" else figure <= claim + 1e-9


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
@pytest.mark.parametrize("model", MODELS)
def test_model_and_rule_equal_the_definition(model: str, batch: int) -> None:
    """Verdict, figures and rules of a random table are those that its classes give one by one."""
    module = catalog.load("privacy_models", model)
    symbol, define, settings = MODELS[model]
    seen = {"holds": 0, "broken": 0, "refused": 0}
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        random = np.random.default_rng([seed, len(model)])
        rows = random_rows(random)
        given, claims = settings[int(random.integers(len(settings)))]
        claim = float(random.choice(claims))
        parameters = module.Parameters(**given, **{symbol: claim})
        columns = [name for name in SENSITIVE if name in given.get("columns", SENSITIVE)]
        classes = classes_of(rows)

        def figure(name: str, members: list[int], rows: Rows = rows, given: dict[str, Any] = given) -> float:
            values = [row[name] for row in rows]
            if "values" in given:  # listed as text, whatever the type of the column
                values = [None if one is None else str(one) for one in values]
            return define([values[member] for member in members], values, name, given)

        figures = {name: [figure(name, one) for one in classes] for name in columns}
        broken = [
            not all(held(model, each[place], claim) for each in figures.values()) for place in range(len(classes))
        ]
        possible = all(held(model, figure(name, list(range(len(rows)))), claim) for name in columns)
        table = as_table(rows)
        agrees_on_the_finding(module.check(table, PLAN, parameters), symbol, figures, classes, broken, seed)
        kept = agrees_on_the_rules(module, parameters, table, classes, broken, possible, seed)
        seen["refused" if not kept else "broken" if any(broken) else "holds"] += 1
    assert min(seen["holds"], seen["broken"]) > 3, "the tables must try both verdicts"


def agrees_on_the_finding(
    found: Any, symbol: str, figures: dict[str, list[float]], classes: list[list[int]], broken: list[bool], seed: int
) -> None:
    """The verdict, the worst class of each column, and how many classes and rows break the claim."""
    assert found.holds is (not any(broken)), seed
    sign, word = (-1, "below") if symbol == "l" else (1, "above")
    for name, each in figures.items():
        told, worst = found.figures["columns"][name], max(each)
        assert (told is None) if math.isinf(worst) else told == pytest.approx(sign * worst, abs=2e-6), seed
    assert found.figures[f"classes_{word}_{symbol}"] == sum(broken)
    rows = sum(len(one) for one, bad in zip(classes, broken, strict=True) if bad)
    assert found.figures[f"rows_{word}_{symbol}"] == rows


def agrees_on_the_rules(
    module: Any, parameters: Any, table: Table, classes: list[list[int]], broken: list[bool], possible: bool, seed: int
) -> bool:
    """The rules hold for exactly the classes that keep the claim; a refusal means that not even all rows do."""
    try:
        wanted = module.requirement(parameters, table, PLAN)
    except CannotHoldError:
        assert not possible, seed
        assert any(broken), seed
        return False
    except PlanError:  # a listed value that occurs nowhere
        assert parameters.values, seed
        return False
    assert possible, seed
    kept = [all(rules.obeys(rule, rule.codes[one]) for rule in wanted.rules) for one in classes]
    assert kept == [not bad for bad in broken], seed
    assert all(len(one) >= wanted.size for one, good in zip(classes, kept, strict=True) if good), seed
    assert all(set(rule.codes.tolist()) == set(range(rule.codes.max() + 1)) for rule in wanted.rules)
    return True
