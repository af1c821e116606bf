# SPDX-License-Identifier: Apache-2.0
"""A pool of records regrouped, written plainly: dictionaries instead of arrays, hulls taken from all members."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from shoal.engine.kernels.hull import Hulls, term

MASK = (1 << 64) - 1
plain_term = getattr(term, "py_func", term)
"""Compared with the definition in tests/engine/kernels/test_hull.py; here its value is needed to the last bit."""
Class = dict[int, int]
"""Amount of each atom."""


class Dice:
    """xorshift64*."""

    def __init__(self, seed: int) -> None:
        self.x = seed | 1

    def draw(self) -> int:
        """One of 2^53 numbers."""
        self.x ^= self.x >> 12
        self.x = (self.x ^ (self.x << 25)) & MASK
        self.x ^= self.x >> 27
        return ((self.x * 2685821657736338717) & MASK) >> 11


def first_least(values: Sequence[float]) -> int:
    """The first place of the least number."""
    return min(range(len(values)), key=lambda place: values[place])


def terms(hulls: Hulls, points: np.ndarray, atoms: Sequence[int]) -> list[float]:
    """Cost of each attribute for the hull of some atoms."""
    held = points[list(atoms)]
    lo, hi = held.min(axis=0), held.max(axis=0)
    return [float(plain_term(hulls, j, lo[j], hi[j])) for j in range(len(lo))]


def loss(hulls: Hulls, points: np.ndarray, atoms: Sequence[int]) -> float:
    """Loss per record of the hull of some atoms, added in column order."""
    total = 0.0
    for one in terms(hulls, points, atoms):
        total += one
    return total


def attempt(hulls: Hulls, points: np.ndarray, amounts: Sequence[int], size: int, seed: int) -> list[Class]:
    """Classes of a pool in which atom ``i`` is there ``amounts[i]`` times."""
    left, dice, made = dict(enumerate(amounts)), Dice(seed), []
    absorb = dice.draw() % 4 > 0
    while sum(left.values()) >= size:
        at = dice.draw() % sum(left.values())
        first = next(atom for atom in left if at < sum(left[one] for one in range(atom + 1)))
        made.append(grow(hulls, points, left, first, size, absorb))
    for atom, units in left.items():
        if units:
            costs = [
                (sum(one.values()) + units) * loss(hulls, points, [*one, atom])
                - sum(one.values()) * loss(hulls, points, list(one))
                for one in made
            ]
            into = made[int(np.argmin(np.round(costs, 9)))]  # the lowest class number wins a tie
            into[atom] = into.get(atom, 0) + units
    return made


def grow(hulls: Hulls, points: np.ndarray, left: Class, seed: int, size: int, absorb: bool) -> Class:
    """One class, taken out of what is left."""
    grown: Class = {}
    parts = {atom: terms(hulls, points, [seed, atom]) for atom in left}
    cost = {atom: loss(hulls, points, [seed, atom]) for atom in left}
    so_far, chosen = 0.0, seed
    while chosen >= 0:
        held, units = sum(grown.values()), left[chosen]
        if held < size and units < 2 * size and (not absorb or units >= 2 * size - held):
            units = min(units, size - held)
        left[chosen] -= units
        grown[chosen] = grown.get(chosen, 0) + units
        so_far = max(so_far, cost[chosen])
        for atom in left:  # by differences, as the kernel does, so that ties fall alike
            for j, now in enumerate(terms(hulls, points, [*grown, atom])):
                cost[atom] += now - parts[atom][j]
                parts[atom][j] = now
        stands = sum(grown.values()) >= size
        chosen, best = -1, so_far + 1e-12 if stands else math.inf
        for atom, units in left.items():
            if units and cost[atom] < best and not (stands and (units >= size or not absorb)):
                chosen, best = atom, cost[atom]
    return grown
