# SPDX-License-Identifier: Apache-2.0
"""Distribution shift: how far means, quantiles and shares of the quasi-identifiers move.

    numbers, dates, ordered values:  mean over five quantiles of |after - before| / standard deviation before
    names:                           half the sum over names of |share after - share before|  (total variation)

The quantiles are those at 10, 25, 50, 75 and 90 % of the cells that are not missing; a range stands at its middle. A
label of a tree counts for each of its leaves alike. The value is the mean over the quasi-identifiers; figures tell
``mean NAME`` and ``quantiles NAME`` of columns on a line (shift of the mean, and mean shift of the quantiles, in
standard deviations) and ``shares NAME`` of names. A column that never varied shifts by 0, or by 1 if it differs now.
With survey weights a row counts for the people it stands for; a quantile is then the first value up to which such a
share of them lies.

References: quantiles as R. Hyndman, Y. Fan, Sample quantiles in statistical packages, 1996, type 7; the shifts are
those that sdcMicro calls differences of means and medians (M. Templ, A. Kowarik, B. Meindl, Statistical disclosure
control for micro-data using the R package sdcMicro, Journal of Statistical Software 67(4), 2015).

Limits: one column at a time.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.judging.analyst import AnalysedColumn, AnalysedTables, analysed
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.survey import weighted_quantiles

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, math.nan)
FIGURES = ("mean NAME", "quantiles NAME", "shares NAME")
COLUMNS = "quasi-identifier"
HELPS = "means instead of ranges (--render mean), a smaller k, fewer quasi-identifiers, or finer trees"

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


def measure(evidence: Evidence) -> Measurement:
    """The mean shift, and the shifts of each column."""
    tables = analysed(evidence)
    if tables.impossible or not tables.changed:
        why = tables.impossible or "no quasi-identifier can be read"
        return Measurement.undefined("distribution_shift", why, LIMITS)
    figures: dict[str, float] = {}
    shifts = []
    for column in tables.changed:
        if column.line:
            mean, quantiles = _moved(tables, column)
            figures |= {f"mean {column.name}": mean, f"quantiles {column.name}": quantiles}
            shifts.append(quantiles)
        else:
            figures[f"shares {column.name}"] = shares = _shares(tables, column)
            shifts.append(shares)
    value = round(math.fsum(shifts) / len(shifts), 12)
    return Measurement("distribution_shift", value, "lower", LIMITS, figures, note=tables.note)


def _moved(tables: AnalysedTables, column: AnalysedColumn) -> tuple[float, float]:
    """How far the mean and the quantiles move, in standard deviations."""
    there = [~np.isnan(side) for side in (column.before, column.after)]
    known, shown = column.before[there[0]], column.after[there[1]]
    if not len(known) or not len(shown):
        gone = float(len(known) > 0 or len(shown) > 0)
        return gone, gone
    was, now = (weights[rows] for weights, rows in zip(tables.weights, there, strict=True))
    before, after = (
        weighted_quantiles(values, weights if tables.weighted else None, QUANTILES)
        for values, weights in ((known, was), (shown, now))
    )
    moves = np.abs(after - before)
    centre = float(np.average(known, weights=was))
    mean = abs(float(np.average(shown, weights=now)) - centre)
    scale = float(np.sqrt(np.average((known - centre) ** 2, weights=was)))
    if not scale > 0:
        return float(mean > 0), float(moves.max() > 0)
    return round(mean / scale, 12), round(float(moves.mean()) / scale, 12)


def _shares(tables: AnalysedTables, column: AnalysedColumn) -> float:
    was, now = tables.weights
    before = np.bincount(column.before.astype(np.int64), was, column.names) / was.sum()
    after = column.per_name(now) / now.sum()
    return round(float(np.abs(after - before).sum()) / 2, 12)
