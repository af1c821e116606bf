# SPDX-License-Identifier: Apache-2.0
"""How likely chance is to put numbers in an order like this one.

Two statistics of the ranks within each stratum, added up over the strata: their trend (the sum of rank times place,
Spearman's correlation) and what neighbours have in common (the sum of products of ranks a few places apart, serial
correlation), for each distance alone and for several together. Mean and variance over all orders are exact (Wald and
Wolfowitz 1943). How far the tail reaches is bounded in three ways, of which the most cautious counts: as that of a
normal distribution, exp(-z^2 / 2), which the tail of a trend of uniform ranks does not exceed; for sums over several
distances by Chernoff's bound on a quadratic form in normal numbers of fixed length, from the eigenvalues of the form;
where few rows stand out of many that are equal, neighbours meet like rare events do, and Bernstein's bound is used.

Paper: A. Wald, J. Wolfowitz, An exact test for randomness in the non-parametric case based on serial correlation,
Annals of Mathematical Statistics 14(4), 1943.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from shoal.ground.arrays import Floats, Ints

FEWEST = 4
"""Rows of a stratum from which on the variance of a serial correlation is defined."""
LONGEST = 200
"""Neighbours from which on the eigenvalues of a form hardly change."""
UNIFORM = 3.0
"""Largest square of a uniform rank with variance 1."""


@dataclass(frozen=True)
class Sequence:
    """Rows in their order: the strata within which they could have been shuffled, and where neighbours were lost."""

    strata: Ints
    runs: Ints
    """Rows are neighbours only within a run."""

    @classmethod
    def of(cls, strata: Ints, runs: Ints) -> Sequence:
        """Strata under numbers without gaps."""
        return cls(np.unique(strata, return_inverse=True)[1].ravel(), runs)

    def chances(self, values: Floats, lags: int) -> list[float]:
        """Logarithms of the chance of such a trend, and of such neighbours up to ``lags`` places apart."""
        order = np.argsort(self.strata, kind="stable")
        stratum, ranks = self.strata[order], _standardised(self.strata, values)[order]
        places = _standardised(stratum, np.arange(len(order), dtype=np.float64))
        sizes = np.bincount(stratum)
        told = np.bincount(stratum, weights=ranks**2) > 0
        spread = (sizes[told] ** 2 / np.maximum(sizes[told] - 1, 1)).sum()
        rare = max(float((ranks**2).max(initial=0.0)) - UNIFORM, 0.0)
        sums = np.array(
            [_serial(stratum, self.runs[order], ranks, lag) for lag in range(1, lags + 1)], dtype=np.float64
        )
        found = [_log_chance(float((ranks * places).sum()), float(spread), 0.0)]
        rows, length = int(sizes[sizes >= FEWEST].sum()), self._length(sizes)
        for place, signs in enumerate(_together(lags)):
            deviation, variance = float(signs @ sums[:, 0]), float((signs != 0) @ sums[:, 1])
            bounds = _log_chance(deviation, variance, rare), _quadratic(deviation, rows, _forms(lags, length)[place])
            found.append(max(bounds))
        return found

    def _length(self, sizes: Ints) -> int:
        """How many neighbours stand together, in the mean."""
        breaks = int(np.count_nonzero(np.diff(self.runs))) + 1
        return int(np.clip(len(self.runs) / max(breaks, len(sizes)), FEWEST, LONGEST))


def _together(lags: int) -> Floats:
    """Distances that are looked at together: each alone, all, the first, all with turning sign as in a riffle."""
    alone = np.eye(lags)
    if lags < 2:
        return alone
    return np.vstack([alone, np.ones(lags), np.arange(lags) < min(3, lags), (-1.0) ** np.arange(lags)])


@cache
def _forms(lags: int, length: int) -> Floats:
    """[sum of products, number] eigenvalues of each form on so many neighbours."""
    apart = np.abs(np.subtract.outer(np.arange(length), np.arange(length)))
    weights = np.zeros((len(_together(lags)), max(length, lags + 1)))
    weights[:, 1 : lags + 1] = _together(lags) / 2
    return np.linalg.eigvalsh(weights[:, apart]).astype(np.float64)


def _quadratic(deviation: float, rows: int, eigenvalues: Floats) -> float:
    """Chernoff's bound on both tails of a form in ``rows`` normal numbers whose squares add up to ``rows``."""
    beyond = abs(deviation) / max(rows, 1) - (eigenvalues if deviation > 0 else -eigenvalues)
    steps = np.linspace(0, 1, 200, endpoint=False) / (2 * max(float(-beyond.min()), 1e-9))
    exponents = np.log1p(2 * steps[:, None] * beyond).sum(axis=1) / 2
    return math.log(2) - float(exponents.max()) * rows / len(eigenvalues)


def statistics(lags: int) -> int:
    """How many chances :meth:`Sequence.chances` tells."""
    return 1 + len(_together(lags))


def _standardised(strata: Ints, values: Floats) -> Floats:
    """Ranks within each stratum, equal values sharing theirs, with mean 0 and variance 1 (0 where all are equal)."""
    order = np.lexsort((values, strata))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(strata[order]) != 0) | (np.diff(values[order]) != 0)
    group = np.cumsum(new) - 1
    first = np.flatnonzero(new)
    ranks = np.empty(len(order))
    ranks[order] = (first + np.append(first[1:], len(order)) - 1)[group] / 2
    sizes = np.maximum(np.bincount(strata), 1)
    ranks -= (np.bincount(strata, weights=ranks) / sizes)[strata]
    deviation = np.sqrt(np.bincount(strata, weights=ranks**2) / sizes)
    deviation[deviation < 1e-9] = np.inf
    return ranks / deviation[strata]


def _serial(stratum: Ints, runs: Ints, ranks: Floats, lag: int) -> tuple[float, float]:
    """Products of neighbours ``lag`` places apart: sum beyond its mean, variance; [row] arguments sorted by stratum."""
    if len(ranks) <= lag:
        return 0.0, 0.0
    number = int(stratum.max()) + 1
    sizes = np.bincount(stratum, minlength=number).astype(np.float64)
    kurtosis = np.bincount(stratum, weights=ranks**4, minlength=number) / np.maximum(sizes, 1)
    usable = (sizes >= FEWEST) & (kurtosis > 0)
    pair = (stratum[lag:] == stratum[:-lag]) & (runs[lag:] == runs[:-lag]) & usable[stratum[lag:]]
    chain = pair[lag:] & pair[:-lag]
    pairs = np.bincount(stratum[lag:][pair], minlength=number)
    chains = np.bincount(stratum[2 * lag :][chain], minlength=number)
    total = float((ranks[lag:] * ranks[:-lag])[pair].sum())
    mean, variance = _moments(sizes[usable], kurtosis[usable], pairs[usable], chains[usable])
    return total - mean, variance


def _moments(sizes: Floats, kurtosis: Floats, pairs: Ints, chains: Ints) -> tuple[float, float]:
    """Mean and variance, over all orders, of the sum of products of neighbours with mean 0 and variance 1."""
    one, two, three = sizes - 1, sizes - 2, sizes - 3
    squares = (sizes - kurtosis) / one
    joint = (2 * kurtosis - sizes) / (one * two)
    apart = (3 * sizes - 6 * kurtosis) / (one * two * three)
    mean = -pairs / one
    variance = pairs * squares + 2 * chains * joint + (pairs**2 - pairs - 2 * chains) * apart - mean**2
    return float(mean.sum()), float(np.maximum(variance, 0.0).sum())


def _log_chance(deviation: float, variance: float, largest: float) -> float:
    """Bernstein's bound on both tails: of a sum with this variance, whose terms stay below ``largest``."""
    if variance <= 1e-9:
        return 0.0
    return math.log(2) - deviation**2 / (2 * (variance + largest * abs(deviation) / 3))
