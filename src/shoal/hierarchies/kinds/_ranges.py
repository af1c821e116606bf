# SPDX-License-Identifier: Apache-2.0
"""Trees over numbers: nested ranges, written as releases write them (``[35, 39]``).

Whole numbers are grouped in closed ranges; others in ranges without their upper end, ``[0.5, 1)``, so that no
number belongs to two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.errors import HierarchyError
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.kinds._protocol import Floats, Ints, Values, tree_of

ALMOST = 1e-9
"""Shares of a width by which rounding may miss a border."""
MOST_RANGES = 1_000_000


def range_tree(values: Values, numbers: Floats, widths: Sequence[float], origin: float) -> Hierarchy:
    """Ranges of equal width per level, counted from an origin; every width is a multiple of the one before."""
    whole = bool((numbers == np.round(numbers)).all()) and all(float(one).is_integer() for one in (*widths, origin))
    steps = [_places(values, numbers, width, origin) for width in widths]

    def label(level: int, place: int) -> str:
        low, high = origin + place * widths[level], origin + (place + 1) * widths[level]
        return written_range(low, high - 1 if whole else high, values.decimal, open_end=not whole)

    return nested(values, numbers, steps, label)


def nested(values: Values, numbers: Floats, levels: Sequence[Ints], label: Callable[[int, int], str]) -> Hierarchy:
    """The tree of groups within groups; levels that group nothing, or everything, are left out."""
    n_before, chosen = len(values.texts), []
    for level, places in enumerate(levels):
        groups = len(np.unique(places))
        if 1 < groups < n_before:
            chosen.append(level)
            n_before = groups
    order = np.argsort(numbers, kind="stable")
    rows = [
        [values.texts[leaf], *(label(level, int(levels[level][leaf])) for level in chosen), ROOT]
        for leaf in order.tolist()
    ]
    return tree_of(rows, values)


def written_range(low: float, high: float, decimal: str = ".", *, open_end: bool = False) -> str:
    """A range as a label.

    >>> written_range(35, 39), written_range(0.5, 1, open_end=True), written_range(0.5, 1, ",")
    ('[35, 39]', '[0.5, 1)', '[0,5; 1]')
    """
    mark = "," if decimal == "." else ";"
    return f"[{written(low, decimal)}{mark} {written(high, decimal)}{')' if open_end else ']'}"


def written(number: float, decimal: str) -> str:
    """A border of a range; twelve digits are enough to tell borders apart."""
    text = str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else f"{number:.12g}"
    return text.replace(".", decimal)


def _places(values: Values, numbers: Floats, width: float, origin: float) -> Ints:
    """Which range each number falls into."""
    places = np.floor((numbers - origin) / width + ALMOST)
    if len(places) and np.abs(places).max() > MOST_RANGES:
        raise HierarchyError(
            "The ranges are so narrow that there would be too many of them.",
            where=values.where,
            allowed=f"a width that gives at most {MOST_RANGES:,} ranges",
            received=f"a width of {width:g}",
            todo="choose a larger width",
        )
    found: Ints = places.astype(np.int64)
    return found
