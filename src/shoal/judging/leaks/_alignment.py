# SPDX-License-Identifier: Apache-2.0
"""Rows of release and original by the columns that are published as they are, and what the labels allow."""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.evidence import Evidence, once
from shoal.judging.labels.reach import CENTRES, RowReach, reach_of
from shoal.judging.leak_search import LeakScene
from shoal.tables.equivalence_classes import classes
from shoal.tables.together import stacked


def row_keys(scene: LeakScene) -> tuple[Ints, Ints]:
    """One number per different row of untouched cells: of every original row, and of every released row."""
    return once(scene.read, "row keys", lambda: _row_keys(scene))


def _row_keys(scene: LeakScene) -> tuple[Ints, Ints]:
    assert scene.original is not None
    if not scene.untouched:
        return np.zeros(len(scene.original), dtype=np.int64), np.zeros(len(scene.released), dtype=np.int64)
    keys = classes(stacked([scene.original, scene.released], scene.untouched), scene.untouched)
    return keys[: len(scene.original)], keys[len(scene.original) :]


def reaches(scene: LeakScene) -> dict[str, RowReach]:
    """Every quasi-identifier of the original whose published labels can be read, row by row."""
    evidence = Evidence(scene.original, scene.released, scene.plan)

    def read(name: str) -> RowReach:
        return once(scene.read, ("reach", name), lambda: reach_of(evidence, name))

    known = scene.original.names if scene.original is not None else []
    return {name: read(name) for name in scene.plan.quasi_identifiers if name in known and not read(name).problem}


def shows_centres(scene: LeakScene, name: str, reach: RowReach) -> bool:
    """Whether a column shows one value per class, as the plan says or as it seems: values that hardly anybody has."""
    if scene.plan.rendering(name) in CENTRES:
        return True
    shown = reach.low[~np.isnan(reach.low)]
    if not len(shown) or not np.array_equal(shown, reach.high[~np.isnan(reach.low)]):
        return False
    return 2 * int(np.isin(shown, reach.positions).sum()) < len(shown)
