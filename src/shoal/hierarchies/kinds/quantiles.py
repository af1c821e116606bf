# SPDX-License-Identifier: Apache-2.0
"""Numbers in ranges that hold about equally many rows, so that crowded places get narrow ranges.

The rows are cut into ``groups`` ranges of about equal size; two of them (``factor``) make one of the next level.
Borders are values of the table. A value that many rows share stays in one range, however full.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._ranges import nested
from shoal.hierarchies.values import Values


@dataclass(frozen=True)
class Parameters:
    """How many ranges."""

    groups: int = parameter(8, "number of ranges on the lowest level", least=2)
    factor: int = parameter(2, "how many ranges make one of the next level", least=2)


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Ranges of about equally many rows, then of neighbours.

    >>> build(Values.of(["1", "2", "3", "90"], [5, 5, 5, 5]), Parameters(groups=2)).rows()[0]
    ['1', '[1, 2]', '*']
    """
    numbers = values.numbers()
    lowest = _places(numbers, values.counts, parameters.groups)
    levels = [lowest]
    while len(numbers) and levels[-1].max() > 0:
        levels.append(levels[-1] // parameters.factor)
    order = np.argsort(numbers, kind="stable").tolist()
    first = [{int(places[leaf]): values.texts[leaf] for leaf in reversed(order)} for places in levels]
    last = [{int(places[leaf]): values.texts[leaf] for leaf in order} for places in levels]

    def label(level: int, place: int) -> str:
        low, high = first[level][place], last[level][place]
        return low if low == high else f"[{low}{values.notation.between} {high}]"

    return nested(values, numbers, levels, label)


def _places(numbers: Floats, counts: Ints, groups: int) -> Ints:
    """Group of each value: that of the middle of its rows, in order of the numbers and without gaps."""
    order = np.argsort(numbers, kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    middle = (before + counts[order] / 2) / max(int(counts.sum()), 1)
    raw = np.minimum((middle * groups).astype(np.int64), groups - 1)
    same = np.searchsorted(numbers[order], numbers[order], side="left")  # one number in other letters: 1 and 1.0
    places = np.empty(len(numbers), dtype=np.int64)
    places[order] = np.unique(raw[same], return_inverse=True)[1]
    return places
