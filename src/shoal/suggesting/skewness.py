# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers whose range says little: most values crowd in a small part of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.plan.roles import NUMERIC
from shoal.tables.table import Table

CROWDED = 0.05
"""A column is skewed if the middle half of its values fills less than this share of its range."""
VALUES = 20
"""Fewer different values are categories rather than amounts."""


def skewed(table: Table, kinds: Mapping[str, str]) -> list[str]:
    """A note for each of some columns, by name and kind, whose loss would be counted better on another scale."""
    shares = {name: _middle_half(table, name) for name, kind in kinds.items() if kind == NUMERIC}
    return [
        f"{name!r} is skewed: the middle half of its values fills {share:.1%} of its range, so a small loss may be a "
        f"wide interval; --scale {name}=rank, or =log, makes intervals narrow where most rows are"
        for name, share in shares.items()
        if share < CROWDED
    ]


def _middle_half(table: Table, name: str) -> float:
    """The interquartile range over the range; 1 of a column with few values."""
    numbers = table.numbers(name).values
    present = numbers[~np.isnan(numbers)]
    if len(np.unique(present)) < VALUES:
        return 1.0
    low, first, third, high = np.quantile(present, [0, 0.25, 0.75, 1])
    return float((third - first) / (high - low))
