# SPDX-License-Identifier: Apache-2.0
"""Information distortion: how far the records of a class lie from its centre, in the units of the columns.

    S = Σ_classes Σ_rows Σ_j w_j (x_j - mean_j of the class)²     with Σ_j w_j = 1

Numbers are as they are, dates in days (moments in microseconds), ordered categories are ranks. The value has the same
weight for every column, w_j = 1/N. ``weighted`` has the weights that the method has learnt, where it learns any
(``wf_c_means``) and the release tells them. ``of_range`` and ``weighted_of_range`` are the same with numbers as shares
of their column's range. Names and missing cells count as in ``sse``: two different names are at the squared distance 1.

Methods that learn weights choose them to make their own figure small: compare methods by the value, not by
``weighted``. Raw units make the column with the largest numbers decide; where that is not meant, compare by
``of_range``.

Paper: C.-C. Chiu, C.-Y. Tsai, A k-anonymity clustering method for effective data privacy preservation, ADMA 2007,
equation 4.

Limits: needs to know which original rows make a class; see ``sse``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from shoal.ground.arrays import Flags, Floats
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.labels.lines import Line
from shoal.judging.metrics._members import members_of, scatter

FIGURES = ("of_range", "weighted", "weighted_of_range")


def measure(evidence: Evidence) -> Measurement:
    """The distortion with equal weights, with learnt ones, raw and as shares of ranges."""
    members = members_of(evidence)
    if isinstance(members, str):
        return Measurement.undefined("distortion", members, (math.nan, math.nan))
    raw = {name: scatter(members, name, _as_it_is) for name in members.columns}
    shares = {name: scatter(members, name, _of_range) for name in members.columns}
    equal = dict.fromkeys(members.columns, 1 / len(members.columns))
    figures = {"of_range": _sum(shares, equal)}
    learnt = evidence.learnt
    if set(learnt) == set(members.columns):
        figures |= {"weighted": _sum(raw, learnt), "weighted_of_range": _sum(shares, learnt)}
    most = math.fsum(whole / len(raw) for _, whole in raw.values())
    per_column = {name: within / whole if whole > 0 else 0.0 for name, (within, whole) in raw.items()}
    return Measurement("distortion", _sum(raw, equal), "lower", (0.0, most), figures, per_column)


def _sum(parts: dict[str, tuple[float, float]], weights: Mapping[str, float]) -> float:
    return math.fsum(weights[name] * within for name, (within, _) in parts.items())


def _as_it_is(line: Line, missing: Flags) -> Floats:
    """Numbers in their own units; missing cells at the mean."""
    present = line.positions[~missing]
    return np.where(missing, present.mean() if len(present) else 0.0, line.positions)


def _of_range(line: Line, missing: Flags) -> Floats:
    """Numbers as shares of the range."""
    span = line.high - line.low
    placed: Floats = (_as_it_is(line, missing) - line.low) / span if span > 0 else np.zeros(len(missing))
    return placed
