# SPDX-License-Identifier: Apache-2.0
"""Whose private value is given away, or nearly, although every row has its look-alikes.

A row is looked at beside all rows that look like it. Its private value is

* *given away* if all of them have it: whoever finds the class of a person knows it, whichever row is theirs;
* *nearly* given away if at least ``NEARLY`` of them have it, and guessing it errs at most half as often as it would
  without the table (else a value that nearly everybody has would count for all its rows);
* of numbers and dates, also *nearly* if at least ``NEARLY`` of the look-alikes have a value at all, and all of these
  lie in a range that holds at most ``NARROW`` of the values of the table, or that is at most ``NARROW`` as wide as the
  range of the middle half of them (a crowd earns the same to within a few coins).

A missing value is never given away: nobody learns it. It counts among the look-alikes all the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import ShoalError
from shoal.judging.labels.lines import line_of
from shoal.judging.private_values import value_places
from shoal.plan.plan import Plan
from shoal.plan.roles import DATE, NUMERIC, SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

NEARLY = 0.9
"""Share of the look-alikes that have the value of a row."""
NARROW = 0.05
"""Share of the table's values in the range of the look-alikes' values, or of the width of their middle half."""
MIDDLE = (0.25, 0.75)
USUAL = 0.85
"""Share of one value in the whole table from which on it is said, for it is what anybody would guess."""
ASKED = 0.85
"""The share that look-alikes are asked to keep below, where the table as a whole is clearly below it."""
SLACK = 1e-9
RULE = (
    f"at least {NEARLY:.0%} of the look-alikes share it; of numbers and dates also: all lie in a range that holds at "
    f"most {NARROW:.0%} of the table's values, or is at most {NARROW:.0%} as wide as their middle half"
).replace("%", " %")
"""When a value is nearly given away, in words."""


@dataclass(frozen=True)
class Exposure:
    """Rows whose value in one private column the look-alikes give away."""

    column: str
    rows: int
    """All rows of the table."""
    certain: int
    """Rows whose value all look-alikes have."""
    nearly: int
    """Further rows whose value nearly all of them have."""
    narrow: int = 0
    """Further rows whose value is known to lie in a narrow range."""
    commonest: float = 0.0
    """Share of the commonest value in the whole table, missing counted as one."""
    given: Flags = field(default_factory=lambda: np.zeros(0, dtype=np.bool_), repr=False, compare=False)
    """[row] whether it is any of these rows."""

    @property
    def total(self) -> int:
        """All of these rows."""
        return self.certain + self.nearly + self.narrow

    @property
    def askable(self) -> float | None:
        """A share that stops what is nearly given away, and that the whole table keeps; None where there is none."""
        if self.commonest <= ASKED - 0.05:
            return ASKED
        between = math.floor(100 * (self.commonest + NEARLY) / 2) / 100
        return between if self.commonest < between < NEARLY else None

    @property
    def constant(self) -> bool:
        """Whether the whole table has one value, so that no classes could hide it."""
        return self.certain == self.rows and self.commonest == 1.0

    def sentence(self) -> str:
        """How many rows, in words, without any value.

        >>> Exposure("default", 30_000, 3_270, 1_204).sentence()
        "3,270 of 30,000 rows: 'default' is the same for all look-alikes; 1,204 more: nearly, at least 90 % share it"
        >>> Exposure("claims", 30_000, 17_310, 0, commonest=0.95).sentence()
        "17,310 of 30,000 rows: 'claims' is the same for all look-alikes; 95 % of all rows have one value anyway"
        """
        share, most = (f"{100 * part:g} %" for part in (NEARLY, NARROW))
        said = {
            f"{self.column!r} is the same for all look-alikes": self.certain,
            f"nearly, at least {share} share it": self.nearly,
            f"nearly, within {most} of the table's values or of their spread": self.narrow,
        }
        parts = [(told, count) for told, count in said.items() if count]
        if not parts:
            return f"0 of {self.rows:,} rows: nobody's {self.column!r} is given away, or nearly"
        (first, count), *others = parts
        lead = first if self.certain else f"{self.column!r} is {first.replace('nearly', 'nearly given away', 1)}"
        further = [f"{n:,} more: {told}" for told, n in others]
        return "; ".join([f"{count:,} of {self.rows:,} rows: {lead}", *further, *self._anyway()])

    def _anyway(self) -> list[str]:
        """What anybody would guess without the classes, where that is nearly the same."""
        if not USUAL <= self.commonest < 1:
            return []
        return [f"{math.floor(100 * self.commonest + SLACK)} % of all rows have one value anyway"]


def exposures(released: Table, plan: Plan, alike: Ints | None = None) -> list[Exposure]:
    """Every sensitive column of a released table of classes; those that cannot be read as text are left out.

    ``alike`` is the class of each row, where these are not the rows that look alike.
    """
    names = [name for name in plan.having(SENSITIVE) if name in released.names]
    if alike is not None:
        return list(_readable(released, plan, names, alike))
    known = tuple(name for name in plan.published_quasi_identifiers if name in released.names)
    kinds = tuple((name, plan.columns[name].kind) for name in names)
    return list(
        released.once(
            ("exposures", known, kinds), lambda: list(_readable(released, plan, names, classes(released, known)))
        )
    )


def _readable(released: Table, plan: Plan, names: list[str], alike: Ints) -> Iterator[Exposure]:
    for name in names:
        try:
            values = value_places(released, name)
        except ShoalError:  # nested cells, which other parts of the judge speak of
            continue
        yield exposure(name, alike, values, _positions(released, plan, name))


def _positions(released: Table, plan: Plan, name: str) -> Floats | None:
    """Where the values lie on a line; None where they are names, or codes."""
    kind = plan.columns[name].kind or released.natural_kind(name)
    if kind not in (NUMERIC, DATE):
        return None
    try:
        return line_of(released, name, kind, released.notation(name)).positions
    except ShoalError:  # text that is no number after all
        return None


def exposure(name: str, alike: Ints, values: Ints, positions: Floats | None = None) -> Exposure:
    """One column: ``values`` numbers the value of each row (-1: missing), ``positions`` places it on a line.

    >>> exposure("ill", np.array([0, 0, 1, 1]), np.array([3, 3, 1, -1])).certain
    2
    """
    known = np.flatnonzero(values >= 0)
    certain, nearly, narrow = (np.zeros(len(values), dtype=np.bool_) for _ in range(3))
    if not len(known):
        return Exposure(name, len(values), 0, 0, given=certain)
    sizes = np.bincount(alike)
    width = int(values.max()) + 1
    _, pair, rows = np.unique(alike[known] * width + values[known], return_inverse=True, return_counts=True)
    share = rows[pair.ravel()] / sizes[alike[known]]
    whole = np.bincount(values[known]) / len(values)
    certain[known] = share == 1
    nearly[known] = (share < 1) & (share >= np.maximum(NEARLY, (1 + whole[values[known]]) / 2) - SLACK)
    if positions is not None:
        narrow[known] = _narrow(alike[known], positions[known], sizes) & ~certain[known] & ~nearly[known]
    some, more, further = (int(one.sum()) for one in (certain, nearly, narrow))
    commonest = max(float(whole.max()), 1 - len(known) / len(values))
    return Exposure(name, len(values), some, more, further, commonest, certain | nearly | narrow)


def _narrow(alike: Ints, positions: Floats, sizes: Ints) -> Flags:
    """[known row] whether the values of its class lie in a range that holds few of the table's, or is that narrow."""
    low, high = np.full(len(sizes), np.inf), np.full(len(sizes), -np.inf)
    np.minimum.at(low, alike, positions)
    np.maximum.at(high, alike, positions)
    ordered = np.sort(positions)
    inside = np.searchsorted(ordered, high, side="right") - np.searchsorted(ordered, low, side="left")
    enough = np.bincount(alike, minlength=len(sizes)) >= NEARLY * sizes - SLACK
    lower, upper = (ordered[int(share * (len(ordered) - 1))] for share in MIDDLE)
    close = (high - low <= NARROW * (upper - lower)) & (upper > lower)
    found: Flags = (enough & (close | (inside <= NARROW * len(ordered))))[alike]
    return found
