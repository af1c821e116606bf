# SPDX-License-Identifier: Apache-2.0
"""Columns published as ranges (numbers, dates, ordered categories): what a label says about where a value lies.

Everything is a position on a line: the number itself, days or microseconds for dates, the rank for ordered
categories. An integer range that leaves out an end starts or ends at the next integer: ``[35, 40[`` is 35 to 39.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache, partial

import numpy as np

from shoal.ground.arrays import Floats
from shoal.judging.labels.scales import placed
from shoal.judging.labels.spelling import ANYTHING, READ_BEFORE, RangeEnds, members, readings
from shoal.judging.labels.values import moment_of, number_of
from shoal.plan.roles import ORDERED, RANGE
from shoal.tables.notation import PLAIN, Notation
from shoal.tables.ordering import in_order, natural_order
from shoal.tables.table import Table

Stretch = tuple[float, float]
"""First and last position that something allows."""
EVERYTHING: Stretch = (-math.inf, math.inf)

_MONTH = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_CODE = re.compile(r"^[+-]?0[0-9]")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Line:
    """One column of the original table as positions (missing = NaN), and how its labels are read."""

    positions: Floats
    style: str
    """``integer``, ``real``, ``date``, ``datetime`` or ``ordered``."""
    notation: Notation = PLAIN
    """How the released table writes numbers and dates."""
    ranks: Mapping[str, float] = field(default_factory=dict)
    """Position of each category of an ordered column."""
    scale: str = RANGE
    """What widths are counted on."""

    @cached_property
    def has_missing(self) -> bool:
        """Whether the original column has missing cells."""
        return bool(np.isnan(self.positions).any())

    @cached_property
    def low(self) -> float:
        """Smallest position of the original column; 0 if it has none."""
        return 0.0 if np.isnan(self.positions).all() else float(np.nanmin(self.positions))

    @cached_property
    def high(self) -> float:
        """Largest position of the original column; 0 if it has none."""
        return 0.0 if np.isnan(self.positions).all() else float(np.nanmax(self.positions))

    def on_scale(self, at: Floats) -> Floats:
        """Where positions stand on the scale that widths are counted on."""
        return placed(self.positions, self.scale, at)

    def shares(self, low: Floats, high: Floats) -> Floats:
        """Each range as a share of the column's own, at most 1; a column of one value costs nothing."""
        ends = self.on_scale(np.array([self.low, self.high]))
        span = float(ends[1] - ends[0])
        return np.minimum((self.on_scale(high) - self.on_scale(low)) / span, 1.0) if span > 0 else np.zeros(len(low))

    @property
    def share_of_anything(self) -> float:
        """What ``*`` costs: 1, unless there was never more than one value, missing counted."""
        return 1.0 if self.high > self.low or (self.has_missing and not np.isnan(self.positions).all()) else 0.0

    def read(self, label: str) -> Stretch | None:
        """First and last position a label allows, or None if it cannot be read."""
        listed = self.members(label)
        if listed is not None:
            return (min(listed), max(listed)) if listed else None
        if self.style in ("date", "datetime") and _MONTH.match(label) and not self.notation.date_format:
            return self._calendar(label)
        return _read_range(label, self.position, self._closed, self.notation)

    def members(self, label: str) -> list[float] | None:
        """Where the values of a set lie, none if one of them cannot be placed; None if the label is no set."""
        listed = members(label) if self.position(label) is None else None
        if listed is None:
            return None
        places = [self.position(value) for value in listed]
        return [] if None in places else [place for place in places if place is not None]

    def position(self, text: str) -> float | None:
        """Where one single value lies, or None if the text is none."""
        if self.style == ORDERED:
            return self.ranks.get(text)
        if self.style in ("date", "datetime"):
            return self._moment(text)
        return number_of(text, self.notation)

    def _moment(self, text: str) -> float | None:
        read = moment_of(text, self.notation)
        if read is None:
            return None
        since = read - _EPOCH
        return since / _DAY if self.style == "date" else float(since // timedelta(microseconds=1))

    def _calendar(self, label: str) -> Stretch | None:
        """A whole year or month, ``2020`` or ``2020-02``."""
        year, month = label[:4], label[5:]
        try:
            first = date(int(year), int(month or 1), 1)
            after = date(first.year + (month in ("", "12")), first.month % 12 + 1 if month else 1, 1)
        except ValueError:
            return None
        low, high = self._moment(first.isoformat()), self._moment(after.isoformat())
        return None if low is None or high is None else (low, high - 1)

    def _closed(self, ends: RangeEnds, low: float, high: float) -> Stretch:
        """One-sided ranges reach as far as the original column does; whole places leave out an open end."""
        if ends.high is None:
            high = max(low, self.high)
        if ends.low is None:
            low = min(self.low, high)
        if self.style in ("integer", "date", ORDERED):
            low = float(np.floor(low) + 1 if ends.low_open else np.ceil(low))
            high = float(np.ceil(high) - 1 if ends.high_open else np.floor(high))
        return low, high


def line_of(
    original: Table,
    name: str,
    kind: str,
    notation: Notation = PLAIN,
    published: Iterable[str] = (),
    declared: Sequence[str] | None = None,
) -> Line:
    """The line of an original column; ``notation`` is that of the released one.

    An ordered column takes in the values that labels name (``published``), in the order that is declared for either;
    a label that names a value outside that order cannot be read.
    """
    if kind != ORDERED:
        numbers = original.numbers(name)
        return Line(numbers.values, numbers.style, notation)
    codes, values = original.codes(name)
    given = original.value_order(name) or declared
    if given is None:
        order = natural_order({*values, *published}) or in_order(values, None, name)
    else:
        order = in_order({*values, *(set(published) & set(given))}, given, name)
    ranks = {value: float(rank) for rank, value in enumerate(order)}
    positions = np.array([*(ranks.get(value, np.nan) for value in values), np.nan])[codes]
    return Line(positions, ORDERED, notation, ranks)


def order_line(order: Sequence[str]) -> Line:
    """The line of an ordered column of which nothing is known but the order of its values."""
    ranks = {value: float(rank) for rank, value in enumerate(order)}
    return Line(np.array(list(ranks.values())), ORDERED, ranks=ranks)


@lru_cache(maxsize=READ_BEFORE)
def span_of(label: str, notation: Notation = PLAIN) -> Stretch | None:
    """First and last value that a label of numbers or dates allows, of whatever column; None if it is no such label.

    >>> span_of("[35, 39]"), span_of("35-39"), span_of("[35, 40["), span_of("Gov")
    ((35.0, 39.0), (35.0, 39.0), (35.0, 39.0), None)
    """
    return _read_range(label, partial(_size_of, notation=notation), _without_open_ends, notation)


def _without_open_ends(ends: RangeEnds, low: float, high: float) -> Stretch:
    """A span without its open ends: the next whole number, or the next number at all."""
    whole = all(end.is_integer() or math.isinf(end) for end in (low, high))
    if ends.low_open:
        low = low + 1 if whole else math.nextafter(low, math.inf)
    if ends.high_open:
        high = high - 1 if whole else math.nextafter(high, -math.inf)
    return low, high


def _size_of(text: str, notation: Notation) -> float | None:
    """A date or a number; digits behind a leading zero are a code, which has no size."""
    if notation.date_format or _DATE.match(text):
        moment = moment_of(text, notation)
        if moment is not None:
            return (moment - _FIRST) / _DAY + 1
    return None if _CODE.match(text) or notation.date_format else number_of(text, notation)


def _read_range(
    label: str,
    position: Callable[[str], float | None],
    closed: Callable[[RangeEnds, float, float], Stretch],
    notation: Notation,
) -> Stretch | None:
    """First and last position that a value, a range or ``*`` allows; None if the label is none of these.

    ``position`` places a single value, ``closed`` draws in the ends that a range leaves open (infinite where it names
    none). Of all ways to read a label the first counts that makes sense.
    """
    value = position(label)
    if value is not None:
        return value, value
    if label == ANYTHING:
        return EVERYTHING
    for ends in readings(label, notation.decimal + notation.thousands):
        low = -math.inf if ends.low is None else position(ends.low)
        high = math.inf if ends.high is None else position(ends.high)
        if low is not None and high is not None:
            low, high = closed(ends, low, high)
            if low <= high:
                return low, high
    return None
