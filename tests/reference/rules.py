# SPDX-License-Identifier: Apache-2.0
"""Rules about private values in plain Python, by their definitions; and random ones."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from shoal.ground.requirements import Rule, Spans


def obeys(rule: Rule, values: Any) -> bool:
    """Whether the private values of a class obey a rule."""
    counts = Counter(int(value) for value in values)
    size = sum(counts.values())
    if not size:
        return False
    shares = {value: count / size for value, count in counts.items()}
    if rule.kind == "distinct":
        return len(counts) >= rule.limit
    if rule.kind == "share":
        return max(shares.values()) <= rule.limit
    if rule.kind == "entropy":
        return round(math.exp(-sum(share * math.log(share) for share in shares.values())), 9) >= rule.limit
    if rule.kind == "recursive":
        ordered = sorted(counts.values(), reverse=True)
        return len(counts) >= rule.rank and ordered[0] < round(rule.limit * sum(ordered[rule.rank - 1 :]), 9)
    if rule.kind == "bounds":
        assert rule.lower is not None
        assert rule.upper is not None
        return all(
            low <= shares.get(value, 0.0) <= high
            for value, (low, high) in enumerate(zip(rule.lower, rule.upper, strict=True))
        )
    if rule.kind == "own_size":
        assert rule.sizes is not None
        return all(size >= rule.sizes[value] for value in counts)
    return round(distance(rule, shares), 9) <= rule.limit


def distance(rule: Rule, shares: dict[int, float]) -> float:
    """How far shares are from the target ones, span by span."""
    assert rule.spans is not None
    assert rule.target is not None
    total = 0.0
    for begin, end, weight in zip(rule.spans.begin, rule.spans.end, rule.spans.weight, strict=True):
        total += weight * abs(sum(shares.get(value, 0.0) - rule.target[value] for value in range(begin, end)))
    return total


def random_rule(random: np.random.Generator, kind: str, n: int, values: int | None = None) -> Rule:
    """A rule of some strength about ``n`` records; the whole table obeys it unless that is too much to ask."""
    values = values or int(random.integers(2, 7))
    codes = np.unique(random.choice(values, n, p=random.dirichlet(np.ones(values) * 2)), return_inverse=True)[1]
    target = np.bincount(codes) / n
    most = len(target)
    if kind == "distinct":
        return Rule(kind, codes, int(random.integers(1, most + 1)))
    if kind == "share":
        return Rule(kind, codes, float(random.uniform(target.max(), 1)))
    if kind == "entropy":
        most_even = math.exp(-(target * np.log(target)).sum())
        return Rule(kind, codes, 1 + float(random.random()) * (most_even - 1) * 0.999)
    if kind == "recursive":
        rank = int(random.integers(1, most + 1))
        least = target.max() / np.sort(target)[::-1][rank - 1 :].sum()
        return Rule(kind, codes, float(least * random.uniform(1.01, 2)), rank=rank)
    if kind == "bounds":
        lower = target * random.uniform(0, 1, most) * (random.random(most) < 0.3)
        return Rule(kind, codes, lower=lower, upper=np.minimum(target * random.uniform(1, 3, most), 1.0))
    if kind == "own_size":
        return Rule(kind, codes, sizes=np.sort(random.integers(1, max(2, n // 3), most)))
    if random.random() < 0.5:
        places = np.arange(most)
        spans = Spans(places, places + 1, np.full(most, 0.5))
    else:
        ends = np.arange(1, most)
        spans = Spans(np.zeros(most - 1, np.int64), ends, np.full(most - 1, 1 / max(most - 1, 1)))
    return Rule(kind, codes, float(random.uniform(0, 0.5)), target=target, spans=spans)
