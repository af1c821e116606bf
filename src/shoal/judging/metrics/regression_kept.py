# SPDX-License-Identifier: Apache-2.0
"""Regression kept: how far the coefficients of a regression, fitted to the release, agree with those of the original.

    overlap of two intervals = ½ (common / width before + common / width after),     at least 0
    kept = mean overlap over the coefficients

A column is regressed on the quasi-identifiers (on those that the plan says matter, where it does), by least squares:
numbers and dates in standard deviations of the original, names by a share for each but the commonest. What is explained
is the column that the plan names (``target``), else each sensitive one; of names, whether it is the commonest one (a
linear probability). Intervals are those of 95 %, coefficient ± 1.96 standard errors, which allow for errors of unequal
size. 1 means the same coefficients, as certain as before, 0 that no interval meets its own; a coefficient that cannot
be fitted any more overlaps by 0.

Figures, of each column explained: ``overlap NAME``; ``moved NAME``, the mean change of a coefficient in standard errors
of the original; ``signs NAME``, of the coefficients that differ from 0 before, the share that still does, on the same
side. The value is that of the column that keeps least. Where no coefficient can be fitted to the original, nothing can
be lost, and the value is 1.

Papers: A. Karr, C. Kohnen, A. Oganian, J. Reiter, A. Sanil, A framework for evaluating the utility of data altered to
protect confidentiality, The American Statistician 60(3), 2006 (the overlap); H. White, A heteroskedasticity-consistent
covariance matrix estimator and a direct test for heteroskedasticity, Econometrica 48(4), 1980 (the standard errors,
with survey weights, too).

Limits: intervals of large tables are narrow, so that small shifts weigh heavily; ``moved`` tells how far. A range
stands at its middle, a node of a tree for each of its leaves alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.wording import percent
from shoal.judging.analyst import MOST_LEARNT, AnalysedColumn, AnalysedTables, analysed
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._features import features, independent, one_thread
from shoal.plan.plan import Plan

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 1.0)
FIGURES = ("overlap NAME", "moved NAME", "signs NAME")
COLUMNS = "targets"
WORKLOAD = ("target",)
HELPS = (
    "larger weights for the columns that it is regressed on (--weight age=3, --target), means instead of ranges "
    "(--render mean), a smaller k, or finer trees"
)

CERTAIN = 1.959963984540054
"""Standard errors of half an interval of 95 %."""


POINT = 1e-8
"""Width up to which an interval is one number."""


class Fitted(NamedTuple):
    """Coefficients and their standard errors; NaN where one cannot be fitted."""

    slopes: Floats
    errors: Floats


def measure(evidence: Evidence) -> Measurement:
    """The overlap of the column that keeps least, and what became of the coefficients of each."""
    tables = analysed(evidence).thinned(MOST_LEARNT)
    targets = tables.explained
    if tables.unexplained:
        return Measurement.undefined("regression_kept", tables.unexplained)
    named = [one for one in tables.changed if one.name in evidence.plan.matters] or tables.changed
    figures: dict[str, float] = {}
    with one_thread():
        kept = [_kept(tables, named, target, figures) for target in targets]
    value = round(min(kept), 9)
    return Measurement("regression_kept", value, "higher", LIMITS, figures, note=tables.note)


def told(measured: Measurement, plan: Plan) -> Iterator[str]:
    """What became of the regression of the column that the plan names."""
    overlap = measured.figures.get(f"overlap {plan.target}", math.nan)
    if math.isfinite(overlap):
        signs = measured.figures[f"signs {plan.target}"]
        yield (
            f"a regression of {plan.target!r} has intervals that overlap with those of the original by "
            f"{percent(overlap)}; {percent(signs)} of the clear effects are still clear"
        )


def _kept(
    tables: AnalysedTables, columns: list[AnalysedColumn], target: AnalysedColumn, figures: dict[str, float]
) -> float:
    sides = []
    before, after = features(columns, tables.rows)
    explained = _explained(target, tables.weights[0])
    _, which = independent(before[~np.isnan(explained[0])])
    for design, values, weights in zip((before, after), explained, tables.weights, strict=True):
        there = ~np.isnan(values)
        sides.append(fitted(design[there][:, which], values[there], weights[there]))
    if not len(which):
        figures |= {f"overlap {target.name}": 1.0, f"moved {target.name}": 0.0, f"signs {target.name}": 1.0}
        return 1.0
    first, then = sides
    overlap = float(np.mean(overlaps(first, then)))
    gone = np.isnan(then.slopes)
    moved = np.abs(np.where(gone, 0.0, then.slopes) - first.slopes) / np.maximum(first.errors, 1e-12)
    clear, still = (np.abs(one.slopes) > CERTAIN * one.errors for one in sides)
    signs = clear & still & (np.sign(first.slopes) == np.sign(then.slopes))
    figures[f"overlap {target.name}"] = round(overlap, 9)
    figures[f"moved {target.name}"] = round(float(moved.mean()), 9)
    figures[f"signs {target.name}"] = round(float(signs.sum() / clear.sum()), 9) if clear.any() else 1.0
    return overlap


def _explained(target: AnalysedColumn, people: Floats) -> tuple[Floats, Floats]:
    """Numbers in standard deviations of the original; of names whether a cell is the commonest one."""
    if target.line:
        known = target.before[~np.isnan(target.before)]
        mean, scale = (float(known.mean()), float(known.std()) or 1.0) if len(known) else (0.0, 1.0)
        return (target.before - mean) / scale, (target.after - mean) / scale
    commonest = int(np.bincount(target.before.astype(np.int64), people).argmax())
    return (target.before == commonest).astype(np.float64), (target.after == commonest).astype(np.float64)


def fitted(design: Floats, values: Floats, weights: Floats) -> Fitted:
    """Least squares with an intercept, which is not told; errors by White's estimator."""
    slopes, errors = np.full(design.shape[1], np.nan), np.full(design.shape[1], np.nan)
    usable: Ints = independent(design)[1] if len(design) else np.zeros(0, dtype=np.int64)
    whole = np.column_stack([np.ones(len(design)), design[:, usable]])
    if len(usable):
        bread = np.linalg.pinv((whole * weights[:, None]).T @ whole)
        found = bread @ (whole.T @ (weights * values))
        left = weights * (values - whole @ found)
        spread = bread @ ((whole * (left**2)[:, None]).T @ whole) @ bread
        slopes[usable], errors[usable] = found[1:], np.sqrt(np.clip(np.diag(spread), 0.0, None))[1:]
    return Fitted(slopes, errors)


def overlaps(first: Fitted, then: Fitted) -> Floats:
    """[coefficient] how far its two intervals overlap, 0 to 1.

    >>> overlaps(Fitted(np.zeros(2), np.ones(2)), Fitted(np.array([0.0, CERTAIN]), np.ones(2))).tolist()
    [1.0, 0.5]
    """
    widths = [2 * CERTAIN * one.errors for one in (first, then)]
    low = np.fmax(*(one.slopes - CERTAIN * one.errors for one in (first, then)))
    high = np.fmin(*(one.slopes + CERTAIN * one.errors for one in (first, then)))
    common = np.clip(high - low, 0.0, None)
    narrow = POINT * np.maximum(np.abs(first.slopes), 1.0)  # a perfect fit: what is left is rounding
    equal = np.abs(first.slopes - then.slopes) <= narrow
    parts = [np.where(width > narrow, common / np.maximum(width, narrow), equal) for width in widths]
    return np.where(np.isnan(then.slopes), 0.0, (parts[0] + parts[1]) / 2)
