# SPDX-License-Identifier: Apache-2.0
"""Rows kept: the share of the original rows that are in the release.

    kept = released rows / original rows

Rows are left out where the plan allows that (``suppression``). Whose rows they are is nobody's business, so nothing
else is told of them.

Reference: none; a count, as in the quality checks of most tools.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement

APPLIES = EVERY_RELEASE
BY_COUNTS = True
ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 1.0)
FIGURES = ("released", "original")
HELPS = "a smaller share of rows that may be left out (--suppression), or models that ask for less"


def measure(evidence: Evidence) -> Measurement:
    """The share, and both counts."""
    if evidence.original is None:
        return Measurement.undefined("rows_kept", "the original table was not given")
    released = evidence.rows
    rows = released + evidence.suppressed
    figures = {"released": float(released), "original": float(rows)}
    return Measurement("rows_kept", released / rows if rows else 1.0, "higher", LIMITS, figures)
