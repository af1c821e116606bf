# SPDX-License-Identifier: Apache-2.0
"""What can be measured about each column: values, entropy, shapes, and how much it adds to uniqueness.

Counts of different values are exact; what would take long is measured on rows spread evenly over the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.ground.arrays import Ints
from shoal.ground.errors import TableError
from shoal.hierarchies.building import spread_rows
from shoal.plan.roles import CATEGORICAL, DATE, NUMERIC
from shoal.tables.profile import Spread, distinct_values, fingerprints, readable, whole_numbers
from shoal.tables.row_marks import numbers_rows
from shoal.tables.table import Table

SAMPLE = 20_000
"""Rows of which cells are looked at."""
COMPARED = 200_000
"""Rows that are compared with each other."""
DRAWS, BESIDE = 8, 3
"""So many times a column is put beside so many others, drawn anew, to see how many more rows are alone."""
LONGEST = 200
"""Letters of a cell that are looked at: names, codes and words are shorter; a text of megabytes would take hours."""
LIKELY_REPEATS = 10
"""Repeats that chance would make among drawn numbers; none at all means that they were given out, each once."""
LONG_NUMBER = 1e9
FEWEST_RISING = 20
FEWEST_GROUPS, FEWEST_IN_GROUP, MOST_IN_GROUP, EVENNESS = 50, 1.2, 20, 0.9
"""Households and the like: so many, of so many rows each on average, about equally large."""


@dataclass(frozen=True)
class Figures:
    """The numbers of a column, at a glance."""

    low: float
    middle: float
    high: float
    zeros: float
    """Share of the numbers that are zero."""
    broken: float
    """Share of the numbers that are not whole."""
    round: float
    """Share of the numbers beyond 100 that end in two zeros or more, as people write amounts."""


@dataclass(frozen=True, eq=False)
class Facts:
    """One column, measured."""

    name: str
    kind: str
    """``numeric``, ``date``, ``ordered`` or ``categorical``, as its type or its cells say."""
    rows: int
    present: int
    distinct: int
    texts: tuple[str, ...]
    """Different values in the sample, the beginnings of long ones."""
    counts: Ints
    spread: Spread | None
    counts_rows: bool
    shown: bool
    """Whether its cells can be shown as text."""
    label: str = ""
    """What the column means, where the file or a codebook tells."""
    said: tuple[str, ...] = ()
    """What each of the texts means: its label, or itself."""
    figures: Figures | None = None
    """Numbers at a glance; None of anything else."""

    @property
    def repeats(self) -> float:
        """Rows per value."""
        return self.present / max(self.distinct, 1)

    @cached_property
    def entropy(self) -> float:
        """Bits that the value of a row tells, in the sample."""
        shares = self.counts[self.counts > 0] / max(int(self.counts.sum()), 1)
        return float(-(shares * np.log2(shares)).sum()) + 0.0

    @property
    def evenness(self) -> float:
        """Entropy as a share of the largest possible one."""
        most = np.log2(max(len(self.texts), 1))
        return self.entropy / most if most > 0 else 0.0

    @property
    def given_out(self) -> bool:
        """Whether whole numbers look given out one by one, as keys are, and not measured.

        Among n numbers drawn from a range of R some n²/2R pairs are equal; no pair at all, where many are due, is no
        chance. Numbers of ten digits and more are no quantities either, nor are numbers that rise from row to row.
        """
        if self.spread is None or not self.never_repeats:
            return False
        due = self.present**2 / (2 * (self.spread.high - self.spread.low + 1))
        return due >= LIKELY_REPEATS or self.runs

    @property
    def runs(self) -> bool:
        """Whether whole numbers that never repeat count rows, rise from row to row or are too long for quantities."""
        if self.spread is None or not self.never_repeats:
            return False
        rising = self.spread.rising and self.present >= FEWEST_RISING
        return self.counts_rows or rising or self.spread.low >= LONG_NUMBER

    @property
    def grouped(self) -> bool:
        """Whether whole numbers never fall from row to row and few rows share one, as keys of households do."""
        if self.spread is None or self.spread.falling or self.distinct < FEWEST_GROUPS:
            return False
        return FEWEST_IN_GROUP <= self.repeats <= MOST_IN_GROUP and self.evenness >= EVENNESS

    @property
    def never_repeats(self) -> bool:
        """Whether no value stands twice, in a table of some rows."""
        return self.distinct == self.present >= 3


def measure_columns(table: Table) -> dict[str, Facts]:
    """Facts about every column."""
    rows = spread_rows(len(table), SAMPLE)
    sample = table.take(rows) if len(rows) < len(table) else table
    return {name: _facts(table, sample, name) for name in table.names}


def _facts(table: Table, sample: Table, name: str) -> Facts:
    shown = readable(table, name)
    missing = int(table.missing(name).sum())
    if not shown:
        nothing = np.zeros(0, dtype=np.int64)
        label = table.labels.columns.get(name, "")
        return Facts(name, CATEGORICAL, len(table), len(table) - missing, 0, (), nothing, None, False, False, label)
    codes, texts = sample.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.int64)
    said = table.labels.said(name, texts)
    kind = _kind(table, sample, name)
    if kind == NUMERIC and texts and all(word != text for word, text in zip(said, texts)):
        kind = CATEGORICAL  # every number has a name, however the file stores it
    return Facts(
        name,
        kind,
        len(table),
        len(table) - missing,
        distinct_values(table, name),
        _beginnings(texts),
        counts,
        whole_numbers(table, name) if kind != DATE else None,
        numbers_rows(table, name),
        True,
        table.labels.columns.get(name, ""),
        _beginnings(said),
        _figures(sample, name) if kind == NUMERIC else None,
    )


def _beginnings(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text[:LONGEST] for text in texts)


def _figures(sample: Table, name: str) -> Figures | None:
    numbers = sample.numbers(name).values
    present = numbers[~np.isnan(numbers)]
    if not len(present):
        return None
    large = present[np.abs(present) > 100]
    return Figures(
        low=float(present.min()),
        middle=float(np.median(present)),
        high=float(present.max()),
        zeros=float((present == 0).mean()),
        broken=float((present != np.floor(present)).mean()),
        round=float((large % 100 == 0).mean()) if len(large) else 0.0,
    )


def _kind(table: Table, sample: Table, name: str) -> str:
    """The natural kind; a column that holds numbers or dates but none to compute with is one of names."""
    kind = sample.natural_kind(name)
    if kind in (NUMERIC, DATE) and table.untyped:
        kind = table.natural_kind(name)
    if kind in (NUMERIC, DATE):
        try:
            table.numbers(name)
        except TableError:
            return CATEGORICAL
    return kind


class Uniqueness:
    """How many rows are alone with their values of some columns.

    The fingerprints of a row's cells are added up, so that columns can be put in and taken out at will.
    """

    def __init__(self, table: Table, names: list[str], further: Sequence[str] = ()) -> None:
        """``further``: columns of which only is asked what they would add."""
        rows = spread_rows(len(table), COMPARED)
        asked = table.select([*names, *further])
        inside = asked.take(rows) if len(rows) < len(table) else asked
        random = np.random.default_rng(0)
        self.names = [*names, *further]
        self._beside = names
        self._prints = {name: _mixed(fingerprints(inside, name), random) for name in self.names}
        few = spread_rows(len(rows), SAMPLE)
        self._few = {name: prints[few] for name, prints in self._prints.items()}

    @property
    def alone(self) -> float:
        """Share of rows that no other row equals on all columns."""
        return _alone([self._prints[name] for name in self._beside])

    def adds(self, name: str) -> float:
        """How many more rows are alone when the column comes to three others, on average; a share of sampled rows."""
        others = [one for one in self._beside if one != name]
        random = np.random.default_rng(self.names.index(name))
        total = 0.0
        for _ in range(DRAWS):
            beside = [self._few[others[at]] for at in random.permutation(len(others))[:BESIDE]]
            total += _alone([*beside, self._few[name]]) - _alone(beside)
        return total / DRAWS


def _mixed(prints: NDArray[np.uint64], random: np.random.Generator) -> NDArray[np.uint64]:
    """Fingerprints that differ between columns of the same cells; sums of them must not cancel out."""
    odd = np.uint64(int(random.integers(0, 2**62)) * 2 + 1)
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = (prints ^ (prints >> np.uint64(29))) * odd
    return mixed


def _alone(prints: Sequence[NDArray[np.uint64]]) -> float:
    """Share of rows whose fingerprints, added up, no other row has."""
    if not prints or not len(prints[0]):
        return 0.0
    ordered = np.sort(np.sum(prints, axis=0, dtype=np.uint64))
    same = ordered[1:] == ordered[:-1]
    joined = np.zeros(len(ordered), dtype=bool)
    joined[1:] |= same
    joined[:-1] |= same
    return float(1 - joined.mean())
