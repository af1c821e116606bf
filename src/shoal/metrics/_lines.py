# SPDX-License-Identifier: Apache-2.0
"""Columns published as ranges (numbers, dates, ordered categories): what a label says about where a value lies.

Everything is a position on a line: the number itself, days or microseconds for dates, the rank for ordered
categories. An integer range that leaves out an end starts or ends at the next integer: ``[35, 40[`` is 35 to 39.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.metrics._labels import ANYTHING, Ends, members, readings
from shoal.roles.roles import ORDERED
from shoal.tables.table import Table

Floats = NDArray[np.float64]

_NUMBER = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$")
_MOMENT = re.compile(
    r"^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}(?::\d{2})?)?)?$"
)
_MONTH = re.compile(r"^(\d{4})(?:-(\d{2}))?$")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Line:
    """One column of the original table as positions (missing = NaN), and how its labels are read."""

    positions: Floats
    style: str
    """``integer``, ``real``, ``date``, ``datetime`` or ``ordered``."""
    decimal: str = "."
    ranks: Mapping[str, float] = field(default_factory=dict)
    """Position of each category of an ordered column."""

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

    def shares(self, low: Floats, high: Floats) -> Floats:
        """Each range as a share of the column's own, at most 1; a column of one value costs nothing."""
        span = self.high - self.low
        return np.minimum((high - low) / span, 1.0) if span > 0 else np.zeros(len(low))

    @property
    def share_of_anything(self) -> float:
        """What ``*`` costs: 1, unless there was never more than one value, missing counted."""
        return 1.0 if self.high > self.low or (self.has_missing and not np.isnan(self.positions).all()) else 0.0

    # -- reading labels -----------------------------------------------------------------------------------

    def read(self, label: str) -> tuple[float, float] | None:
        """First and last position a label allows, or None if it cannot be read."""
        value = self.position(label)
        if value is not None:
            return value, value
        if label == ANYTHING:
            return -math.inf, math.inf
        listed = members(label)
        if listed is not None:
            found = [self.position(one) for one in listed]
            known = [one for one in found if one is not None]
            return (min(known), max(known)) if known and len(known) == len(found) else None
        if self.style in ("date", "datetime") and _MONTH.match(label):
            return self._calendar(label)
        for ends in readings(label, self.decimal):
            between = self._between(ends)
            if between is not None:
                return between
        return None

    def position(self, text: str) -> float | None:
        """Where one single value lies, or None if the text is none."""
        if self.style == ORDERED:
            return self.ranks.get(text)
        if self.style in ("date", "datetime"):
            return self._moment(text) if _MOMENT.match(text) else None
        plain = text.replace(self.decimal, ".") if self.decimal != "." else text
        number = float(plain) if _NUMBER.match(plain) else math.nan
        return number if math.isfinite(number) else None

    def _moment(self, text: str) -> float | None:
        try:
            read = datetime.fromisoformat(text)
            moment = (read.replace(tzinfo=UTC) if read.tzinfo is None else read) - _EPOCH
        except ValueError:
            return None
        return moment / _DAY if self.style == "date" else float(moment // timedelta(microseconds=1))

    def _calendar(self, label: str) -> tuple[float, float] | None:
        """A whole year or month, ``2020`` or ``2020-02``."""
        year, month = label[:4], label[5:]
        try:
            first = date(int(year), int(month or 1), 1)
            after = date(first.year + (month in ("", "12")), first.month % 12 + 1 if month else 1, 1)
        except ValueError:
            return None
        low, high = self._moment(first.isoformat()), self._moment(after.isoformat())
        return None if low is None or high is None else (low, high - 1)

    def _between(self, ends: Ends) -> tuple[float, float] | None:
        low = self.low if ends.low is None else self.position(ends.low)
        high = self.high if ends.high is None else self.position(ends.high)
        if low is None or high is None:
            return None
        if ends.high is None:  # one-sided: reaches as far as the original column does
            high = max(low, high)
        if ends.low is None:
            low = min(low, high)
        if self.style in ("integer", "date", ORDERED):
            low = math.floor(low) + 1 if ends.low_open else math.ceil(low)
            high = math.ceil(high) - 1 if ends.high_open else math.floor(high)
        return (low, high) if low <= high else None


def line_of(original: Table, name: str, kind: str, decimal: str) -> Line:
    """The line of an original column; ``decimal`` is the mark that the released table's text uses."""
    if kind != ORDERED:
        numbers = original.numbers(name)
        return Line(numbers.values, numbers.style, decimal)
    codes, values = original.codes(name)
    declared = original.category_order(name)
    order = [one for one in declared if one in set(values)] if declared else sorted(values, key=_by_size_then_name)
    ranks = {value: float(rank) for rank, value in enumerate(order)}
    positions = np.array([*(ranks[value] for value in values), np.nan])[codes]
    return Line(positions, ORDERED, decimal, ranks)


def _by_size_then_name(value: str) -> tuple[bool, float, str]:
    number = float(value) if _NUMBER.match(value) else math.nan
    return (math.isnan(number), 0.0 if math.isnan(number) else number, value)
