# SPDX-License-Identifier: Apache-2.0
"""Prosecutor risk: the chance of picking the right row for a person known to be in the table.

    risk of a row = 1 / |C|        value = the largest risk = 1 / smallest class

The attacker knows the person's quasi-identifiers and that the person is in the table, and picks a row of the class at
random. ``mean`` is the expected share of right picks (classes / rows); ``share_above`` the share of rows whose risk is
above ``threshold``; ``records_at_max`` the number of rows that carry the largest risk. Suppressed rows have none.

Of sub-tables, the classes are those of the tables joined row by row; of boxes, the records that fit the box.

Reference: K. El Emam, F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008.

Limits: k of the table as seen, nothing about what an attacker learns from the sensitive values of a class.
"""

from __future__ import annotations

from shoal.judging.evidence import EVERY_RELEASE, Evidence, Measurement
from shoal.judging.look_alikes import sizes_met
from shoal.judging.metrics._risk import nobody_at_risk, worst_risk

APPLIES = EVERY_RELEASE
BY_COUNTS = True
LIMITS = (0.0, 1.0)
FIGURES = ("mean", "share_above", "threshold", "records_at_max")


def measure(evidence: Evidence) -> Measurement:
    """Largest and mean risk, and how many rows are at risk."""
    if note := nobody_at_risk(evidence):
        return Measurement.undefined("prosecutor_risk", note)
    sizes, rows = sizes_met(evidence)
    return worst_risk("prosecutor_risk", 1.0 / sizes, rows)
