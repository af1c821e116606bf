# SPDX-License-Identifier: Apache-2.0
"""How little our own method loses: against fixed bars, against the best other method, against the lower bound.

All figures of one table come from one run on one machine; losses are per cell, of the hulls of the classes on the
original values; squared errors in percent of the total.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from benchmarks.clustering import measured
from benchmarks.tables import ACS_PEOPLE, ADULT, ADULT_FNLWGT, FREMTPL2, Bench
from shoal import catalog

OURS = "shoal"
BARS = {5: (0.0166, 0.0155), 10: (0.0303, 0.0285), 50: (0.0850, 0.0800), 100: (0.1195, 0.1130)}
"""Adult, height: largest loss per cell; worth a celebration."""
RATIOS = (
    (ADULT, "ncp", {10: 0.80, 50: 0.80}, 30),
    (ADULT_FNLWGT, "height", {10: 0.85, 50: 0.80}, 30),
    (ACS_PEOPLE, "ncp", {10: 0.80, 50: 0.75}, 120),
    (FREMTPL2, "ncp", {10: 0.85, 50: 0.80}, 300),
)
"""Largest ratio to the best other method, and seconds."""

Rows = Iterator[list[str]]


def bars() -> Rows:
    """Adult under height, at four k."""
    for k, (bar, feast) in BARS.items():
        found = measured(ADULT.name, OURS, k, 0, "height")
        yield [
            str(k), f"{found['loss']:.4f}", f"{bar:.4f}", f"{feast:.4f}", f"{found['seconds']:.1f}",
            f"{found['cpu_seconds']:.1f}",
        ]  # fmt: skip


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
    """Against the best other method of the catalogue."""
    for bench, loss, limits, seconds in RATIOS:
        for k, bar in limits.items():
            ours = measured(bench.name, OURS, k, 0, loss)
            name, best = others(bench, k, loss, patience=10 * seconds)
            yield [
                bench.name, loss, str(k), f"{ours['loss']:.4f}", f"{best:.4f} {name}", f"{ours['loss'] / best:.3f}",
                f"{bar:.2f}", f"{ours['seconds']:.0f} of {seconds}", f"{ours['peak_mib']:.0f}",
            ]  # fmt: skip
