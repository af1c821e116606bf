# SPDX-License-Identifier: Apache-2.0
"""Columns whose classes all share the same levels: bands are chosen first, and no class may lie across two of them.

What such a column publishes is the band, whoever is in the class; so its cost is settled by the bands alone, and to the
methods it is a column of names that are too dear to mix. How fine the bands should be is a matter of trial: narrow ones
cost little by themselves and leave the other columns few records to choose from. Every way to cut a column (see
``bands``) is priced by what the bands cost and what a quick construction makes of the other columns within them:
records in the order of a Hilbert curve, cut into the cheapest runs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from shoal.engine.encoding.bands import ladder
from shoal.engine.encoding.encoded import Encoded, EncodedColumn, total_of
from shoal.engine.encoding.losses import HullTerm, hull_kernel_arrays
from shoal.engine.kernels.hull import FLAT, class_hulls, total_loss
from shoal.engine.kernels.methods.hilbert import hilbert_order
from shoal.engine.kernels.methods.runs import best_runs
from shoal.ground.arrays import Flags, Ints
from shoal.ground.errors import CannotHoldError, listed
from shoal.ground.progress import Progress
from shoal.hierarchies.hierarchy import Hierarchy

Rungs = dict[int, int]
"""How far up its ladder each column stands, by its place."""
WALL = 1000.0
"""How many times the cost of a record of which nothing is left it costs to lie across two bands."""
SEARCHED = 0.8
"""About the share of the loss of a quick construction that a good method leaves within bands."""
LOOK_AHEAD = 3
"""How many steps more finely a column is cut on trial."""
BITS = 8
"""The quick construction follows a Hilbert curve through 2 ** BITS cells per column."""


def common_bands(
    encoded: Encoded, names: Collection[str], size: int, spare: int, progress: Progress
) -> dict[int, Ints]:
    """[record] its band, for the columns of these names by their place; every class has room for ``size`` records.

    Up to ``spare`` records may be too few in their bands: those can be left out.
    """
    trial = _Trial(encoded, names, size, spare)
    _check_missing(encoded, trial, size, spare)
    held_back: list[int | None] = [None, *(trial.ladders if len(trial.ladders) > 1 else ())]
    found = []
    for done, held in enumerate(held_back):
        progress(done, len(held_back))
        found.append(_climbed(trial, _climbed(trial, dict.fromkeys(trial.ladders, 0), held), None))
    return trial.bands(min(found, key=trial.price))


def _climbed(trial: _Trial, rungs: Rungs, held: int | None) -> Rungs:
    """Columns cut more finely, or one of them in exchange for another, as long as that pays; one may be held back."""
    while further := [one for one in _moves(rungs, trial.ladders) if held is None or one[held] == rungs[held]]:
        best = min(further, key=trial.price)
        if trial.price(best) >= trial.price(rungs):
            break
        rungs = best
    return rungs


def _moves(rungs: Rungs, ladders: Mapping[int, Sequence[Ints]]) -> Iterator[Rungs]:
    """One column a few rungs up; or so with another one down."""
    for up, ladder_up in ladders.items():
        for ahead in range(rungs[up] + 1, min(rungs[up] + LOOK_AHEAD + 1, len(ladder_up))):
            yield {**rungs, up: ahead}
            for down in ladders:
                if down != up and rungs[down] > 0:
                    yield {**rungs, up: ahead, down: rungs[down] - 1}


def _check_missing(encoded: Encoded, trial: _Trial, size: int, spare: int) -> None:
    """Refuse missing cells that are too few to be alone with: any class around them would join all bands."""
    lonely = trial.lonely(dict.fromkeys(trial.ladders, 0))
    if lonely > spare:
        holed = [encoded.columns[place].name for place in trial.ladders if encoded.columns[place].missing is not None]
        raise CannotHoldError(
            "Levels that all classes share are impossible: too few rows have the same cells missing.",
            where=f"--levels / levels of {listed(holed)}",
            allowed=f"none, or at least {size} rows, for each combination of missing cells in these columns",
            received=f"{lonely} rows that are fewer, and {spare} may be left out",
            todo=f"fill the cells, allow --suppression {_share(lonely, len(encoded))}, or leave out the levels",
        )


def _share(rows: int, of: int) -> float:
    """A share of the rows that is enough for some, in a few digits."""
    return math.ceil(10_000 * rows / of) / 10_000


def in_bands(encoded: Encoded, bands: dict[int, Ints]) -> Encoded:
    """The same table with some columns, by their place, in bands."""
    columns = [
        _walled(column, bands[place], encoded.full) if place in bands else column
        for place, column in enumerate(encoded.columns)
    ]
    return replace(encoded, columns=tuple(columns))


def _walled(column: EncodedColumn, bands: Ints, full: float) -> EncodedColumn:
    """A column of names, one per band, that no class should mix."""
    names = Hierarchy.flat([f"band {number}" for number in range(int(bands.max()) + 1)])
    weight = WALL * max(full, 1.0)
    return EncodedColumn(column.name, bands.astype(np.float64), weight, names, style="label", behind=column)


class _Trial:
    """What ways to cut some columns would cost, the other columns in a quick construction included."""

    def __init__(self, encoded: Encoded, names: Collection[str], size: int, spare: int) -> None:
        self.ladders = {
            place: ladder(column, size) for place, column in enumerate(encoded.columns) if column.name in names
        }
        self._encoded, self._size, self._spare = encoded, size, spare
        free = [column for place, column in enumerate(encoded.columns) if place not in self.ladders]
        self._others = Encoded(tuple(free), encoded.loss)
        self._hulls = hull_kernel_arrays([HullTerm(FLAT, cap=1.0), *(column.term(encoded.loss) for column in free)])
        self._order = hilbert_order(self._others.points, BITS) if free else np.arange(len(encoded))
        self._known: dict[tuple[int, ...], float] = {}

    def bands(self, rungs: Rungs) -> dict[int, Ints]:
        """[record] its band, for each column by its place."""
        return {place: self.ladders[place][rung] for place, rung in rungs.items()}

    def lonely(self, rungs: Rungs) -> int:
        """How many records are too few in their combination of bands."""
        return int(np.count_nonzero(self._too_few(self._strata(rungs))))

    def price(self, rungs: Rungs) -> float:
        """Cost of the bands, and about that of the other columns within them; infinite if too many are too few."""
        key = tuple(rungs.values())
        if key not in self._known:
            self._known[key] = self._price(rungs)
        return self._known[key]

    def _price(self, rungs: Rungs) -> float:
        strata = self._strata(rungs)
        lonely = self._too_few(strata)
        left_out = int(np.count_nonzero(lonely))
        if left_out > self._spare:
            return math.inf
        columns, loss = self._encoded.columns, self._encoded.loss
        settled = sum(total_of(Encoded((columns[place],), loss), of) for place, of in self.bands(rungs).items())
        order = self._order[~lonely[self._order]]
        order = order[np.argsort(strata[order], kind="stable")]
        return settled + left_out * self._encoded.full + SEARCHED * self._quick(strata, order)

    def _strata(self, rungs: Rungs) -> Ints:
        return np.unique(np.column_stack(list(self.bands(rungs).values())), axis=0, return_inverse=True)[1].ravel()

    def _too_few(self, strata: Ints) -> Flags:
        few: Flags = np.bincount(strata)[strata] < self._size
        return few

    def _quick(self, strata: Ints, order: Ints) -> float:
        """Loss of the other columns of some records, whose order is cut into the cheapest runs."""
        points = np.column_stack([strata.astype(np.float64), *self._others.points.T])[order]
        labels = np.zeros(len(order), dtype=np.int64)
        if len(order) >= 2 * self._size:
            labels = best_runs(self._hulls, points, np.arange(len(order)), self._size)
        lo, hi, sizes = class_hulls(points, labels, int(labels.max(initial=0)) + 1)
        return float(total_loss(self._hulls, lo, hi, sizes))
