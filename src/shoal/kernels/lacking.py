# SPDX-License-Identifier: Apache-2.0
"""How much a class lacks to obey the rules, in records: 0 if it obeys, and less the closer it comes.

What two classes lack together is never less than what their union lacks for the kinds ``share``, ``bounds`` and
``closeness``; so joining brings a class closer to obeying, or at least not further away from it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel
from shoal.kernels.rules import BOUNDS, DISTINCT, ENTROPY, NONE, RECURSIVE, SHARE, Rules

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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
        values = NONE
        for row in rows:
            code = codes[row]
            if counts[code] == 0:
                met[values] = code
                values += 1
            counts[code] += 1
        total += lack(rules, rule, counts, met, values, len(rows))
        for i in range(values):
            counts[met[i]] = 0
    return total


@kernel
def broken_classes(rules: Rules, order: Ints, ends: Ints, least: int) -> NDArray[np.bool_]:
    """Whether each class breaks a rule or is too small; classes are runs of ``order``, empty ones are whole."""
    broken = np.zeros(len(ends), np.bool_)
    begin = 0
    for label in range(len(ends)):
        broken[label] = ends[label] > begin and lack_of(rules, order[begin : ends[label]], least) > 0
        begin = ends[label]
    return broken
