# SPDX-License-Identifier: Apache-2.0
"""Dates by day, month, quarter, year and decade.

``2023-05-17`` becomes ``2023-05``, ``2023-Q2``, ``2023``, ``2020s``. Moments (``2023-05-17 14:30:00``) become days
first. ``--set levels='["month", "year"]'`` chooses levels; those that would group nothing, or everything, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from shoal.errors import HierarchyError, PlanError, listed
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.kinds._protocol import Values, tree_of
from shoal.parameters import parameter

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
    """One level per step of the calendar that was asked for, narrow ones first."""
    unknown = [one for one in parameters.levels if one not in LABELS]
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
    order = sorted(range(len(days)), key=lambda leaf: (values.texts[leaf][:10], values.texts[leaf]))
    return tree_of([[values.texts[leaf], *(column[leaf] for column in kept), ROOT] for leaf in order], values)


def date_hierarchy(values: Iterable[str], levels: Sequence[str] = tuple(LABELS)) -> Hierarchy:
    """A tree of dates.

    >>> date_hierarchy(["2023-05-17", "2023-05-18", "2023-06-01", "2019-12-31"]).rows()[0]
    ['2019-12-31', '2019-12', '2019-Q4', '2019', '2010s', '*']
    """
    return build(Values.of(values), Parameters(tuple(levels)))


def _days(values: Values) -> list[date]:
    found = []
    for text in values.texts:
        try:
            found.append(datetime.fromisoformat(text).date())
        except ValueError:
            continue
    if len(found) < len(values.texts):
        raise HierarchyError(
            "Some values are no dates.",
            where=values.where,
            allowed="ISO dates such as 2023-05-17, with or without a time",
            received=f"{len(values.texts) - len(found)} of {len(values.texts)} distinct values that are none",
            todo="mark them as missing with --na, or write the dates year-month-day",
        )
    return found
