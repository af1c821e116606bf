# SPDX-License-Identifier: Apache-2.0
"""Cheapest cuts and best regions, by trying them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

Arc = tuple[int, int, float]
"""From, to, and how much it can carry."""


def cut(arcs: Iterable[Arc], side: set[int]) -> float:
    """What the arcs that leave a side can carry."""
    return sum(room for tail, head, room in arcs if tail in side and head not in side)


def cheapest_cut(arcs: Sequence[Arc], nodes: int, source: int, sink: int) -> tuple[float, set[int]]:
    """The cheapest of all cuts; of several the side that has the fewest nodes."""
    others = [node for node in range(nodes) if node not in (source, sink)]
    sides = [{source, *(node for node, chosen in zip(others, flags, strict=True) if chosen)} for flags in _all(others)]
    return min(((cut(arcs, side), side) for side in sides), key=lambda one: (one[0], len(one[1])))


def energy(
    pairs: Iterable[Sequence[int]],
    mine: Sequence[float],
    theirs: Sequence[float],
    leak: float,
    given_up: Sequence[bool],
    taken: Sequence[bool],
) -> float:
    """What a region costs: who lies across its edge leaks, at the dearer class if it has none, else at the cheaper."""
    total = 0.0
    for _, a, b, units in pairs:
        if given_up[a] and taken[b]:
            total += units * theirs[b]
        elif given_up[a]:
            total += units * (max(mine[a], theirs[b]) + leak)
        elif taken[b]:
            total += units * (min(mine[a], theirs[b]) + leak)
        else:
            total += units * mine[a]
    return total


def least_energy(pairs: Sequence[Sequence[int]], mine: Sequence[float], theirs: Sequence[float], leak: float) -> float:
    """What the best of all regions costs."""
    regions = product(_all(mine), _all(theirs))
    return min(energy(pairs, mine, theirs, leak, given_up, taken) for given_up, taken in regions)


def _all(things: Sequence[object]) -> Iterator[tuple[bool, ...]]:
    """All choices of some things."""
    return product((False, True), repeat=len(things))
