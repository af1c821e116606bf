# SPDX-License-Identifier: Apache-2.0
"""What promises beyond k cost: every method that publishes classes, on Adult, k = 10, occupation being private.

Run as ``python -m benchmarks.promises [METHOD ...]``; prints the loss of k alone and how many times that each model
costs. Every release was judged by the checker; a model that cannot be kept is a dash with the reason below.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from benchmarks.tables import ADULT, DATA
from shoal.ground import catalog
from shoal.ground.errors import ShoalError
from shoal.pipeline import run
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table
from shoal.tables.table import Table

K = 10
TREE = DATA / "adult" / "hierarchies" / "arx" / "adult_hierarchy_occupation.csv"
MODELS: dict[str, dict[str, Any]] = {
    "distinct 3": {"l_diversity": {"kind": "distinct", "l": 3}},
    "entropy 2.5": {"l_diversity": {"kind": "entropy", "l": 2.5}},
    "t 0.2": {"t_closeness": {"kind": "hierarchical", "t": 0.2}},
    "alpha 0.5": {"alpha_k": {"alpha": 0.5}},
    "frequency 3": {"l_diversity": {"kind": "frequency", "l": 3}},
}


def loss_of(table: Table, plan: Plan) -> float:
    """Loss per cell of a release that holds."""
    release = run(table, replace(plan, render="generalise"), certified=False)
    assert release.verdict.holds
    found = next(one for one in release.measurements if one.metric == "ncp")
    return float(found.figures["per_cell"])


def main() -> None:
    """One line per method."""
    table = read_table(ADULT.path).table
    names = sys.argv[1:] or [
        name
        for name in catalog.names("algorithms")
        if catalog.load("algorithms", name).CAPABILITIES.releases == "classes"
    ]
    print("method, loss of k alone, " + ", ".join(MODELS))
    for name in names:
        plan = ADULT.plan(K, "ncp", name).with_columns({"occupation": ColumnPlan(role="sensitive", hierarchy=TREE)})
        alone, cells = loss_of(table, plan), []
        for models in MODELS.values():
            try:
                cells.append(f"{loss_of(table, replace(plan, models=models)) / alone:.2f}")
            except ShoalError as error:
                print(f"  {name}: {error.parts()['what']}")
                cells.append("-")
        print(f"{name}, {alone:.4f}, " + ", ".join(cells), flush=True)


if __name__ == "__main__":
    main()
