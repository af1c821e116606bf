# SPDX-License-Identifier: Apache-2.0
"""How useful releases of three tables are, by five methods: the tables of ``docs/utility.md``.

``python -m benchmarks.utility [TABLE]`` prints a table in Markdown for each, and keeps the figures in ``bench/``;
``python -m benchmarks.utility halves`` what the weights of a workload win on halves of Adult (accuracy and area of
equal weights, of the workload's, of the original).
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from benchmarks.tables import FREMTPL2, PREPARED, _arx, adult_complete, census
from shoal.judging.evidence import Measurement, per_cell
from shoal.tables.table import Table

ROWS = 30_000
METHODS = ("shoal", "hilbert", "one_pass_k_means", "mondrian", "mdav")
KEPT = ("accuracy_kept", "regression_kept", "correlation_kept", "information_kept")
OFF = ("query_error", "distribution_shift")


@dataclass(frozen=True)
class Use:
    """A table, and what it is for."""

    read: Callable[[], Table]
    quasi_identifiers: tuple[str, ...]
    target: str
    weight: str | None = None
    hierarchies: Callable[[], dict[str, Path]] = dict

    def plan(self, method: str, k: int) -> shoal.Plan:
        """The plan of one release; what it is for changes no weight here."""
        return shoal.Plan.of(
            k,
            quasi_identifiers=self.quasi_identifiers,
            sensitive=[self.target],
            sample_weight=self.weight,
            hierarchies=self.hierarchies(),
            rest="drop",
            accept=[self.target, *([self.weight] if self.weight else [])],
            method=method,
        )


def some(table: Table) -> Table:
    """As many rows, spread evenly."""
    return table.take(np.linspace(0, len(table) - 1, min(ROWS, len(table))).astype(np.int64))


ADULT = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country")
USES = {
    "adult": Use(adult_complete, ADULT, "income", hierarchies=lambda: _arx(ADULT[1:])),
    "fremtpl2": Use(
        lambda: some(FREMTPL2.prepare()),
        ("DrivAge", "VehAge", "VehPower", "Density", "Region", "VehBrand", "VehGas"),
        "BonusMalus",
    ),
    "census-income-kdd": Use(
        lambda: some(census()),
        ("age", "sex", "education", "marital_stat", "race", "class_of_worker", "major_occupation_code"),
        "income",
        weight="instance_weight",
    ),
}


def measured(use: Use, table: Table, method: str, k: int) -> dict[str, Any]:
    """Loss, utility and seconds of one release."""
    plan = use.plan(method, k)
    start = time.process_time()
    release = shoal.anonymize(table, plan)
    made = time.process_time() - start
    loss = next(one for one in release.measurements if one.metric == "ncp")
    start = time.process_time()
    found = shoal.measure(
        table,
        release.released,
        release.plan,
        metrics=[*KEPT, *OFF, "pmse"],
        classes=release.classes,
        rows=release.private.rows[0],
    )
    spent = time.process_time() - start
    return {"method": method, "k": k, "loss": per_cell(loss), "run": made, "utility": spent} | {
        one.metric: _plain(one) for one in found
    }


def _plain(one: Measurement) -> dict[str, Any]:
    return {"value": one.value, **one.figures}


def main(names: list[str]) -> None:
    """Every table, method by method."""
    warnings.simplefilter("ignore")
    for name in names or list(USES):
        use = USES[name]
        table = use.read()
        print(f"\n{name}: {len(table):,} rows, {len(use.quasi_identifiers)} quasi-identifiers, {use.target}\n")
        print("| method | k | loss | score | " + " | ".join((*KEPT, *OFF)) + " | pmse ratio | run s | utility s |")
        print("|---" * (9 + len(KEPT) + len(OFF) - 2) + "|")
        rows = []
        for method, k in [*((one, 10) for one in METHODS), ("shoal", 50)]:
            found = measured(use, table, method, k)
            rows.append(found)
            score, values = found["accuracy_kept"], [found[one]["value"] for one in (*KEPT, *OFF)]
            cells = [f"{100 * found['loss']:.1f} %", f"{score[f'released {use.target}']:.3f}"]
            cells += [f"{one:.3f}" for one in values] + [f"{found['pmse']['ratio']:.0f}"]
            cells += [f"{found['run']:.1f}", f"{found['utility']:.1f}"]
            print(f"| {method} | {k} | " + " | ".join(cells) + " |", flush=True)
        PREPARED.mkdir(exist_ok=True)
        (PREPARED / f"utility-{name}.json").write_text(json.dumps(rows, indent=1))


def halves(draws: int = 10, k: int = 50, steps: int = 2500) -> None:
    """Adult's income from halves of its rows: equal weights beside those that follow from the target."""
    warnings.simplefilter("ignore")
    use, table = USES["adult"], adult_complete()
    for draw in range(draws):
        half = table.take(np.sort(np.random.default_rng(draw).choice(len(table), len(table) // 2, replace=False)))
        told = []
        for target in (None, use.target):
            plan = replace(use.plan("shoal", k), steps=steps, target=target)
            release = shoal.anonymize(half, plan)
            (found,) = shoal.measure(
                half, release.released, release.plan, metrics=["accuracy_kept"], rows=release.private.rows[0]
            )
            told.append([found.figures[f"{what} {use.target}"] for what in ("released", "auc released")])
            told.append([found.figures[f"{what} {use.target}"] for what in ("original", "auc original")])
        print(draw, *(f"{one:.4f}" for one in (*told[0], *told[2], *told[1])), flush=True)


if __name__ == "__main__":
    halves() if sys.argv[1:] == ["halves"] else main(sys.argv[1:])
