# SPDX-License-Identifier: Apache-2.0
"""How exposed the table is as it stands: how many rows fewer than k others look like, for each k; on all rows."""

from __future__ import annotations

import numpy as np

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Exposed, Places
from shoal.ground.progress import ProgressCallback, Step
from shoal.judging.look_alikes import rows_below
from shoal.tables.equivalence_classes import class_sizes
from shoal.tables.reading import Reading


def run(
    bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading, names: tuple[str, ...]
) -> Exposed:
    """Count."""
    table = bench.source(places, reading, progress).table
    progress(Step("count"))
    sizes = class_sizes(table, list(names)) if names else np.full(len(table), len(table))
    return Exposed(names, len(table), tuple(rows_below(sizes).items()), int(sizes.min(initial=len(table))))
