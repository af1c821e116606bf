# SPDX-License-Identifier: Apache-2.0
"""Prosecutor risk: the chance of picking the right row for a person known to be in the table.

    risk of a row = 1 / |C|        value = the largest risk = 1 / smallest class

The attacker knows the person's quasi-identifiers and that the person is in the table, and picks a row of the class at
random. ``mean`` is the expected share of right picks (classes / rows); ``share_above`` the share of rows whose risk is
above ``THRESHOLD``; ``records_at_max`` the number of rows that carry the largest risk. Suppressed rows have none.

Of sub-tables, the classes are those of the tables joined row by row; of boxes, the records that fit the box.

Reference: K. El Emam, F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008.

Limits: k of the table as seen, nothing about what an attacker learns from the sensitive values of a class.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.metrics._class_sizes import row_sizes
from shoal.metrics._protocol import CLASSES, EVERY_RELEASE, Evidence, Measurement

APPLIES = EVERY_RELEASE

THRESHOLD = 0.2
"""A risk above 1 in 5 counts as high: cell sizes below 5 are what statistics offices commonly refuse to publish."""


def measure(evidence: Evidence) -> Measurement:
    """Largest and mean risk, and how many rows are at risk."""
    if evidence.releases != CLASSES and evidence.look_alikes is None:
        note = f"a release of {evidence.releases} has no classes, and whose rows are whose was not told"
        return Measurement("prosecutor_risk", math.nan, "lower", (0.0, 1.0), note=note)
    sizes = row_sizes(evidence)
    if not len(sizes):
        return Measurement("prosecutor_risk", math.nan, "lower", (0.0, 1.0), note="no rows: nobody can be at risk")
    risks = 1.0 / sizes
    figures = {
        "mean": float(risks.mean()),
        "share_above": float(np.mean(risks > THRESHOLD)),
        "threshold": THRESHOLD,
        "records_at_max": float((sizes == sizes.min()).sum()),
    }
    return Measurement("prosecutor_risk", float(risks.max()), "lower", (0.0, 1.0), figures)
