# SPDX-License-Identifier: Apache-2.0
"""Ranks and logarithms, straight from their definitions: count, or take a logarithm, one number at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence


def place(column: Sequence[float], how: str, number: float) -> float:
    """Where a number stands on a scale of a column; missing cells are NaN and count for nothing."""
    known = [one for one in column if not math.isnan(one)]
    if how == "range" or not known or math.isnan(number):
        return number
    inside = min(max(number, min(known)), max(known))
    if how == "rank":
        return sum(one < inside for one in known) + (sum(one == inside for one in known) + 1) / 2
    sizes = sorted(abs(one) for one in known if one != 0)
    unit = sizes[(len(sizes) - 1) // 10] if sizes else 1.0
    return math.copysign(math.log1p(abs(inside) / unit), inside)


def cost(column: Sequence[float], how: str, low: float, high: float) -> float:
    """What a range of numbers costs: its share of the whole column on the scale."""
    known = [one for one in column if not math.isnan(one)]
    whole = place(column, how, max(known)) - place(column, how, min(known))
    return (place(column, how, high) - place(column, how, low)) / whole if whole > 0 else 0.0
