# SPDX-License-Identifier: Apache-2.0
"""A walk over all patterns that records are priced too high for, where names have no levels (as under suppression).

A pattern keeps values of some attributes and has lost the others; a record in a class that shows it loses what these
weigh. The walk decides attribute by attribute: lost, or kept with one of its values. The records that fit what was
decided so far stand in the order of their prices, so that the k dearest come first. Whatever is decided later, they do
not become dearer, and what was lost stays lost: if they cost no more than that, nothing below is priced too high. With
prices that are nearly valid, a walk sees a small part of all patterns. What is below some
attribute can be dealt out among several walkers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.ground.arrays import Codes, Floats, Ints

RARE = -1
"""Instead of a value that fewer than k records have: no class keeps it."""


class Names(NamedTuple):
    """Records by the values that a class may keep."""

    value: Codes
    """[attribute, record] values are numbered from 0 in each attribute; ``RARE``."""
    weight: Floats
    """[attribute] what its loss costs a record."""


class Branch(NamedTuple):
    """Where the walk stands: of each attribute, what was decided of those before it."""

    order: Codes
    """[attribute, place] the records that fit it, the dearest first."""
    begin: Ints
    end: Ints
    lost: Floats
    """[attribute] places of these records, and what was lost so far."""
    groups: Ints
    done: Ints
    """[attribute] how many values enough of them have, and how many of these were looked at."""
    group_end: Ints
    """[attribute, group] where the records of each stand among those of the next attribute."""
    place: Ints
    """[value] scratch, 0 between uses."""
    at: Ints
    """[0] the attribute to decide next, below 0 at the end; [1] whether its records have not been looked at yet;
    [2] how many branches were dealt out so far."""
    deal: Ints
    """[0] which walker this is, [1] of how many, [2] the attribute at which branches are dealt out."""


class DearSets(NamedTuple):
    """What a walk finds."""

    records: Ints
    """[set, place] the k dearest records of a pattern; listed are those priced too high by most for one of them."""
    allowed: Floats
    """[set] what they may cost."""
    above: Floats
    """[record] by how much the worst set with it is priced too high."""
    cap: Floats
    """[record] a price that it may have: with no record above its own, nothing is priced too high."""
    many: Ints
    """[0] how many are listed, [1] the records looked at."""


def new_branch(names: Names, own: int = 0, walkers: int = 1) -> Branch:
    """Scratch for a walk, or for one of several walkers."""
    d, n = names.value.shape
    values = int(names.value.max()) + 1
    labels = np.zeros(d + 1, np.int64)
    return Branch(
        np.empty((d + 1, n), np.int32), labels, labels.copy(), np.zeros(d + 1), labels.copy(), labels.copy(),
        np.zeros((d, values), np.int64), np.zeros(values, np.int64), np.array([-1, 0, 0]),
        np.array([own, walkers, d // 2]),
    )  # fmt: skip


def begin(branch: Branch, records: Ints) -> None:
    """Begin a walk with these records, the dearest first."""
    branch.order[0, : len(records)] = records
    branch.begin[0], branch.end[0], branch.lost[0] = 0, len(records), 0.0
    branch.at[:] = 0, 1, 0


@inlined
def _part(names: Names, branch: Branch, j: int, size: int) -> None:
    """Put those records together that share a value of the attribute, if they are enough; each part keeps its order."""
    order, parts, value, place = branch.order[j], branch.order[j + 1], names.value[j], branch.place
    ends, groups, at = branch.group_end[j], 0, branch.begin[j]
    for i in range(branch.begin[j], branch.end[j]):
        if value[order[i]] >= 0:
            place[value[order[i]]] += 1
    for i in range(branch.begin[j], branch.end[j]):
        one = value[order[i]]
        if one >= 0 and place[one] > 0:  # met for the first time
            many = place[one]
            place[one] = 0
            if many >= size:
                ends[groups] = at + many
                groups += 1
                place[one] = -at - 1  # from here on: below 0, where the next of them goes
                at += many
        if one >= 0 and place[one] < 0:
            parts[-place[one] - 1] = order[i]
            place[one] -= 1
    at = branch.begin[j]
    for group in range(groups):
        place[value[parts[at]]] = 0
        at = ends[group]
    branch.groups[j], branch.done[j] = groups, 0


@inlined
def _dearest(branch: Branch, price: Floats, j: int, size: int) -> float:
    """What the k dearest of those who fit cost together."""
    total = 0.0
    for i in range(branch.begin[j], branch.begin[j] + size):
        total += price[branch.order[j, i]]
    return total


@inlined
def _level(branch: Branch, price: Floats, j: int, size: int, total: float, allowed: float) -> float:
    """The price down to which the dearest are lowered so that the k dearest cost no more than they may."""
    rest, level = total, 0.0
    for i in range(size):
        record = branch.order[j, branch.begin[j] + i]
        rest -= price[record]
        level = (allowed - rest) / (i + 1)
        if i + 1 < size and level >= price[branch.order[j, branch.begin[j] + i + 1]]:
            break
    return max(level, 0.0)


@inlined
def _report(branch: Branch, sets: DearSets, price: Floats, j: int, size: int, total: float, least: float) -> None:
    """Note a pattern whose k dearest records are priced too high."""
    allowed, news, many = size * branch.lost[j], False, sets.many[0]
    level, i = _level(branch, price, j, size, total, allowed), branch.begin[j]
    while i < branch.end[j] and price[branch.order[j, i]] > level:
        record = branch.order[j, i]
        sets.cap[record] = min(sets.cap[record], level)
        i += 1
    for i in range(branch.begin[j], branch.begin[j] + size):
        record = branch.order[j, i]
        if total - allowed > max(sets.above[record], least):
            sets.above[record], news = total - allowed, True
    if news and many < len(sets.allowed):
        for i in range(size):
            sets.records[many, i] = branch.order[j, branch.begin[j] + i]
        sets.allowed[many] = allowed
        sets.many[0] += 1


@inlined
def _go_on(names: Names, branch: Branch, j: int) -> bool:
    """Decide the attribute in the next way; False if there is none."""
    done, groups, begin, end = branch.done[j], branch.groups[j], branch.begin[j], branch.end[j]
    branch.done[j] += 1
    if done < groups:
        branch.begin[j + 1] = branch.group_end[j, done - 1] if done > 0 else begin
        branch.end[j + 1], branch.lost[j + 1] = branch.group_end[j, done], branch.lost[j]
        return True
    if done > groups or (groups == 1 and branch.group_end[j, 0] == end):  # all have one value: it costs nothing to keep
        return False
    for i in range(begin, end):
        branch.order[j + 1, i] = branch.order[j, i]
    branch.begin[j + 1], branch.end[j + 1], branch.lost[j + 1] = begin, end, branch.lost[j] + names.weight[j]
    return True


@kernel
def walk(names: Names, branch: Branch, sets: DearSets, price: Floats, size: int, least: float, budget: int) -> None:
    """Go on looking at all patterns that some k records are priced too high for, until the end or ``budget`` looks.

    Sets that are so by no more than ``least`` are not listed.
    """
    names, branch, sets, price = lent(names), lent(branch), lent(sets), lent(price)
    d, j, is_new = len(names.weight), branch.at[0], branch.at[1] == 1
    looks = sets.many[1] + budget
    while j >= 0 and sets.many[1] < looks:
        if is_new and j == branch.deal[2]:
            is_new = branch.at[2] % branch.deal[1] == branch.deal[0]
            branch.at[2] += 1
        if is_new:
            total = _dearest(branch, price, j, size)
            is_too_dear = total > size * branch.lost[j]
            if is_too_dear and j == d:
                _report(branch, sets, price, j, size, total, least)
            is_new = is_too_dear and j < d
            if is_new:
                sets.many[1] += branch.end[j] - branch.begin[j]
                _part(names, branch, j, size)
        else:
            j -= 1
            is_new = j >= 0
        if is_new:
            is_new = _go_on(names, branch, j)
            j += 1 if is_new else 0
    branch.at[0], branch.at[1] = j, 1 if is_new else 0


@kernel
def cheapest_fit(names: Names, records: Ints, kept: Codes, cost: Floats, least: Floats, chosen: Ints) -> None:
    """For each of these records the cheapest of some patterns that it fits, if that costs less than ``least``.

    ``kept`` are the patterns by attribute, with ``RARE`` for what they have lost.
    """
    names, kept, cost = lent(names), lent(kept), lent(cost)
    for i in range(len(records)):
        for one in range(len(cost)):
            if cost[one] < least[i]:
                j = 0
                while j < kept.shape[1] and (kept[one, j] < 0 or kept[one, j] == names.value[j, records[i]]):
                    j += 1
                if j == kept.shape[1]:
                    least[i], chosen[i] = cost[one], one
