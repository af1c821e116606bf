# SPDX-License-Identifier: Apache-2.0
"""Prices of records: which boxes they are too high for, and prices that fit a list of boxes.

Prices are *valid* if any k records inside any box sum to at most k times the loss of the box. Only the k dearest
records of a box need to be looked at, and a box is *broken* by how much they exceed what it allows. See
docs/certificate.md; cells and windows are those of :mod:`shoal.kernels.lattice`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.compile import kernel

NOTHING = 1e-12
"""A box broken by less than this is whole; the bound is lowered by what that can add up to."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def _add(price: float, point: int, copies: int, size: int, dearest: Floats, chosen: Ints, state: Ints) -> float:
    """Take a point among the ``size`` dearest records; returns by how much their sum grows.

    ``dearest`` holds prices in descending order, ``chosen[0]`` their points, ``chosen[1]`` how many copies of each;
    ``state`` is how many points and how many records there are, and counts the points moved.
    """
    used, records = state[0], state[1]
    place = used
    while place > 0 and dearest[place - 1] < price:
        dearest[place] = dearest[place - 1]
        chosen[0, place], chosen[1, place] = chosen[0, place - 1], chosen[1, place - 1]
        place -= 1
    state[2] += used - place
    copies = min(copies, size)
    dearest[place], chosen[0, place], chosen[1, place] = price, point, copies
    used, records, grown = used + 1, records + copies, price * copies
    while records > size:
        out = min(records - size, chosen[1, used - 1])
        chosen[1, used - 1] -= out
        records -= out
        grown -= out * dearest[used - 1]
        if chosen[1, used - 1] == 0:
            used -= 1
    state[0], state[1] = used, records
    return grown


@kernel
def _mean_of_dearest(
    members: Ints,
    begin: int,
    end: int,
    copies: Ints,
    price: Floats,
    size: int,
    dearest: Floats,
    chosen: Ints,
    state: Ints,
) -> float:
    """Mean price of the ``size`` dearest records of a cell."""
    state[0], state[1] = 0, 0
    total, least = 0.0, -1.0
    for i in range(begin, end):
        point = members[i]
        if price[point] > least:
            total += _add(price[point], point, copies[point], size, dearest, chosen, state)
            if state[1] == size:
                least = dearest[state[0] - 1]
    return total / size


@kernel
def _worst_window(
    members: Ints, begin: int, end: int, bins: Ints, left: Floats, right: Floats, cap: float, copies: Ints,
    price: Floats, size: int, base: float, highest: float, dearest: Floats, chosen: Ints, state: Ints, worst: Ints,
    work: Ints,
) -> tuple[float, float]:  # fmt: skip
    """The most broken window of a cell that starts where ``members[begin]`` stands: by how much, and its loss.

    ``worst`` gets its points and their copies, closed by a count of 0. No box that costs ``highest`` can be broken.
    """
    state[0], state[1] = 0, 0
    total, least, broken, allowed = 0.0, -1.0, NOTHING, 0.0
    edge = right[bins[members[begin]]]
    i = begin
    while i < end:
        here = bins[members[i]]
        loss = base + (min(left[here] - edge, cap) if i > begin else 0.0)
        if loss >= highest:
            break
        while i < end and bins[members[i]] == here:
            point = members[i]
            i += 1
            if price[point] > least:
                total += _add(price[point], point, copies[point], size, dearest, chosen, state)
                if state[1] == size:
                    least = dearest[state[0] - 1]
        if state[1] == size and total - size * loss > broken:
            broken, allowed = total - size * loss, loss
            for j in range(state[0]):
                worst[0, j], worst[1, j] = chosen[0, j], chosen[1, j]
            if state[0] < size:
                worst[1, state[0]] = 0
    work[0] += i - begin + state[2] // 4
    state[2] = 0
    return broken, allowed


@kernel
def _cut(price: Floats, worst: Ints, size: int, allowed: float) -> None:
    """Lower the prices in a broken box in proportion, until it is whole."""
    total = 0.0
    for j in range(size):
        if worst[1, j] == 0:
            break
        total += price[worst[0, j]] * worst[1, j]
    for j in range(size):
        if worst[1, j] == 0:
            break
        price[worst[0, j]] *= size * allowed / total


@kernel
def cut_prices(
    members: Ints, start: Ints, base: Floats, bins: Ints, left: Floats, right: Floats, cap: float, copies: Ints,
    size: int, price: Floats, reached: Ints, budget: int,
) -> int:  # fmt: skip
    """Lower prices in place until no box is broken, or ``budget`` steps are taken; returns how many were.

    ``reached`` is the cell to begin with and how many of its members are done. Prices only fall, so a box once whole
    stays whole.
    """
    dearest, state, work = np.empty(size + 1), np.zeros(3, np.int64), np.zeros(1, np.int64)
    chosen, worst = np.zeros((2, size + 1), np.int64), np.zeros((2, size), np.int64)
    while reached[0] < len(base):
        cell = reached[0]
        begin, end = start[cell], start[cell + 1]
        highest = _mean_of_dearest(members, begin, end, copies, price, size, dearest, chosen, state)
        work[0] += end - begin
        at = begin + reached[1]
        while highest > base[cell] and at < end:
            if work[0] > budget:
                reached[1] = at - begin
                return work[0]
            broken, allowed = _worst_window(
                members, at, end, bins, left, right, cap, copies, price, size, base[cell], highest,
                dearest, chosen, state, worst, work,
            )  # fmt: skip
            if broken > NOTHING:
                _cut(price, worst, size, allowed)
                continue
            here = bins[members[at]]
            while at < end and bins[members[at]] == here:
                at += 1
        reached[0], reached[1] = cell + 1, 0
    return work[0]


@kernel
def broken_boxes(
    members: Ints, start: Ints, base: Floats, bins: Ints, left: Floats, right: Floats, cap: float, copies: Ints,
    size: int, price: Floats, reached: Ints, budget: int, most: Floats, points: Ints, counts: Ints, allowed: Floats,
) -> tuple[int, int]:  # fmt: skip
    """List broken boxes by their dearest records: those boxes that are the worst so far for one of their points.

    ``most[point]`` remembers by how much. Begins and goes on as :func:`cut_prices` does, until there is no more room;
    returns how many boxes were found, and the steps taken.
    """
    dearest, state, work = np.empty(size + 1), np.zeros(3, np.int64), np.zeros(1, np.int64)
    chosen, worst = np.zeros((2, size + 1), np.int64), np.zeros((2, size), np.int64)
    found = 0
    while reached[0] < len(base):
        cell = reached[0]
        begin, end = start[cell], start[cell + 1]
        highest = _mean_of_dearest(members, begin, end, copies, price, size, dearest, chosen, state)
        work[0] += end - begin
        at = begin + reached[1]
        while highest > base[cell] and at < end:
            if work[0] > budget or found == len(allowed):
                reached[1] = at - begin
                return found, work[0]
            broken, loss = _worst_window(
                members, at, end, bins, left, right, cap, copies, price, size, base[cell], highest,
                dearest, chosen, state, worst, work,
            )  # fmt: skip
            news = False
            for j in range(size):
                if broken <= NOTHING or worst[1, j] == 0:
                    break
                if broken > most[worst[0, j]]:
                    most[worst[0, j]] = broken
                    news = True
            if news:
                for j in range(size):
                    points[found, j], counts[found, j] = worst[0, j], worst[1, j]
                    if worst[1, j] == 0:
                        break
                allowed[found] = size * loss
                found += 1
            here = bins[members[at]]
            while at < end and bins[members[at]] == here:
                at += 1
        reached[0], reached[1] = cell + 1, 0
    return found, work[0]


@kernel
def fit_prices(
    begin: Ints, points: Ints, counts: Ints, allowed: Floats, copies: Ints, size: int, ceiling: Floats, pace: float,
    rounds: int, price: Floats, use: Floats,
) -> None:  # fmt: skip
    """Towards the largest sum of prices, each from 0 to its ceiling, that breaks none of the listed boxes.

    A linear programme, solved by steps of the primal-dual hybrid gradient with the diagonal step sizes of T. Pock and
    A. Chambolle (ICCV 2011): ``use`` is how often each box is used as a class; prices rise where records are used less
    often than they occur. The means over all rounds are left in ``price`` and ``use``.
    """
    n, boxes = len(copies), len(allowed)
    degree = np.zeros(n)
    for i in range(len(points)):
        degree[points[i]] += counts[i]
    used, ahead = np.empty(n), np.empty(n)
    price_sum, use_sum = np.zeros(n), np.zeros(boxes)
    for _ in range(rounds):
        used[:] = 0.0
        for box in range(boxes):
            if use[box] > 0.0:
                for i in range(begin[box], begin[box + 1]):
                    used[points[i]] += use[box] * counts[i]
        for point in range(n):
            step = pace / max(degree[point], 1.0) * (copies[point] - used[point])
            new = min(max(price[point] + step, 0.0), ceiling[point])
            ahead[point] = 2.0 * new - price[point]
            price[point] = new
            price_sum[point] += new
        for box in range(boxes):
            total = 0.0
            for i in range(begin[box], begin[box + 1]):
                total += ahead[points[i]] * counts[i]
            use[box] = max(0.0, use[box] + (total - allowed[box]) / (size * pace))
            use_sum[box] += use[box]
    for point in range(n):
        price[point] = price_sum[point] / rounds
    for box in range(boxes):
        use[box] = use_sum[box] / rounds
