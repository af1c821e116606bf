# SPDX-License-Identifier: Apache-2.0
"""How strongly every two columns go together, before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from shoal.ground.arrays import Floats
from shoal.judging.associations import CRAMER, RANKS, RATIO, Side, association, fewest_categories
from shoal.judging.portraits.portrait import Pair


@dataclass(frozen=True)
class ComparedColumn:
    """One column before and after."""

    name: str
    before: Side
    after: Side


def pairs_of(columns: Sequence[ComparedColumn], weights: tuple[Floats, Floats] | None = None) -> list[Pair]:
    """Every pair that can be measured on both sides, the strongest before first; by survey weights, if there are."""
    was, now = weights or (None, None)
    found = []
    for one, other in combinations(columns, 2):
        fewest = fewest_categories(one.before, other.before)
        before = association(one.before, other.before, fewest, was)
        after = association(one.after, other.after, fewest, now)
        if math.isfinite(before) and math.isfinite(after):
            measure = (CRAMER, RATIO, RANKS)[one.before.line + other.before.line]
            found.append(Pair(one.name, other.name, measure, before, after))
    return sorted(found, key=lambda pair: -round(abs(pair.before), 12))
