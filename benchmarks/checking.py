# SPDX-License-Identifier: Apache-2.0
"""What a check costs: seconds of work per million published cells, by kind of leak and by format.

Run as ``python -m benchmarks.checking [ROWS]``. The table is one of synthetic patients, released with k = 5. Every kind
is looked for beside the original and starts afresh, so that what several of them read is counted for each. A format
costs what a check of its file takes beyond that of the table in memory: reading it twice, and a look around its cells.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import shoal
from shoal.ground import catalog
from shoal.judging.checking import check
from shoal.judging.leak_search import LeakScene
from shoal.plan.plan import load_hierarchies
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table, write_table
from shoal.tables.table import Table

FORMATS = {
    "delimited": ".csv", "json_lines": ".jsonl", "parquet": ".parquet", "arrow_ipc": ".arrow", "excel": ".xlsx",
    "sqlite": ".sqlite", "duckdb": ".duckdb", "spss": ".sav", "stata": ".dta",
}  # fmt: skip
ROLES = {
    "quasi_identifiers": ["age", "sex", "postcode", "nationality"],
    "sensitive": ["diagnosis", "cost"],
    "identifiers": ["name", "email", "phone", "birth_date", "note"],
    "rest": "drop",
}


def main() -> None:
    """One line per kind, the dearest first."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    people = shoal.synthetic_patients(rows)
    release = shoal.anonymize(people, k=5, method="mondrian", steps=500, **ROLES)
    cells = len(release.table) * len(release.table.columns)
    print(f"{len(release.table):,} rows, {cells:,} cells; seconds of work per million cells")
    with tempfile.TemporaryDirectory() as place:
        path = release.save(Path(place) / "release", format="delimited") / "table.csv"
        released, plan = read_table(path).table, load_hierarchies(release.plan)
        costs = {}
        for name in catalog.names("leaks"):
            scene = LeakScene(released, plan, Table.of(people), (path,))
            started = time.process_time()
            list(catalog.load("leaks", name).find(scene))
            costs[name] = time.process_time() - started
        formats = _formats(release, Path(place))
    for found in (costs, formats):
        for name, cost in sorted(found.items(), key=lambda pair: -pair[1]):
            print(f"{name:<22} {cost * 1e6 / cells:8.2f}")


def _formats(release: shoal.Release, place: Path) -> dict[str, float]:
    """Format -> seconds beyond those of the table in memory."""
    alone = _seconds(lambda: check(release.table, plan=release.plan))
    costs = {}
    for format, ending in FORMATS.items():
        path = place / f"table{ending}"
        write_table(Table.of(release.table), path, format, Reading())
        costs[format] = _seconds(partial(check, path, plan=release.plan)) - alone
    return costs


def _seconds(run: Callable[[], object]) -> float:
    """Seconds of work, the second time: the first loads libraries."""
    run()
    started = time.process_time()
    run()
    return time.process_time() - started


if __name__ == "__main__":
    main()
