# SPDX-License-Identifier: Apache-2.0
"""What it costs that all classes share the levels of a column: the method once with them, and once without.

Both by the method alone, without search and rules, so that they can be compared; of released rows alone, as every
figure about a release is; and on so many rows that it takes little time.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from shoal.engine.encoding.encode import encode
from shoal.engine.encoding.encoded import Encoded, total_of
from shoal.engine.encoding.levels import in_bands
from shoal.engine.generalizing.bands import settled_bands
from shoal.engine.methods import Partition, cluster
from shoal.engine.refining.apart import within_bands
from shoal.ground import catalog
from shoal.ground.parameters import build
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.table import Table

ROWS = 20_000
"""Most rows that both are tried on; drawn evenly."""


def told_of_levels(table: Table, encoded: Encoded, found: Partition, plan: Plan, size: int) -> dict[str, Any]:
    """How many levels each such column has, and about the loss per cell with them and without."""
    kept = np.flatnonzero(found.labels >= 0)
    columns = encoded.take(kept).columns
    bands = {
        place: settled_bands(column, found.labels[kept])
        for place, column in enumerate(columns)
        if column.behind is not None
    }
    some = np.unique(np.linspace(0, len(kept) - 1, min(len(kept), ROWS)).astype(np.int64))
    free = encode(table.take(kept[some]), plan)
    method = catalog.load("algorithms", plan.method)
    return {
        "columns": {columns[place].name: int(of.max()) + 1 for place, of in bands.items()},
        "loss": _loss(method, in_bands(free, {place: of[some] for place, of in bands.items()}), size, plan),
        "loss_without": _loss(method, free, size, plan),
    }


def _loss(method: ModuleType, encoded: Encoded, size: int, plan: Plan) -> float:
    """Loss per cell of the method's own classes."""
    requirement, progress = Requirement(size), Progress()
    parameters = build(method.Parameters, {}, where=f"method {plan.method!r}")
    encoded = encoded.unitless
    classes = cluster(method, parameters, encoded, requirement, plan, progress)
    classes = within_bands(encoded, classes, size, 0, progress)
    left_out = np.count_nonzero(classes.labels < 0)
    cells = len(encoded) * encoded.full or 1.0
    return float((total_of(encoded, classes.labels) + encoded.fixed + encoded.full * left_out) / cells)
