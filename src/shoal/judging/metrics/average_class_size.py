# SPDX-License-Identifier: Apache-2.0
"""Average class size: how much larger than k the classes are on average.

    C_avg = (rows / classes) / k

1 is ideal: every class has exactly k rows. Below 1 some class is smaller than k. Suppressed rows are in no class and
do not count. Where no k was claimed, k is 1 and the value is the plain mean size. With ``missing = "wildcard"``
classes overlap, and their number is the sum of 1 / matches over all rows.

Paper: K. LeFevre, D. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
"""

from __future__ import annotations

import math

from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.look_alikes import sizes_met

BY_COUNTS = True

FIGURES = ("classes", "mean_size", "smallest", "largest")


def measure(evidence: Evidence) -> Measurement:
    """The average class size over k."""
    (sizes, held), k = sizes_met(evidence), evidence.plan.k
    rows = int(held.sum())
    if not rows:
        return Measurement.undefined("average_class_size", "no rows: an average is undefined", (0.0, math.nan))
    classes = float((held / sizes).sum())  # each row of a class of f brings 1/f
    figures = {
        "classes": classes,
        "mean_size": rows / classes,
        "smallest": float(sizes.min()),
        "largest": float(sizes.max()),
    }
    return Measurement("average_class_size", rows / classes / k, "lower", (1 / k, rows / k), figures)
