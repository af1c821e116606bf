# SPDX-License-Identifier: Apache-2.0
"""Trees over numbers: nested ranges, written as releases write them (``[35, 39]``).

Whole numbers are grouped in closed ranges; others in ranges without their upper end, ``[0.5, 1)``, so that no
number belongs to two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import HierarchyError
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values, tree_of
from shoal.tables.notation import PLAIN, Notation, written_number

ALMOST = 1e-9
"""Shares of a width by which rounding may miss a border."""
MOST_RANGES = 1_000_000


def range_tree(values: Values, numbers: Floats, widths: Sequence[float], origin: float) -> Hierarchy:
    """Ranges of equal width per level, counted from an origin; every width is a multiple of the one before."""
    whole = bool((numbers == np.round(numbers)).all()) and all(float(given).is_integer() for given in (*widths, origin))
    notation = values.notation
    first = _places(values, numbers, widths[0], origin) if widths else np.zeros(0, dtype=np.int64)
    steps = [first // round(width / widths[0]) for width in widths]  # so that rounding puts no number into two branches

    def label(level: int, place: int) -> str:
        low, high = origin + place * widths[level], origin + (place + 1) * widths[level]
        return written_range(low, high - 1 if whole else high, notation, open_end=not whole)

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


def written_range(low: float, high: float, notation: Notation = PLAIN, *, open_end: bool = False) -> str:
    """A range as a label.

    >>> written_range(35, 39), written_range(0.5, 1, open_end=True), written_range(0.5, 1, Notation(","))
    ('[35, 39]', '[0.5, 1)', '[0,5; 1]')
    """
    return f"[{written(low, notation)}{notation.between} {written(high, notation)}{')' if open_end else ']'}"


def written(number: float, notation: Notation) -> str:
    """A border of a range; twelve digits are enough to tell borders apart."""
    whole = float(number).is_integer() and abs(number) < 1e15
    return written_number(int(number) if whole else float(f"{number:.12g}"), notation)


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
    numbered: Ints = places.astype(np.int64)
    return numbered
