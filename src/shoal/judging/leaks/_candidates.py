# SPDX-License-Identifier: Apache-2.0
"""Which original records a released row may be: equal in the columns published as they are, and inside its labels.

In a long table rows are looked at in stretches spread over it (for neighbours and trends) and in whole classes (for the
order within them). Of more candidates than can be looked at some are taken, evenly. What is told about a row so depends
on its own cells and on the original, never on where it stands: shuffled rows stay shuffled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.judging.evidence import once
from shoal.judging.labels.reach import RowReach
from shoal.judging.leak_search import LeakScene
from shoal.judging.leaks._alignment import reaches, row_keys, shows_centres

MOST_ROWS = 20_000
"""Rows of a table up to which all are looked at; of a longer one, as many."""
STRETCH = 100
PAIRS = 2_000_000
"""Pairs of a released row and an original record that are compared."""
NEAR_A_CENTRE = 0.05
"""Share of a column's range within which a record may belong to a published centre."""


@dataclass(frozen=True)
class Candidates:
    """Released rows and the original records that each may be."""

    rows: Ints
    """Released rows that are looked at, in their order."""
    stretches: Ints
    """[looked at] number of the stretch of neighbours it was taken in, -1 if taken with its class alone."""
    whole: Flags
    """[looked at] whether all rows of its class are looked at."""
    pair_row: Ints
    """[pair] place in ``rows``."""
    pair_record: Ints
    """[pair] place in ``records``."""
    records: Ints
    """Original rows that are a candidate at all."""

    @cached_property
    def counts(self) -> Ints:
        """[looked at] number of candidates."""
        return np.bincount(self.pair_row, minlength=len(self.rows))

    def means(self, values: Floats) -> Floats:
        """[looked at] mean value of the candidates, given [record]; NaN where there are none."""
        total = np.bincount(self.pair_row, weights=values[self.pair_record], minlength=len(self.rows))
        with np.errstate(invalid="ignore"):
            return np.round(total / self.counts, 9)

    @cached_property
    def certain(self) -> tuple[Ints, Ints]:
        """Released rows that can be one record alone, which no other of them can be, and those records."""
        single = self.counts[self.pair_row] == 1
        rows, records = self.pair_row[single], self.pair_record[single]
        alone = np.bincount(self.pair_record, minlength=len(self.records))[records] == 1
        return self.rows[rows[alone]], self.records[records[alone]]


def candidates(scene: LeakScene) -> Candidates | None:
    """The candidates of the rows, worked out once; None where nothing tells records apart."""
    return once(scene.read, "candidates", lambda: _candidates(scene))


def _candidates(scene: LeakScene) -> Candidates | None:
    spans = [_widened(scene, name, reach) for name, reach in reaches(scene).items()]
    if not len(scene.released) or not (spans or scene.untouched):
        return None
    rows, stretches, whole = _looked_at(scene)
    pair_row, records = _alike(scene, rows, spans)
    for reach in spans:
        fits = _fits(reach, rows[pair_row], records, scene.plan.missing == "wildcard")
        pair_row, records = pair_row[fits], records[fits]
    met, pair_record = np.unique(records, return_inverse=True)
    return Candidates(rows, stretches, whole, pair_row, pair_record.ravel(), met)


def _looked_at(scene: LeakScene) -> tuple[Ints, Ints, Flags]:
    """The rows, their stretches, and whether their classes are whole."""
    n, alike = len(scene.released), scene.classes
    if n <= MOST_ROWS:
        return np.arange(n), np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
    number = MOST_ROWS // 2 // STRETCH
    starts = np.linspace(0, n - STRETCH, number).astype(np.int64)
    stretch = np.full(n, -1, dtype=np.int64)
    stretch[(starts[:, None] + np.arange(STRETCH)).ravel()] = np.repeat(np.arange(number), STRETCH)
    whole = np.zeros(n, dtype=bool)
    if alike is not None:
        sizes = np.bincount(alike)
        step = max(1, 2 * n // MOST_ROWS)
        chosen = np.zeros(len(sizes), dtype=bool)
        chosen[::step] = np.cumsum(sizes[::step]) <= MOST_ROWS
        whole = chosen[alike]
    rows = np.flatnonzero(whole | (stretch >= 0))
    return rows, stretch[rows], whole[rows]


def _widened(scene: LeakScene, name: str, reach: RowReach) -> RowReach:
    """What a column allows; around a centre, which is the value of nobody in particular, records that are near."""
    known = reach.positions[np.isfinite(reach.positions)]
    if not len(known) or not shows_centres(scene, name, reach):
        return reach
    near = NEAR_A_CENTRE * float(np.ptp(known))
    return RowReach(reach.positions, reach.low - near, reach.high + near, reach.shares)


def _alike(scene: LeakScene, rows: Ints, spans: list[RowReach]) -> tuple[Ints, Ints]:
    """Pairs that agree in the untouched columns, and in the column that parts the records best."""
    source, shown = row_keys(scene)
    if spans:
        best = min(spans, key=lambda reach: float(np.nan_to_num(reach.shares[rows]).mean()))
        place, low, high = (np.nan_to_num(one, nan=-1e300, neginf=-1e300, posinf=1e300) for one in _ends(best, rows))
    else:
        place, low, high = np.zeros(len(source)), np.zeros(len(rows)), np.zeros(len(rows))
    if scene.plan.missing == "wildcard":
        low = np.full(len(rows), -1e300)  # a missing cell lies there and may be anything
    order = np.lexsort((place, source))
    first = _searched(source[order], place[order], shown[rows], low, "left")
    last = _searched(source[order], place[order], shown[rows], high, "right")
    number = np.maximum(last - first, 0)
    taken = np.minimum(number, max(1, PAIRS // len(rows)))
    pair_row = np.repeat(np.arange(len(rows)), taken)
    turn = np.arange(len(pair_row)) - np.repeat(np.cumsum(taken) - taken, taken)
    return pair_row, order[first[pair_row] + turn * number[pair_row] // taken[pair_row]]


def _ends(reach: RowReach, rows: Ints) -> tuple[Floats, Floats, Floats]:
    return reach.positions, reach.low[rows], np.where(np.isnan(reach.low[rows]), np.nan, reach.high[rows])


def _searched(keys: Ints, places: Floats, key: Ints, at: Floats, side: str) -> Ints:
    """Where (key, at) would stand among sorted (keys, places)."""
    ranked = np.unique(places)
    rank = np.searchsorted(ranked, places)
    asked = np.searchsorted(ranked, at, side="left" if side == "left" else "right")
    width = len(ranked) + 1
    return np.searchsorted(keys * width + rank, key * width + asked, side="left")


def _fits(reach: RowReach, rows: Ints, records: Ints, wildcard: bool) -> Flags:
    """[pair] whether the label allows the record."""
    pairs = RowReach(reach.positions, reach.low[rows], reach.high[rows])
    return pairs.holds(records, wildcard)
