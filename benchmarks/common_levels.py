# SPDX-License-Identifier: Apache-2.0
"""What levels that all classes share cost: on Adult, by ``shoal``, k = 10.

Run as ``python -m benchmarks.common_levels``; prints for some choices of columns the loss per cell, that of each one,
and how many levels the columns have. Every release was judged by the checker.
"""

from __future__ import annotations

import time
from dataclasses import replace

from benchmarks.tables import ADULT
from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table

K = 10
CHOICES: tuple[tuple[str, ...], ...] = ((), ("age",), ("education",), ("age", "sex"), ("age", "education"))


def in_common(plan: Plan, names: tuple[str, ...]) -> Plan:
    """The plan with some columns in levels that all classes share."""
    return plan.with_columns({name: replace(plan.columns[name], levels="common") for name in names})


def main() -> None:
    """One line per choice."""
    table = read_table(ADULT.path).table
    for names in CHOICES:
        started = time.perf_counter()
        release = run(table, in_common(ADULT.plan(K, "ncp", "shoal"), names))
        assert release.verdict.holds
        loss = next(one for one in release.measurements if one.metric == "ncp")
        columns = ", ".join(f"{name} {share:.4f}" for name, share in loss.per_column.items())
        levels = release.facts.get("levels", {}).get("columns", {})
        seconds = time.perf_counter() - started
        print(f"{' '.join(names) or 'none'}: {loss.figures['per_cell']:.4f} ({columns}); {levels}; {seconds:.0f} s")


if __name__ == "__main__":
    main()
