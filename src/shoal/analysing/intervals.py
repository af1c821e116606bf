# SPDX-License-Identifier: Apache-2.0
"""Published labels as numbers to compute with: where a cell begins and ends, its middle, and how much it tells.

>>> intervals(["[35, 39]", "41", "*", None])
shape: (4, 4)
┌──────┬──────┬──────┬──────────┐
│ lo   ┆ hi   ┆ mid  ┆ weight   │
│ ---  ┆ ---  ┆ ---  ┆ ---      │
│ f64  ┆ f64  ┆ f64  ┆ f64      │
╞══════╪══════╪══════╪══════════╡
│ 35.0 ┆ 39.0 ┆ 37.0 ┆ 0.333333 │
│ 41.0 ┆ 41.0 ┆ 41.0 ┆ 1.0      │
│ null ┆ null ┆ null ┆ 0.0      │
│ null ┆ null ┆ null ┆ 0.0      │
└──────┴──────┴──────┴──────────┘
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.metrics._labels import ANYTHING, members, readings
from shoal.metrics._lines import Line
from shoal.tables.single_columns import NAME, frame_beside, moments_from, take_column
from shoal.tables.table import Table

Floats = NDArray[np.float64]
Ends = tuple[float, float]

NUMBERS = ("real",)
STYLES = (*NUMBERS, "date", "datetime")
"""What the ends of a column may be, in the order in which they are tried."""
NOTHING = (math.nan, math.nan)
_ZONED = re.compile(r":\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}(?::\d{2})?)[,;\]}]?")


def intervals(column: Any, upper: Any = None, *, decimal: str = ".") -> Any:
    """What each cell of a released column says, as a frame of the kind that the column is from.

    ``column`` holds labels (``[35, 39]``, ``{1, 5}``, ``*``), plain numbers, dates or moments; or it is the lower of
    two columns of bounds, and ``upper`` the other. The frame has four columns: ``lo`` and ``hi``, the ends; ``mid``,
    the middle between them; ``weight``, 1 where the value is told exactly, falling to 0 as the cell reaches over the
    whole column. ``*`` and missing cells have no ends and the weight 0. Dates stay dates; moments that are labelled
    with their distance from universal time are told in universal time.
    """
    read = _read(take_column(column), decimal)
    if upper is not None:
        other = _read(take_column(upper), decimal)
        _check_bounds(read, other)
        read = replace(read, high=other.high)
    return frame_beside(column, _figures(read))


@dataclass(frozen=True)
class _Read:
    """Both ends of every cell (missing = NaN), and what they are."""

    low: Floats
    high: Floats
    style: str
    zone: str = ""


def _figures(read: _Read) -> dict[str, Any]:
    low, high = read.low, read.high
    middle = low + (high - low) / 2
    bounded = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
    span = float(np.ptp(bounded)) if len(bounded) else 0.0
    width = np.where(np.isfinite(high - low), high - low, math.inf)
    weight = np.where(width == 0, 1.0, np.maximum(1 - width / span, 0.0) if span > 0 else 0.0)
    made = {"lo": low, "hi": high, "mid": middle}
    if read.style in NUMBERS:
        shown = {name: _without_nan(one) for name, one in made.items()}
    else:
        made["mid"] = np.floor(middle)
        shown = {name: moments_from(_without_infinity(one), read.style, read.zone) for name, one in made.items()}
    return {**shown, "weight": weight}


def _without_nan(numbers: Floats) -> list[float | None]:
    return [float(one) if math.isfinite(one) else None for one in numbers]


def _without_infinity(numbers: Floats) -> Floats:
    return np.where(np.isfinite(numbers), numbers, math.nan)


# -- reading -------------------------------------------------------------------------------------------------


def _read(table: Table, decimal: str) -> _Read:
    if table.natural_kind(NAME) in ("numeric", "date"):
        numbers = table.numbers(NAME)
        style = "real" if numbers.style == "integer" else numbers.style
        return _Read(numbers.values, numbers.values, style, numbers.zone)
    codes, labels = table.codes(NAME)
    unread = len(labels)
    for style in STYLES:
        line = Line(np.zeros(0), style, decimal)
        days = style == "date"
        read = [None if days and ":" in label else _ends(line, label, decimal) for label in labels]
        unread = min(unread, read.count(None))
        if not unread:
            ends = np.array([*(one for one in read if one is not None), NOTHING])[codes]
            zone = "UTC" if style == "datetime" and any(_ZONED.search(label) for label in labels) else ""
            return _Read(ends[:, 0], ends[:, 1], style, zone)
    raise TableError(
        "Some labels cannot be read as ranges of numbers or dates.",
        where="shoal.intervals",
        allowed="labels such as [35, 39], 41, {1, 5}, [2020-01-01, 2020-01-31] and *, all of one kind",
        received=f"{unread} others (of {len(labels)} different ones)",
        todo="give a column of numbers or dates, or name its decimal mark with decimal=','",
    )


def _ends(line: Line, label: str, decimal: str) -> Ends | None:
    """The two ends of a label, open ones infinite; None if it cannot be read."""
    if label == ANYTHING:
        return NOTHING
    single = line.position(label)
    if single is not None:
        return single, single
    listed = members(label)
    if listed is not None:
        return _reach(line.position(one) for one in listed)
    for ends in readings(label, decimal):
        low = -math.inf if ends.low is None else line.position(ends.low)
        high = math.inf if ends.high is None else line.position(ends.high)
        if low is not None and high is not None and low <= high:
            return low, high
    return None


def _reach(places: Iterable[float | None]) -> Ends | None:
    found = list(places)
    known = [one for one in found if one is not None]
    return (min(known), max(known)) if known and len(known) == len(found) else None


def _check_bounds(lower: _Read, upper: _Read) -> None:
    alike = lower.style == upper.style and len(lower.low) == len(upper.high)
    wrong = int((lower.low > upper.high).sum()) if alike else 0
    if wrong or not alike:
        raise TableError(
            "The two columns are no bounds of one another.",
            where="shoal.intervals",
            allowed="two columns of one kind and length, the lower first",
            received=f"{wrong} rows with lower above upper" if alike else "columns of different kinds or lengths",
            todo='give both, e.g. intervals(frame["age_min"], frame["age_max"])',
        )
