# SPDX-License-Identifier: Apache-2.0
"""The same greedy loops for a few thousand records: one table look-up per column instead of one call per record."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from tests.reference.growing import labels
from tests.reference.losses import Loss


class Scan:
    """All records of a table, with the cost of every pair of values of each column."""

    def __init__(self, encoded: Encoded) -> None:
        loss = Loss(encoded)
        self.codes, self.costs = [], []
        for j, column in enumerate(encoded.points.T):
            values, codes = np.unique(column, return_inverse=True)
            pairs = [[loss.term(j, min(a, b), max(a, b)) for b in values] for a in values]
            self.codes.append(codes)
            self.costs.append(np.array(pairs))
        self.live = np.ones(len(encoded), dtype=bool)

    def hull(self, rows: Any) -> list[tuple[int, int]]:
        """Smallest and largest code of some records on each column."""
        return [(codes[rows].min(), codes[rows].max()) for codes in self.codes]

    def grown(self, hull: list[tuple[int, int]]) -> np.ndarray:
        """Loss of the hull after taking in each record."""
        total = np.zeros(len(self.live))
        for (lo, hi), codes, costs in zip(hull, self.codes, self.costs):
            total += costs[np.minimum(lo, codes), np.maximum(hi, codes)]
        return total

    def increase(self, hull: list[tuple[int, int]], size: int, row: int) -> float:
        """What it adds to the loss of a class of so many to take in a record."""
        total = growth = 0.0
        for (lo, hi), codes, costs in zip(hull, self.codes, self.costs):
            after = float(costs[min(lo, codes[row]), max(hi, codes[row])])
            total += after
            growth += after - float(costs[lo, hi])
        return total + size * growth

    def cheapest(self, members: list[int]) -> int:
        """The live record that costs least; ``argmin`` takes the first of equals."""
        value = ticks(self.grown(self.hull(members)))
        return int(np.where(self.live, value, np.inf).argmin())

    def furthest(self, row: int) -> int:
        """The live record furthest from another."""
        value = ticks(self.grown(self.hull([row])))
        return int(np.where(self.live, value, -1.0).argmax())

    def grow(self, seed: int, k: int) -> list[int]:
        """A class of k records around a seed."""
        members = [seed]
        self.live[seed] = False
        while len(members) < k:
            members.append(self.cheapest(members))
            self.live[members[-1]] = False
        return members


def ticks(values: np.ndarray) -> np.ndarray:
    """Losses rounded to 12 decimals, as whole numbers; those beyond 2^43 to 43 significant bits."""
    scaled = values * 1e12
    mantissa, exponent = np.frexp(scaled)
    return np.where(
        np.abs(scaled) < 2**43, np.floor(scaled + 0.5), np.ldexp(np.rint(np.ldexp(mantissa, 43)), exponent - 43)
    )


def k_member(encoded: Encoded, k: int, start: int, seed_rule: str) -> list[int]:
    """See :func:`tests.reference.growing.k_member`."""
    scan, classes, previous = Scan(encoded), [], start
    while scan.live.sum() >= k:
        seed = start if not classes and seed_rule == "seed" else scan.furthest(previous)
        classes.append(scan.grow(seed, k))
        previous = seed if seed_rule == "seed" else classes[-1][-1]
    return _with_leftovers(scan, classes, np.flatnonzero(scan.live))


def k_members(encoded: Encoded, k: int, order: np.ndarray) -> list[int]:
    """See :func:`tests.reference.growing.k_members`."""
    scan, classes = Scan(encoded), []
    while scan.live.sum() >= k:
        classes.append(scan.grow(int(order[scan.live[order]][0]), k))
    return _with_leftovers(scan, classes, order[scan.live[order]])


def _with_leftovers(scan: Scan, classes: list[list[int]], rows: np.ndarray) -> list[int]:
    for row in rows:
        increases = []
        for members in classes:
            hull = scan.hull(members)
            increases.append(scan.increase(hull, len(members), row))
        classes[int(ticks(np.array(increases)).argmin())].append(int(row))
    return labels(classes, len(scan.live))
