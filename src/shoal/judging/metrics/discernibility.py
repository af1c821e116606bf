# SPDX-License-Identifier: Apache-2.0
"""Discernibility: every row is charged with the number of rows it cannot be told from.

    DM = Σ_classes |C|² + n · suppressed

Lower is better; n if all rows stay unique, n² if all look alike. A suppressed row cannot be told from any, so it is
charged with all n rows of the original. With ``missing = "wildcard"`` a row is charged with the rows it matches.

Paper: R. Bayardo, R. Agrawal, Data privacy through optimal k-anonymization, ICDE 2005.

Limits: looks at class sizes alone; a class of near-identical people costs as much as one of strangers.
"""

from __future__ import annotations

import math

from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.look_alikes import sizes_met

BY_COUNTS = True

FIGURES = ("per_row",)


def measure(evidence: Evidence) -> Measurement:
    """The discernibility penalty of a release, and per row."""
    rows = evidence.rows + evidence.suppressed
    sizes, held = sizes_met(evidence)
    total = float(int(sizes @ held) + rows * evidence.suppressed)
    figures = {"per_row": total / rows if rows else math.nan}
    note = "" if rows else "no rows: a penalty per row is undefined"
    return Measurement("discernibility", total, "lower", (float(rows), float(rows) ** 2), figures, note=note)
