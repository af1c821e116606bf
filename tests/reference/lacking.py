# SPDX-License-Identifier: Apache-2.0
"""How much a class lacks to obey a rule, read off the definition of each kind."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from shoal.ground.requirements import Rule
from tests.reference.rules import obeys

TRIFLE = 1e-6


def lack(rule: Rule, codes: np.ndarray) -> float:
    """Records that a class with these private values lacks; 0 if it obeys."""
    counts, size = Counter(codes.tolist()), len(codes)
    if obeys(rule, codes):
        return 0.0
    if rule.kind == "distinct":
        return rule.limit - len(counts)
    if rule.kind == "share":
        return sum(max(count - rule.limit * size, TRIFLE) for count in counts.values() if count / size > rule.limit)
    if rule.kind == "entropy":
        surprise = -sum(count / size * math.log(count / size) for count in counts.values())
        return max(size * (rule.limit - math.exp(surprise)) / rule.limit, TRIFLE)
    if rule.kind == "recursive":
        ordered = sorted(counts.values(), reverse=True)
        short = ordered[0] - rule.limit * sum(ordered[rule.rank - 1 :])
        return max(short, 0.0) + max(rule.rank - len(ordered), 0) + TRIFLE
    if rule.kind == "own_size":
        assert rule.sizes is not None
        return max(int(rule.sizes[value]) for value in counts) - size
    if rule.kind == "bounds":
        return _out_of_bounds(rule, counts, size)
    return max((_distance(rule, counts, size) - rule.limit) * size, TRIFLE)


def _out_of_bounds(rule: Rule, counts: Counter[int], size: int) -> float:
    """Records too many of values above their bound, too few of values below theirs."""
    total = 0.0
    assert rule.upper is not None
    assert rule.lower is not None
    for value in range(len(rule.upper)):
        share = counts[value] / size
        if share > rule.upper[value]:
            total += max(counts[value] - rule.upper[value] * size, TRIFLE)
        if share < rule.lower[value]:
            total += max(rule.lower[value] * size - counts[value], TRIFLE)
    return total


def _distance(rule: Rule, counts: Counter[int], size: int) -> float:
    """Weighted differences of the shares of all spans from those aimed at."""
    assert rule.target is not None
    assert rule.spans is not None
    apart = [counts[value] / size - aim for value, aim in enumerate(rule.target)]
    spans = zip(rule.spans.begin, rule.spans.end, rule.spans.weight, strict=True)
    return sum(weight * abs(sum(apart[begin:end])) for begin, end, weight in spans)
