# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers whose range says little: most values crowd in a small part of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from shoal.ground.errors import flags_of
from shoal.ground.wording import columns_are
from shoal.plan.roles import NUMERIC
from shoal.tables.table import Table

CROWDED = 0.05
"""A column is skewed if the middle half of its values fills less than this share of its range."""
VALUES = 20
"""Fewer different values are categories rather than amounts."""


def skewed(table: Table, kinds: Mapping[str, str]) -> list[str]:
    """A note on those of some columns, by name and kind, whose loss would be counted better on another scale."""
    shares = {name: _middle_half(table, name) for name, kind in kinds.items() if kind == NUMERIC}
    found = [name for name, share in shares.items() if share < CROWDED]
    if not found:
        return []
    most = max(shares[name] for name in found)
    return [
        f"{columns_are(found)} skewed: the middle half of values fills at most {most:.1%} of the range, so a small "
        f"loss may be a wide interval; {flags_of(found, '--scale {}=rank')}, or =log, makes intervals narrow where "
        "most rows are"
    ]


def _middle_half(table: Table, name: str) -> float:
    """The interquartile range over the range; 1 of a column with few values."""
    numbers = table.numbers(name).values
    present = numbers[~np.isnan(numbers)]
    if len(np.unique(present)) < VALUES:
        return 1.0
    low, first, third, high = np.quantile(present, [0, 0.25, 0.75, 1])
    return float((third - first) / (high - low))
