# SPDX-License-Identifier: Apache-2.0
"""Classes made of a linear programme in which classes may be used in part, where all columns are names without levels.

The programme behind the bound (:mod:`shoal.engine.bounds.patterns`) says how much of each record belongs to which
pattern. A third of the records of Adult belong to one pattern alone, and two thirds for more than half. So decide on
the surest patterns, a tenth of the records at a time: those become classes of their k surest records. Then solve the
programme of the other records anew, who may join these classes, too, at what it costs there. At the end whoever is left
joins where it costs least.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.bounds.budget import StepBudget
from shoal.engine.bounds.patterns import PatternProgramme
from shoal.engine.kernels.bounds.pattern_walk import RARE, cheapest_fit
from shoal.engine.kernels.hull import Hulls
from shoal.ground.arrays import Codes, Floats, Ints

FITS, REFITS = 32, 4
"""Times that prices are fitted before the first decision, and before each of the others if there is time."""
WALKS = 12
"""All decisions together take as long as so many walks over all records, for each fit between them."""
SHARE, FEWEST = 0.1, 4
"""Share of the records that is decided on at a time; and so many times k at least."""
SELDOM = 1e-3
"""Sets used less often as a class count for nothing."""
WHOLLY = 0.97
"""Beyond k records only those come along who belong to the pattern for so much or more."""
MOST_OF_A_WALK = 24
"""A walk that takes more than this part of the budget ends everything."""


def rounded(points: Floats, hulls: Hulls, size: int, budget: StepBudget) -> Ints | None:
    """Class of each record, all of ``size`` records or more; None if the budget does not suffice."""
    programme = PatternProgramme(points, hulls, size, budget)
    made = _Classes(programme)
    if not _fitted(programme, FITS):
        return None
    refits = min(REFITS, budget.left // max(WALKS * programme.walked, 1))
    if not refits:
        return None
    while programme.is_free.sum() >= size and made.decide():
        if not _fitted(programme, refits):
            return None
    return made.completed()


def _fitted(programme: PatternProgramme, times: int) -> bool:
    """Fit prices so many times; False if there is no time."""
    for _ in range(times):
        found = programme.walk(programme.budget.total // MOST_OF_A_WALK)
        if found is None:
            return False
        programme.fit(found)
    return True


@dataclass(frozen=True)
class _Shares:
    """How much of each record belongs to which pattern."""

    pattern: Codes
    """[pattern, attribute]"""
    begin: Ints
    """[pattern] where its records begin; those who belong to it for most come first."""
    record: Ints
    share: Floats
    """[place] a record of a pattern, and how much of it belongs there."""

    @classmethod
    def of(cls, programme: PatternProgramme) -> _Shares:
        """As the sets in use say."""
        used = programme.use > SELDOM
        sets, n = programme.sets[used], len(programme.price)
        pattern, which = _shown(programme.names.value, sets)
        pair, where = np.unique(np.repeat(which, programme.size) * n + sets.ravel(), return_inverse=True)
        share: Floats = np.bincount(where, np.repeat(programme.use[used], programme.size)).astype(np.float64)
        order = np.lexsort((-share, pair // n))
        begin = np.searchsorted(pair[order] // n, np.arange(len(pattern) + 1))
        return cls(pattern, begin, pair[order] % n, share[order])

    def surest(self, size: int) -> Ints:
        """Patterns that can be a class, those first to which their first k records belong for most."""
        able = np.flatnonzero(np.diff(self.begin) >= size)
        so_far = np.concatenate([[0.0], np.cumsum(self.share)])
        return able[np.argsort(so_far[self.begin[able]] - so_far[self.begin[able] + size], kind="stable")]


class _Classes:
    """The classes decided on."""

    def __init__(self, programme: PatternProgramme) -> None:
        self.programme = programme
        self.label: Ints = np.full(len(programme.price), -1, dtype=np.int64)
        self.kept: Codes = np.zeros((0, len(programme.names.weight)), dtype=np.int32)
        """[class, attribute]"""

    def decide(self) -> bool:
        """Make classes of the surest patterns; False if there is none."""
        programme, size = self.programme, self.programme.size
        shares = _Shares.of(programme)
        wanted = max(int(SHARE * programme.is_free.sum()), FEWEST * size)
        made: list[int] = []
        before, many = len(self.kept), 0
        for one in shares.surest(size):
            records = shares.record[shares.begin[one] : shares.begin[one + 1]]
            if (self.label[records[:size]] >= 0).any():  # somebody surer has them
                continue
            share = shares.share[shares.begin[one] : shares.begin[one + 1]]
            records = records[: max(size, int((share >= WHOLLY).sum()))]
            records = records[self.label[records] < 0]
            self.label[records] = before + len(made)
            made.append(one)
            many += len(records)
            if many >= wanted:
                break
        self._open(shares.pattern[made])
        return many > 0

    def _open(self, kept: Codes) -> None:
        """Whoever is left may join these classes."""
        programme = self.programme
        programme.leave_out(np.flatnonzero((self.label >= 0) & programme.is_free))
        free = np.flatnonzero(programme.is_free)
        least = programme.ceiling[free]
        cheapest_fit(programme.names, free, kept, self._costs(kept), least, np.zeros(len(free), dtype=np.int64))
        programme.ceiling[free] = least
        programme.price[free] = np.minimum(programme.price[free], least)
        self.kept = np.concatenate([self.kept, kept])

    def _costs(self, kept: Codes) -> Floats:
        costs: Floats = (kept == RARE) @ self.programme.names.weight
        return costs

    def completed(self) -> Ints:
        """Everybody else joins the cheapest class; who fits none makes one, with the dearest classes if need be."""
        left = np.flatnonzero(self.label < 0)
        cost, chosen = self._costs(self.kept), np.full(len(left), -1, dtype=np.int64)
        cheapest_fit(self.programme.names, left, self.kept, cost, np.full(len(left), np.inf), chosen)
        self.label[left] = chosen
        nowhere = self.label < 0
        for one in np.argsort(-cost, kind="stable"):
            if not 0 < nowhere.sum() < self.programme.size:
                break
            nowhere |= self.label == one
        self.label[nowhere] = len(cost)
        return np.unique(self.label, return_inverse=True)[1]


def _shown(value: Codes, sets: Ints) -> tuple[Codes, Ints]:
    """The different patterns of some sets of records, and which of them each set has."""
    each = value[:, sets]
    shown = np.where((each == each[:, :, :1]).all(axis=2), each[:, :, 0], RARE).T
    rows = np.ascontiguousarray(shown).view(np.dtype((np.void, shown.itemsize * shown.shape[1]))).ravel()
    _, first, which = np.unique(rows, return_index=True, return_inverse=True)
    return shown[first], which
