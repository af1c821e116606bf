# SPDX-License-Identifier: Apache-2.0
"""Query error: how wrong counts and means come out when they are asked of the release instead of the original.

    error of a count = |estimate - truth| / max(truth, 0.1 % of the rows)

Five hundred questions are drawn, always the same for the same tables: how many rows have their values of one or two
quasi-identifiers in a range (its ends are the values of two rows) or equal to a name (that of a row)? The release is
asked as an analyst would: a range counts by the share of it that is asked for, a node of a tree by the share of its
leaves, and both columns as if they were independent within a cell. The value is the mean error; figures:

* ``median``, and ``worst_tenth``: the error that nine in ten questions do not exceed;
* ``groups``: rows per name, of each quasi-identifier of names: Σ |estimate - truth| / rows, the mean over columns;
* ``group NAMES``, of columns by which the plan says that analyses count (``group sex + region``): the same over all
  their cells, numbers in ten bins of about equally many original rows;
* ``means``: means of all numbers by these names: |estimate - truth| in standard deviations of the number, weighted by
  the rows of the group, the mean over pairs of columns.

Papers: K. LeFevre, D. DeWitt, R. Ramakrishnan, Workload-aware anonymization, KDD 2006; X. Xiao, Y. Tao, Anatomy: simple
and effective privacy preservation, VLDB 2006 (counts by spreading evenly); the bound of the denominator as in M.
Garofalakis, P. Gibbons, Wavelet synopses with error guarantees, SIGMOD 2002.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Flags, Floats
from shoal.ground.wording import percent, phrase
from shoal.judging.analyst import AnalysedColumn, AnalysedTables, analysed, in_bins
from shoal.judging.evidence import Evidence, Measurement
from shoal.plan.plan import Plan

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, math.nan)
FIGURES = ("median", "worst_tenth", "groups", "means", "group NAMES")
WORKLOAD = ("matters", "group_by")

MOST_CELLS = 4_000_000
"""Of groups by several columns."""
VAST = f"more than {MOST_CELLS:,} cells, too many to compare"
QUESTIONS = 500
AT_LEAST = 0.001
"""Share of the rows that errors are divided by at least: few rows can be wrong by many times their number."""


def measure(evidence: Evidence) -> Measurement:
    """Mean, median and ninth decile of the errors of counts, and errors of groups and means."""
    tables = analysed(evidence)
    if tables.impossible or not tables.changed:
        why = tables.impossible or "no quasi-identifier can be read"
        return Measurement.undefined("query_error", why, LIMITS)
    errors = np.array(list(_errors(tables)))
    figures = {"median": float(np.median(errors)), "worst_tenth": float(np.quantile(errors, 0.9))}
    figures |= {"groups": _mean(_groups(tables)), "means": _mean(_means(tables))}
    groups = dict(_named_groups(tables, evidence.plan))
    figures |= {f"group {' + '.join(names)}": error for names, error in groups.items()}
    vast = [
        f"counted by {phrase(list(map(repr, names)))} there are {VAST}" for names in groups if math.isnan(groups[names])
    ]
    told = {name: round(value, 12) for name, value in figures.items() if math.isfinite(value)}
    value = round(float(errors.mean()), 12)
    return Measurement("query_error", value, "lower", LIMITS, told, note="; ".join(filter(None, [tables.note, *vast])))


def _mean(found: Iterator[float]) -> float:
    every = list(found)
    return math.fsum(every) / len(every) if every else math.nan


def _errors(tables: AnalysedTables) -> Iterator[float]:
    """The error of each question."""
    rows, shown = tables.rows
    for parts in questions(tables):
        inside, estimate = np.ones(rows, dtype=np.bool_), np.ones(shown)
        for column, first, last in parts:
            inside &= _within(column.before, first, last)
            estimate *= column.share_within(first, last)
        truth, estimate = float(tables.weights[0][inside].sum()), estimate * tables.weights[1]
        yield abs(float(estimate.sum()) * _scale(tables) - truth) / max(truth, AT_LEAST * rows)


def questions(tables: AnalysedTables) -> Iterator[list[tuple[AnalysedColumn, float, float]]]:
    """One or two columns each, with the first and last value that is asked for."""
    random = np.random.default_rng(0)
    columns = tables.changed
    for number in range(QUESTIONS):
        asked = random.permutation(len(columns))[: 1 + number % 2]
        yield [(columns[place], *_ends(columns[place], random)) for place in asked]


def _ends(column: AnalysedColumn, random: np.random.Generator) -> tuple[float, float]:
    """The values of two rows, or the name of one; of missing numbers nobody asks."""
    known = column.before[~np.isnan(column.before)]
    ends = known[random.integers(0, len(known), 2)] if len(known) else np.zeros(2)
    return (float(ends.min()), float(ends.max())) if column.line else (float(ends[0]), float(ends[0]))


def _within(values: Floats, first: float, last: float) -> Flags:
    inside: Flags = (first <= values) & (values <= last)
    return inside


def _groups(tables: AnalysedTables) -> Iterator[float]:
    """Of each quasi-identifier of names the share of rows that are counted in another group."""
    for column in tables.changed:
        if not column.line:
            truth = np.bincount(column.before.astype(np.int64), tables.weights[0], column.names)
            yield float(np.abs(column.per_name(tables.weights[1]) * _scale(tables) - truth).sum()) / tables.rows[0]


def _named_groups(tables: AnalysedTables, plan: Plan) -> Iterator[tuple[tuple[str, ...], float]]:
    """Of each group of columns that the plan names the share of rows that are counted in another cell."""
    columns = {one.name: one for one in tables.columns}
    for names in plan.group_by:
        if set(names) <= set(columns):
            yield names, _cells_off(tables, [in_bins(tables, columns[name]) for name in names])


def _cells_off(tables: AnalysedTables, columns: list[AnalysedColumn]) -> float:
    shape = [one.names for one in columns]
    if math.prod(shape) > MOST_CELLS:
        return math.nan
    before = np.ravel_multi_index([one.before.astype(np.int64) for one in columns], shape)
    truth = np.bincount(before, tables.weights[0], math.prod(shape))
    ends = np.column_stack([end.astype(np.int64) for one in columns for end in (one.low, one.high)])
    labels, which = np.unique(ends, axis=0, return_inverse=True)
    rows = np.bincount(which.ravel(), tables.weights[1])
    told = np.zeros(shape)
    for label, many in zip(labels.reshape(len(labels), -1, 2).tolist(), rows.tolist(), strict=True):
        box = tuple(slice(first, last + 1) for first, last in label)
        told[box] += many / told[box].size
    return float(np.abs(told.ravel() * _scale(tables) - truth).sum()) / tables.rows[0]


def _means(tables: AnalysedTables) -> Iterator[float]:
    """Of each number and each quasi-identifier of names how far the means by name are off."""
    numbers = [one for one in tables.columns if one.line]
    for group in (one for one in tables.changed if not one.line):
        for number in numbers:
            known, shown = ~np.isnan(number.before), ~np.isnan(number.after)
            scale = _deviation(number.before[known], tables.weights[0][known]) if known.any() else 0.0
            if scale > 0 and shown.any():
                yield _off(tables, group, number, known, shown) / scale


def _deviation(values: Floats, weights: Floats) -> float:
    mean = np.average(values, weights=weights)
    return math.sqrt(float(np.average((values - mean) ** 2, weights=weights)))


def _off(tables: AnalysedTables, group: AnalysedColumn, number: AnalysedColumn, known: Flags, shown: Flags) -> float:
    names, (was, now) = group.before[known].astype(np.int64), tables.weights
    rows = np.bincount(names, was[known], group.names)
    sums = np.bincount(names, was[known] * number.before[known], group.names)
    weights = group.per_name(shown * now)
    estimates = group.per_name(np.where(shown, number.after, 0.0) * now)
    overall = float(np.average(number.after[shown], weights=now[shown]))  # of a name that no cell allows any more
    there = rows > 0
    told = np.where(weights > 1e-9, estimates / np.maximum(weights, 1e-9), overall)
    off = np.abs(told[there] - sums[there] / rows[there])
    return float((off * rows[there]).sum() / rows.sum())


def told(measured: Measurement, plan: Plan) -> Iterator[str]:
    """How wrong counts come out, of what the plan names."""
    if plan.matters:
        yield f"counts are wrong by {percent(measured.figures.get('median', math.nan))}, typically"
    for names in plan.group_by:
        off = measured.figures.get(f"group {' + '.join(names)}", math.nan)
        if math.isfinite(off):
            yield f"counted by {phrase(list(map(repr, names)))}, {percent(off / 2)} of the rows stand elsewhere"


def _scale(tables: AnalysedTables) -> float:
    """Rows that were left out are taken to be like the others."""
    return tables.rows[0] / tables.rows[1]
