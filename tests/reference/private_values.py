# SPDX-License-Identifier: Apache-2.0
"""The models about private values, class by class and value by value, straight from their definitions.

A class is a list of private values, None being a value; the table is the list of all of them. Nothing here is fast, and
nothing is shared with the models.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

Values = list[Any]


def shares(values: Values) -> dict[Any, float]:
    """Share of each value that occurs."""
    return {value: count / len(values) for value, count in Counter(values).items()}


# -- t-closeness -----------------------------------------------------------------------------------------------------


def equal_distance(some: Values, table: Values) -> float:
    """Half the sum of absolute differences."""
    p, q = shares(some), shares(table)
    return sum(abs(p.get(value, 0.0) - q[value]) for value in q) / 2


def ordered_distance(some: Values, table: Values, order: Values) -> float:
    """Mean absolute difference of the summed shares along the order of the values that occur."""
    p, q = shares(some), shares(table)
    row = [value for value in order if value in q]
    if len(row) < 2:
        return 0.0
    surplus, work = 0.0, 0.0
    for value in row[:-1]:
        surplus += p.get(value, 0.0) - q[value]
        work += abs(surplus)
    return work / (len(row) - 1)


def hierarchical_distance(some: Values, table: Values, rows: list[list[str]]) -> float:
    """Bottom-up: each node evens out what its children have too much and too little, at the cost of its height.

    ``rows`` are level rows, leaf first and root last; a missing value is one more leaf under the root.
    """
    p, q = shares(some), shares(table)
    paths = [(row[0], tuple(reversed(row))) for row in rows]
    if None in q:
        paths.append((None, (rows[0][-1], "")))
    extra = {path: p.get(leaf, 0.0) - q.get(leaf, 0.0) for leaf, path in paths}
    inner = {path[:end] for _, path in paths for end in range(1, len(path))}
    height = {node: max(len(path) - len(node) for _, path in paths if path[: len(node)] == node) for node in inner}
    root = paths[0][1][:1]
    cost = 0.0
    for node in sorted(inner, key=len, reverse=True):
        children = [extra[one] for one in extra if len(one) == len(node) + 1 and one[: len(node)] == node]
        extra[node] = sum(children)
        flow = min(sum(one for one in children if one > 0), -sum(one for one in children if one < 0))
        cost += height[node] / height[root] * flow
    return cost


# -- the other models ------------------------------------------------------------------------------------------------


def alpha(some: Values, listed: Values | None = None) -> float:
    """Share of the commonest value, or of the commonest listed one."""
    return max((share for value, share in shares(some).items() if listed is None or value in listed), default=0.0)


def beta(some: Values, table: Values, *, enhanced: bool) -> float:
    """The least beta, infinite if a gain passes -ln p."""
    p, q = shares(table), shares(some)
    gains = {value: (q[value] - p[value]) / p[value] for value in q if q[value] > p[value]}
    if enhanced and any(gain > -math.log(p[value]) + 1e-12 for value, gain in gains.items()):
        return math.inf
    return max(gains.values(), default=0.0)


def disclosure(some: Values, table: Values) -> float:
    """The largest absolute logarithm of a ratio of shares, over all values of the table."""
    p, q = shares(some), shares(table)
    return max(abs(math.log(p[value] / q[value])) if value in p else math.inf for value in q)


def diversity(some: Values, kind: str, c: float | None = None) -> float:
    """The largest l for which a class is diverse."""
    counts = sorted(Counter(some).values(), reverse=True)
    if kind == "distinct":
        return len(counts)
    if kind == "frequency":
        return len(some) / counts[0]
    if kind == "entropy":
        return math.exp(-sum(one / len(some) * math.log(one / len(some)) for one in counts))
    assert c is not None
    return max((rank for rank in range(1, len(counts) + 1) if counts[0] < c * sum(counts[rank - 1 :])), default=0)
