# SPDX-License-Identifier: Apache-2.0
"""How useful releases of three tables are, by five methods: the tables of ``docs/utility.md``.

``python -m benchmarks.utility [TABLE]`` prints a table in Markdown for each, keeps the figures in
``bench/`` and draws them into ``docs/``;
``python -m benchmarks.utility halves`` what the weights of a workload win on halves of Adult.
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
from benchmarks.tables import FREMTPL2, PREPARED, ROOT, _arx, adult_complete, census
from shoal.ground.arrays import Floats, Ints
from shoal.ground.svg import Picture, Scale, Svg, dot, line, text, width_of
from shoal.judging.analyst import analysed
from shoal.judging.evidence import Evidence, Measurement, per_cell
from shoal.judging.metrics._features import features
from shoal.judging.metrics.accuracy_kept import Rows, _accuracy
from shoal.pipeline import run
from shoal.tables.table import Table

ROWS = 30_000
K = 10
METHODS = ("shoal", "hilbert", "one_pass_k_means", "mondrian", "mdav")
KEPT = ("accuracy_kept", "regression_kept", "correlation_kept", "information_kept")
OFF = ("query_error", "distribution_shift")


WIDTH, LEFT, TOP, STRIP = 760, 210, 72, 38
STRIPS: dict[str, Callable[[dict[str, Any]], float]] = {
    "detail of cells": lambda row: 1 - row["loss"],
    "prediction": lambda row: row["accuracy_kept"]["value"],
    "intervals of a regression": lambda row: row["regression_kept"]["value"],
    "correlations": lambda row: row["correlation_kept"]["value"],
    "mutual information": lambda row: row["information_kept"]["value"],
    "counts (1 − query_error)": lambda row: max(1 - row["query_error"]["value"], 0.0),
    "distributions (1 − shift)": lambda row: max(1 - row["distribution_shift"]["value"], 0.0),
}
"""What is drawn of a release: shares of the original, from what was measured."""
TITLES = {"adult": "Adult", "fremtpl2": "motor insurance", "census-income-kdd": "a census"}


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
        for method, k in [*((one, K) for one in METHODS), ("shoal", 50)]:
            found = measured(use, table, method, k)
            rows.append(found)
            score, values = found["accuracy_kept"], [found[one]["value"] for one in (*KEPT, *OFF)]
            cells = [f"{100 * found['loss']:.1f} %", f"{score[f'released {use.target}']:.3f}"]
            cells += [f"{one:.3f}" for one in values] + [f"{found['pmse']['ratio']:.0f}"]
            cells += [f"{found['run']:.1f}", f"{found['utility']:.1f}"]
            print(f"| {method} | {k} | " + " | ".join(cells) + " |", flush=True)
        PREPARED.mkdir(exist_ok=True)
        (PREPARED / f"utility-{name}.json").write_text(json.dumps(rows, indent=1))
    for name in names or list(USES):
        draw(name)


def draw(name: str) -> None:
    """The picture of one table, from the figures that were kept: a line per metric, a dot per method."""
    rows = json.loads((PREPARED / f"utility-{name}.json").read_text())
    shares = {row["method"]: {told: share(row) for told, share in STRIPS.items()} for row in rows if row["k"] == K}
    across, bottom = Scale(0.0, 1.0, LEFT, WIDTH - 30), TOP + STRIP * len(STRIPS)
    parts = [text(16, 26, f"What releases of {TITLES[name]} are good for, k = {K}", "head")]
    parts += _legend(list(shares))
    for tenth in range(0, 11, 2):
        at = across(tenth / 10)
        parts += [line(at, TOP, at, bottom, "grid"), text(at, bottom + 18, f"{10 * tenth} %", "soft mid")]
    for place, told in enumerate(STRIPS):
        y = TOP + STRIP * (place + 0.5)
        parts += [text(LEFT - 14, y + 4, told, "end"), line(LEFT, y, WIDTH - 30, y, "axis")]
        for ink, (method, found) in reversed(list(enumerate(shares.items()))):
            beside = y + 5 * (ink - (len(shares) - 1) / 2)  # so that none hides another
            parts.append(dot(across(found[told]), beside, 4.5, f"f{ink} ring", f"{method}: {found[told]:.1%}"))
    parts.append(text(LEFT, bottom + 38, "right end: as good as the original", "soft"))
    said = "; ".join(
        f"{one}: " + ", ".join(f"{told} {at:.0%}" for told, at in found.items()) for one, found in shares.items()
    )
    picture = Picture(f"utility-{name}", f"Utility of {TITLES[name]}", said, WIDTH, bottom + 52, tuple(parts))
    picture.save(ROOT / "docs" / f"utility-{name}.svg")


def _legend(methods: list[str]) -> list[Svg]:
    parts, x = [], 16.0
    for ink, method in enumerate(methods):
        parts += [dot(x + 6, 50, 6, f"f{ink}"), text(x + 17, 54, method, f"t{ink}")]
        x += 40 + width_of(method)
    return parts


def halves(draws: int = 10, k: int = 50) -> None:
    """Adult's income, learnt from a release of half of its rows and tested on the other half, which no release saw.

    Equal weights beside those that follow from the target; the same halves for both. Accuracy and area of each.
    """
    warnings.simplefilter("ignore")
    use, table = USES["adult"], adult_complete()
    found: list[list[float]] = []
    print("draw | equal | workload | original | (area) equal | workload | original")
    for draw in range(draws):
        rows = np.sort(np.random.default_rng(draw).choice(len(table), len(table) // 2, replace=False))
        told = []
        for target in (None, use.target):
            plan = replace(use.plan("shoal", k), target=target)
            told.append(_tested(table, rows, run(table.take(rows), plan, certified=False), use.target))
        (equal, original), (weighed, _) = told
        found.append([one[name] for name in ("", "auc ") for one in (equal, weighed, original)])
        print(draw, *(f"{one:.4f}" for one in found[-1]), sep=" | ", flush=True)
    _summed_up(np.array(found))


def _tested(table: Table, rows: Ints, release: shoal.Release, target: str) -> list[dict[str, float]]:
    """Scores of models that learnt from a release of some rows, and from these rows, on all other rows."""
    assert release.private is not None
    whose = rows[release.private.rows[0]]
    tables = analysed(Evidence(table, release.released, release.plan, whose=whose))
    income = next(one for one in tables.columns if one.name == target)
    known = features([one for one in tables.columns if one.changed], tables.rows)
    before, after = (
        Rows(*side) for side in zip(known, (income.before, income.after), tables.weights, tables.people, strict=True)
    )
    tested = before.without(after)
    return [_accuracy(learnt, tested) for learnt in (after, before.without(tested))]


def _summed_up(found: Floats) -> None:
    print("mean", *(f"{one:.4f}" for one in found.mean(axis=0)), sep=" | ")
    for name, (equal, weighed, original) in (("accuracy", found.T[:3]), ("area", found.T[3:])):
        gain, lost = weighed - equal, float((original - equal).mean())
        error = gain.std(ddof=1) / np.sqrt(len(gain))
        print(
            f"{name}: better in {(gain > 0).sum()} of {len(gain)}, by {gain.mean():.4f} (standard error {error:.4f}), "
        )
        print(f"  {gain.mean() / lost:.0%} of what equal weights lose")


if __name__ == "__main__":
    halves() if sys.argv[1:] == ["halves"] else main(sys.argv[1:])
