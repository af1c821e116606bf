# SPDX-License-Identifier: Apache-2.0
"""Special uniques: rows that few of their own cells suffice to single out, by which cells, and how special that is.

A set of columns is a *minimal sample unique* (MSU) of a row if no other row has the same cells there, and for every
smaller set some other row has. The smaller an MSU, the more special the row: somebody whom two cells single out is
more likely to be unique in the population, too, than somebody whom only nine do. With A columns and MSUs of up to M
of them, an MSU of s columns scores

    (A - s) (A - s - 1) ... (A - M),        and without the factor 0, which M = A would bring: for M = A it is (A - s)!

which for M = A is the number of orders in which the other columns can still come to it. The score of a row is the sum
over its MSUs; the contribution of a column is the share that MSUs with this column have in the sum of all scores (an
MSU of three columns counts for three, so that contributions add up to more than one).

Papers: M. Elliot, A. Manning, R. Ford, A computational algorithm for handling the special uniques problem,
International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002; M. Elliot, A. Manning, K.
Mayes, J. Gurd, M. Bane, SUDA: a program for detecting special uniques, Joint UNECE/Eurostat work session on
statistical data confidentiality, 2005; A. Manning, D. Haglin, J. Keane, A recursive search algorithm for statistical
disclosure assessment, Data Mining and Knowledge Discovery 16, 2008 (SUDA2).

Sets of columns are visited in the order of binary numbers, so that all subsets of a set come before it. Only rows
that no subset singles out are looked at: a row that looks like one of them on a set looks like it on its subsets,
too, so that counts stay exact, and most sets have few rows left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints

WORK = 1_000_000_000
"""Rows times sets of columns that are searched unless somebody asks for more: about half a minute."""
FEWEST_ROWS = 10_000
"""What a set costs at least, told in rows."""
LEAST = 3
"""Columns of the largest sets that are searched in any table."""

SLOWER = 20
"""How many times as much a set costs where rows match without being equal."""

Told = Callable[[int, int], object]
Matching = Callable[[list[int]], Ints]
"""Of some columns, by their places: how many rows match each row there, itself included."""


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """What every set of up to ``largest`` columns singles out."""

    rows: int
    columns: int
    largest: int
    alone: dict[int, int] = field(repr=False)
    """[set of columns, as bits] rows that no other row equals there."""
    minimal: dict[int, Ints] = field(repr=False)
    """[set of columns, as bits] rows of which it is a minimal sample unique; sets without any are left out."""

    @property
    def scores(self) -> Floats:
        """Score of each row; 0 where nothing singles it out."""
        found = np.zeros(self.rows)
        for bits, rows in self.minimal.items():
            found[rows] += self.score_of(bits)
        return found

    @property
    def contributions(self) -> list[float]:
        """Share of all scores that comes from sets with each column; 0 where there are no scores."""
        scores = {bits: len(rows) * self.score_of(bits) for bits, rows in self.minimal.items()}
        total = math.fsum(scores.values())
        having = [[score for bits, score in scores.items() if bits >> place & 1] for place in range(self.columns)]
        return [math.fsum(each) / total if total else 0.0 for each in having]

    @property
    def sizes(self) -> Ints:
        """Columns of the smallest set that singles out each row; 0 where none does."""
        smallest = np.full(self.rows, self.columns + 1, dtype=np.int64)
        for bits, rows in self.minimal.items():
            smallest[rows] = np.minimum(smallest[rows], bits.bit_count())
        smallest[smallest > self.columns] = 0
        return smallest

    def sets_of(self, row: int) -> list[int]:
        """The minimal sample uniques of a row, the smallest first."""
        found = [bits for bits, rows in self.minimal.items() if row in rows]
        return sorted(found, key=lambda bits: (bits.bit_count(), bits))

    def score_of(self, bits: int) -> float:
        """Score of one minimal sample unique."""
        return float(math.prod(self.columns - size for size in range(bits.bit_count(), self._last + 1)))

    @property
    def _last(self) -> int:
        return min(self.largest, self.columns - 1)

    @property
    def adds(self) -> list[float]:
        """Share of rows that each column makes alone beside up to ``largest`` - 1 others, on average.

        All sets of others of one size count alike, and so do the sizes. With all columns searched this is the Shapley
        value: what the columns add sums up to the share of rows that all of them together single out.
        """
        gains = np.zeros((self.columns, self.largest))
        for bits, alone in self.alone.items():
            for place in range(self.columns):
                if bits >> place & 1:
                    without = self.alone.get(bits & ~(1 << place), 0)
                    gains[place, bits.bit_count() - 1] += alone - without
        sets = [math.comb(self.columns - 1, size) for size in range(self.largest)]
        found: list[float] = (gains / sets).mean(axis=1) / max(self.rows, 1) if self.largest else []
        return [float(one) for one in found]


def largest_within(rows: int, columns: int, work: int = WORK) -> int:
    """Columns of the largest sets that can be searched with so much work, at least ``LEAST``.

    >>> largest_within(30_000, 9), largest_within(30_000, 40), largest_within(30_000, 2)
    (9, 3, 2)
    """
    sets = 0
    for size in range(1, columns + 1):
        sets += math.comb(columns, size)
        if sets * max(rows, FEWEST_ROWS) > work:
            return min(max(size - 1, LEAST), columns)
    return columns


def special_uniques(
    codes: Sequence[Ints], largest: int | None = None, told: Told | None = None, matching: Matching | None = None
) -> SpecialUniques:
    """Search rows whose cells are given as numbers, column by column; equal numbers are equal cells.

    ``matching`` tells how many rows match each row on some columns, where that is not a matter of equal cells (a
    missing cell that matches anything); a row is alone then if nothing matches it but itself.

    >>> found = special_uniques([np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])])
    >>> found.minimal[0b10], found.scores
    (array([0]), array([1., 1., 0., 0.]))
    """
    rows = len(codes[0]) if codes else 0
    work = WORK if matching is None else WORK // SLOWER
    most = largest_within(rows, len(codes), work) if largest is None else min(largest, len(codes))
    dense = [np.unique(column, return_inverse=True)[1].ravel().astype(np.int64) for column in codes]
    search = _Search(rows, dense) if matching is None else _MatchingSearch(rows, matching)
    every = _sets(len(codes), most)
    for number, bits in enumerate(every):
        search.visit(bits)
        if told is not None:
            told(number + 1, len(every))
    return SpecialUniques(rows, len(codes), most, search.alone, search.minimal)


def _sets(columns: int, most: int) -> list[int]:
    """All sets of up to so many columns, as bits in ascending order: subsets come first."""
    return sorted(
        sum(1 << place for place in chosen)
        for size in range(1, most + 1)
        for chosen in combinations(range(columns), size)
    )


class _Search:
    """The sets visited so far: which rows are not alone there, and classes along the way to the last one."""

    def __init__(self, rows: int, columns: list[Ints]) -> None:
        self.rows, self.columns = rows, columns
        self.kinds = [int(column.max(initial=0)) + 1 for column in columns]
        self.alone: dict[int, int] = {}
        self.minimal: dict[int, Ints] = {}
        self._together = {0: np.packbits(np.ones(rows, dtype=np.bool_))}
        self._path: list[tuple[int, Ints]] = [(0, np.zeros(rows, dtype=np.int64))]

    def visit(self, bits: int) -> None:
        """Find the rows that a set singles out and none of its subsets does."""
        parents = [self._together[bits & ~one] for one in _ones(bits)]
        left = np.flatnonzero(np.unpackbits(np.bitwise_and.reduce(parents), count=self.rows))
        numbers = self._before(bits)
        place = (bits & -bits).bit_length() - 1
        single, classes = _refined(numbers[left], self.columns[place][left], self.kinds[place])
        if single.any():
            self.minimal[bits] = left[single]
        together = np.zeros(self.rows, dtype=np.bool_)
        together[left[~single]] = True
        self.alone[bits] = self.rows - int(len(left) - single.sum())
        self._together[bits] = np.packbits(together)
        refined = numbers.copy()  # of rows that are alone nobody asks any more
        refined[left] = classes
        self._path.append((bits, refined))

    def _before(self, bits: int) -> Ints:
        """Classes of the set without its lowest column, which stands on the way there."""
        above = bits & (bits - 1)
        while self._path[-1][0] != above:
            self._path.pop()
        return self._path[-1][1]


class _MatchingSearch:
    """The same where rows match without being equal: every set is counted by itself."""

    def __init__(self, rows: int, matching: Matching) -> None:
        self.rows, self.matching = rows, matching
        self.alone: dict[int, int] = {}
        self.minimal: dict[int, Ints] = {}
        self._single = {0: np.packbits(np.zeros(rows, dtype=np.bool_))}

    def visit(self, bits: int) -> None:
        """Find the rows that a set singles out and none of its subsets does."""
        single = np.packbits(self.matching([one.bit_length() - 1 for one in _ones(bits)]) == 1)
        before = np.bitwise_or.reduce([self._single[bits & ~one] for one in _ones(bits)])
        first = np.flatnonzero(np.unpackbits(single & ~before, count=self.rows))
        if len(first):
            self.minimal[bits] = first
        self.alone[bits] = int(np.unpackbits(single, count=self.rows).sum())
        self._single[bits] = single


def _ones(bits: int) -> Iterator[int]:
    while bits:
        yield bits & -bits
        bits &= bits - 1


def _refined(numbers: Ints, cells: Ints, kinds: int) -> tuple[Flags, Ints]:
    """Which rows are alone once one more column is known, and the classes of all."""
    if not len(numbers):
        return np.zeros(0, dtype=np.bool_), numbers
    place = np.arange(len(numbers), dtype=np.int64)
    keys, order = _sorted(numbers * kinds + cells, place)
    first = np.ones(len(keys) + 1, dtype=np.bool_)  # of its class; the end begins another one
    first[1:-1] = keys[1:] != keys[:-1]
    single = np.empty(len(keys), dtype=np.bool_)
    single[order] = first[1:] & first[:-1]
    classes = np.empty(len(keys), dtype=np.int64)
    classes[order] = np.cumsum(first[:-1]) - 1
    return single, classes


def _sorted(keys: Ints, place: Ints) -> tuple[Ints, Ints]:
    """Keys in ascending order, and where each stood; as one number each they are sorted several times faster."""
    shift = len(place).bit_length()
    if int(keys.max()).bit_length() + shift > 62:
        order = np.argsort(keys, kind="stable")
        return keys[order], order
    both = np.sort(keys << shift | place)
    return both >> shift, both & ((1 << shift) - 1)
