# SPDX-License-Identifier: Apache-2.0
"""Agglomerative clustering: join the closest two classes, again and again, with a triangle of distances.

The distance of a union from a third class follows from those of its parts (least, greatest, or the sum over all pairs
of records), so one triangle of numbers is enough: half of c² for c different points. Each class remembers its nearest
one. Unions never come closer than the nearer of their parts, so what is remembered stays a lower bound when the nearest
class grows away, and is looked up again only when it would be next.

Numbers of classes are the order of their lowest records, a union has the lower one; ties go to the pair with the lowest
(lower number, higher number).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.hull import ticks, whole
from shoal.engine.kernels.methods.joining import strike_out
from shoal.ground.arrays import Flags, Floats, Ints

SINGLE, COMPLETE, AVERAGE = 0, 1, 2
MEAN_UNIT = 1e9
"""Means of distances are compared to 9 decimals."""


class Links(NamedTuple):
    """Classes and their distances."""

    between: Floats
    """Distance (in ticks) or sum of distances of classes i > j, at ``i * (i - 1) / 2 + j``."""
    sizes: Ints
    """[class] its records."""
    parent: Ints
    """[class] the class that it became part of; itself: it is a class."""
    nearest: Ints
    """[class] the nearest other one, or if ``stale`` one that the true one is no nearer than."""
    distance: Floats
    """[class] how far that is."""
    stale: Flags
    alive: Ints
    """Numbers of the classes there are, ascending."""
    many: Ints
    small: Ints
    """[0] how many there are, and how many of them are too small."""
    height: Floats
    """[0] the greatest distance at which a pair was joined."""


def new_links(sizes: Ints, size: int) -> Links:
    """Every point a class of its own, distances not known yet."""
    c = len(sizes)
    small = np.full(1, int((sizes < size).sum()))
    return Links(
        np.empty(c * (c - 1) // 2), sizes.astype(np.int64), np.arange(c), np.full(c, -1, dtype=np.int64),
        np.full(c, np.inf), np.zeros(c, dtype=bool), np.arange(c), np.full(1, c), small, np.full(1, -1.0),
    )  # fmt: skip


@kernel
def _value(stored: float, one: int, other: int, link: int) -> float:
    """What is compared: ticks of a distance, or of a mean over so many pairs."""
    return whole(stored / (one * other) * MEAN_UNIT) if link == AVERAGE else stored


@kernel
def measure(
    points: Floats, names: Flags, weight: Floats, manhattan: bool, link: int, links: Links, begin: int,
    until: int,
) -> int:  # fmt: skip
    """Distances of the points ``begin .. until - 1`` from all before them, and who is nearest so far."""
    between, sizes, nearest, distance = links.between, links.sizes, links.nearest, links.distance
    for i in range(begin, until):
        row = i * (i - 1) // 2
        for j in range(i):
            total = 0.0
            for a in range(points.shape[1]):
                step = abs(points[i, a] - points[j, a])
                if names[a]:
                    total += weight[a] if step > 0.0 else 0.0
                else:
                    total += weight[a] * (step if manhattan else step * step)
            far = total if manhattan else math.sqrt(total)
            between[row + j] = far * (sizes[i] * sizes[j]) if link == AVERAGE else ticks(far)
            value = _value(between[row + j], sizes[i], sizes[j], link)
            if value < distance[i]:
                nearest[i], distance[i] = j, value
            if value < distance[j]:
                nearest[j], distance[j] = i, value
    return until


@kernel
def _look(links: Links, one: int, link: int) -> None:
    """Find the nearest class of ``one``, the lowest of equals."""
    between, sizes, alive = links.between, links.sizes, links.alive
    best, nearest = np.inf, -1
    for i in range(links.many[0]):
        other = alive[i]
        if other == one:
            continue
        high, low = max(one, other), min(one, other)
        value = _value(between[high * (high - 1) // 2 + low], sizes[one], sizes[other], link)
        if value < best:
            best, nearest = value, other
    links.nearest[one], links.distance[one], links.stale[one] = nearest, best, False


@kernel
def _closest(links: Links, size: int, link: int, restricted: bool) -> int:
    """The class that is next to be joined with its nearest one; remembered bounds are looked up when they are met."""
    while True:
        best, low, high, chosen = np.inf, 0, 0, -1
        for i in range(links.many[0]):
            one = links.alive[i]
            if restricted and links.sizes[one] >= size:
                continue
            value = links.distance[one]
            if value > best:
                continue
            a, b = min(one, links.nearest[one]), max(one, links.nearest[one])
            if value < best or a < low or (a == low and (b < high or (b == high and links.stale[one]))):
                best, low, high, chosen = value, a, b, one
        if chosen < 0 or not links.stale[chosen]:
            return chosen
        _look(links, chosen, link)


@kernel
def _unite(links: Links, keep: int, gone: int, size: int, link: int, restricted: bool) -> None:
    """Join two classes under the lower number and tell all others."""
    between, sizes, alive, small = links.between, links.sizes, links.alive, links.small
    small[0] -= int(sizes[keep] < size) + int(sizes[gone] < size)
    sizes[keep] += sizes[gone]
    small[0] += sizes[keep] < size
    links.parent[gone] = keep
    strike_out(alive, links.many, gone)
    for i in range(links.many[0]):
        other = alive[i]
        if other == keep:
            continue
        one = max(other, keep) * (max(other, keep) - 1) // 2 + min(other, keep)
        two = max(other, gone) * (max(other, gone) - 1) // 2 + min(other, gone)
        if link == SINGLE:
            between[one] = min(between[one], between[two])
        elif link == COMPLETE:
            between[one] = max(between[one], between[two])
        else:
            between[one] += between[two]
        if restricted and sizes[other] >= size:
            continue
        value = _value(between[one], sizes[keep], sizes[other], link)
        nearest, distance = links.nearest[other], links.distance[other]
        if value < distance or (value == distance and keep <= nearest):
            links.nearest[other], links.distance[other], links.stale[other] = keep, value, False
        elif nearest in (keep, gone):
            links.stale[other] = True
    if not restricted or sizes[keep] < size:
        _look(links, keep, link)


@kernel
def join_closest(links: Links, size: int, link: int, restricted: bool, joins: int) -> int:
    """Join pairs, at most so many; returns how many. Ends when every class has ``size`` records.

    ``restricted``: of each pair at least one is too small. Else any pair may be joined, and all pairs as close as
    the last one still are, so that the result is a level of the dendrogram.
    """
    for done in range(joins):
        if links.many[0] == 1 or (restricted and links.small[0] == 0):
            return done
        one = _closest(links, size, link, restricted)
        if links.small[0] == 0 and links.distance[one] > links.height[0]:
            return done
        links.height[0] = max(links.height[0], links.distance[one])
        other = links.nearest[one]
        _unite(links, min(one, other), max(one, other), size, link, restricted)
    return joins


@kernel
def class_of_points(parent: Ints) -> Ints:
    """Class of each point; a parent has a lower number than its parts."""
    found = parent.copy()
    for point in range(len(found)):
        found[point] = found[found[point]]
    return found
