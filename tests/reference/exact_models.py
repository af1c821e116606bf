# SPDX-License-Identifier: Apache-2.0
"""The models in exact arithmetic: fractions, whole powers, and the earth mover's distance as a flow of least cost.

A class is a list of private values, None being one of them; the table is the list of all. Written from the papers:
no formula that solves a distance is used, the work of moving shares is minimised as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod
from typing import Any

Values = list[Any]
Distance = Callable[[Any, Any], Fraction]
SLACK = Fraction(1, 10**9)
"""What the models forgive: claims are decimal fractions, shares are not."""


def shares(values: Values) -> dict[Any, Fraction]:
    """Share of each value that occurs."""
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


# -- l-diversity -----------------------------------------------------------------------------------------------------


def is_diverse(some: Values, kind: str, l: Fraction, c: Fraction | None = None) -> bool:  # noqa: E741
    """Whether a class is l-diverse."""
    counts, rows = sorted(Counter(some).values(), reverse=True), len(some)
    if kind == "distinct":
        return len(counts) >= l
    if kind == "frequency":  # the commonest value has at most 1/l of the rows
        return Fraction(rows, counts[0]) >= l - SLACK
    if kind == "entropy":  # exp(entropy) >= l, both sides to the power of the number of rows
        return Fraction(rows**rows, prod(count**count for count in counts)) >= (l - SLACK) ** rows
    assert c is not None
    return len(counts) >= l and counts[0] < c * sum(counts[int(l) - 1 :])


# -- shares ----------------------------------------------------------------------------------------------------------


def is_alpha(some: Values, alpha: Fraction) -> bool:
    """Whether no value has more than the share alpha."""
    return max(shares(some).values()) <= alpha + SLACK


def logarithm(share: Fraction) -> Fraction:
    """Natural logarithm to fifty digits."""
    with localcontext() as context:
        context.prec = 50
        return Fraction((Decimal(share.numerator) / Decimal(share.denominator)).ln())


def is_beta_like(some: Values, table: Values, beta: Fraction, *, enhanced: bool) -> bool:
    """Whether no value is more than (1 + beta) times as common as in the table, or than its logarithm allows."""
    p = shares(table)
    gains = {value: (share - p[value]) / p[value] for value, share in shares(some).items() if share > p[value]}
    bound = {value: min(beta, -logarithm(p[value])) if enhanced else beta for value in gains}
    return all(gain <= bound[value] + SLACK for value, gain in gains.items())


def is_delta_disclosing_less(some: Values, table: Values, delta: Fraction) -> bool:
    """Whether every value of the table is in the class, with a share that differs by less than exp(delta)."""
    p, q = shares(some), shares(table)
    return all(value in p and abs(logarithm(p[value] / q[value])) < delta - SLACK for value in q)


# -- t-closeness -----------------------------------------------------------------------------------------------------


def equal(some: Any, other: Any) -> Fraction:
    """Any two values are 1 apart."""
    return Fraction(some != other)


def along(order: Values) -> Distance:
    """Values stand in a row."""
    place = {value: number for number, value in enumerate(order)}
    return lambda some, other: Fraction(abs(place[some] - place[other]), max(len(order) - 1, 1))


def in_tree(paths: dict[Any, tuple[str, ...]]) -> Distance:
    """Height of the lowest common ancestor, by that of the root; ``paths`` from the root to each leaf."""
    heights: dict[tuple[str, ...], int] = {}
    for path in paths.values():
        for depth in range(1, len(path) + 1):
            heights[path[:depth]] = max(heights.get(path[:depth], 0), len(path) - depth)

    def distance(some: Any, other: Any) -> Fraction:
        common = 0
        for a, b in zip(paths[some], paths[other], strict=False):
            if a != b:
                break
            common += 1
        return Fraction(heights[paths[some][:common]], heights[paths[some][:1]])

    return distance


def work(some: Values, table: Values, distance: Distance) -> Fraction:
    """The least work of turning the shares of a class into those of the table."""
    values = list(Counter(table))
    unit = len(some) * len(table)
    extra = {value: int((shares(some).get(value, Fraction(0)) - shares(table)[value]) * unit) for value in values}
    giving = [value for value in values if extra[value] > 0]
    taking = [value for value in values if extra[value] < 0]
    costs = {(a, b): distance(a, b) for a in giving for b in taking}
    moved = _cheapest_flow({a: extra[a] for a in giving}, {b: -extra[b] for b in taking}, costs)
    return sum((costs[pair] * amount for pair, amount in moved.items()), Fraction(0)) / unit


def _cheapest_flow(
    supply: dict[Any, int], demand: dict[Any, int], costs: dict[tuple[Any, Any], Fraction]
) -> dict[tuple[Any, Any], int]:
    """What is moved from where to where: always along the cheapest way that is left, back along earlier moves too."""
    moved = dict.fromkeys(costs, 0)
    while any(supply.values()):
        way = {("from", a): (Fraction(0), []) for a, left in supply.items() if left}
        better = True
        while better:  # Bellman and Ford
            better = False
            for (a, b), cost in costs.items():
                steps = [(("from", a), ("to", b), cost, 1)]
                if moved[a, b]:
                    steps.append((("to", b), ("from", a), -cost, -1))
                for start, end, price, sign in steps:
                    if start in way and (end not in way or way[start][0] + price < way[end][0]):
                        way[end] = (way[start][0] + price, [*way[start][1], ((a, b), sign)])
                        better = True
        end = min((b for b, left in demand.items() if left and ("to", b) in way), key=lambda b: way["to", b][0])
        route = way["to", end][1]
        start = route[0][0][0]
        amount = min([supply[start], demand[end], *(moved[pair] for pair, sign in route if sign < 0)])
        for pair, sign in route:
            moved[pair] += sign * amount
        supply[start] -= amount
        demand[end] -= amount
    return moved
