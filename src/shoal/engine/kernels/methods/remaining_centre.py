# SPDX-License-Identifier: Apache-2.0
"""Classes at the edge of what remains: the centre of the remaining records, kept up to date as records leave.

The centre takes the mean of numbers, the commonest name and the lower median rank. Means come from sums in twice
the usual precision, so that a sum from which a million records were taken equals the sum of the few that remain,
and which of two equally far records is further never depends on what was taken before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.trees.additive_queries import Additive, furthest_row, nearest_rows
from shoal.engine.kernels.trees.box_tree import BoxTree, delete
from shoal.engine.kernels.trees.squared_queries import add_exactly
from shoal.ground.arrays import Floats, Ints

MEAN, MODE, MEDIAN = 0, 1, 2


class Centre(NamedTuple):
    """The remaining records, summed up per attribute."""

    kind: Ints
    missing: Floats
    """MEAN, MEDIAN: the coordinate that stands for missing (infinite if none does); such cells do not count."""
    present: Ints
    """MEAN, MEDIAN: cells that count."""
    total: Floats
    """MEAN: their sum."""
    error: Floats
    """MEAN: what the sum lacks."""
    start: Ints
    """MODE, MEDIAN: where the counts begin."""
    size: Ints
    """MODE, MEDIAN: number of codes."""
    counts: Ints
    """MODE, MEDIAN: records of each code."""
    place: Ints
    """MODE, MEDIAN: the code last found."""
    below: Ints
    """MEDIAN: records of lower codes. MODE: records of that code when it was found."""


@kernel
def count_in(centre: Centre, places: Floats, row: int, sign: int) -> None:
    """Count a record in (1) or out (-1)."""
    for j in range(places.shape[1]):
        at = places[row, j]
        if at == centre.missing[j]:
            continue
        centre.present[j] += sign
        if centre.kind[j] == MEAN:
            add_exactly(centre.total, centre.error, j, sign * at)
        else:
            centre.counts[centre.start[j] + np.int64(at)] += sign
            if centre.kind[j] == MEDIAN and at < centre.place[j]:
                centre.below[j] += sign


@kernel
def count_all(centre: Centre, places: Floats) -> None:
    """Count all records in."""
    for row in range(len(places)):
        count_in(centre, places, row, 1)


@kernel
def _mode(counts: Ints, start: int, size: int, below: Ints, j: int, place: int) -> int:
    """The commonest code, the lowest of equals: the last one for as long as it lost no record, since none wins any."""
    if counts[start + place] == below[j]:
        return place
    found = 0
    for code in range(1, size):
        if counts[start + code] > counts[start + found]:
            found = code
    below[j] = counts[start + found]
    return found


@kernel
def _median(counts: Ints, start: int, below: Ints, j: int, place: int, half: int) -> int:
    """The code of record number ``half``, counted from 0 in order; ``below[j]`` follows."""
    while below[j] > half:
        place -= 1
        below[j] -= counts[start + place]
    while below[j] + counts[start + place] <= half:
        below[j] += counts[start + place]
        place += 1
    return place


@kernel
def find_centre(centre: Centre, found: Floats) -> None:
    """Write the coordinates of the centre into ``found``."""
    for j in range(len(found)):
        if centre.present[j] == 0:
            found[j] = centre.missing[j]
        elif centre.kind[j] == MEAN:
            found[j] = centre.total[j] / centre.present[j]
        else:
            start, place = centre.start[j], centre.place[j]
            if centre.kind[j] == MODE:
                place = _mode(centre.counts, start, centre.size[j], centre.below, j, place)
            else:
                place = _median(centre.counts, start, centre.below, j, place, (centre.present[j] - 1) // 2)
            centre.place[j] = place
            found[j] = place


@kernel
def grow_from_edge(
    tree: BoxTree, costs: Additive, centre: Centre, places: Floats, size: int, label: int, until: int, opposite: int,
    labels: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Make classes ``label .. until-1``, in turn around the record furthest from the centre and its ``opposite``.

    That is the record furthest from the one before. Fewer than 2 ``size`` that remain are the last class.
    """
    while label < until:
        if tree.live[0] < 2 * size:
            for row in range(len(labels)):
                if labels[row] < 0:
                    labels[row] = label
            return label + 1, opposite
        if label % 2 == 0:
            find_centre(centre, costs.centre)
        else:
            costs.centre[:] = places[opposite]
        opposite = furthest_row(costs, tree)
        costs.centre[:] = places[opposite]
        labels[opposite] = label
        count_in(centre, places, opposite, -1)
        delete(tree, opposite)
        for row in nearest_rows(costs, tree, size - 1):
            labels[row] = label
            count_in(centre, places, row, -1)
            delete(tree, row)
        label += 1
    return label, opposite
