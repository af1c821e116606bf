# SPDX-License-Identifier: Apache-2.0
"""Typical width: how wide the interval of a usual row is, in the column's own unit and beside its middle half.

    width of a column = median over rows of (hi - lo)        of_iqr = width / (Q3 - Q1) of the original column

For every quasi-identifier of numbers or dates. A loss relative to the range says little about a skewed column: where
few earn millions, an interval of twice the usual income is a small share of the range. ``width NAME`` is what half of
the rows do not exceed, dates in days; ``of_iqr NAME`` the same as a share of the interquartile range: near 0 the column
keeps its shape, at 1 a usual interval is as wide as the middle half of all values. The value is the largest share.

A cell that allows anything is wider than any other; missing cells do not count. Quartiles are those of the original
rows that were released, where it is known which, interpolated linearly. Classes that show centres count as their hulls.

Reference: quartiles as R. Hyndman, Y. Fan, Sample quantiles in statistical packages, 1996, type 7.

Limits: half of the rows may have much wider intervals. Where the middle half is one value there is no share, and where
half of the rows allow anything, no width.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.labels.cells import PublishedCells, cells_of
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import column_of
from shoal.plan.roles import ORDERED
from shoal.tables.table import MICROSECONDS_OF_A_DAY

APPLIES = EVERY_RELEASE
LIMITS = (0.0, math.nan)
FIGURES = ("width NAME", "of_iqr NAME")
COLUMNS = "quasi-identifier"


def measure(evidence: Evidence) -> Measurement:
    """Width and share of each column of numbers or dates, and the largest share."""
    lines = {} if evidence.original is None else _lines(evidence)
    found = {name: _typical(cells_of(evidence, name), line) for name, line in lines.items()}
    figures: dict[str, float] = {}
    for name, (width, share) in found.items():
        unit = MICROSECONDS_OF_A_DAY if lines[name].style == "datetime" else 1
        figures |= {f"width {name}": width / unit, f"of_iqr {name}": share}
    notes = [_why(evidence, name, *one) for name, one in found.items() if not math.isfinite(one[1])]
    if not found:
        notes = ["the original was not given" if evidence.original is None else "no column of numbers or dates"]
    largest = max((share for _, share in found.values() if math.isfinite(share)), default=math.nan)
    return Measurement("typical_width", largest, "lower", LIMITS, figures, note="; ".join(notes))


def _lines(evidence: Evidence) -> dict[str, Line]:
    """The quasi-identifiers whose widths have a unit."""
    columns = {name: column_of(evidence, name) for name in evidence.plan.quasi_identifiers}
    return {name: one for name, one in columns.items() if isinstance(one, Line) and one.style != ORDERED}


def _typical(cells: PublishedCells, line: Line) -> tuple[float, float]:
    """The width that half of the rows do not exceed, in positions, and as a share of the interquartile range."""
    width = math.nan if cells.problem else _half_within(cells)
    present = line.positions[~np.isnan(line.positions)]
    middle = float(np.subtract(*np.quantile(present, [0.75, 0.25]))) if len(present) else 0.0
    return width, width / middle if middle > 0 else math.nan


def _half_within(cells: PublishedCells) -> float:
    """The smallest width that at least half of the present cells do not exceed; NaN if that is anything."""
    told = ~np.isnan(cells.widths) & (cells.rows > 0)
    order = np.argsort(cells.widths[told])
    reached = np.cumsum(cells.rows[told][order])
    if not len(reached):
        return math.nan
    width = float(cells.widths[told][order][np.searchsorted(reached, reached[-1] / 2)])
    return width if math.isfinite(width) else math.nan


def _why(evidence: Evidence, name: str, width: float, _share: float) -> str:
    if problem := cells_of(evidence, name).problem:
        return problem
    if math.isnan(width):
        return f"column {name!r}: half of the rows allow anything, or there are none"
    return f"column {name!r}: its middle half is one value, so there is no share of it"
