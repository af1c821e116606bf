# SPDX-License-Identifier: Apache-2.0
"""Search for classes of less squared error: records change places between neighbours, under falling heat.

Moves: a record *relocates* out of a class that can spare it, or is *swapped* with the member of a neighbouring class
that suits best; a class is *dissolved*, each record going where it costs least; a class is *founded* by a record and
its nearest, and those that this leaves too small are dissolved. That regroups a neighbourhood, or splits a class that
can spare the records. Neighbours are the classes of the nearest records.

A move that raises the loss is taken by chance, the rarer the more it costs (S. Kirkpatrick et al., "Optimization by
simulated annealing", 1983). But cost is measured by the distances at hand, not by one temperature for all: far-off
records and crowds, whose distances differ by orders of magnitude, cool alike. The best partition met is kept.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.dice import draw, share
from shoal.engine.kernels.ranking import insert
from shoal.engine.kernels.rules import Rules
from shoal.engine.kernels.search.scatter_moves import (
    MATES,
    Search,
    back,
    chain,
    dissolve,
    exchange,
    go,
    reckon,
    renumber,
    stand,
    start_class,
)
from shoal.ground.arrays import Flags, Floats, Ints, Words

NEAREST_KEPT = 12
"""Records listed as near to each, beside two classes full."""
LOOKED_AT = 1024
"""Most records looked at to find the near ones of a record."""
REBUILDS, SMALL = 0.02, 10
"""Chance of dissolving a class of up to so many records instead of moving one; founding one has the same. It falls with
the square of the size of larger ones, which take many steps and are hardly ever kept."""
RECKONED_ANEW = 64
"""Steps per record after which sums are computed afresh, so that rounding does not build up."""
LEAST_GAIN = 1e-12
"""Gains below this, as a share of the distances at hand, may be rounding."""


@kernel
def near_records(points: Floats, kept: int, looked_at: int) -> tuple[Ints, int]:
    """The nearest ``kept`` records of each, nearest first, and how many distances were computed.

    Records are swept along the widest axis, both ways from each, until the axis alone is too far; after ``looked_at``
    records the nearest so far must do.
    """
    n, d = points.shape
    widest, span = 0, -1.0
    for j in range(d):
        reach = points[:, j].max() - points[:, j].min()
        if reach > span:
            widest, span = j, reach
    axis = points[:, widest].copy()
    order = np.argsort(axis, kind="mergesort")
    near = np.empty((n, kept), np.int64)
    far = np.empty(kept)
    priced = 0
    for place in range(n):
        row = order[place]
        left, right, listed = place - 1, place + 1, 0
        looks = 0
        while (left >= 0 or right < n) and (listed < kept or looks < looked_at):
            ahead = axis[order[right]] - axis[row] if right < n else np.inf
            behind = axis[row] - axis[order[left]] if left >= 0 else np.inf
            gap = min(ahead, behind)
            if listed == kept and gap * gap > far[kept - 1]:
                break
            if ahead <= behind:
                other = order[right]
                right += 1
            else:
                other = order[left]
                left -= 1
            distance = 0.0
            for j in range(d):
                distance += (points[other, j] - points[row, j]) ** 2
            looks += 1
            if listed < kept or distance < far[kept - 1]:
                insert(far, near[row], min(listed, kept - 1), distance, other)
                listed = min(listed + 1, kept)
        priced += looks
    return near, priced


@kernel
def neighbours(points: Floats, size: int, most: int) -> tuple[Ints, int]:
    """The near records of each that a search looks at, found with ``most`` looks, and how many distances that took."""
    return near_records(points, min(len(points) - 1, NEAREST_KEPT + 2 * size), min(LOOKED_AT, most))


@kernel
def new_search(points: Floats, labels: Ints, size: int, steps: int, near: Ints) -> Search:
    """The given classes, ready to be searched; ``near`` are their neighbours, if these are known already."""
    n, d = points.shape
    priced = 0
    if len(near) == 0:
        near, priced = neighbours(points, size, steps // (2 * n))
    most = max(n // size, renumber(labels)) + 1
    search = Search(
        points, near, np.zeros((most, d)), np.full(most, -1, np.int64), np.full(most, -1, np.int64),
        np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.empty(2 * n, np.int64),
        np.empty(2 * n, np.int64), np.zeros(1, np.int64), np.full(1, priced), np.zeros(1), np.zeros(1),
        np.empty(n, np.int64), np.ones(n, np.int64),
    )  # fmt: skip
    reckon(points, labels, search.sums, search.sizes)
    for row in range(n):
        chain(search, row, labels[row])
    return search


@kernel
def _rebuild(search: Search, row: int, size: int, kind: float, rebuilds: float, dice: Words) -> tuple[float, float]:
    """Dissolve the class of a record or found one; the change of the loss (infinite if it cannot be), and its scale."""
    done = dissolve(search, search.label[row], size) if kind < rebuilds else start_class(search, row, size, dice)
    saved, paid = search.saved[0], search.paid[0]
    return paid - saved if done else np.inf, (saved + paid) / max(search.moves[0], 1)


@kernel
def _note(search: Search, fresh: Ints, is_fresh: Flags, count: int) -> int:
    """List the records of the logged moves, each once, as moved since the best partition; how many are listed."""
    for move in range(search.moves[0]):
        row = search.log_row[move]
        if not is_fresh[row]:
            is_fresh[row] = True
            fresh[count] = row
            count += 1
    return count


@kernel
def search_scatter(
    points: Floats, labels: Ints, size: int, steps: int, heat: float, seed: int, rules: Rules | None, rows: Ints,
    near: Ints,
) -> tuple[int, float]:  # fmt: skip
    """Search from ``labels``, which become those of the best partition met; (steps spent, its loss).

    A step is one record priced for one class, or one distance. A move may cost ``heat`` times the squared
    distances of the records at hand, on average; with no heat only gains are accepted. ``rows`` are the records'
    numbers in ``rules``, and ``near`` their neighbours, if these are known already.
    """
    n, start = len(points), labels.copy()
    search = new_search(points, labels, size, steps, near)
    near, sums, count, label, spent = search.near, search.sums, search.sizes, search.label, search.pricings
    first = best = loss = reckon(points, labels, sums, count)
    dice = np.array([np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)])
    moved, is_moved, many = np.empty(n, np.int64), np.zeros(n, np.bool_), 0
    rebuilds = REBUILDS * min(1.0, SMALL / size) ** 2
    reckoned, way, kept = spent[0], np.empty(points.shape[1]), near.shape[1]
    while spent[0] < steps and kept > 0:
        search.moves[0], search.saved[0], search.paid[0] = 0, 0.0, 0.0
        spent[0] += 1
        if spent[0] - reckoned > RECKONED_ANEW * n:
            loss, reckoned = reckon(points, label, sums, count), spent[0]
        row = draw(dice) % n
        allowed = -heat * math.log(share(dice)) - LEAST_GAIN
        kind = share(dice)
        if kind < 2 * rebuilds:
            change, scale = _rebuild(search, row, size, kind, rebuilds, dice)
        else:
            place = share(dice)
            member = near[row, min(int(place * place * kept), kept - 1)]
            own, to = label[row], label[member]
            if to == own:
                continue
            spent[0] += 2 + min(count[to], MATES)
            change, scale, mate = exchange(search, way, row, member, size)
            if change >= allowed * scale:
                continue
            go(search, row, to)
            if mate >= 0:
                go(search, mate, own)
        if change >= allowed * scale or not stand(search, rules, rows):
            back(search)
            continue
        loss += change
        many = _note(search, moved, is_moved, many)
        if loss < best:
            best = loss
            for i in range(many):
                labels[moved[i]], is_moved[moved[i]] = label[moved[i]], False
            many = 0
    renumber(labels)
    loss = reckon(points, labels, sums, count)
    if loss > first:  # gains that were only rounding
        labels[:], loss = start, first
    return spent[0], loss
