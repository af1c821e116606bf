# SPDX-License-Identifier: Apache-2.0
"""Information kept: how much the columns still tell about each other, by their mutual information.

    kept = 1 - Σ_pairs |before - after| / Σ_pairs before,     at least 0
    strength of a pair = I(x; y) / √(H(x) H(y)), the entropies being those before on both sides, at most 1

over all pairs of columns of which at least one is a quasi-identifier (NMI). Unlike correlation, mutual information
sees any way in which two columns go together. Numbers, dates and ordered values are put into up to ten bins of about
equally many original rows, a range by its middle, ``*`` and missing in a bin of their own. A node of a tree counts for
each of its leaves alike, and two nodes for each pair of their leaves. Figures: ``pairs``, ``largest_change`` of any
pair, and ``before NAMES`` and ``after NAMES`` of the pairs that the plan names, else of the six that tell most before
(``before age + cost``); the report draws them.

Paper: A. Strehl, J. Ghosh, Cluster ensembles: a knowledge reuse framework for combining multiple partitions, Journal of
Machine Learning Research 3, 2002 (the mean of the entropies is geometric).

Limits: nothing is taken off for chance, by which columns of many values seem to tell of each other, more so before.
Two columns with more than four million pairs of values are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.information import entropy, mutual_information
from shoal.ground.wording import percent
from shoal.judging.analyst import AnalysedColumn, AnalysedTables, analysed, in_bins
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._pairs import Strength, share_kept, told_pairs
from shoal.plan.plan import Plan

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 1.0)
FIGURES = ("pairs", "largest_change", "before NAMES", "after NAMES")
WORKLOAD = ("pairs",)
HELPS = "means instead of ranges (--render mean), a smaller k, fewer quasi-identifiers, or finer trees"

MOST_CELLS = 4_000_000
STRONGEST = 6
"""Pairs that are told one by one where the plan names none."""


def measure(evidence: Evidence) -> Measurement:
    """The share that is kept over all pairs."""
    tables = analysed(evidence)
    if tables.impossible:
        return Measurement.undefined("information_kept", tables.impossible)
    binned = {one.name: in_bins(tables, one) for one in tables.columns}
    pairs = {
        (one.name, other.name): _strength(tables, binned[one.name], binned[other.name])
        for one, other in told_pairs(tables)
    }
    known = [one for one in pairs.values() if math.isfinite(one.before)]
    changes = [abs(one.before - one.after) for one in known]
    figures = {"pairs": float(len(known)), "largest_change": round(max(changes, default=0.0), 12)}
    for names in _told_one_by_one(pairs, evidence.plan):
        strength = pairs.get(names) or pairs.get(names[::-1]) or Strength(math.nan, math.nan)
        sides = strength._asdict().items()
        figures |= {f"{side} {' + '.join(names)}": round(one, 12) for side, one in sides if math.isfinite(one)}
    notes = [tables.note] + ["no two columns vary, so none tells of another"] * (not known)
    value = share_kept(known) if known else 1.0
    return Measurement("information_kept", value, "higher", LIMITS, figures, note="; ".join(filter(None, notes)))


def _told_one_by_one(pairs: Mapping[tuple[str, str], Strength], plan: Plan) -> list[tuple[str, str]]:
    """The pairs that the plan names, else those that told most of each other."""
    if plan.pairs:
        return [(one, other) for one, other in plan.pairs]
    known = [names for names, one in pairs.items() if math.isfinite(one.before)]
    return sorted(known, key=lambda names: -round(pairs[names].before, 12))[:STRONGEST]


def told(measured: Measurement, plan: Plan) -> Iterator[str]:
    """What pairs still tell of each other that the plan names."""
    for one, other in plan.pairs:
        before, after = (measured.figures.get(f"{side} {one} + {other}", math.nan) for side in ("before", "after"))
        if math.isfinite(before + after):
            yield f"{one!r} and {other!r} tell {percent(after)} of each other in the release, {percent(before)} before"


def pairs_told(measured: Measurement) -> Iterator[tuple[str, float, float]]:
    """The pairs that a measurement tells one by one, in its words (``age + cost``), with both sides."""
    for figure, before in measured.figures.items():
        after = measured.figures.get(figure.replace("before ", "after ", 1))
        if figure.startswith("before ") and after is not None:
            yield figure.removeprefix("before "), before, after


def _strength(tables: AnalysedTables, one: AnalysedColumn, other: AnalysedColumn) -> Strength:
    if one.names * other.names > MOST_CELLS:
        return Strength(math.nan, math.nan)
    was, now = tables.weights
    before = spread_table(one.before, one.before, other.before, other.before, (one.names, other.names), was)
    scale = math.sqrt(entropy(before.sum(axis=1)) * entropy(before.sum(axis=0)))
    if not scale > 0:
        return Strength(math.nan, math.nan)
    after = spread_table(one.low, one.high, other.low, other.high, (one.names, other.names), now)
    return Strength(*(min(mutual_information(table) / scale, 1.0) for table in (before, after)))


def spread_table(
    low: Floats, high: Floats, left: Floats, right: Floats, shape: tuple[int, int], weights: Floats
) -> Floats:
    """[name, name] rows of a pair of columns, each spread evenly over the names that its two cells allow."""
    top, bottom, first, last = (ends.astype(np.int64) for ends in (low, high, left, right))
    many = (bottom - top + 1) * (last - first + 1)
    each = weights / many
    width = shape[1] + 1
    exact = many == 1

    def counted(rows: Ints, columns: Ints, weights: Floats) -> Floats:
        return np.bincount(rows * width + columns, weights, (shape[0] + 1) * width).astype(np.float64)

    table = counted(top[exact], first[exact], each[exact])
    if not exact.all():  # corners of rectangles, added up along both sides
        top, bottom, first, last, each = (one[~exact] for one in (top, bottom + 1, first, last + 1, each))
        corners = counted(top, first, each) - counted(top, last, each)
        corners += counted(bottom, last, each) - counted(bottom, first, each)
        table += corners.reshape(-1, width).cumsum(axis=0).cumsum(axis=1).ravel()
    return np.clip(table.reshape(-1, width)[: shape[0], : shape[1]], 0.0, None)
