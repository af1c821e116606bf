# SPDX-License-Identifier: Apache-2.0
"""Systematic clustering (Kabir, Wang, Bertino 2011) as Bharath, Poornima and Ashoka (2017) list it.

And their equal combination, which runs it on each quasi-identifier alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.reference.papers.records import Classes, Records, how_many, in_order, information_loss


def added(records: Records, members: Sequence[int], row: int) -> Fraction:
    """What a record adds to the information loss of a class."""
    return information_loss(records, [*members, row]) - information_loss(records, members)


def lowest(records: Records, classes: Classes, row: int, among: Sequence[int]) -> int:
    """The class whose information loss grows least by a record."""
    return min(among, key=lambda number: (added(records, classes[number], row), number))


def systematic(records: Records, k: int, offsets: Sequence[int], rebalance: str) -> Classes:
    """Steps 3 to 12; ``offsets`` says which record of each block of k begins a class."""
    order = in_order(records)
    classes = [[order[block * k + offset]] for block, offset in enumerate(offsets)]
    seeds = {members[0] for members in classes}
    for row in order:
        if row not in seeds:
            classes[lowest(records, classes, row, range(len(classes)))].append(row)
    return by_arrival(records, k, classes, order) if rebalance == "arrival" else by_net_change(records, k, classes)


def by_arrival(records: Records, k: int, classes: Classes, order: Sequence[int]) -> Classes:
    """Steps 11 and 12: members beyond the k-th are extra; each joins the class where the loss is lowest.

    The paper must mean the classes of fewer than k as long as there are any, else k would not be reached.
    """
    extra = {row for members in classes for row in members[k:]}
    classes = [members[:k] for members in classes]
    for row in order:
        if row in extra:
            wanting = [number for number, members in enumerate(classes) if len(members) < k]
            classes[lowest(records, classes, row, wanting or range(len(classes)))].append(row)
    return classes


def by_net_change(records: Records, k: int, classes: Classes) -> Classes:
    """While a class is too small: the one move out of a class of more than k that changes the total loss least."""
    home = {row: number for number, members in enumerate(classes) for row in members}

    def net(row: int, target: int) -> Fraction:
        stay = [other for other in classes[home[row]] if other != row]
        saved = information_loss(records, classes[home[row]]) - information_loss(records, stay)
        return added(records, classes[target], row) - saved

    while wanting := [number for number, members in enumerate(classes) if len(members) < k]:
        movable = [row for row in range(how_many(records)) if len(classes[home[row]]) > k]
        moves = ((row, target) for row in movable for target in wanting)
        row, target = min(moves, key=lambda move: (net(*move), move))
        classes[home[row]].remove(row)
        classes[target].append(row)
        home[row] = target
    return classes


def equal_combination(records: Records, k: int, offsets: Sequence[Sequence[int]], rebalance: str) -> list[Classes]:
    """One sub-database for each quasi-identifier, each clustered on that column alone."""
    return [systematic([column], k, own, rebalance) for column, own in zip(records, offsets, strict=True)]
