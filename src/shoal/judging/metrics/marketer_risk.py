# SPDX-License-Identifier: Apache-2.0
"""Marketer risk: the share of all rows that are named rightly if every row is given a name.

    value = 1/n Σ_classes f / F = mean over rows of 1 / F

f is the number of rows of a class, F that of the people in the population who look like it. The attacker holds a table
of the population and links every row with one of its matches at random; that some links are wrong does not matter to
them. ``expected_matches`` is the expected number of right links. Suppressed rows cannot be linked and do not count.

F is counted where the plan names a table of the population, estimated where it names the number of its people, and else
bounded by the class in the table; then the value is classes / rows, the largest it can be. The note says which. At
least the rows of a class are taken to be people of the population, F >= f.

References: F. Dankar, K. El Emam, A method for evaluating marketer re-identification risk, PAIS 2010; the estimate by
R. Benedetti, L. Franconi 1998: F - f is negative binomial, given f rows drawn at the rate of rows to people.

Limits: a mean; a few rows may be named for sure while the value is low. See ``journalist_risk`` for the worst.
"""

from __future__ import annotations

from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.look_alikes import row_risks

LIMITS = (0.0, 1.0)
FIGURES = ("expected_matches",)


def measure(evidence: Evidence) -> Measurement:
    """The expected share of right links, and their number."""
    if not len(evidence.released):
        return Measurement.undefined("marketer_risk", "no rows: nobody can be linked")
    found = row_risks(evidence)
    figures = {"expected_matches": float(found.risks.sum())}
    return Measurement("marketer_risk", float(found.risks.mean()), "lower", LIMITS, figures, note=found.note)
