# SPDX-License-Identifier: Apache-2.0
"""Patterns in plain loops: a record fits a pattern that shows its value or nothing on every attribute."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

NOTHING = -1


def fits(record: Sequence[int], pattern: Sequence[int]) -> bool:
    """Whether a pattern shows nothing that the record does not have."""
    return all(shown in (NOTHING, value) for value, shown in zip(record, pattern, strict=True))


def common(records: Sequence[Sequence[int]]) -> list[int]:
    """What all records have in common."""
    return [values[0] if len(set(values)) == 1 else NOTHING for values in zip(*records, strict=True)]


def cost(pattern: Sequence[int], weights: Sequence[float]) -> float:
    """What a record loses in the pattern."""
    return sum(weight for shown, weight in zip(pattern, weights, strict=True) if shown == NOTHING)


def cheapest(record: Sequence[int], patterns: dict[int, list[int]], weights: Sequence[float], but: int) -> int:
    """The class of lowest cost that a record fits, the lowest number of equal ones; -1 if there is none."""
    found = [(cost(one, weights), label) for label, one in patterns.items() if label != but and fits(record, one)]
    return min(found)[1] if found else -1


def reached(
    records: Sequence[Sequence[int]], labels: Sequence[int], patterns: dict[int, list[int]], weights: Sequence[float]
) -> dict[int, float]:
    """The cost of the cheapest class that each class reaches, if records are passed on to classes that they fit."""
    known = {label: cost(one, weights) for label, one in patterns.items()}
    goes_on = True
    while goes_on:
        goes_on = False
        for record, label in zip(records, labels, strict=True):
            least = min(known[other] for other, one in patterns.items() if fits(record, one))
            if least < known[label]:
                known[label], goes_on = least, True
    return known


def too_dear(
    records: Sequence[Sequence[int]], weights: Sequence[float], prices: Sequence[float], size: int
) -> dict[tuple[int, ...], tuple[list[int], float]]:
    """For each pattern that is priced too high: who fits it, the dearest first, and by how much.

    That is by how much the ``size`` dearest cost more than they would lose. Patterns are those of all sets of records.
    """
    found: dict[tuple[int, ...], tuple[list[int], float]] = {}
    for some in combinations(range(len(records)), size):
        pattern = tuple(common([records[each] for each in some]))
        who = [row for row, record in enumerate(records) if fits(record, pattern)]
        who.sort(key=lambda row: (-prices[row], row))
        over = sum(prices[row] for row in who[:size]) - size * cost(pattern, weights)
        if over > 0:
            found[pattern] = who, over
    return found


def level(prices: Sequence[float], allowed: float) -> float:
    """The largest price that none may exceed if all together are to cost no more than allowed; by halving."""
    low, high = 0.0, max(prices)
    for _ in range(200):
        middle = (low + high) / 2
        if sum(min(price, middle) for price in prices) <= allowed:
            low = middle
        else:
            high = middle
    return low
