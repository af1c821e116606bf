# SPDX-License-Identifier: Apache-2.0
"""How much a class lacks to obey the rules, in records: 0 if it obeys, and less the closer it comes.

What two classes lack together is never less than what their union lacks for the kinds ``share``, ``bounds``,
``closeness`` and ``own_size``; so joining brings a class closer to obeying, or at least not further away from it.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.rules import (
    BOUNDS,
    DISTINCT,
    ENTROPY,
    OWN_SIZE,
    RECURSIVE,
    SHARE,
    ZERO,
    Rules,
    asked_size,
    count_in,
)
from shoal.ground.arrays import Flags, Ints

A_TRIFLE = 1e-6
"""What a class lacks at least that breaks a rule, however narrowly."""


@kernel
def lack(rules: Rules, rule: int, counts: Ints, met: Ints, values: int, size: int) -> float:
    """What a class of ``size`` records lacks to obey one rule; its values are among ``met[:values]``."""
    kind, limit = rules.kind[rule], rules.limit[rule]
    if size == 0:
        return 1.0
    if kind == DISTINCT:
        found = 0
        for i in range(values):
            found += counts[met[i]] > 0
        return max(limit - found, 0.0)
    if kind == SHARE:
        return _too_common(counts, met, values, size, limit)
    if kind == ENTROPY:
        return _uneven(counts, met, values, size, limit)
    if kind == RECURSIVE:
        return _behind(counts, met, values, limit, rules.rank[rule])
    if kind == BOUNDS:
        return _out_of_bounds(rules, rule, counts, met, values, size)
    if kind == OWN_SIZE:
        return float(max(asked_size(rules, rule, counts, met, values) - size, 0))
    return _too_far(rules, rule, counts, size, limit)


@kernel
def _too_common(counts: Ints, met: Ints, values: int, size: int, limit: float) -> float:
    surplus = 0.0
    for i in range(values):
        count = counts[met[i]]
        if count / size > limit:
            surplus += max(count - limit * size, A_TRIFLE)
    return surplus


@kernel
def _uneven(counts: Ints, met: Ints, values: int, size: int, limit: float) -> float:
    surprise = 0.0
    for i in range(values):
        if counts[met[i]] > 0:
            share = counts[met[i]] / size
            surprise -= share * math.log(share)
    found = round(math.exp(surprise), 9)
    return 0.0 if found >= limit else max(size * (limit - found) / limit, A_TRIFLE)


@kernel
def _behind(counts: Ints, met: Ints, values: int, limit: float, rank: int) -> float:
    ordered = np.empty(values, np.int64)
    for i in range(values):
        ordered[i] = counts[met[i]]
    ordered.sort()
    tail, found = 0, 0
    for i in range(values):
        found += ordered[i] > 0
        if i <= values - rank:
            tail += ordered[i]
    most = ordered[values - 1]
    missing = max(rank - found, 0)
    short = most - round(limit * tail, 9)
    if missing == 0 and short < 0:
        return 0.0
    return max(short, 0.0) + missing + A_TRIFLE


@kernel
def _out_of_bounds(rules: Rules, rule: int, counts: Ints, met: Ints, values: int, size: int) -> float:
    start, lower, upper = rules.start[rule], rules.lower, rules.upper
    total = 0.0
    for i in range(values):
        count = counts[met[i]]
        if count / size > upper[start + met[i]]:
            total += max(count - upper[start + met[i]] * size, A_TRIFLE)
    if rules.needed[rule] > 0:
        for value in range(rules.start[rule + 1] - start):
            if counts[value] / size < lower[start + value]:
                total += max(lower[start + value] * size - counts[value], A_TRIFLE)
    return total


@kernel
def _too_far(rules: Rules, rule: int, counts: Ints, size: int, limit: float) -> float:
    start, sums, target = rules.start[rule], rules.sums, rules.target
    sums[0] = 0.0
    for value in range(rules.start[rule + 1] - start):
        sums[value + 1] = sums[value] + (counts[value] / size - target[start + value])
    total = 0.0
    for span in range(rules.first_span[rule], rules.first_span[rule + 1]):
        total += rules.weight[span] * abs(sums[rules.end[span]] - sums[rules.begin[span]])
    total = round(total, 9)
    return 0.0 if total <= limit else max((total - limit) * size, A_TRIFLE)


@kernel
def lack_of(rules: Rules, rows: Ints, least: int) -> float:
    """What some records lack to be a class of ``least`` records that obeys all rules."""
    total = float(max(least - len(rows), 0))
    counts, met = rules.counts, rules.met
    for rule in range(len(rules.kind)):
        codes = rules.codes[rule]
        values = ZERO
        for row in rows:
            values = count_in(counts, met, values, codes[row], 1)
        total += lack(rules, rule, counts, met, values, len(rows))
        for i in range(values):
            counts[met[i]] = 0
    return total


@kernel
def broken_classes(rules: Rules, order: Ints, ends: Ints, least: int) -> Flags:
    """Whether each class breaks a rule or is too small; classes are runs of ``order``, empty ones are whole."""
    broken = np.zeros(len(ends), np.bool_)
    begin = 0
    for label in range(len(ends)):
        broken[label] = ends[label] > begin and lack_of(rules, order[begin : ends[label]], least) > 0
        begin = ends[label]
    return broken


def alike_in_size(rules: Rules, least: int) -> Ints:
    """Records that ask for classes of about the same size together, in as many groups as obey all rules by themselves.

    Those who ask for most come first; a group that does not obey takes in those who ask for less.
    """
    n = rules.codes.shape[1]
    asked = np.full(n, least, dtype=np.int64)
    for rule in np.flatnonzero(rules.kind == OWN_SIZE):
        asked = np.maximum(asked, rules.sizes[rules.start[rule] + rules.codes[rule]])
    groups, level = np.zeros(n, dtype=np.int64), 0
    for size in np.unique(asked)[:0:-1]:
        here = np.flatnonzero((asked >= size) & (groups == level))
        rest = np.flatnonzero(asked < size)
        if lack_of(rules, here, least) <= 0 and lack_of(rules, rest, least) <= 0:
            groups[rest], level = level + 1, level + 1
    return groups
