# SPDX-License-Identifier: Apache-2.0
"""How little our own method loses: against fixed bars, against the best other method, against the lower bound.

All figures of one table come from one run on one machine; losses are per cell, of the hulls of the classes on the
original values; squared errors in percent of the total.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.clustering import measured
from benchmarks.tables import ACS_PEOPLE, ADULT, ADULT_FNLWGT, DATA, FREMTPL2, Bench
from shoal.engine.algorithms import mdav
from shoal.engine.bounds.bound import lower_bound
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.ground import catalog
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.pipeline import run
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table

OURS = "shoal"
BARS = {5: 0.0150, 10: 0.0275, 50: 0.0770, 100: 0.1100}
"""Adult, height: largest loss per cell."""
RATIOS = (
    (ADULT, "ncp", {10: 0.80, 50: 0.80}, 30),
    (ADULT_FNLWGT, "height", {10: 0.85, 50: 0.80}, 30),
    (ACS_PEOPLE, "ncp", {10: 0.76, 50: 0.72}, 120),
    (FREMTPL2, "ncp", {10: 0.76, 50: 0.72}, 300),
)
"""Largest ratio to the best other method, and seconds."""

CASC = {
    "casc-census/CASCrefmicrodata.csv": (4.95, 7.65, 11.95),
    "casc-tarragona/Tarragona.csv": (14.75, 20.45, 30.50),
    "casc-eia/EIA.csv": (0.380, 0.790, 2.15),
}
"""Largest 100 SSE/SST at k = 3, 5, 10."""
NOT_NUMBERS = ("UTILNAME", "STATE", "YEAR", "MONTH")
GAP, GAP_UNDER_SHARES = 1.06, 1.5
"""Largest ratio of the loss to the lower bound, Adult, height: k alone; frequency l = 3 of occupations, k = 10."""

Rows = Iterator[list[str]]


def bars() -> Rows:
    """Adult under height, at four k."""
    for k, bar in BARS.items():
        found = measured(ADULT.name, OURS, k, 0, "height")
        figures = f"{found['loss']:.4f}", f"{bar:.4f}", f"{found['seconds']:.1f}", f"{found['cpu_seconds']:.1f}"
        yield [str(k), *figures]


def others(bench: Bench, k: int, loss: str, patience: float) -> tuple[str, float]:
    """The best other method that publishes classes of this table, and its loss."""
    best = ("none", float("inf"))
    for name in catalog.names("algorithms"):
        able = catalog.load("algorithms", name).CAPABILITIES
        if able.refined or able.releases != "classes":
            continue
        if not bench.fits(able):
            continue
        try:
            found = measured(bench.name, name, k, 0, loss, patience=patience)
        except subprocess.TimeoutExpired:
            print(f"  not run to its end: {name} on {bench.name}, k = {k}", flush=True)
            continue
        best = min(best, (name, found["loss"]), key=lambda one: one[1])
    return best


def ratios() -> Rows:
    """Against the best other method of the catalogue that ends in about the same time."""
    for bench, loss, limits, seconds in RATIOS:
        for k, bar in limits.items():
            ours = measured(bench.name, OURS, k, 0, loss)
            name, best = others(bench, k, loss, patience=seconds + 120)
            table = read_table(bench.path).table
            bound = lower_bound(encode(table, complete(bench.plan(k, loss), table)).unitless, k).per_cell
            yield [
                bench.name, loss, str(k), f"{ours['loss']:.4f}", f"{best:.4f} {name}", f"{ours['loss'] / best:.3f}",
                f"{bar:.2f}", f"{ours['seconds']:.0f} of {seconds}", f"{ours['peak_mib']:.0f}", f"{bound:.4f}",
                f"{ours['loss'] / bound:.3f}",
            ]  # fmt: skip


def squared_errors() -> Rows:
    """The reference tables of microaggregation, z-scored, against MDAV."""
    for path, limits in CASC.items():
        table = read_table(DATA / path).table
        names = [name for name in table.names if name not in NOT_NUMBERS]
        for k, bar in zip((3, 5, 10), limits, strict=True):
            plan = Plan.of(k, quasi_identifiers=names, kinds=dict.fromkeys(names, "numeric"), loss="sse", method=OURS)
            encoded = encode(table, complete(plan, table))
            refine(encoded, np.zeros(len(table), dtype=np.int64), Requirement(k), Budget(1), 0, Progress())  # compiles
            started = time.perf_counter()
            made = mdav.cluster(encoded, Requirement(k), mdav.Parameters(), np.random.default_rng(0), Progress())
            found = refine(encoded, made.labels, Requirement(k), Budget(), [0, 2], Progress()).losses
            seconds, best = time.perf_counter() - started, 100 * min(loss for _, loss in found)
            before, bound = 100 * found[0][1], 100 * lower_bound(encoded, k).per_cell
            yield [
                path.partition("/")[0], str(k), f"{before:.4f}", f"{best:.4f}", f"{best / before:.3f}", f"{bar:.3f}",
                f"{seconds:.1f}", f"{bound:.4f}", f"{best / bound:.3f}",
            ]  # fmt: skip


def gap() -> Rows:
    """The loss beside the lower bound: k alone, and where a private value may have a third of a class."""
    table = read_table(ADULT.path).table
    plans = [("k", GAP, ADULT.plan(k, "height", OURS)) for k in BARS]
    private = ADULT.plan(10, "height", OURS).with_columns({"occupation": ColumnPlan(role="sensitive")})
    shares = replace(private, models={"l_diversity": {"kind": "frequency", "l": 3}})
    for asked, bar, plan in [*plans, ("k, frequency l = 3", GAP_UNDER_SHARES, shares)]:
        release = run(table, plan)
        assert release.certificate is not None
        one = release.certificate
        yield [
            asked, str(plan.k), f"{one.loss:.4f}", f"{one.bound:.4f}", f"{one.gap:.3f}", f"{bar}",
            f"{release.timings['bound']:.1f}",
        ]  # fmt: skip
