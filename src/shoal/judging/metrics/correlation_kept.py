# SPDX-License-Identifier: Apache-2.0
"""Correlation kept: how much of what goes together in the original still does in the release, pair by pair.

    kept = 1 - Σ_pairs |before - after| / Σ_pairs |before|,     at least 0

over all pairs of columns of which at least one is a quasi-identifier. Two columns of numbers, dates or ordered values:
Spearman's rank correlation (and, as a figure of its own, Pearson's); two of names: Cramér's V; one of each: the
correlation ratio of the ranks; V and ratio corrected for chance as in the report. A range stands at its middle, a label
of a tree is a name of its own, ``*`` tells no number and is one name. 1 means that every pair goes together as before,
0 that all of it is gone, or that as much came as went. A pair that one constant column is left of is gone.

Figures: ``spearman``, ``pearson``, ``cramers_v`` and ``ratio``, each over its own pairs, ``pairs`` and
``largest_change`` of any pair; of pairs that the plan names ``before NAMES`` and ``after NAMES`` (``before age +
cost``). Without any pair that goes together before, nothing can be lost, and the value is 1.

Papers: C. Spearman, The proof and measurement of association between two things, 1904; W. Bergsma, A bias-correction
for Cramér's V and Tschuprow's T, Journal of the Korean Statistical Society 42(3), 2013; T. Kelley, An unbiased
correlation ratio measure, PNAS 21(9), 1935.

Limits: pairs only; what three columns tell together is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.ground.wording import percent
from shoal.judging.analyst import AnalysedColumn, AnalysedTables, analysed
from shoal.judging.associations import FEWEST, Side, association, correlation, fewest_categories
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._pairs import Strength, share_kept, told_pairs
from shoal.plan.plan import Plan

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 1.0)
FIGURES = ("cramers_v", "ratio", "spearman", "pearson", "pairs", "largest_change", "before NAMES", "after NAMES")
WORKLOAD = ("matters", "pairs")
HELPS = "means instead of ranges (--render mean), a smaller k, fewer quasi-identifiers, or finer trees"

KINDS = ("cramers_v", "ratio", "spearman")
"""By how many of two columns lie on a line."""


def measure(evidence: Evidence) -> Measurement:
    """The share that is kept over all pairs, and by the kind of pair."""
    tables = analysed(evidence)
    if tables.impossible:
        return Measurement.undefined("correlation_kept", tables.impossible)
    found: dict[str, list[Strength]] = {kind: [] for kind in (*KINDS, "pearson")}
    sides = {one.name: (one.side(released=False), one.side(released=True)) for one in tables.columns}
    for one, other in told_pairs(tables):
        found[KINDS[one.line + other.line]].append(_strength(tables, sides[one.name], sides[other.name]))
        if one.line and other.line:
            found["pearson"].append(_pearson(tables, one, other))
    every = [one for kind in KINDS for one in found[kind] if math.isfinite(one.before)]
    kept = share_kept(every)
    figures = {kind: share_kept(pairs) for kind, pairs in found.items()}
    changes = [abs(one.before - (0.0 if math.isnan(one.after) else one.after)) for one in every]
    figures |= {"pairs": float(len(every)), "largest_change": round(max(changes, default=0.0), 12)}
    for names in (named for named in evidence.plan.pairs if set(named) <= set(sides)):
        before, after = _strength(tables, *(sides[name] for name in names))
        figures |= {f"before {' + '.join(names)}": before, f"after {' + '.join(names)}": after}
    told = {name: value for name, value in figures.items() if math.isfinite(value)}
    notes = [tables.note] + ["no two columns vary, so none goes with another"] * (not every)
    return Measurement(
        "correlation_kept", kept if every else 1.0, "higher", LIMITS, told, note="; ".join(filter(None, notes))
    )


def told(measured: Measurement, plan: Plan) -> Iterator[str]:
    """How pairs fare that the plan names, and all of them where columns matter."""
    if plan.matters:
        yield f"{percent(measured.value)} of the correlations are kept"
    for one, other in plan.pairs:
        strengths = [measured.figures.get(f"{side} {one} + {other}", math.nan) for side in ("before", "after")]
        if all(map(math.isfinite, strengths)):
            yield f"{one!r} and {other!r} go together by {strengths[1]:.2f} in the release, {strengths[0]:.2f} before"


def _strength(tables: AnalysedTables, one: tuple[Side, Side], other: tuple[Side, Side]) -> Strength:
    fewest = fewest_categories(one[0], other[0])
    weights = tables.weights if tables.weighted else (None, None)
    return Strength(*(association(one[side], other[side], fewest, weights[side]) for side in (0, 1)))


def _pearson(tables: AnalysedTables, one: AnalysedColumn, other: AnalysedColumn) -> Strength:
    found = []
    sides = ((one.before, other.before), (one.after, other.after))
    for (left, right), weights in zip(sides, tables.weights, strict=True):
        both = ~np.isnan(left) & ~np.isnan(right)
        found.append(correlation(left[both], right[both], weights[both]) if both.sum() >= FEWEST else math.nan)
    return Strength(*found)
