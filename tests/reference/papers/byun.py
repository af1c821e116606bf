# SPDX-License-Identifier: Apache-2.0
"""Greedy k-member clustering: J.-W. Byun, A. Kamra, E. Bertino, N. Li, DASFAA 2007.

And k-members of Wang, Liu and Gao, whose Table III is the same but for how a class begins: at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.reference.papers.records import Classes, Records, how_many, information_loss, loss_per_record


def find_best_record(records: Records, left: Sequence[int], members: list[int]) -> int:
    """The record that adds least to the information loss of a class."""
    return min(left, key=lambda row: (information_loss(records, [*members, row]), row))


def find_best_cluster(records: Records, classes: Classes, row: int) -> int:
    """The class to whose information loss a record adds least."""

    def added(number: int) -> Fraction:
        members = classes[number]
        return information_loss(records, [*members, row]) - information_loss(records, members)

    return min(range(len(classes)), key=lambda number: (added(number), number))


def grow(records: Records, seed: int, left: list[int], k: int) -> list[int]:
    """A class of k around a record; its members leave those that are left."""
    members = [seed]
    left.remove(seed)
    while len(members) < k:
        row = find_best_record(records, left, members)
        left.remove(row)
        members.append(row)
    return members


def furthest(records: Records, left: Sequence[int], row: int) -> int:
    """The record at the greatest distance (the loss of the two together)."""
    return max(left, key=lambda other: (loss_per_record(records, [row, other]), -other))


def k_member(records: Records, k: int, start: int) -> Classes:
    """Each class begins with the record furthest from the first one of the class before; leftovers go in row order."""
    left, classes = list(range(how_many(records))), []
    seed = start
    while len(left) >= k:
        classes.append(grow(records, seed, left, k))
        if left:
            seed = furthest(records, left, seed)
    return place_leftovers(records, classes, left)


def k_members(records: Records, k: int, seeds: Sequence[int], leftovers: Sequence[int] | None = None) -> Classes:
    """Each class begins with a record drawn at random: the first of ``seeds`` that is still left."""
    left, classes = list(range(how_many(records))), []
    while len(left) >= k:
        classes.append(grow(records, next(seed for seed in seeds if seed in left), left, k))
    return place_leftovers(records, classes, [row for row in (leftovers or left) if row in left])


def place_leftovers(records: Records, classes: Classes, rows: Sequence[int]) -> Classes:
    """Records that are left join, one after another, the class to whose loss they add least."""
    for row in rows:
        classes[find_best_cluster(records, classes, row)].append(row)
    return classes
