# SPDX-License-Identifier: Apache-2.0
"""The mean of the class's numbers or dates, rounded to a step that fits the width of the class.

Steps of numbers are 1, 2 and 5 times a power of ten; steps of dates are days, weeks (Mondays), months, quarters, years
and so on; moments also have seconds, minutes and hours. A class takes the largest step that is no wider than half of
it, and of its multiples inside the class the nearest to the mean. So wide classes show round numbers and narrow ones
precise ones, all rows of a class agree, and nothing is shown that lies outside the class.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from shoal.engine.generalizing.groups import EPOCH, ClassedColumn
from shoal.engine.generalizing.renderings import median
from shoal.ground.arrays import Floats
from shoal.tables.column_types import zone_offset
from shoal.tables.table import MICROSECONDS_OF_A_DAY

KINDS = ("range",)
OTHERWISE = "mode"
VALUES = True

NICE = (1.0, 2.0, 5.0)
SMALLEST_WIDTH = 1e-290
"""Steps of narrower classes are lost in rounding; they show their smallest number."""
WEEK = 7
MONDAY = 4
"""The first Monday of 1970 came four days after its first day."""
MONTHS = {31: 1, 92: 3, 366: 12, 1_827: 60, 3_653: 120, 36_525: 1_200}
"""Most days between the beginnings of a month, quarter, year, five years, decade and century; and their months."""
CLOCK = (1_000_000, 60_000_000, 3_600_000_000)
"""Microseconds of a second, a minute and an hour."""


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The rounded mean of each class; ranks of an ordered column have no mean and show their median."""
    style = groups.column.style
    if style == "ordered":
        return median.render(groups)
    low, high = groups.hull
    unit = {"date": 1.0, "datetime": float(MICROSECONDS_OF_A_DAY)}.get(style)
    if unit is None:
        shown = _numbers(groups.means, low, high, 1.0 if style == "integer" else 0.0)
    else:
        shown = _moments(groups.means, low, high, unit, groups.column.zone)
    return {groups.column.name: groups.centre_cells(shown)}


# -- numbers -------------------------------------------------------------------------------------------------


def _numbers(means: Floats, low: Floats, high: Floats, least: float) -> Floats:
    """Multiples of nice steps of at least ``least``, written without the noise of binary fractions."""
    shown = np.array(low)
    for place in np.flatnonzero(high - low > SMALLEST_WIDTH):
        step, digits = _nice_step(max((high[place] - low[place]) / 2, least))
        shown[place] = round(_inside(means[place], low[place], high[place], step), digits)
    return np.clip(shown, low, high) + 0.0  # no negative zero


def _nice_step(width: float) -> tuple[float, int]:
    """The largest nice step that is no wider than this, and the digits after the point that its multiples have."""
    power = math.floor(math.log10(width))
    step = max((nice * 10.0**power for nice in NICE if nice * 10.0**power <= width), default=0.5 * 10.0**power)
    return step, max(-power + (step < 10.0**power), 0)


def _inside(mean: float, low: float, high: float, step: float) -> float:
    """The multiple of the step nearest to the mean that is inside; the mean where rounding leaves none."""
    first, last = np.ceil(low / step), np.floor(high / step)
    return float(np.clip(np.rint(mean / step), first, last) * step) if first <= last else mean


# -- dates ---------------------------------------------------------------------------------------------------


def _moments(means: Floats, low: Floats, high: Floats, unit: float, zone: str) -> Floats:
    """The nearest beginning of the longest span of the calendar that is no longer than half of the class."""
    shown: Floats = np.rint(means)
    for place in np.flatnonzero(high > low):
        shift = zone_offset(round(means[place]), zone) if zone else 0
        local = _moment(means[place] + shift, low[place] + shift, high[place] + shift, unit)
        shown[place] = local - (zone_offset(round(local - shift), zone) if zone else 0)
    return np.clip(shown, low, high) + 0.0  # no negative zero


def _moment(mean: float, low: float, high: float, unit: float) -> float:
    half = (high - low) / 2
    for longest, months in reversed(MONTHS.items()):
        begun = _beginnings(mean, months, unit) if half >= longest * unit else ()
        inside = [day for day in begun if low <= day <= high]
        if inside:
            return min(inside, key=lambda day: (abs(day - mean), day))
    if half >= WEEK * unit:
        monday = MONDAY * unit
        return _inside(mean - monday, low - monday, high - monday, WEEK * unit) + monday
    steps = [unit] if unit == 1 else [unit, *reversed(CLOCK)]
    return _inside(mean, low, high, float(next((one for one in steps if one <= half), 1.0)))


def _beginnings(position: float, months: int, unit: float) -> Iterator[float]:
    """The beginnings of the spans of that many months before and after a position; ``unit`` positions are a day."""
    moment = EPOCH + timedelta(days=position // unit)
    span = (moment.year * 12 + moment.month - 1) // months
    for number in (span - 1, span, span + 1, span + 2):
        year, month = divmod(number * months, 12)
        if datetime.min.year <= year <= datetime.max.year:
            yield (datetime(year, month + 1, 1) - EPOCH).days * unit
