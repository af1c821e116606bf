# SPDX-License-Identifier: Apache-2.0
"""What risks of single rows come to: the worst, the mean, and how many are high."""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats
from shoal.judging.evidence import Evidence, Measurement

THRESHOLD = 0.2
"""A risk above 1 in 5 counts as high: cell sizes below 5 are what statistics offices commonly refuse to publish."""


def worst_risk(metric: str, risks: Floats, note: str = "") -> Measurement:
    """The largest risk of a row, with the figures beside it."""
    figures = {
        "mean": float(risks.mean()),
        "share_above": float(np.mean(risks > THRESHOLD)),
        "threshold": THRESHOLD,
        "records_at_max": float((risks == risks.max()).sum()),
    }
    return Measurement(metric, float(risks.max()), "lower", (0.0, 1.0), figures, note=note)


def nobody_at_risk(evidence: Evidence) -> str:
    """Why the rows of a release have no risk that could be counted; empty if they have."""
    if evidence.unknown_risk:
        return evidence.unknown_risk
    rows = evidence.released if evidence.look_alikes is None else evidence.look_alikes
    return "" if len(rows) else "no rows: nobody can be at risk"
