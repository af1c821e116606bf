# SPDX-License-Identifier: Apache-2.0
"""Dates by day, month, quarter, year and decade.

``2023-05-17`` becomes ``2023-05``, ``2023-Q2``, ``2023``, ``2020s``. Moments (``2023-05-17 14:30:00``) become days
first. ``--set levels='["month", "year"]'`` chooses levels; those that would group nothing, or everything, are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from shoal.ground.errors import HierarchyError, PlanError, listed
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values, tree_of
from shoal.tables.notations import days_in

LABELS: dict[str, Callable[[date], str]] = {
    "day": lambda day: day.strftime("%Y-%m-%d").zfill(10),
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04d}",
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
}


@dataclass(frozen=True)
class Parameters:
    """Which levels."""

    levels: tuple[str, ...] = parameter(tuple(LABELS), f"which of {', '.join(LABELS)}")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """One level per step of the calendar that was asked for, narrow ones first.

    >>> build(Values.of(["2023-05-17", "2023-05-18", "2023-06-01", "2019-12-31"]), Parameters()).rows()[0]
    ['2019-12-31', '2019-12', '2019-Q4', '2019', '2010s', '*']
    """
    unknown = [level for level in parameters.levels if level not in LABELS]
    if unknown:
        raise PlanError(
            "There is no such level of the calendar.",
            where="parameter 'levels' of dates",
            allowed=listed(LABELS),
            received=listed(map(repr, unknown)),
            todo="choose some of these",
        )
    days = _days(values)
    columns = [[LABELS[level](day) for day in days] for level in LABELS if level in parameters.levels]
    kept = [column for column in columns if 1 < len(set(column)) < len(values.texts)]
    order = sorted(range(len(days)), key=lambda leaf: (days[leaf], values.texts[leaf]))
    return tree_of([[values.texts[leaf], *(column[leaf] for column in kept), ROOT] for leaf in order], values)


def _days(values: Values) -> list[date]:
    days = [day for day in days_in(values.texts, values.notation) if day is not None]
    if len(days) < len(values.texts):
        raise HierarchyError(
            "Some values are no dates.",
            where=values.where,
            allowed="dates that are all written in one way, such as 2023-05-17 or 17.05.2023, with or without a time",
            received=f"{len(values.texts) - len(days)} of {len(values.texts)} distinct values that are none",
            todo="mark them as missing with --na, or say how dates are written with --date-format",
        )
    return days
