# SPDX-License-Identifier: Apache-2.0
"""How strongly two columns go together.

* two columns on a line (numbers, dates, ordered categories): Spearman's rank correlation, -1 to 1; of a range its
  middle counts;
* a line and a category: the correlation ratio of the ranks, 0 to 1, corrected for chance (T. L. Kelley, An unbiased
  correlation ratio measure, PNAS 21(9), 1935);
* two categories: Cramér's V, 0 to 1, corrected for chance (W. Bergsma, A bias-correction for Cramér's V and Tschuprow's
  T, Journal of the Korean Statistical Society 42(3), 2013); of a coarse label the label itself is the category. Both
  sides are divided by the number of categories before: one label more, ``*`` above all, must not look like a loss.

Rows in which either cell is missing do not count. A cell that allows anything lies in the middle of its line. With
survey weights every row counts for the people that it stands for; they add up to about the number of rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Flags, Floats, Ints

MOST_CATEGORIES = 50
"""Rarer categories count as one."""
FEWEST = 3
"""Rows below which nothing can be said."""

RANKS, RATIO, CRAMER = "Spearman's rank correlation", "correlation ratio", "Cramér's V"


@dataclass(frozen=True)
class Side:
    """One column on one side, row by row: places on a line (NaN missing) or categories (-1 missing)."""

    line: bool
    values: Floats | Ints

    @cached_property
    def present(self) -> Flags:
        """Rows that have a value."""
        here: Flags = ~np.isnan(self.values) if self.line else self.values >= 0
        return here

    @cached_property
    def all_ranks(self) -> Floats:
        """Ranks of the places, for rows without a missing cell."""
        return _ranks(self.values)

    def ranks(self, both: Flags, weights: Floats | None = None) -> Floats:
        """Ranks of the places among some rows, of which the weights are."""
        if weights is not None:
            return _ranks(self.values[both], weights)
        return self.all_ranks if both.all() else _ranks(self.values[both])

    def numbers(self, both: Flags) -> Ints:
        """Categories of some rows, numbered without gaps."""
        codes = self.values[both].astype(np.int64)
        return (np.cumsum(np.bincount(codes) > 0) - 1)[codes]


def places(low: Floats, high: Floats) -> Side:
    """Released ranges by their middles."""
    with np.errstate(invalid="ignore"):
        middle = (low + high) / 2
    anything = np.isinf(low)
    usual = middle[~anything & ~np.isnan(middle)]
    return Side(True, np.where(anything, np.median(usual) if len(usual) else 0.0, middle))


def categories(codes: Ints) -> Side:
    """Codes with the rare ones put together; missing is -1."""
    counts = np.bincount(codes[codes >= 0])
    if len(counts) <= MOST_CATEGORIES:
        return Side(False, codes)
    number = np.full(len(counts) + 1, MOST_CATEGORIES - 1, dtype=np.int64)
    number[np.argsort(-counts, kind="stable")[: MOST_CATEGORIES - 1]] = np.arange(MOST_CATEGORIES - 1)
    number[-1] = -1
    return Side(False, number[codes])


def fewest_categories(one: Side, other: Side) -> int:
    """Of two categories: how many values the one with fewer has."""
    return 0 if one.line or other.line else min(len(np.unique(side.values[side.present])) for side in (one, other))


def association(one: Side, other: Side, fewest: int, weights: Floats | None = None) -> float:
    """How strongly two columns go together, with people behind each row as weights; NaN where one does not vary."""
    both = one.present & other.present
    if int(both.sum()) < FEWEST:
        return math.nan
    known = None if weights is None else weights[both]
    if one.line and other.line:
        return correlation(one.ranks(both, known), other.ranks(both, known), known)
    if one.line or other.line:
        line, category = (one, other) if one.line else (other, one)
        return _ratio(line.ranks(both, known), category.numbers(both), known)
    return _cramer(one.numbers(both), other.numbers(both), fewest, known)


def _ranks(values: NDArray[np.generic], weights: Floats | None = None) -> Floats:
    """Ranks, of equal values their mean; with weights, half the people up to there."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    people = counts if weights is None else np.bincount(which.ravel(), weights)
    mean: Floats = (np.cumsum(people) - (people - 1) / 2)[which.ravel()]
    return mean


def correlation(one: Floats, other: Floats, weights: Floats | None = None) -> float:
    """Pearson's; of ranks it is Spearman's. NaN where one side does not vary."""
    w = np.ones(len(one)) if weights is None else weights
    a, b = one - (w * one).sum() / w.sum(), other - (w * other).sum() / w.sum()
    scale = math.sqrt(float((w * a * a).sum()) * float((w * b * b).sum()))  # the same on any number of threads
    return float(np.clip(float((w * a * b).sum()) / scale, -1.0, 1.0)) if scale > 0 else math.nan


def _ratio(ranks: Floats, category: Ints, weights: Floats | None = None) -> float:
    w = np.ones(len(ranks)) if weights is None else weights
    sizes = np.bincount(category, w)
    groups, n = len(sizes), float(w.sum())
    spread = ranks - (w * ranks).sum() / n
    total = float((w * spread * spread).sum())
    if total == 0 or groups < 2 or n <= groups:
        return math.nan
    sums = np.bincount(category, weights=w * spread)
    within = 1 - float((sums**2 / sizes).sum()) / total
    return math.sqrt(max(1 - within * (n - 1) / (n - groups), 0.0))


def _cramer(a: Ints, b: Ints, fewest: int, weights: Floats | None = None) -> float:
    rows, columns, n = int(a.max()) + 1, int(b.max()) + 1, len(a) if weights is None else float(weights.sum())
    if fewest < 2:
        return math.nan
    table = np.bincount(a * columns + b, weights, rows * columns).reshape(rows, columns).astype(np.float64)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi = float(((table - expected) ** 2 / expected).sum()) / n
    phi = max(phi - (rows - 1) * (columns - 1) / (n - 1), 0.0)
    least = fewest - (fewest - 1) ** 2 / (n - 1) - 1
    return min(math.sqrt(phi / least), 1.0) if least > 0 else math.nan
