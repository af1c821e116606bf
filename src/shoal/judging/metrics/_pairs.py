# SPDX-License-Identifier: Apache-2.0
"""How much of what goes together still does: pairs of columns before and after, put into one figure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from shoal.judging.analyst import AnalysedColumn, AnalysedTables


class Strength(NamedTuple):
    """How strongly two columns go together, before and after; NaN where one of them does not vary."""

    before: float
    after: float


def told_pairs(tables: AnalysedTables) -> Iterator[tuple[AnalysedColumn, AnalysedColumn]]:
    """Every pair of columns of which a quasi-identifier is one; others are published as they are."""
    yield from ((one, other) for one, other in combinations(tables.columns, 2) if one.changed or other.changed)


def share_kept(pairs: Iterable[Strength]) -> float:
    """1 - Σ |before - after| / Σ |before|, at least 0; what cannot be measured any more is gone. NaN without pairs.

    >>> share_kept([Strength(0.5, 0.4), Strength(-0.5, math.nan)])
    0.4
    """
    known = [(one.before, 0.0 if math.isnan(one.after) else one.after) for one in pairs if math.isfinite(one.before)]
    if not known:
        return math.nan
    whole = math.fsum(abs(before) for before, _ in known)
    lost = math.fsum(abs(before - after) for before, after in known)
    if whole == 0:
        return 1.0 if lost == 0 else 0.0
    return round(max(1 - lost / whole, 0.0), 12)
