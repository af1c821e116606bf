# SPDX-License-Identifier: Apache-2.0
"""About how much more would be lost if no private value were to fill a class: an estimate from the finished classes.

Class after class that breaks the limit joins the one with which both keep it at the least added loss; where none will
do, the cheapest of all, and the two look for a third. Of many classes some neighbourhoods of ``LOOKED_AT`` in all stand
for the others. A run that is asked for the limit exchanges records, too, and searches on, so it mostly loses less:
what is told is about the most that it would cost.

Nothing is compiled for it, and but for one look at all rows its work is bounded, however large the table is.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import Hulls
from shoal.engine.refining.hull_losses import hull_losses
from shoal.ground.arrays import Floats, Ints
from shoal.ground.progress import Progress

LOOKED_AT = 1_200
"""Most classes that are looked at."""
NEIGHBOURHOODS = 4

Most = Callable[[Ints], Ints]
"""How many records of a class of each size one value may fill."""


@dataclass(frozen=True)
class Estimate:
    """What it would take for all classes to keep the limit."""

    extra: float
    """Added loss per cell; infinite if not even all classes together keep it."""
    classes: int
    """Classes that were looked at."""
    joined: int
    """How often two of them were joined."""


def estimate(encoded: Encoded, alike: Ints, columns: Sequence[Ints], most: Most, progress: Progress) -> Estimate:
    """The added loss if no value of the private columns filled more of a class than allowed.

    ``alike`` is the class of each record, numbered without gaps, ``columns`` their private values.
    """
    hulls = _Hulls.of(encoded, alike)
    some = _neighbourhoods(hulls)
    groups = _Groups(hulls.take(some), [_Held.of(alike, values, some) for values in columns], most)
    before, joined = groups.loss(), 0
    waiting = deque(range(len(some)))
    while waiting and len(groups) > 1:
        one = waiting.popleft()
        if groups.breaks(one):
            progress(joined, joined + len(waiting))
            waiting.append(groups.join(one))
            joined += 1
    added = math.inf if groups.breaks(*groups.left) else groups.loss() - before
    largest = int(hulls.sizes[some].sum()) * math.fsum(column.weight for column in encoded.columns)
    return Estimate(added / largest if largest else 0.0, len(some), joined)


class _Hulls:
    """Classes as hulls with their sizes."""

    def __init__(self, terms: Hulls, low: Floats, high: Floats, sizes: Ints):
        self.terms, self.low, self.high, self.sizes = terms, low, high, sizes

    @classmethod
    def of(cls, encoded: Encoded, alike: Ints) -> _Hulls:
        order, sizes = np.argsort(alike, kind="stable"), np.bincount(alike)
        begin = np.cumsum(sizes) - sizes
        columns = [points[order] for points in encoded.points.T]
        low, high = (np.column_stack([end.reduceat(at, begin) for at in columns]) for end in (np.minimum, np.maximum))
        return cls(encoded.hulls, low, high, sizes)

    def take(self, some: Ints) -> _Hulls:
        return _Hulls(self.terms, self.low[some], self.high[some], self.sizes[some])

    def losses(self, some: Ints | slice = slice(None)) -> Floats:
        """The whole loss of each class, or of some."""
        found: Floats = self.sizes[some] * hull_losses(self.terms, self.low[some], self.high[some])
        return found

    def put(self, place: int, others: _Hulls, which: int) -> None:
        """Replace a class by one of others."""
        self.low[place], self.high[place] = others.low[which], others.high[which]
        self.sizes[place] = others.sizes[which]

    def with_one(self, one: int, others: Ints) -> _Hulls:
        """Some classes, each together with one more."""
        low, high = np.minimum(self.low[others], self.low[one]), np.maximum(self.high[others], self.high[one])
        return _Hulls(self.terms, low, high, self.sizes[others] + self.sizes[one])


def _neighbourhoods(hulls: _Hulls) -> Ints:
    """The classes to look at: all, or those nearest to a few of them, evenly chosen."""
    n = len(hulls.sizes)
    if n <= LOOKED_AT:
        return np.arange(n)
    near = []
    for centre in np.linspace(0, n - 1, NEIGHBOURHOODS).astype(np.int64).tolist():
        together = hulls.with_one(centre, np.arange(n))
        apart = hull_losses(together.terms, together.low, together.high)
        near.append(np.argsort(apart, kind="stable")[: LOOKED_AT // NEIGHBOURHOODS])
    return np.unique(np.concatenate(near))


class _Held:
    """How many records of each class have each private value of a column.

    Counted one by one are the values that are the commonest of some class and fill more than half of it; of all others
    only the largest count is known, and after joining a number that it cannot exceed.
    """

    def __init__(self, counts: Ints, other: Ints):
        self.counts, self.other = counts, other

    @classmethod
    def of(cls, alike: Ints, values: Ints, some: Ints) -> _Held:
        place = np.full(int(alike.max()) + 1, -1)
        place[some] = np.arange(len(some))
        inside = place[alike] >= 0
        of_class, value = place[alike[inside]], values[inside]
        width = int(values.max(initial=0)) + 1
        pairs, rows = np.unique(of_class * width + value, return_counts=True)
        owner, value = np.divmod(pairs, width)
        telling = np.unique(value[2 * rows > np.bincount(of_class)[owner]])
        column = np.searchsorted(telling, value)
        told = (column < len(telling)) & (np.append(telling, -1)[column] == value)
        counts = np.zeros((len(some), len(telling)), dtype=np.int64)
        counts[owner[told], column[told]] = rows[told]
        other = np.zeros(len(some), dtype=np.int64)
        np.maximum.at(other, owner[~told], rows[~told])
        return cls(counts, other)

    def most(self, some: Ints) -> Ints:
        """The count of the commonest value of some classes, or a number that it cannot exceed."""
        found: Ints = np.maximum(self.counts[some].max(axis=1, initial=0), self.other[some])
        return found

    def most_with(self, one: int, others: Ints) -> Ints:
        """The same of some classes, each together with one more."""
        counts = (self.counts[others] + self.counts[one]).max(axis=1, initial=0)
        found: Ints = np.maximum(counts, self.other[others] + self.other[one])
        return found

    def join(self, one: int, other: int) -> None:
        self.counts[other] += self.counts[one]
        self.other[other] += self.other[one]


class _Groups:
    """Classes on their way to keep the limit."""

    def __init__(self, hulls: _Hulls, held: Sequence[_Held], most: Most):
        self._hulls, self._held, self._most = hulls, held, most
        self._active = np.ones(len(hulls.sizes), dtype=np.bool_)

    def __len__(self) -> int:
        return int(self._active.sum())

    @property
    def left(self) -> Ints:
        """Classes that have not joined others."""
        return np.flatnonzero(self._active)

    def loss(self) -> float:
        """Of all classes together."""
        return float(self._hulls.losses(self.left).sum())

    def breaks(self, *some: int) -> bool:
        """Whether one of some classes, those that live on, breaks the limit."""
        asked = np.array([one for one in some if self._active[one]], dtype=np.int64)
        allowed = self._most(self._hulls.sizes[asked])
        return any(bool((held.most(asked) > allowed).any()) for held in self._held)

    def join(self, one: int) -> int:
        """Join a class with its best partner, which lives on."""
        self._active[one] = False
        others = self.left
        allowed = self._most(self._hulls.sizes[others] + self._hulls.sizes[one])
        fits = np.all([held.most_with(one, others) <= allowed for held in self._held], axis=0)
        others = others[fits] if fits.any() else others
        pairs = self._hulls.with_one(one, others)
        best = int(np.argmin(pairs.losses() - self._hulls.losses(others)))
        partner = int(others[best])
        self._hulls.put(partner, pairs, best)
        for held in self._held:
            held.join(one, partner)
        return partner
