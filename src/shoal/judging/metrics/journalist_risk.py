# SPDX-License-Identifier: Apache-2.0
"""Journalist risk: the chance of naming the right person for a row, if any row of the table will do.

    risk of a row = 1 / F        value = the largest risk = 1 / smallest F of a class that is in the table

F is the number of people in the population who look like the row. The attacker holds a table of the population, knows
nobody who is in the release for sure, and wants to re-identify somebody in it. ``mean`` is the expected share of right
names; ``share_above`` the share of rows whose risk is above ``threshold``; ``records_at_max`` the number of rows that
carry the largest risk. Suppressed rows have none.

F is counted where the plan names a table of the population, estimated where it names the number of its people, and else
bounded by the class in the table; then the risk is the prosecutor's, the largest it can be. The note says which. At
least the rows of a class are taken to be people of the population, F >= f.

References: K. El Emam, F. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008; the estimate by
R. Benedetti, L. Franconi 1998: F - f is negative binomial, given f rows drawn at the rate of rows to people.

Limits: the estimate takes the table for a simple random sample of the population, and of all sizes F of classes the
share to fall as 1/F; where classes are larger than that, it is too high.
"""

from __future__ import annotations

from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.look_alikes import row_risks
from shoal.judging.metrics._risk import worst_risk

LIMITS = (0.0, 1.0)
FIGURES = ("mean", "share_above", "threshold", "records_at_max")


def measure(evidence: Evidence) -> Measurement:
    """Largest and mean risk, and how many rows are at risk."""
    if not len(evidence.released):
        return Measurement.undefined("journalist_risk", "no rows: nobody can be at risk")
    found = row_risks(evidence)
    return worst_risk("journalist_risk", found.risks, note=found.note)
