# SPDX-License-Identifier: Apache-2.0
"""How often each private value occurs in each class, and how many classes keep a claim about that.

Counting is parted from judging: a model asks a :class:`Question`, whoever counts the classes, here or in an engine that
holds the rows (:mod:`shoal.judging.by_counts`); what is said of parts of a table adds up. Only the pairs of class and
value that do occur are kept, so a column with as many values as rows costs no more than any other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.verdicts import Finding

SLACK = 1e-9
"""Shares and distances are sums of rounded quotients: what passes a limit by less does not pass it."""


@dataclass(frozen=True)
class ValueCounts:
    """How many rows of each class show each value; pairs in the order of classes, then of values."""

    owner: Ints
    """[pair] the class."""
    value: Ints
    rows: Ints
    sizes: Ints
    """[class] its rows."""
    totals: Ints
    """[value] rows of the whole table that show it."""

    @cached_property
    def shares(self) -> Floats:
        """[pair] share of the value in the class."""
        return self.rows / self.sizes[self.owner]

    @cached_property
    def whole(self) -> Floats:
        """[value] share in the whole table."""
        return self.totals / max(int(self.totals.sum()), 1)

    @property
    def begin(self) -> Ints:
        """[class] its first pair."""
        return np.flatnonzero(np.diff(self.owner, prepend=-1))

    def largest(self, figures: Floats) -> Floats:
        """[class] the largest figure of its pairs."""
        if not len(figures):
            return np.zeros(0)
        largest: Floats = np.maximum.reduceat(figures, self.begin)
        return largest


def counted(alike: Ints, codes: Ints, rows: Ints | None = None) -> ValueCounts:
    """Count values by class; both are numbered from 0 without gaps. Each entry is a row, or as many as ``rows`` says.

    >>> counted(np.array([0, 0, 0, 1]), np.array([1, 0, 1, 1])).shares.round(3).tolist()
    [0.333, 0.667, 1.0]
    """
    values = int(codes.max(initial=-1)) + 1
    met, which = np.unique(alike * values + codes, return_inverse=True)
    owner, value = np.divmod(met, max(values, 1))
    return ValueCounts(owner, value, *(_summed(of, rows) for of in (which.ravel(), alike, codes)))


def _summed(of: Ints, rows: Ints | None) -> Ints:
    return np.bincount(of, weights=rows).astype(np.int64)


@dataclass(frozen=True)
class Asked:
    """What a model asks about the private values of one column: a number for each class."""

    codes: Ints
    """[row of the table that was looked at, which may be a digest] its value, from 0 without gaps."""
    figure: Callable[[ValueCounts], Floats]
    """[class] how it stands, from how often each value occurs in it."""


@dataclass(frozen=True)
class ClassTally:
    """How some classes stand with a model; those of all parts of a table add up."""

    worst: Mapping[str, float]
    """By column, the figure of the class that stands worst; infinitely good if there is no class."""
    classes: int = 0
    rows: int = 0
    broken: int = 0
    """Classes that break the claim in some column."""
    rows_broken: int = 0

    def joined(self, other: ClassTally, best: float) -> ClassTally:
        """Both together; ``best`` is the figure of no class at all."""
        pick = min if best > 0 else max
        worst = {name: pick(one, other.worst[name]) for name, one in self.worst.items()}
        sums = (getattr(self, name) + getattr(other, name) for name in ("classes", "rows", "broken", "rows_broken"))
        return ClassTally(worst, *sums)


@dataclass(frozen=True)
class Measure:
    """How a model about private values tells classes that keep the claim from those that break it."""

    symbol: str
    claimed: float | None
    slack: float = SLACK
    """A figure breaks the claim if it is beyond it by more."""
    larger_is_better: bool = False

    @property
    def best(self) -> float:
        """What a table without classes is told to have found."""
        return math.inf if self.larger_is_better else -math.inf

    def tally(self, found: Mapping[str, Floats], sizes: Ints) -> ClassTally:
        """How classes of these sizes stand, given their figures by column."""
        broken = np.zeros(len(sizes), dtype=bool)
        for figures in found.values():
            if self.claimed is not None:
                beyond = self.claimed - figures if self.larger_is_better else figures - self.claimed
                broken |= beyond > self.slack
        worst = {
            name: float(figures.min(initial=math.inf) if self.larger_is_better else figures.max(initial=-math.inf))
            for name, figures in found.items()
        }
        return ClassTally(worst, len(sizes), int(sizes.sum()), int(broken.sum()), int(sizes[broken].sum()))


@dataclass(frozen=True)
class Question:
    """All that a model about private values wants to know, whoever counts the classes; and what it says then."""

    columns: Mapping[str, Asked]
    measure: Measure
    told: Callable[[ClassTally], Finding]
