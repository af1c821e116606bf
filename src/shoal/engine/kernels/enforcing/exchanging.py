# SPDX-License-Identifier: Apache-2.0
"""Exchanging records between two classes until both obey the rules, at a small price.

A step swaps two records, or moves one where sizes allow. What a step changes about the private values depends on the
two values alone, so that is worked out once for every pair of values; what it costs, for each pair of records that
brings the two classes closer to obeying. The step that costs least for what it mends is made, until nothing lacks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.enforcing.lacking import lack
from shoal.engine.kernels.hull import loss, loss_with
from shoal.engine.kernels.rules import Rules
from shoal.ground.arrays import Flags, Floats, Ints

EPSILON = 1e-9
PAIRS = 60_000
"""Pairs of records looked at in one exchange."""
MENDED_AT_ONCE = 3.0
"""Hardly any step mends more."""


@kernel
def _hulls_without(points: Floats, rows: Ints, side: Flags, lo: Floats, hi: Floats, ends: Floats) -> None:
    """Hull of each record's side without it; ``ends`` [side, end, attribute] the whole ones."""
    n, d = len(rows), points.shape[1]
    for j in range(d):
        for which in range(2):
            low, next_low, high, next_high = np.inf, np.inf, -np.inf, -np.inf
            for i in range(n):
                if side[i] == (which == 1):
                    at = points[rows[i], j]
                    if at < low:
                        low, next_low = at, low
                    else:
                        next_low = min(next_low, at)
                    if at > high:
                        high, next_high = at, high
                    else:
                        next_high = max(next_high, at)
            ends[which, 0, j], ends[which, 1, j] = low, high
            for i in range(n):
                if side[i] == (which == 1):
                    at = points[rows[i], j]
                    lo[i, j] = next_low if at == low else low
                    hi[i, j] = next_high if at == high else high


@kernel
def local_values(rules: Rules, rows: Ints, local: Ints, known: Ints) -> Ints:
    """Number the values of a pool from 0 for each rule; returns how many there are.

    ``local`` [rule, record] takes the numbers, ``known`` [rule, number] the values.
    """
    values = np.zeros(len(rules.kind), np.int64)
    for rule in range(len(rules.kind)):
        codes, counts = rules.codes[rule], rules.counts
        for i in range(len(rows)):
            code = codes[rows[i]]
            if counts[code] == 0:
                known[rule, values[rule]] = code
                values[rule] += 1
                counts[code] = values[rule]
            local[rule, i] = counts[code] - 1
        for i in range(values[rule]):
            counts[known[rule, i]] = 0
        local[rule, len(rows)] = values[rule]
    return values


@kernel
def _tabulate(
    rules: Rules, rule: int, side: Flags, which: bool, local: Ints, known: Ints, values: int, table: Floats
) -> None:
    """What a side lacks after it gives one value and takes another; the number past the last stands for none."""
    n, counts = len(side), rules.counts
    others = np.zeros(values + 1, np.bool_)
    others[values] = True
    size = 0
    for i in range(n):
        if side[i] == which:
            counts[known[local[i]]] += 1
            size += 1
        else:
            others[local[i]] = True
    for given in range(values + 1):
        if given < values and counts[known[given]] == 0:
            continue
        if given < values:
            counts[known[given]] -= 1
        for taken in range(values + 1):
            if not others[taken]:
                continue
            if taken < values:
                counts[known[taken]] += 1
            after = size - (given < values) + (taken < values)
            table[given, taken] = lack(rules, rule, counts, known, values, after)
            if taken < values:
                counts[known[taken]] -= 1
        if given < values:
            counts[known[given]] += 1
    for i in range(values):
        counts[known[i]] = 0


@kernel
def _loss_with(hulls: Any, lo: Floats, hi: Floats, points: Floats, row: int) -> float:
    """Loss per record of a hull, grown to take in one more record if there is one."""
    return loss_with(hulls, lo, hi, points, row) if row >= 0 else loss(hulls, lo, hi)


@kernel
def _lacking_after(tables: Floats, local: Ints, one: int, other: int, allowed: float) -> float:
    """What both sides lack after an exchange, sizes aside; the second side may lack as much as is ``allowed``."""
    mine, theirs = 0.0, 0.0
    for rule in range(len(tables)):
        a, b = local[rule, one], local[rule, other]
        mine += tables[rule, 0, a, b]
        theirs += tables[rule, 1, b, a]
    return mine + max(theirs - allowed, 0.0)


@kernel
def _best_step(
    hulls: Any, points: Floats, rows: Ints, side: Flags, local: Ints, tables: Floats, least: int, allowed: float,
) -> tuple[int, int, float, float]:  # fmt: skip
    """The pair to exchange (the number of records stands for none), what it changes the loss by, what is lacking then.

    Answers -1 if no exchange brings the two sides closer to obeying.
    """
    n, d = len(rows), points.shape[1]
    lo, hi, ends = np.empty((n, d)), np.empty((n, d)), np.empty((2, 2, d))
    _hulls_without(points, rows, side, lo, hi, ends)
    sizes = np.zeros(2, np.int64)
    for i in range(n):
        sizes[1 if side[i] else 0] += 1
    before = sizes[0] * loss(hulls, ends[0, 0], ends[0, 1]) + sizes[1] * loss(hulls, ends[1, 0], ends[1, 1])
    now = _lacking_after(tables, local, n, n, allowed) + max(least - sizes[0], 0)
    best, first, second, price, left = np.inf, -1, -1, 0.0, now
    for one in range(n + 1):
        if one < n and side[one]:
            continue
        for other in range(n + 1):
            if (other < n and not side[other]) or (one == n and other == n):
                continue
            mine, theirs = sizes[0] - (one < n) + (other < n), sizes[1] - (other < n) + (one < n)
            if (mine < least and mine <= sizes[0]) or (theirs < least and theirs < sizes[1]):
                continue
            after = _lacking_after(tables, local, one, other, allowed) + max(least - mine, 0)
            if after > now - EPSILON:
                continue
            a_lo, a_hi = (lo[one], hi[one]) if one < n else (ends[0, 0], ends[0, 1])
            b_lo, b_hi = (lo[other], hi[other]) if other < n else (ends[1, 0], ends[1, 1])
            change = mine * _loss_with(hulls, a_lo, a_hi, points, rows[other] if other < n else -1)
            change += theirs * _loss_with(hulls, b_lo, b_hi, points, rows[one] if one < n else -1)
            change -= before
            score = change / (now - after) if change > 0 else change * (now - after)
            if score < best - EPSILON:
                best, first, second, price, left = score, one, other, change, after
    return first, second, price, left


@kernel
def exchange(
    hulls: Any, points: Floats, rules: Rules, rows: Ints, side: Flags, least: int, allowed: float
) -> float:  # fmt: skip
    """Exchange records between the two sides of a pool until neither lacks anything; returns the change of the loss.

    The second side may lack as much as is ``allowed``. Answers infinity if that is not reached.
    """
    n = len(rows)
    local = np.empty((len(rules.kind), n + 1), np.int64)
    known = np.empty((len(rules.kind), n), np.int64)
    values = local_values(rules, rows, local, known)
    most = values.max() + 1 if len(values) else 1
    tables = np.empty((len(rules.kind), 2, most, most))
    price, left = 0.0, np.inf
    steps = 0
    for i in range(n):
        steps += side[i]
    steps = min(max(PAIRS // (steps * (n - steps)), 4), 32)
    for step in range(steps):
        if left <= EPSILON:
            return price
        if step > 0 and left > MENDED_AT_ONCE * (steps - step):
            return np.inf
        for rule in range(len(rules.kind)):
            for which in range(2):
                _tabulate(
                    rules, rule, side, which == 1, local[rule], known[rule], values[rule], tables[rule, which]
                )  # fmt: skip
        if left == np.inf:
            mine = 0
            for i in range(n):
                mine += not side[i]
            left = _lacking_after(tables, local, n, n, allowed) + max(least - mine, 0)
            if left <= EPSILON:
                return price
        one, other, change, left = _best_step(hulls, points, rows, side, local, tables, least, allowed)
        if one < 0:
            return np.inf
        price += change
        if one < n:
            side[one] = True
        if other < n:
            side[other] = False
    return price if left <= EPSILON else np.inf
