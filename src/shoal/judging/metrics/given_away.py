# SPDX-License-Identifier: Apache-2.0
"""Given away: the share of rows whose private value their look-alikes tell, or nearly tell.

    value = share of rows that are certain, nearly or narrow in some sensitive column

    certain:  all look-alikes of the row have its value
    nearly:   at least 90 % of them have it, and (1 - p) <= (1 - q) / 2, p its share among them, q in the table
    narrow:   numbers and dates: the values of all look-alikes lie in a range that holds at most 5 % of the table's

k-anonymity hides which row is whose. It does not hide what all candidates have in common, and that is what this
counts. The figures give the rows of each sensitive column, ``certain``, ``nearly`` and ``narrow``, each row in the
first of the three that fits, and ``commonest``, the share of the commonest value in the table. A missing value is
given away by nobody; among the look-alikes it counts as a row that does not share the value. Values count by what
they mean, as in ``l_diversity``. 0: nobody; 1: everybody.

Reference: the homogeneity attack of A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, l-diversity:
privacy beyond k-anonymity, ACM TKDD 1(1), 2007; near-homogeneity as in (α,k)-anonymity, Wong et al., KDD 2006; narrow
ranges as in N. Li, T. Li, S. Venkatasubramanian, t-closeness, ICDE 2007.

Limits: someone who knows one private column of a person learns more about another. What stops it: ``l_diversity`` the
certain ones, ``alpha_k`` these and the nearly certain, ``t_closeness`` all three.
"""

from __future__ import annotations

import numpy as np

from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.exposures import Exposure, exposures

LIMITS = (0.0, 1.0)
FIGURES = ("certain NAME", "nearly NAME", "narrow NAME", "commonest NAME", "rows")
COLUMNS = "sensitive"

WAYS = ("certain", "nearly", "narrow", "commonest")


def measure(evidence: Evidence) -> Measurement:
    """Count the rows, column by column."""
    found = exposures(evidence.released, evidence.plan)
    if not found or not len(evidence.released):
        note = "no rows: nothing can be given away" if found else "no sensitive column is named in the plan and shown"
        return Measurement.undefined("given_away", note)
    figures = {f"{way} {one.column}": float(getattr(one, way)) for one in found for way in WAYS}
    anywhere = np.any([one.given for one in found], axis=0)
    figures["rows"] = float(anywhere.sum())
    return Measurement("given_away", float(anywhere.mean()), "lower", LIMITS, figures)


def told(measurement: Measurement | None, rows: int) -> list[Exposure]:
    """The exposures that a measurement tells of, the column with the most rows first."""
    figures = measurement.figures if measurement is not None else {}
    names = [name.removeprefix("certain ") for name in figures if name.startswith("certain ")]
    found = []
    for name in names:
        certain, nearly, narrow = (int(figures[f"{way} {name}"]) for way in WAYS[:3])
        found.append(Exposure(name, rows, certain, nearly, narrow, figures[f"commonest {name}"]))
    return sorted(found, key=lambda one: (-one.total, names.index(one.column)))
