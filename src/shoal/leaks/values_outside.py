# SPDX-License-Identifier: Apache-2.0
"""Labels that do not hold the values they stand for.

Needs the original. A label must hold at least as many original values as rows show it; and where the columns that are
published as they are single out one row in both tables, the row's label must hold the value of that very record. A
release that fails is no generalisation of this original: it was damaged, or made from something else. Columns that
show centres, or labels that cannot be read, are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.leaks._alignment import row_keys
from shoal.leaks._protocol import WARNING, Ints, Leak, Scene
from shoal.metrics._cells import CENTRES
from shoal.metrics._protocol import Evidence
from shoal.metrics._reach import Reach, reach_of

ADVICE = "make the release again from this original, or give the original it was made from"


def find(scene: Scene) -> Iterator[Leak]:
    """Columns with labels beside the truth."""
    if scene.original is None or len(scene.released) > len(scene.original):
        return
    evidence = Evidence(scene.original, scene.released, scene.plan)
    rows, records = _matched(scene)
    for name in scene.plan.quasi_identifiers:
        if scene.plan.rendering(name) in CENTRES or name not in scene.original.names:
            continue
        reach = reach_of(evidence, name)
        if reach.problem:
            continue
        wrong = max(_too_often(reach), _beside(reach, rows, records, scene.plan.missing == "wildcard"))
        if wrong:
            said = f"column {name!r} shows labels that do not hold the original values in at least {wrong} rows"
            yield Leak("values_outside", WARNING, said, ADVICE, (name,))


def _too_often(reach: Reach) -> int:
    """Rows that show a label beyond the number of original values inside it."""
    labelled = ~np.isnan(reach.low) & ~np.isinf(reach.low)
    ends, rows = np.unique(np.column_stack([reach.low, reach.high])[labelled], axis=0, return_counts=True)
    values = np.sort(reach.positions[~np.isnan(reach.positions)])
    inside = np.searchsorted(values, ends[:, 1], side="right") - np.searchsorted(values, ends[:, 0], side="left")
    return int(np.maximum(rows - inside, 0).sum())


def _beside(reach: Reach, rows: Ints, records: Ints, wildcard: bool) -> int:
    """Rows whose label misses the value of the record they are known to be."""
    owner = np.zeros(len(reach.low), dtype=np.int64)
    owner[rows] = records
    return int((~reach.holds(owner, wildcard))[rows].sum()) if len(reach.positions) else 0


def _matched(scene: Scene) -> tuple[Ints, Ints]:
    """Released rows and the original records that they must be, by columns published as they are."""
    nothing = np.zeros(0, dtype=np.int64)
    if not scene.untouched:
        return nothing, nothing
    source, shown = row_keys(scene)
    most = int(max(source.max(initial=0), shown.max(initial=0))) + 1
    once = (np.bincount(source, minlength=most) == 1) & (np.bincount(shown, minlength=most) == 1)
    record_of = np.zeros(most, dtype=np.int64)
    record_of[source] = np.arange(len(source))
    rows = np.flatnonzero(once[shown])
    return rows, record_of[shown[rows]]
