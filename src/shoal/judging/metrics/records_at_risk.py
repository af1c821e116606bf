# SPDX-License-Identifier: Apache-2.0
"""Records at risk: the share of rows that a prosecutor picks rightly more often than a threshold allows.

    value = share of rows with 1 / |C| > τ,        τ = 1 in 5

The risk of a row is the prosecutor's: one in the number of rows that look like it. The figures give the same share at
other thresholds, ``above_1_in_20`` to ``above_1_in_2``, and the number of rows behind the value. A k-anonymous table
has no row above 1 in k, nor above any larger threshold. Suppressed rows have no risk and do not count.

Of sub-tables, the classes are those of the tables joined row by row; of boxes, the records that fit the box.

Reference: K. El Emam, F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008.
"""

from __future__ import annotations

import numpy as np

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.look_alikes import sizes_met
from shoal.judging.metrics._risk import nobody_at_risk

APPLIES = EVERY_RELEASE
BY_COUNTS = True
LIMITS = (0.0, 1.0)
FIGURES = ("above_1_in_20", "above_1_in_10", "above_1_in_5", "above_1_in_3", "above_1_in_2", "records")

ONE_IN = (20, 10, 5, 3, 2)
"""Thresholds that are told: a risk above 1 in so many."""
CHOSEN = 5
"""The threshold of the value, that of ``prosecutor_risk``."""


def measure(evidence: Evidence) -> Measurement:
    """The share of rows above 1 in 5, and above other thresholds."""
    if note := nobody_at_risk(evidence):
        return Measurement.undefined("records_at_risk", note)
    sizes, rows = sizes_met(evidence)
    shares = {few: float(np.average(sizes < few, weights=rows)) for few in ONE_IN}
    figures = {f"above_1_in_{few}": share for few, share in shares.items()}
    figures["records"] = float(rows[sizes < CHOSEN].sum())
    return Measurement("records_at_risk", shares[CHOSEN], "lower", LIMITS, figures)
