# SPDX-License-Identifier: Apache-2.0
"""Rows in the order of the original, or in its reverse.

Row i of the release then is record i of the source, and whoever has the source (or a list in its order) undoes every
generalisation. Needs the original. Rows of the two tables are laid side by side; columns published as they are must
agree, labels must hold the values. How often that happens by chance is measured by shifting one table against the
other. A release with fewer rows is laid into the original row after row.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.leaks._alignment import common_codes, row_keys
from shoal.leaks._protocol import CHANCE, WARNING, Ints, Leak, Scene
from shoal.metrics._protocol import Evidence
from shoal.metrics._reach import Reach, reach_of

Flags = NDArray[np.bool_]

SHIFTS = 5
FEWEST_ROWS = 6
CLEARLY = 0.1
"""How much more often than by chance rows must agree, where not all do."""
ADVICE = "shuffle the rows by something that has nothing to do with the source"


def find(scene: Scene) -> Iterator[Leak]:
    """The order of the source."""
    before, after = scene.original, scene.released
    if before is None or len(after) < FEWEST_ROWS or len(after) > len(before):
        return
    if len(after) < len(before):
        if _laid_in(scene):
            said = f"the {len(after)} rows stand in the order of the original, with {len(before) - len(after)} left out"
            yield Leak("source_order", WARNING, said, ADVICE)
        return
    agree = _Agreement(scene)
    rows = np.arange(len(after))
    for order, named in ((rows, "the order"), (rows[::-1].copy(), "the reverse order")):
        if agree.beyond_chance(order):
            said = f"the rows stand in {named} of the original: row after row, the two tables agree"
            yield Leak("source_order", WARNING, said, ADVICE)
            return


class _Agreement:
    """Whether released rows agree with the original rows named for them."""

    def __init__(self, scene: Scene) -> None:
        assert scene.original is not None
        self.wildcard = scene.plan.missing == "wildcard"
        self.same = [common_codes(scene, name) for name in scene.untouched]
        evidence = Evidence(scene.original, scene.released, scene.plan)
        known = [name for name in scene.plan.quasi_identifiers if name in scene.original.names]
        reaches = [reach_of(evidence, name) for name in known]
        self.reaches: list[Reach] = [one for one in reaches if not one.problem]

    def rate(self, order: Ints) -> float:
        """Share of rows that agree."""
        fits: Flags = np.ones(len(order), dtype=bool)
        for before, after in self.same:
            fits &= before[order] == after
        for reach in self.reaches:
            fits &= reach.holds(order, self.wildcard)
        return float(fits.mean())

    def beyond_chance(self, order: Ints) -> bool:
        """Whether they agree more often than shifted rows do."""
        if not self.same and not self.reaches:
            return False
        n = len(order)
        rate = self.rate(order)
        shifted = [self.rate(np.roll(order, (number + 1) * n // (SHIFTS + 1))) for number in range(SHIFTS)]
        chance = max(sum(shifted) / SHIFTS, 1 / n)
        if rate == 1.0:
            return n * math.log(chance) < CHANCE if chance < 1 else False
        spread = math.sqrt(chance * (1 - min(chance, 1.0)) / n)
        return rate > chance + max(CLEARLY, 6 * spread)


def _laid_in(scene: Scene) -> bool:
    """Whether the released rows are rows of the original, in its order, beyond chance."""
    if not scene.untouched:
        return False
    source, shown = row_keys(scene)
    shares = np.bincount(source) / len(source)
    alike = float((shares**2).sum())
    n, left = len(shown), len(source) - len(shown)
    ways = math.lgamma(n + left + 1) - math.lgamma(n + 1) - math.lgamma(left + 1)
    if alike >= 1 or ways + n * math.log(alike) >= CHANCE:
        return False
    place = iter(source.tolist())
    return all(any(row == one for one in place) for row in shown.tolist())
