# SPDX-License-Identifier: Apache-2.0
"""Whether the private values of some records obey the rules of a requirement.

All rules of a requirement become one :class:`Rules`, a bundle of flat arrays. Some of them are scratch, so every thread
takes a copy of its own with :func:`own_scratch`; the rest is shared.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel
from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.requirements import RULES, Rule

DISTINCT, SHARE, ENTROPY, RECURSIVE, BOUNDS, CLOSENESS, OWN_SIZE = 0, 1, 2, 3, 4, 5, 6
"""Places in :data:`shoal.ground.requirements.RULES`."""

ZERO: Any = np.int64(0)
"""A zero that the compiler does not take for a constant: it would compile whatever it is passed to twice."""


class Rules(NamedTuple):
    """The rules of a requirement as arrays."""

    kind: Ints
    limit: Floats
    rank: Ints
    codes: Ints
    """[rule, record] the private value."""
    start: Ints
    """[rule] where its values begin in ``lower``, ``upper``, ``target`` and ``sizes``; and one past the last."""
    lower: Floats
    upper: Floats
    target: Floats
    sizes: Ints
    """[value] records of the smallest class that may hold it."""
    needed: Ints
    """[rule] how many values have a lower bound above nothing."""
    first_span: Ints
    """[rule] where its spans begin; and one past the last."""
    begin: Ints
    """[span] its first value."""
    end: Ints
    """[span] one past its last value."""
    weight: Floats
    counts: Ints
    """[value] scratch, all zero between uses."""
    met: Ints
    """[value] scratch: the different values met."""
    sums: Floats
    """[value] scratch: shares of all values before one."""


def as_arrays(rules: tuple[Rule, ...], n: int) -> Rules:
    """The rules about ``n`` records, for the kernels."""
    values = [_values(rule) for rule in rules]
    start = np.concatenate([[0], np.cumsum(values)]).astype(np.int64)
    lower, upper, target = np.zeros(start[-1]), np.ones(start[-1]), np.zeros(start[-1])
    sizes = np.zeros(start[-1], dtype=np.int64)
    for at, rule in zip(start, rules, strict=False):
        for into, given in ((lower, rule.lower), (upper, rule.upper), (target, rule.target), (sizes, rule.sizes)):
            if given is not None:
                into[at : at + len(given)] = given
    spans = [rule.spans for rule in rules if rule.spans is not None]
    lengths = [0 if rule.spans is None else len(rule.spans.begin) for rule in rules]
    most = max(values, default=0)
    return Rules(
        kind=np.array([RULES.index(rule.kind) for rule in rules], dtype=np.int64),
        limit=np.array([rule.limit for rule in rules], dtype=np.float64),
        rank=np.array([rule.rank for rule in rules], dtype=np.int64),
        codes=np.array([rule.codes for rule in rules], dtype=np.int64).reshape(len(rules), n),
        start=start,
        lower=lower,
        upper=upper,
        target=target,
        sizes=sizes,
        needed=np.array([np.count_nonzero(lower[a:b]) for a, b in pairwise(start)], dtype=np.int64),
        first_span=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        begin=np.concatenate([np.zeros(0, np.int64), *(one.begin for one in spans)]),
        end=np.concatenate([np.zeros(0, np.int64), *(one.end for one in spans)]),
        weight=np.concatenate([np.zeros(0), *(one.weight for one in spans)]),
        counts=np.zeros(most, dtype=np.int64),
        met=np.zeros(most, dtype=np.int64),
        sums=np.zeros(most + 1),
    )


def _values(rule: Rule) -> int:
    """How many values a rule knows; the records at hand, as some of a table, need not have all of them."""
    told = (len(given) for given in (rule.lower, rule.upper, rule.target, rule.sizes) if given is not None)
    return max(int(rule.codes.max(initial=-1)) + 1, *told, 0)


def if_any(rules: Rules) -> Rules | None:
    """The rules, ``None`` if there are none: what looks after rules is compiled only where there are some."""
    return rules if len(rules.kind) else None


def own_scratch(rules: Rules | None) -> Rules | None:
    """The same rules for another thread."""
    if rules is None:
        return None
    return rules._replace(counts=np.zeros_like(rules.counts), met=rules.met.copy(), sums=rules.sums.copy())


@inlined
def count_in(counts: Ints, met: Ints, values: int, code: int, amount: int) -> int:
    """Count a value; ``met`` lists the different ones, ``values`` in number; returns their number then."""
    if counts[code] == 0:
        met[values] = code
        values += 1
    counts[code] += amount
    return values


@kernel
def by_values(rules: Rules, rows: Ints, order: Ints, but: int) -> Ints:
    """The places ``order`` of ``rows`` sorted by private values, stably; rules of kind ``but`` aside."""
    keys = np.empty(len(rows), np.int64)
    for rule in range(len(rules.kind) - 1, -1, -1):
        if rules.kind[rule] != but:
            for i in range(len(rows)):
                keys[i] = rules.codes[rule, rows[order[i]]]
            order = order[np.argsort(keys, kind="mergesort")]
    return order


@kernel
def obeyed_by(rules: Rules, rows: Ints, amounts: Ints, count: int) -> bool:
    """Whether ``rows[:count]``, each as often as ``amounts`` says, obey all rules; nothing obeys none."""
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], rules.counts, rules.met
        size, values = ZERO, ZERO
        for i in range(count):
            if amounts[i] > 0:
                values = count_in(counts, met, values, codes[rows[i]], amounts[i])
                size += amounts[i]
        if not settled(rules, rule, values, size):
            return False
    return True


@kernel
def obeyed(rules: Rules, rows: Ints, begin: int, end: int, side: Flags, which: bool) -> bool:
    """Whether the records of ``rows[begin:end]`` that are on one side obey all rules."""
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], rules.counts, rules.met
        size, values = ZERO, ZERO
        for i in range(begin, end):
            if side[i] == which:
                values = count_in(counts, met, values, codes[rows[i]], 1)
                size += 1
        if not settled(rules, rule, values, size):
            return False
    return True


@kernel
def settled(rules: Rules, rule: int, values: int, size: int) -> bool:
    """Whether the counts obey one rule; and the counts are zero again."""
    kept = size > 0 and keeps(rules, rule, values, size)
    for i in range(values):
        rules.counts[rules.met[i]] = 0
    return kept


@kernel
def keeps(rules: Rules, rule: int, values: int, size: int) -> bool:
    """Whether ``rules.counts`` of a class of ``size`` records, whose values are ``met[:values]``, obey one rule."""
    kind, limit, counts, met = rules.kind[rule], rules.limit[rule], rules.counts, rules.met
    if kind == DISTINCT:
        return values >= limit
    if kind == SHARE:  # both sides are correctly rounded quotients, so equal shares are equal floats
        most = 0
        for i in range(values):
            most = max(most, counts[met[i]])
        return most / size <= limit
    if kind == ENTROPY:
        surprise = 0.0
        for i in range(values):
            share = counts[met[i]] / size
            surprise -= share * math.log(share)
        return round(math.exp(surprise), 9) >= limit
    if kind == RECURSIVE:
        return _stays_behind(counts, met, values, limit, rules.rank[rule])
    if kind == BOUNDS:
        return _within(rules, rule, values, size)
    if kind == OWN_SIZE:
        return asked_size(rules, rule, counts, met, values) <= size
    return round(distance(rules, rule, size), 9) <= limit


@kernel
def asked_size(rules: Rules, rule: int, counts: Ints, met: Ints, values: int) -> int:
    """Most records that a value among ``met[:values]`` asks for."""
    most = ZERO
    for i in range(values):
        if counts[met[i]] > 0:
            most = max(most, rules.sizes[rules.start[rule] + met[i]])
    return most


@kernel
def _stays_behind(counts: Ints, met: Ints, values: int, limit: float, rank: int) -> bool:
    """Whether the commonest value stays behind ``limit`` times the sum of those from the ``rank``-th on."""
    if values < rank:
        return False
    for i in range(1, values):  # commonest first; by hand, for a library sort takes seconds to compile
        code, at = met[i], i
        while at > 0 and counts[met[at - 1]] < counts[code]:
            met[at] = met[at - 1]
            at -= 1
        met[at] = code
    behind = 0
    for i in range(rank - 1, values):
        behind += counts[met[i]]
    return counts[met[0]] < round(limit * behind, 9)


@kernel
def _within(rules: Rules, rule: int, values: int, size: int) -> bool:
    """Whether the share of each value is within its bounds; values that are not there have none."""
    start, lower, upper = rules.start[rule], rules.lower, rules.upper
    needed = rules.needed[rule]
    for i in range(values):
        code = rules.met[i]
        share = rules.counts[code] / size
        if share > upper[start + code] or share < lower[start + code]:
            return False
        if lower[start + code] > 0:
            needed -= 1
    return needed == 0


@kernel
def distance(rules: Rules, rule: int, size: int) -> float:
    """Sum over the spans of a rule of their weight times the difference of their share from the one aimed at."""
    start, sums, counts, target = rules.start[rule], rules.sums, rules.counts, rules.target
    values = rules.start[rule + 1] - start
    sums[0] = 0.0
    for value in range(values):
        sums[value + 1] = sums[value] + (counts[value] / size - target[start + value])
    total = 0.0
    for span in range(rules.first_span[rule], rules.first_span[rule + 1]):
        total += rules.weight[span] * abs(sums[rules.end[span]] - sums[rules.begin[span]])
    return total
