# SPDX-License-Identifier: Apache-2.0
"""A wide table of money: how long the default run takes beside what was said before it began.

    python -m benchmarks.wide
    python -m benchmarks.wide --rows 20000 --columns 65 --effort quick

Invented tax returns: every column an amount that most people do not have, with a long tail among the others, as rounded
as people round. All columns are quasi-identifiers.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from shoal.tables.sources import write_table
from shoal.tables.table import Table

ROWS, COLUMNS = 280_000, 65
ROUNDED = np.array([1, 1, 10, 100, 1000])
"""What amounts are rounded to, by the number of the column."""


def tax_returns(rows: int, columns: int, seed: int = 0) -> Table:
    """Amounts of money: many zeros, long tails, and what one earns goes along with what one pays."""
    draw = np.random.default_rng(seed)
    means = draw.lognormal(0.0, 0.7, rows)
    made = {}
    for number in range(columns):
        typical = float(draw.choice([300.0, 2_000.0, 15_000.0]))
        amounts = typical * means * draw.lognormal(0.0, 1.0, rows)
        unit = ROUNDED[number % len(ROUNDED)]
        has = draw.random(rows) < draw.choice([0.02, 0.1, 0.3, 0.8])
        made[f"amount_{number + 1:02d}"] = np.where(has, np.rint(amounts / unit) * unit, 0.0).astype(np.int64)
    return Table.from_columns(made)


def main() -> int:
    """Make the table, run the command as anybody would, tell."""
    asked = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "returns.parquet"
        table = tax_returns(asked.rows, asked.columns)
        write_table(table, path, "parquet")
        line = [sys.executable, "-m", "shoal", "anonymize", str(path), "-o", f"{folder}/released", "-k", "10"]
        line += ["--qi", ",".join(table.names), "--effort", asked.effort]
        started = time.perf_counter()
        done = subprocess.run(line, check=False)
        seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{asked.rows:,} rows, {asked.columns} quasi-identifiers, effort {asked.effort}: exit {done.returncode}, "
        f"{seconds:.0f} s, {used.ru_utime + used.ru_stime:.0f} CPU s, peak {used.ru_maxrss / 2**20:.2f} GiB"
    )
    return done.returncode


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--columns", type=int, default=COLUMNS)
    parser.add_argument("--effort", default="default")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
