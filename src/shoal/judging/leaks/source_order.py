# SPDX-License-Identifier: Apache-2.0
"""Rows in an order that depends on the original: on the order of its rows, or on a column of it.

If row i of the release is record i of the source, whoever has the source (or a list in its order) undoes every
generalisation; rows sorted by the true age tell the ages behind the ranges. Needs the original.

First, rows of the two tables are laid side by side, also in reverse: columns published as they are must agree, labels
must hold the values. How often that happens by chance is measured by shifting one table against the other. A release
with fewer rows is laid into the original row after row.

Then the order is tested for dependence as such. Every released row may be some of the original records (its
candidates); the mean of what they have, of their row numbers and of every column, identifiers and columns left out
included, is the value of the row. What points to persons counts by letters, by its last word, by a number in it and by
common digests. Shuffled rows have these values in a random order, in the whole table and within each
class; whether they do is what :mod:`shoal.judging.leaks._dependence` tests: trends, and neighbours up to eight places
apart. So rotated, reversed, interleaved or partly shuffled rows are found, too. An order that the published cells alone
give, as when the rows are sorted by their labels, tells nothing; then rows are tested within what they share.

All tests of one table together raise a false alarm with a chance of one in a million at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Flags, Ints
from shoal.judging.leak_search import CHANCE, WARNING, Leak, LeakScene
from shoal.judging.leaks._alignment import reaches, row_keys
from shoal.judging.leaks._orders import ROWS, dependent_on

SHIFTS = 5
FEWEST_ROWS = 6
CLEARLY = 0.1
"""How much more often than by chance rows must agree, where not all do."""
ADVICE = "shuffle the rows by something that has nothing to do with the source"


def find(scene: LeakScene) -> Iterator[Leak]:
    """The order of the source, or an order by something of it."""
    before, after = scene.original, scene.released
    if before is None or len(after) < FEWEST_ROWS:
        return
    said = _row_after_row(scene, len(before), len(after))
    if said:
        yield Leak("source_order", WARNING, said, ADVICE)
        return
    found = dependent_on(scene)
    if found and found[0] == ROWS:
        said = "the order of the rows depends on the order of the original, far more than chance would make it"
        yield Leak("source_order", WARNING, said, ADVICE)
    elif found:
        names = [name for name in found if name != ROWS]
        others = f", and on {len(names) - 1} more, which may go with it" if len(names) > 1 else ""
        said = f"the order of the rows depends on the original values of column {names[0]!r}{others}"
        yield Leak("source_order", WARNING, said, ADVICE, tuple(names))


def _row_after_row(scene: LeakScene, before: int, after: int) -> str:
    """What to say where the rows of the two tables agree one after the other; empty where they do not."""
    if after > before:
        return ""
    if after < before:
        left_out = f"the {after} rows stand in the order of the original, with {before - after} left out"
        return left_out if _laid_in(scene) else ""
    agree = _Agreement(scene)
    rows = np.arange(after)
    for order, named in ((rows, "the order"), (rows[::-1].copy(), "the reverse order")):
        if agree.beyond_chance(order):
            return f"the rows stand in {named} of the original: row after row, the two tables agree"
    return ""


class _Agreement:
    """Whether released rows agree with the original rows named for them."""

    def __init__(self, scene: LeakScene) -> None:
        self.wildcard = scene.plan.missing == "wildcard"
        self.keys = row_keys(scene) if scene.untouched else None
        self.reaches = list(reaches(scene).values())

    def rate(self, order: Ints) -> float:
        """Share of rows that agree."""
        fits: Flags = np.ones(len(order), dtype=bool)
        if self.keys is not None:
            fits &= self.keys[0][order] == self.keys[1]
        for reach in self.reaches:
            fits &= reach.holds(order, self.wildcard)
        return float(fits.mean())

    def beyond_chance(self, order: Ints) -> bool:
        """Whether they agree more often than shifted rows do."""
        if self.keys is None and not self.reaches:
            return False
        n = len(order)
        rate = self.rate(order)
        shifted = [self.rate(np.roll(order, (number + 1) * n // (SHIFTS + 1))) for number in range(SHIFTS)]
        chance = max(sum(shifted) / SHIFTS, 1 / n)
        if rate == 1.0:
            return n * math.log(chance) < CHANCE if chance < 1 else False
        spread = math.sqrt(chance * (1 - min(chance, 1.0)) / n)
        return rate > chance + max(CLEARLY, 6 * spread)


def _laid_in(scene: LeakScene) -> bool:
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
