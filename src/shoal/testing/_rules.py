# SPDX-License-Identifier: Apache-2.0
"""Rules about the values of classes in the exam of methods: asked for by the models, and judged by them."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np

from shoal import pipeline
from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.parameters import build
from shoal.ground.requirements import Rule
from shoal.judging.checking import check
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.tables.table import Table
from shoal.tables.together import side_by_side
from shoal.testing import _people as people

PRIVATE = "private"

#: For each kind of rule, the model that asks for it.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "distinct": ("l_diversity", {"kind": "distinct", "l": 3}),
    "share": ("l_diversity", {"kind": "frequency", "l": 3}),
    "entropy": ("l_diversity", {"kind": "entropy", "l": 3}),
    "recursive": ("l_diversity", {"kind": "recursive", "l": 3, "c": 2.0}),
    "bounds": ("beta_likeness", {"beta": 1.5}),
    "closeness": ("t_closeness", {"t": 0.3}),
    "own_size": ("own_k", {"column": PRIVATE, "values": {"value 0": 12}}),
}


def private_values(rank: Ints) -> list[Ints]:
    """Values that follow the rank of records, the commonest as common as the models let it be, or nearly so."""
    return [np.maximum(rank // 20 - 1, 0), rank % 4, np.maximum(rank // 10 - 2, 0)]


def rule_of(kind: str, codes: Ints) -> Rule:
    """The rule that a model makes of these values."""
    model, given = MODELS[kind]
    table = Table.from_columns({PRIVATE: [f"value {code}" for code in codes]})
    module = catalog.load("privacy_models", model)
    wanted = build(module.Parameters, given, where="exam")
    rules: tuple[Rule, ...] = module.requirement(wanted, table, Plan.of(1, sensitive=[PRIVATE])).rules
    assert rules[0].kind == kind, f"model {model!r} asks for a rule of kind {rules[0].kind!r}, not {kind!r}"
    return rules[0]


def holds(kind: str, labels: Ints, codes: Ints) -> bool:
    """Whether the model that asked for a rule holds for these classes."""
    name, given = MODELS[kind]
    table = Table.from_columns({"class": [str(one) for one in labels], PRIVATE: [f"value {code}" for code in codes]})
    return check(table, quasi_identifiers=["class"], sensitive=[PRIVATE], k=1, models={name: given}).holds


def keeps_every_model(name: str, columns: list[str], able: Any) -> None:
    """Through the whole flow every model holds, whether the method heeds it or the flow mends its classes."""
    table = people.people(120, columns, 9)
    order = np.argsort(np.argsort(table.codes(columns[0])[0], kind="stable"), kind="stable")
    budget = {"steps": 2_500} if able.refined else {}
    for kind, codes in zip(MODELS, cycle(private_values(order))):
        model, given = MODELS[kind]
        if not holds(kind, np.zeros(120, dtype=np.int64), codes):
            continue
        private = Table.from_columns({PRIVATE: [f"value {code}" for code in codes]})
        whole = side_by_side([table, private], [*table.names, PRIVATE])
        plan = people.plan_for(table, name, 4, models={model: given}, **budget)
        plan = replace(plan, columns={**plan.columns, PRIVATE: ColumnPlan(role=SENSITIVE)})
        release = pipeline.run(whole, plan)
        assert release.verdict.holds, f"{name}: model {model!r} does not hold"
        assert len(release.released) == 120 or able.suppresses, f"{name}: rows were lost"


def gives_everybody_their_own_k(name: str, columns: list[str], able: Any) -> None:
    """A column tells what single persons ask for: their classes are as large, and the column is not published."""
    table = people.people(120, columns, 10)
    wishes = np.where(np.arange(120) % 11 == 3, 15, np.where(np.arange(120) % 13 == 5, 9, 1))
    whole = side_by_side([table, Table.from_columns({"wish": [str(wish) for wish in wishes]})], [*table.names, "wish"])
    budget = {"steps": 2_500} if able.refined else {}
    release = pipeline.run(
        whole, people.plan_for(table, name, 4, models={"own_k": {"column": "wish"}}, accept_weaker=True, **budget)
    )
    assert release.verdict.holds, f"{name}: a k of one's own does not hold"
    for part in release.published:
        assert "wish" not in part.names, f"{name}: publishes who asks for a larger k"
    kept = release.classes >= 0
    sizes = np.bincount(release.classes[kept])[release.classes[kept]]
    short = (sizes < wishes[kept]).any() and able.releases == "classes"
    assert not short, f"{name}: a class is smaller than one of its members asks for"
