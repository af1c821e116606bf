# SPDX-License-Identifier: Apache-2.0
"""Bands of a line by trying every way to cut it, and what bands may never do."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def cheapest(values: Sequence[float], many: int, least: int) -> float | None:
    """The least sum over records of the width of their band, with so many bands of at least so many records."""
    known = sorted(set(values))
    best = None
    for cuts in itertools.combinations(range(1, len(known)), many - 1):
        bands = [known[a:b] for a, b in itertools.pairwise([0, *cuts, len(known)])]
        rows = [sum(value in band for value in values) for band in bands]
        if min(rows) >= least:
            cost = sum(many * (band[-1] - band[0]) for many, band in zip(rows, bands, strict=True))
            best = cost if best is None else min(best, cost)
    return best


def overlapping(shown: Sequence[frozenset[object]]) -> bool:
    """Whether two different labels, as the values that they allow, have one in common."""
    return any(one != other and one & other for one, other in itertools.combinations(set(shown), 2))
