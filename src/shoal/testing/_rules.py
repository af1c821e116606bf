# SPDX-License-Identifier: Apache-2.0
"""Rules about private values in the exam of methods: asked for by the models, and judged by them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import catalog, pipeline
from shoal.judging import check
from shoal.parameters import build
from shoal.plan import ColumnPlan, Plan
from shoal.requirements import Rule
from shoal.roles.roles import SENSITIVE
from shoal.tables.table import Table, side_by_side
from shoal.testing import _people as people

Ints = NDArray[np.int64]

PRIVATE = "private"

#: For each kind of rule, the model that asks for it.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "distinct": ("l_diversity", {"kind": "distinct", "l": 3}),
    "share": ("l_diversity", {"kind": "frequency", "l": 3}),
    "entropy": ("l_diversity", {"kind": "entropy", "l": 3}),
    "recursive": ("l_diversity", {"kind": "recursive", "l": 3, "c": 2.0}),
    "bounds": ("beta_likeness", {"beta": 1.5}),
    "closeness": ("t_closeness", {"t": 0.3}),
}


def private_values(rank: Ints) -> list[Ints]:
    """Values that follow the rank of records, the commonest as common as the models let it be, or nearly so."""
    return [np.maximum(rank // 20 - 1, 0), rank % 4, np.maximum(rank // 10 - 2, 0)]


def rule_of(kind: str, codes: Ints) -> Rule:
    """The rule that a model makes of these values."""
    model, given = MODELS[kind]
    rules = _asked(model, given, codes)
    assert rules[0].kind == kind, f"model {model!r} asks for a rule of kind {rules[0].kind!r}, not {kind!r}"
    return rules[0]


def _asked(model: str, given: dict[str, Any], codes: Ints) -> tuple[Rule, ...]:
    table = Table.from_columns({PRIVATE: [f"value {code}" for code in codes]})
    plan = Plan.of(1, sensitive=[PRIVATE])
    module = catalog.load("privacy_models", model)
    rules: tuple[Rule, ...] = module.requirement(build(module.Parameters, given, where="exam"), table, plan).rules
    return rules


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
    for kind, codes in zip(MODELS, [*private_values(order), *private_values(order)], strict=True):
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
