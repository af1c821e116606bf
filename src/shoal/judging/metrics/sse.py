# SPDX-License-Identifier: Apache-2.0
"""Squared error: how far the records of a class lie from its mean, against how far all lie from the mean of all.

    SSE = Σ_classes Σ_rows Σ_j w_j (x_j - mean_j of the class)²     SST: the same with the mean of all rows

Numbers and dates are standardised to mean 0 and variance 1 first, so that SSE and SST have no unit; ``percent`` is
100 SSE / SST, the usual figure of microaggregation. Ordered categories stand at rank / (m - 1). Two different names are
at the squared distance 1, as if each name were 0 or 1 / √2; so are a missing and a present number, and a missing number
stands at the mean. With ``missing = "wildcard"`` missing cells stand at the mean, or at the commonest name, and nothing
is added. Columns whose plan says ``scale = "rank"`` or ``"log"`` count by ranks or logarithms, standardised likewise.
Of suppressed rows only the number counts: each as one row at the usual distance from the mean, SST / n.

Paper: J. Domingo-Ferrer, J. Mateo-Sanz, Practical data-oriented microaggregation for statistical disclosure control,
TKDE 2002.

Limits: needs to know which original rows make a class. Where that was not told, the labels must tell: every original
row must fit the labels of one class only; else the value is undefined.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.ground.arrays import Flags, Floats
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.labels.lines import Line
from shoal.judging.metrics._members import members_of, scatter
from shoal.plan.roles import ORDERED, RANGE

FIGURES = ("sst", "per_cell", "percent")


def measure(evidence: Evidence) -> Measurement:
    """SSE with SST, their quotient as ``per_cell`` and as ``percent``, and for each column."""
    members = members_of(evidence)
    if isinstance(members, str):
        return Measurement.undefined("sse", members, (math.nan, math.nan))
    parts = {name: scatter(members, name, _placed) for name in members.columns}
    weights = {name: evidence.plan.columns[name].weight for name in members.columns}
    sse = math.fsum(weights[name] * within for name, (within, _) in parts.items())
    sst = math.fsum(weights[name] * whole for name, (_, whole) in parts.items())
    share = sse / sst if sst > 0 else math.nan
    return Measurement(
        "sse",
        sse,
        "lower",
        (0.0, sst),
        {"sst": sst, "per_cell": share, "percent": 100 * share},
        {name: within / whole if whole > 0 else 0.0 for name, (within, whole) in parts.items()},
        "" if sst > 0 else "all rows are alike, so a share of SST is undefined",
    )


def _placed(line: Line, missing: Flags) -> Floats:
    """Standardised numbers, or places of ordered categories as shares of the last; missing cells at the mean."""
    placed, at = np.zeros(len(missing)), line.on_scale(line.positions[~missing])
    span = np.ptp(at) if len(at) else 0.0
    if not span > 0:
        return placed
    share = (at - at.min()) / span
    placed[~missing] = share - share.mean()
    return placed if line.style == ORDERED and line.scale == RANGE else placed / share.std()
