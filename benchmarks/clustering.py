# SPDX-License-Identifier: Apache-2.0
"""The clustering step alone, warm, in a process of its own: seconds, peak memory, loss, work.

Run as ``python -m benchmarks.clustering TABLE METHOD K ROWS LOSS``; prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tables import TABLES
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.generalizing.boxes import Windows
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.methods import Boxes, Partition, Subtables
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.ground import catalog
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.effort import round_steps, usual_steps
from shoal.tables.sources import read_table

WARM_UP_ROWS = 500


def measured(
    table: str, method: str, k: int, rows: int = 0, loss: str = "ncp", *, patience: float | None = None
) -> dict[str, Any]:
    """Measure in a fresh process, so that peak memory is its own; ``patience`` in seconds."""
    command = [sys.executable, "-m", "benchmarks.clustering", table, method, str(k), str(rows), loss]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _measure(name: str, method_name: str, k: int, rows: int, loss: str) -> dict[str, Any]:
    bench = TABLES[name]
    plan = bench.plan(k, loss, method_name)
    table = read_table(bench.path).table
    if rows:
        table = table.take(np.random.default_rng(0).permutation(len(table))[:rows])
    plan = complete(plan, table)
    method = catalog.load("algorithms", method_name)
    encoded = encode(table, plan).unitless
    small = encode(table.take(np.arange(WARM_UP_ROWS)), plan).unitless

    usual = Budget(usual_steps(*encoded.points.shape, k), round=round_steps(*encoded.points.shape, k))

    def cluster(records: Any, budget: Budget) -> Any:
        requirement, progress = Requirement(size=k), Progress()
        found = method.cluster(records, requirement, method.Parameters(), np.random.default_rng(0), progress)
        if not method.CAPABILITIES.refined:
            return found
        return Partition.of(refine(records, found.labels, requirement, budget, [0, 2], progress).labels)

    cluster(small, Budget(1))
    started, spent = time.perf_counter(), time.process_time()
    found = cluster(encoded, usual)
    seconds, spent = time.perf_counter() - started, time.process_time() - spent
    peak = _peak_mib()
    total, classes = loss_and_classes(encoded, found)
    return {
        "rows": len(table),
        "seconds": seconds,
        "cpu_seconds": spent,
        "peak_mib": peak,
        "loss": total / encoded.points.size,
        "classes": classes,
    }


def loss_and_classes(encoded: Encoded, found: Any) -> tuple[float, int]:
    """Total loss, and how many classes (of all sub-tables, or rings) it comes from."""
    if isinstance(found, Boxes):
        boxes, points = Windows(found.starts, found.size), encoded.points[found.order]
        each = np.ones(len(points), dtype=np.int64)
        return total_loss(encoded.hulls, boxes.smallest(points), boxes.largest(points), each), len(found.starts) - 1
    if isinstance(found, Subtables):
        parts = [Encoded(tuple(encoded.columns[place] for place in group), encoded.loss) for group in found.groups]
        each_part = [loss_and_classes(part, partition) for part, partition in zip(parts, found.partitions)]
        return sum(total for total, _ in each_part), sum(classes for _, classes in each_part)
    lo, hi, sizes = class_hulls(encoded.points, found.labels, len(found.sizes))
    suppressed = int((found.labels < 0).sum()) * encoded.points.shape[1]  # a row that is left out costs 1 per cell
    return total_loss(encoded.hulls, lo, hi, sizes) + suppressed, len(sizes)


def _peak_mib() -> float:
    """Most memory this process ever held; unlike getrusage it does not start at the parent's size."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    given = sys.argv[1:]
    print(json.dumps(_measure(given[0], given[1], int(given[2]), int(given[3]), given[4])))
