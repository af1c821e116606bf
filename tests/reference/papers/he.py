# SPDX-License-Identifier: Apache-2.0
"""CB: X. He, H. Chen, Y. Chen, Y. Dong, P. Wang, Z. Huang, "Clustering-based k-anonymity", PAKDD 2012, figure 4.

Records are lists of numbers (names by their place in a global order, definition 1). All that is random is drawn from
``random``: two records of a group to begin with, and a fresh shuffle in every round. Works with fractions and, for
larger tables, with floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub
from random import Random
from typing import Any

Point = Sequence[Any]
Split = tuple[list[int], list[int]]


def as_shares(points: Sequence[Point]) -> list[Point]:
    """Every attribute as a share of its domain, |A_i|; a constant one costs nothing."""
    domains = [(max(column) - min(column)) or 1 for column in zip(*points, strict=True)]
    return [[cell / domain for cell, domain in zip(point, domains, strict=True)] for point in points]


def penalty(one: Point, other: Point) -> Any:
    """NCP of two points: the width of their box, attribute by attribute."""
    return sum(map(abs, map(sub, one, other)))


def group_penalty(points: Sequence[Point], group: Sequence[int]) -> Any:
    """NCP of a group, all its tuples together."""
    columns = zip(*(points[row] for row in group), strict=True)
    return len(group) * sum(max(column) - min(column) for column in columns)


def mean(points: Sequence[Point], group: Sequence[int]) -> Point:
    """Line 5."""
    return [sum(column) / len(group) for column in zip(*(points[row] for row in group), strict=True)]


def distribute(group: Sequence[int], costs: dict[int, Point]) -> Split:
    """Line 7: each tuple to the cheaper centre, on a tie to the group that has fewer so far."""
    sides: Split = ([], [])
    for row in group:
        first, second = costs[row]
        tied = len(sides[0]) <= len(sides[1])
        sides[0 if first < second or (first == second and tied) else 1].append(row)
    return sides


def adjust(sides: Split, costs: dict[int, Point], k: int) -> None:
    """Line 8: a group of fewer than k borrows; which tuples is not said, so those that regret it least."""
    for own, other in ((0, 1), (1, 0)):
        regret = sorted(sides[other], key=lambda row: (costs[row][own] - costs[row][other], costs[row][own], row))
        for row in regret[: max(0, k - len(sides[own]))]:
            sides[other].remove(row)
            sides[own].append(row)


def split(points: Sequence[Point], group: list[int], k: int, rounds: int, random: Random) -> Split:
    """Lines 3 to 9."""
    best: tuple[Any, Split] | None = None
    centres: Sequence[Point] = [points[row] for row in random.sample(group, 2)]
    for _ in range(rounds):
        random.shuffle(group)
        costs = {row: [penalty(points[row], centre) for centre in centres] for row in group}
        sides = distribute(group, costs)
        adjust(sides, costs, k)
        total = sum(group_penalty(points, side) for side in sides)
        if best is None or total < best[0]:
            best = total, sides
        centres = [mean(points, side) for side in sides]
    assert best is not None
    return best[1]


def clustering_based(given: Sequence[Point], k: int, random: Random, rounds: int = 15) -> list[list[int]]:
    """Figure 4: groups of k to 2k - 1."""
    points = as_shares(given)
    waiting, done = [list(range(len(points)))], []
    while waiting:
        group = waiting.pop()
        if len(group) < 2 * k:
            done.append(group)
        else:
            waiting += reversed(split(points, group, k, rounds, random))
    return done


def certainty_penalty(given: Sequence[Point], groups: Sequence[Sequence[int]]) -> Any:
    """GCP: the penalty of all groups per cell."""
    points = as_shares(given)
    return sum(group_penalty(points, group) for group in groups) / (len(points) * len(points[0]))
