# SPDX-License-Identifier: Apache-2.0
"""How exposed the table is as it stands: how many rows fewer than k others look like, for each k; on all rows."""

from __future__ import annotations

import numpy as np

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Exposed, Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.tables.equivalence_classes import class_sizes
from shoal.tables.reading import Reading

SIZES = (2, 3, 5, 10, 20, 50, 100)


def run(
    bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading, names: tuple[str, ...]
) -> Exposed:
    """Count."""
    table = bench.source(places, reading, progress).table
    progress(Step("count"))
    sizes = class_sizes(table, list(names)) if names else np.full(len(table), len(table))
    return Exposed(
        names, len(table), tuple((k, int((sizes < k).sum())) for k in SIZES), int(sizes.min(initial=len(table)))
    )
