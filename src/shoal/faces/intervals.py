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

from typing import Any

from shoal.judging.labels.ends import bounds_together, ends_of
from shoal.tables.detecting import Told
from shoal.tables.notation import check_marks
from shoal.tables.side_doors import NAME, frame_beside, take_column

HERE = "shoal.intervals"


def intervals(
    column: Any,
    upper: Any = None,
    *,
    date_format: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Any:
    """What each cell of a released column says, as a frame of the kind that the column is from.

    ``column`` holds labels (``[35, 39]``, ``{1, 5}``, ``*``), plain numbers, dates or moments; or it is the lower of
    two columns of bounds, and ``upper`` the other. The frame has four columns: ``lo`` and ``hi``, the ends; ``mid``,
    the middle between them; ``weight``, 1 where the value is told exactly, falling to 0 as the cell reaches over the
    whole column. ``*`` and missing cells have no ends and the weight 0. Dates stay dates; moments that are labelled
    with their distance from universal time are told in universal time.

    How numbers and dates are written is found in the labels; where they leave it open (``[1.234, 5.678]``), it is said
    by ``date_format``, ``decimal`` and ``thousands``, as the plan of the release has them.
    """
    check_marks(decimal, thousands, f"of {HERE}")
    told = Told(decimal, thousands, date_format)
    ends = ends_of(take_column(column), NAME, told, HERE)
    if upper is not None:
        ends = bounds_together(ends, ends_of(take_column(upper), NAME, told, HERE), HERE)
    return frame_beside(column, ends.figures())
