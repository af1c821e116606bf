# SPDX-License-Identifier: Apache-2.0
"""What risks of single rows come to: the worst, the mean, and how many are high."""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import Evidence, Measurement

THRESHOLD = 0.2
"""A risk above 1 in 5 counts as high: cell sizes below 5 are what statistics offices commonly refuse to publish."""


def worst_risk(metric: str, risks: Floats, rows: Ints | None = None, note: str = "") -> Measurement:
    """The largest risk of a row, with the figures beside it; ``rows`` tells how many have each, if not one."""
    held = np.ones(len(risks), dtype=np.int64) if rows is None else rows
    figures = {
        "mean": float(np.average(risks, weights=held)),
        "share_above": float(np.average(risks > THRESHOLD, weights=held)),
        "threshold": THRESHOLD,
        "records_at_max": float(held[risks == risks.max()].sum()),
    }
    return Measurement(metric, float(risks.max()), "lower", (0.0, 1.0), figures, note=note)


def nobody_at_risk(evidence: Evidence) -> str:
    """Why the rows of a release have no risk that could be counted; empty if they have."""
    if evidence.unknown_risk:
        return evidence.unknown_risk
    rows = evidence.rows if evidence.look_alikes is None else len(evidence.look_alikes)
    return "" if rows else "no rows: nobody can be at risk"
