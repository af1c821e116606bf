# SPDX-License-Identifier: Apache-2.0
"""Numbers in ranges that hold about equally many rows, so that crowded places get narrow ranges.

The rows are cut into ``groups`` ranges of about equal size; two of them (``factor``) make one of the next level.
Borders are values of the table. A value that many rows share stays in one range, however full.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._protocol import Floats, Ints, Values
from shoal.hierarchies.kinds._ranges import nested
from shoal.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """How many ranges."""

    groups: int = parameter(8, "number of ranges on the lowest level", least=2)
    factor: int = parameter(2, "how many ranges make one of the next level", least=2)


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Ranges of about equally many rows, then of neighbours."""
    numbers = values.numbers()
    lowest = _places(numbers, values.counts, parameters.groups)
    levels = [lowest]
    while len(numbers) and levels[-1].max() > 0:
        levels.append(levels[-1] // parameters.factor)
    first, last = _ends(values, numbers, levels)

    def label(level: int, place: int) -> str:
        low, high = first[level][place], last[level][place]
        return low if low == high else f"[{low}{',' if values.decimal == '.' else ';'} {high}]"

    return nested(values, numbers, levels, label)


def quantile_hierarchy(values: Iterable[str], counts: Sequence[int] | None = None, groups: int = 8) -> Hierarchy:
    """A tree of ranges of about equally many rows.

    >>> quantile_hierarchy(["1", "2", "3", "90"], [5, 5, 5, 5], groups=2).rows()[0]
    ['1', '[1, 2]', '*']
    """
    return build(Values.of(values, counts), Parameters(groups))


def _places(numbers: Floats, counts: Ints, groups: int) -> Ints:
    """Group of each value: that of the middle of its rows, in order of the numbers and without gaps."""
    order = np.argsort(numbers, kind="stable")
    before = np.cumsum(counts[order]) - counts[order]
    middle = (before + counts[order] / 2) / max(int(counts.sum()), 1)
    raw = np.minimum((middle * groups).astype(np.int64), groups - 1)
    raw = _joined_equals(numbers[order], raw)
    places = np.empty(len(numbers), dtype=np.int64)
    places[order] = np.unique(raw, return_inverse=True)[1] if len(raw) else raw
    return places


def _joined_equals(ordered: Floats, places: Ints) -> Ints:
    """Values that are the same number in other letters (``1`` and ``1.0``) share a range."""
    first = np.searchsorted(ordered, ordered, side="left")
    joined: Ints = places[first] if len(places) else places
    return joined


def _ends(values: Values, numbers: Floats, levels: Sequence[Ints]) -> tuple[list[dict[int, str]], list[dict[int, str]]]:
    """Smallest and largest value of each group of each level, as the table writes them."""
    order = np.argsort(numbers, kind="stable").tolist()
    first: list[dict[int, str]] = [{} for _ in levels]
    last: list[dict[int, str]] = [{} for _ in levels]
    for level, places in enumerate(levels):
        for leaf in order:
            first[level].setdefault(int(places[leaf]), values.texts[leaf])
            last[level][int(places[leaf])] = values.texts[leaf]
    return first, last
